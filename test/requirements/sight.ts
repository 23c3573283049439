import { requirements } from './requirement.js';

/** Which windows and documents are Chaperone's own, and whose application or site an approval is for. */
// prettier-ignore
export const SIGHT = requirements('issue 8', {
  'SG-1': ['§1.2', 'main-job', 'A window is protected when any document that shows in it is the page, in whatever pane.'],
  'SG-2': ['§1.2', 'main-job', 'While a paired page is visible, a window of its browser that does not tell what it shows is protected; the error names the cure.'],
  'SG-3': ['§1.2', 'main-job', 'The tree of a browser is filtered by document, also of windows that the window manager does not know.'],
  'SG-4': ['§1.2', 'main-job', 'A grant for a site holds for the document of the element acted on.'],
  'SG-5': ['§1.2', 'main-job', 'Accessibility acts check document and window of the element as events do; links to the page are not followed.'],
  'SG-6': ['§2', 'main-job', 'An agent that may see nothing gets the same answers on two desktops that differ in what only a look could tell.'],
  'SG-7': ['§2', 'main-job', 'Where an agent may not see, the person is asked whether or not the target was found; only an Allow tells which.'],
  'SG-8': ['§2', 'main-job', 'Of an act where its agent may not see, only the effect is told.'],
  'SG-9': ['§2', 'main-job', 'What the policy refuses is refused before anything is looked at.'],
});
