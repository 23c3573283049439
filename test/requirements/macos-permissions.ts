import { requirements } from './requirement.js';

/** What macOS lets Chaperone do, as the person meets it. */
// prettier-ignore
export const MACOS_PERMISSIONS = requirements('Permissions on macOS', {
  'MP-1': ['states', 'macos', 'Granted, missing and stale are told apart, each with its own way out.'],
  'MP-2': ['states', 'macos', 'A permission that is given or taken while Chaperone runs is noticed by itself.'],
  'MP-3': ['asking', 'macos', 'The system asks the person only when they press; looking at permissions raises nothing.'],
  'MP-4': ['asking', 'macos', 'No function of the system that asks for a permission is reachable from the backend.'],
  'MP-5': ['states', 'macos', 'An entry of an older build is mended step by step, by the settings or by one command.'],
});
