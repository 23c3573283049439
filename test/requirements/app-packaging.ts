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
  'AP-PK-10': ['updates', 'app', 'npm run package writes the update address into the macOS app where one is given, and one channel file for both processors.'],
});

/** Updates of the packaged app on macOS. */
// prettier-ignore
export const APP_UPDATES = requirements('Updates of the menubar app', {
  'AP-UP-1': ['asking', 'app', 'The address in the package is asked when the person chooses it, or daily where they switched that on; without one there is no entry.'],
  'AP-UP-2': ['steps', 'app', 'Checking, downloading and installing are each started by the person; the host ends in order before the app is replaced.'],
  'AP-UP-3': ['steps', 'app', 'Nothing is installed while a call acts or a request waits.'],
  'AP-UP-4': ['agents', 'app', 'Agents neither see nor start anything of updates.'],
  'AP-UP-5': ['faults', 'app', 'An older version, a wrong checksum, a foreign signature and an address that does not answer each end in one sentence with the next step.'],
});

/** Issue 26, §1: what a machine has must not hide a missing step. */
// prettier-ignore
export const NEW_MACHINE = requirements('A new machine', {
  'FR-1': ['fresh', 'main-job', 'npm run fresh runs a command in a copy of HEAD on a new, minimal Debian with nothing else of this machine, and leaves nothing behind; where that cannot be had it says why.'],
  'FR-2': ['ci', 'main-job', 'Continuous integration runs the README’s commands there: npm start until its page answers, and npm test.'],
  'FR-3': ['package', 'main-job', 'The npm package installs without a warning on every Node that is promised, without Electron, and serves agents, command line and page.'],
});
