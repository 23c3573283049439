import { requirements } from './requirement.js';

/** Acts at the edges of what an application tells of itself. */
// prettier-ignore
export const EDGES = requirements('Issue 8', {
  'EG-1': ['§1', 'main-job', 'Keys are judged by where the keyboard is: while it is in a browser’s toolbar, bubble or dialog, the page’s field is not taken for it, and no grant for the site covers them.'],
  'EG-2': ['§1', 'main-job', 'Where several documents of a window claim the keyboard, keys are refused, and the error says to name the element.'],
  'EG-3': ['§1', 'main-job', 'A cell, list item or box that acts, and whose own name or only text is a short one such as “Delete”, is asked about as dangerous; a longer text that begins so is data.'],
  'EG-4': ['§1', 'main-job', 'What has no name, and nothing in it that says anything, is asked about each time, also under a grant.'],
  'EG-5': ['§2', 'main-job', 'A picture that changed only away from what was acted on does not confirm the act.'],
  'EG-6': ['§1', 'main-job', 'A field once seen as one for a password stays masked in pictures, text recognition and trees while it shows its text.'],
  'EG-7': ['§1', 'main-job', 'While a menu is open, a key that can choose one of its items is judged by the items.'],
});
