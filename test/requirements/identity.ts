import { requirements } from './requirement.js';

/** Which application something is. */
// prettier-ignore
export const IDENTITY = requirements('Applications:', {
  'ID-1': ['grants', 'main-job', 'A grant, and what is remembered of an application, is for the program that the kernel names, not for a window class or a desktop file.'],
  'ID-2': ['exclusions', 'main-job', 'An excluded application stays excluded whatever a desktop file or a window class calls it.'],
});
