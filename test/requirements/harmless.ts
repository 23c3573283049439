import { requirements } from './requirement.js';

/** What Chaperone does to the applications it looks at. */
// prettier-ignore
export const HARMLESS = requirements('No harm to applications:', {
  'HA-1': ['native', 'main-job', 'A picture, a tree or a search makes no application work or grow without bound: a large table or list is asked only for what it shows, and a password that shows in it is covered.'],
  'HA-2': ['native', 'main-job', 'An application that owes an answer is asked nothing more until it has answered.'],
  'HA-3': ['native', 'main-job', 'A dialog that an accessibility action opens, and keeps the toolkit from replying until it closes, is read, answered and closed like any other.'],
  'HA-4': ['native', 'main-job', 'Where nothing in a window can be read, without accessibility or because it does not answer, the person is asked each time and told so, and clicks, keys and lines reach it.'],
});
