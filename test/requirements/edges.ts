import { requirements } from './requirement.js';

/** Acts at the edges of what an application tells of itself. */
// prettier-ignore
export const EDGES = requirements('Issue 8', {
  'EG-1': ['§1', 'main-job', 'Keys are judged by where the keyboard is: while it is in a browser’s toolbar, bubble or dialog, the page’s field is not taken for it, and no grant for the site covers them.'],
  'EG-2': ['§1', 'main-job', 'Where several documents of a window claim the keyboard, keys are refused, and the error says to name the element.'],
});
