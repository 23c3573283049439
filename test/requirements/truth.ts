import { requirements } from './requirement.js';

/** What a card and the evidence say of an act is what is so. */
// prettier-ignore
export const TRUTH = requirements('Issue 8', {
  'TR-1': ['§2.2', 'main-job', 'The picture of a card and of the evidence is of the window that shows the element, never of a tooltip or another window of its application.'],
  'TR-2': ['§2.2', 'main-job', 'Where something covers the target the card says so, and an act by pointer is refused with what covers it.'],
});
