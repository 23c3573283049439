import { requirements, type Rows } from './requirement.js';

const RECORD: Rows = {
  'AP-R-1': ['activity', 'app', 'Everything that happened, of this life of the host and earlier ones, is a timeline by day with thumbnails, read from the log in pages; ten thousand rows can all be reached and few are drawn.'],
  'AP-R-2': ['activity', 'app', 'The host filters by agent, kind, outcome and application.'],
  'AP-R-3': ['activity', 'app', 'What is new waits in a line of its own: nothing that is read moves.'],
  'AP-R-4': ['evidence', 'app', 'Before and after are beside each other or under a slider, enlarged on request, what changed is ringed; elements are outlined by number and walked as a tree.'],
  'AP-R-5': ['evidence', 'app', 'Decision, what happened with its proof, each step, the exact request and the place in the record are shown.'],
  'AP-R-6': ['evidence', 'app', 'The record is checked on request, also for one action; the page says that no key signs it.'],
  'AP-R-7': ['evidence', 'app', 'Files are read only from the folder the host’s own log names; what was edited, lost or planted is told and not shown, and what retention deleted leaves its line.'],
  'AP-R-8': ['record', 'app', 'Only a paired page or the popover is answered about the record, within limits.'],
  'AP-R-9': ['conversation', 'app', 'Older messages come in parts on scrolling up, with what is read kept in place; ten thousand can all be reached and few are drawn.'],
  'AP-R-10': ['hostile agents', 'app', 'Whatever agents and applications say acts nowhere in activity and evidence, in any length.'],
  'AP-R-11': ['conversation', 'app', 'Far back in a long conversation the page keeps the part that is read and the newest one, whatever it came past; the way forward, and a jump to the newest, are complete.'],
  'AP-R-12': ['activity', 'app', 'The list of actions keeps the rows around what is read, however many it came past; the others keep their place and are loaded again there.'],
}; // prettier-ignore

/** What the issue of the app promises of the activity, the evidence viewer and long histories. */
export const APP_RECORD = requirements('The record:', RECORD);
