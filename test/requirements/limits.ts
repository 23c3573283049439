import { requirements } from './requirement.js';

/** Limits on what programs and applications can hand over, and what is refused when they are reached. */
// prettier-ignore
export const LIMITS = requirements('Limits:', {
  'LI-1': ['pages', 'main-job', 'Any number of WebSocket upgrades at once stops neither agents nor the person’s page: processes are searched in one shared pass that gives others their turn.'],
  'LI-2': ['native', 'main-job', 'Names, descriptions, identifiers, actions and addresses that an application tells are cut where they come in, and two that differed still differ.'],
  'LI-3': ['passwords', 'main-job', 'A field once seen as one for a password is never forgotten for want of room: an application with too many has its texts and windows hidden.'],
  'LI-4': ['own files', 'main-job', 'A relative name in a file dialog is refused where the dialog shows Chaperone’s own folder, leads there, or nothing tells the folder and one of Chaperone’s files is called so.'],
  'LI-5': ['pages', 'main-job', 'Which process is at the other end of a loopback connection is told also while the connections of the machine change and that process starts others; where it stays unclear, nobody is named.'],
});
