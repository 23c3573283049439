import { requirements } from './requirement.js';

/** Windows that cover or replace what was approved, or the page itself. */
// prettier-ignore
export const OVERLAYS = requirements('Issue 8', {
  'OV-1': ['§1', 'main-job', 'A window laid over an approved target gets nothing of the act; one that takes no input is named on the card.'],
  'OV-2': ['§1', 'main-job', 'A target that moved or was replaced between card and act is not clicked; one that was covered by another window comes forward first.'],
});
