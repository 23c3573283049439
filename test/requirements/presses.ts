import { requirements } from './requirement.js';

/** Issue 8, §1: what makes a press on Allow count, and what becomes of held input. */
// prettier-ignore
export const PRESSES = requirements('DESIGN.md', {
  'PR-1': ['§6', 'main-job', 'An Allow counts only as the end of a press that its page reported on that card, once.'],
  'PR-2': ['§6', 'main-job', 'No Allow counts with input injected from a second before the press began until it ended, by us or another program’s synthetic device.'],
  'PR-3': ['§6', 'main-job', '--accept-synthetic-input lets other programs’ synthetic devices press Allow, and Health says so.'],
  'PR-4': ['§6', 'main-job', 'From a refused press on the desktop stands still until the card is decided, 6 s at most.'],
  'PR-5': ['§6', 'main-job', 'Pressing Allow lets go of everything held, and needs a new press then.'],
  'PR-6': ['§6', 'main-job', 'Deny always works.'],
  'PR-7': ['§6', 'main-job', 'The card of a held button covers moving in that window and letting go there.'],
  'PR-8': ['§6', 'main-job', 'A release is never refused: after Escape, so that nothing is dropped or clicked.'],
  'PR-9': ['§3', 'main-job', 'Connections that have not completed a first message make room when places run out.'],
  'PR-21': ['issue 8', 'main-job', 'A press counts for nothing while, or right after, another program’s window lies over the card or the pointer, also one that lets presses through.'],
  'PR-22': ['issue 8', 'main-job', 'A press counts for nothing where the window of the page came under the pointer only right before, or moved as it was pressed.'],
  'PR-20': ['commands', 'main-job', 'What an approved command leaves behind presses nothing after the command has returned.'],
});
