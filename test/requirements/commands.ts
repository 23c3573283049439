import { requirements } from './requirement.js';

/** What approved commands may leave behind, and what they get of the desktop. */
// prettier-ignore
export const COMMANDS = requirements('issue 8', {
  'CM-1': ['§1.4', 'tools', 'What a command leaves behind is ended when it returns, also with a cleared environment and in a session of its own.'],
  'CM-2': ['§1.4', 'tools', 'Cancel, time limit, abort and Stop end the whole set.'],
  'CM-3': ['§1.4', 'tools', 'What could not be found or ended is told in the result.'],
  'CM-4': ['§1.4', 'main-job', 'keep_running is shown on the card; what it keeps is listed on Home, ended there, and ends with the host unless the person says otherwise.'],
  'CM-5': ['§1.4', 'tools', 'A command gets no display, session bus or runtime folder; desktop, shown on the card, restores them.'],
  'CM-6': ['§1.4', 'main-job', 'When the host is killed, what its commands run is ended.'],
  'CM-7': ['§1.4', 'main-job', 'What an approved command leaves behind cannot press Allow later.'],
});
