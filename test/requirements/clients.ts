import { requirements } from './requirement.js';

/** What clients and models write, and what they get for it. */
// prettier-ignore
export const CLIENTS = requirements('Issue 26', {
  'CL-1': ['§6', 'main-job', 'Every message with an id is answered once, under its id as it was written: done where its meaning is plain, else with the member that is wrong and the next step. Over stdio, HTTP and the socket.'],
  'CL-2': ['§6', 'main-job', 'Arguments are taken the way models write them (text for a number, a boolean, a list or an object; null or empty text for left out; one value for a list; either spelling of a name), only where they cannot be misread. The person is asked about what they were read as.'],
});
