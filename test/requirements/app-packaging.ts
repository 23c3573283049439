import { requirements } from './requirement.js';

/** The packages of the menubar app. */
// prettier-ignore
export const APP_PACKAGING = requirements('The menubar app', {
  'AP-PK-1': ['packages', 'app', 'The archive holds the built program, page and licence, what they need, and nothing that built or tested them.'],
  'AP-PK-2': ['packages', 'app', 'Native modules of the target alone, and all that text recognition loads, are real files beside the archive.'],
  'AP-PK-3': ['packages', 'app', 'The fuses are closed in the program itself: run-as-node, node options, inspect; asar integrity on.'],
  'AP-PK-4': ['packages', 'app', 'A packaged app runs each command of chaperone, so that agents can start the shim with nothing else installed.'],
  'AP-PK-5': ['packages', 'app', 'The macOS app stays out of the Dock, carries the archive’s hash, and explains its only question to the system.'],
  'AP-PK-6': ['packages', 'app', 'The LaunchAgent that registers com.msgcode.desktop.bridge is in the bundle.'],
  'AP-PK-7': ['packages', 'app', 'One configuration makes dmg, zip, AppImage and deb.'],
  'AP-PK-8': ['packages', 'app', 'The hardened runtime has minimal entitlements with a reason for each.'],
  'AP-PK-9': ['packages', 'app', 'npm run package says exactly what a machine lacks before it builds anything.'],
});
