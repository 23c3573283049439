import { requirements } from './requirement.js';

/** What comes too late, and what comes by another way. */
// prettier-ignore
export const RACES = requirements('Late and elsewhere:', {
  'RA-1': ['approvals', 'main-job', 'An Allow that arrives after a pause, a stop or the end of its page’s pairing never acts.'],
  'RA-2': ['GABP', 'main-job', 'Over TCP an agent has the same cards as over the socket, and neither JSON-RPC nor admin methods.'],
});
