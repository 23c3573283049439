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

/** What ordinary tasks in real applications found. */
// prettier-ignore
export const APPLICATIONS = requirements('Issue 26:', {
  'AT-1': ['§7', 'tools', 'The items of an open menu of GTK 2 are found and pressed by name, those of a closed one are not shown.'],
  'AT-2': ['§7', 'tools', 'The file dialog of GTK 2 is filled in, also from its list of recent files.'],
  'AT-3': ['§7', 'tools', 'What an application asks while its file dialog stays open goes to the agent, with the buttons that answer it.'],
  'AT-4': ['§7', 'tools', 'A text of several paragraphs is typed into a document that is no page; a tab in it is refused.'],
  'AT-6': ['§7', 'tools', 'Ten ordinary tasks in two real applications are done through MCP tools, as judged by what the applications leave.'],
  'AT-5': ['§7', 'tools', 'A look that runs out of its own time says that the application is too slow, and not that Chaperone has a fault.'],
});
