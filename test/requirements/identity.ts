import { requirements } from './requirement.js';

/** Which application something is. */
// prettier-ignore
export const IDENTITY = requirements('Applications:', {
  'ID-1': ['grants', 'main-job', 'A grant, and what is remembered of an application, is for the program that the kernel names, not for a window class or a desktop file.'],
  'ID-2': ['exclusions', 'main-job', 'An excluded application stays excluded whatever a desktop file or a window class calls it.'],
  'ID-3': ['exec', 'main-job', 'A connection whose process has executed another program is closed: no card it has open acts, no grant of it covers, and on a new connection the card names the new program.'],
  'ID-4': ['grants', 'main-job', 'An “always” on Linux is for content: the executable and the script that the kernel shows, in the host’s own view of the file system, with nothing that loads other code, and for the application as it was. Where that cannot be told it is not offered, and the request says why; after a change the person is asked, and told that something was replaced.'],
  'ID-5': ['grants', 'main-job', 'What was allowed is used over a connection only while one process holds its other end: the one that connected. For what was sent before the host had read who that is, nothing that was allowed is used.'],
  'ID-6': ['grants', 'main-job', 'What an agent was allowed is used through the real shim only; a request of another program that speaks for it says so.'],
  'ID-7': ['identity', 'main-job', 'An agent has a name that a person knows only where the system or an installer put its program; else its path is its name.'],
  'ID-8': ['consents', 'main-job', 'Each consent that outlives a call is in one table that says what it is bound to; none that outlives its process is bound to a name only.'],
  'ID-9': ['grants', 'main-job', 'What was allowed for a session ends once the agent’s process executes a program again, even the same one.'],
});
