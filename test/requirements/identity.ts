import { requirements } from './requirement.js';

/** Which application something is. */
// prettier-ignore
export const IDENTITY = requirements('Applications:', {
  'ID-1': ['grants', 'main-job', 'A grant, and what is remembered of an application, is for the program that the kernel names, not for a window class or a desktop file.'],
  'ID-2': ['exclusions', 'main-job', 'An excluded application stays excluded whatever a desktop file or a window class calls it.'],
  'ID-3': ['exec', 'main-job', 'A connection whose process has executed another program is closed: no card it has open acts, no grant of it covers, and on a new connection the card names the new program.'],
});
