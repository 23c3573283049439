import { requirements } from './requirement.js';

/** Which windows and documents are Chaperone's own, and whose application or site an approval is for. */
// prettier-ignore
export const SIGHT = requirements('issue 8', {
  'SG-1': ['§1.2', 'main-job', 'A window is protected when any document that shows in it is the page, in whatever pane.'],
  'SG-2': ['§1.2', 'main-job', 'While a paired page is visible, a window of its browser that does not tell what it shows is protected; the error names the cure.'],
  'SG-3': ['§1.2', 'main-job', 'The tree of a browser is filtered by document, also of windows that the window manager does not know.'],
  'SG-4': ['§1.2', 'main-job', 'A grant for a site holds for the document of the element acted on.'],
  'SG-5': ['§1.2', 'main-job', 'Accessibility acts check document and window of the element as events do; links to the page are not followed.'],
});
