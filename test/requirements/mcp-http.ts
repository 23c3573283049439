import { requirements } from './requirement.js';

/** MCP over HTTP, for clients that start no program: what `chaperone host --http` promises. */
// prettier-ignore
export const MCP_HTTP = requirements('MCP over HTTP:', {
  'MH-1': ['calls', 'main-job', 'Clients of 2025-11-25 (with a session) and of 2026-07-28 (without) get the tools of stdio, and their acts are asked for and judged like any.'],
  'MH-2': ['streams', 'main-job', 'A client that leaves while a card is open gets the answer when it comes back, after the last event it had, and once.'],
  'MH-3': ['calls', 'main-job', 'Before the time limit of the client a waiting call is answered with a handle, by which it is waited for again.'],
  'MH-4': ['streams', 'main-job', 'Events of an observation come on the stream of the session that made it.'],
  'MH-5': ['door', 'main-job', 'The door is open only where it was asked for; health and doctor tell its address. Its token is kept over restarts, in a file of its user only.'],
  'MH-6': ['door', 'main-job', 'It is on loopback only, Host and Origin are exactly its own, and without the token nothing is read and nothing served.'],
  'MH-7': ['sessions', 'main-job', 'A session is its process’s only; it ends by DELETE, by time and with its process, and one process cannot crowd out another.'],
  'MH-8': ['identity', 'main-job', 'The kernel names the process that asks. Where it does not, or a proxy is between, the person is asked each time and no grant is offered.'],
  'MH-9': ['limits', 'main-job', 'Long, half, deep and abandoned requests and idle connections end or are refused, and others are served meanwhile.'],
  'MH-10': ['calls', 'main-job', 'The address chooses the profile: the tools of `core` are those of `chaperone mcp --profile core`.'],
  'MH-11': ['calls', 'main-job', 'A reply in an answer that the client gave up, or whose connection was gone before all of it was written, is kept for the agent’s next call.'],
});
