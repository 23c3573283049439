import { requirements } from './requirement.js';

/** GABP beyond its transport: a server that bridges launch and find. */
// prettier-ignore
export const GABP_LAUNCHED = requirements('GABP:', {
  'GB-1': ['launched', 'main-job', 'A bridge that launches the host gives port, token and name in the environment; the command line goes before it, programs the host starts get none of it, and a host that a shim starts takes none of it.'],
  'GB-2': ['launched', 'main-job', 'A launching bridge that asks is told the arguments, folder and variables the host really has; bridge.json lists every transport with its address.'],
  'GB-3': ['limits', 'main-job', 'A connection for which there is no room is told so in one message before it is closed; the limit is an option.'],
  'GB-4': ['strict', 'main-job', 'What the schemas forbid and known bridges send is taken, and refused with --strict.'],
  'GB-5': ['state', 'main-job', 'State and resources are calls of tools: approved, masked and recorded as these, and set only where a tool sets them.'],
  'GB-6': ['events', 'main-job', 'Events of attention and of observations are numbered without gaps for the whole host, and sent again from a number on, as far as they are kept.'],
  'GB-7': ['schemas', 'main-job', 'What the host sends over standard input and output, TCP and a Unix socket is what the published schemas say, in every test; the protocol’s own vectors are answered as they should be.'],
  'GB-8': ['peers', 'main-job', 'A bridge that was written from the specification alone launches the host, starts it over standard input and output, and finds it by its file; it uses all of it, and comes back to the next host.'],
  'GB-9': ['peers', 'main-job', 'So does one whose author knew neither the product nor another implementation, and holds all it is sent against the specification.'],
});
