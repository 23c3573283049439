import { requirements } from './requirement.js';

/** Commands and scripts on macOS. */
// prettier-ignore
export const MACOS_SCRIPTS = requirements('Scripts on macOS', {
  'MS-1': ['children', 'macos', 'A command answers for itself: what the person allowed Chaperone in the system is not lent to it.'],
  'MS-2': ['children', 'macos', 'Where the system does not confirm that, nothing of the command runs, and the refusal says why.'],
  'MS-3': ['scripts', 'macos', 'AppleScript and JavaScript for Automation run after an Allow that shows them whole, with the applications they name.'],
  'MS-4': ['scripts', 'macos', 'A missing Automation permission is named with the application it is about and where to give it.'],
  'MS-5': ['scripts', 'macos', 'A script that is only compiled runs nothing; one whose compiling may start something is compiled only after an Allow.'],
});
