import { requirements } from './requirement.js';

/** The first minute: what the demo shows. */
// prettier-ignore
export const DEMO = requirements('Issue 8', {
  'DM-1': ['§2.5', 'app', 'Where there is a display, the demo uses one small real application and ends in a before and after with a link to both pictures.'],
  'DM-2': ['§2.5', 'app', 'The demo waits as long as the person needs: a request that ended unanswered is asked again when the person wants it.'],
});
