import { requirements } from './requirement.js';

/** Where evidence lies, windows inside windows, and what an agent sends that nobody could read rightly. */
// prettier-ignore
export const PLACES = requirements('Issue 25', {
  'PL-1': ['Smaller', 'main-job', 'A number too large to read, such as 1e400, is refused as DESKTOP_INVALID_REQUEST that names its member, at every way in.'],
  'PL-2': ['Smaller', 'main-job', 'A quick reply that reads like a button of the page, in any of its languages and however it is spelled, is refused.'],
  'PL-3': ['§4', 'main-job', 'Pictures and texts of what an agent may not see when they are written never lie in its workspace: Chaperone keeps them, the workspace says so, and page, verify and retention cover both places.'],
  'PL-4': ['§6', 'main-job', 'A window of one application inside another’s counts as that application’s: in pictures, in trees and for grants.'],
});
