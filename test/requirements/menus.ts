import { requirements } from './requirement.js';

/** Menus, and steps whose target is not there yet. */
// prettier-ignore
export const MENUS = requirements('Issue 8:', {
  'MN-1': ['§1', 'main-job', 'The card of a menu’s item shows the menu, in GTK 3, GTK 4 and Chromium.'],
  'MN-2': ['§1', 'main-job', 'A menu’s item that deletes or sends is dangerous, by its point and by its element, where the menu reports it.'],
  'MN-3': ['§1', 'main-job', 'An approved item is not chosen in a menu that took the place of the approved one.'],
  'LW-1': ['§1', 'main-job', 'Nothing of a plan with a late step is done where windows of its application came or went while the person was asked.'],
  'LW-2': ['§1', 'main-job', 'A late step does not act in a window or a process that took the place of an approved one.'],
});
