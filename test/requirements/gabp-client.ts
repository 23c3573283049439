import { requirements } from './requirement.js';

/** GABP as a client: other applications and games. */
// prettier-ignore
export const GABP_CLIENT = requirements('GABP client:', {
  'GC-1': ['confirmation', 'gabp', 'Nothing of an entry in gabp-apps.json is used before a person has confirmed exactly it; a changed one is asked anew, no agent starts an application, and the record has each answer, start and stop.'],
  'GC-2': ['launch', 'gabp', 'A launched application gets a token and a configuration file for this launch, and none of Chaperone’s variables.'],
  'GC-3': ['transports', 'gabp', 'Applications are reached over standard input and output, TCP and a Unix socket.'],
  'GC-4': ['effects', 'gabp', 'A tool of an application is asked about, with a card in the words of its schema; what the application says makes it only more dangerous, and the confirmed entry alone makes it milder. A grant covers one application.'],
  'GC-5': ['faults', 'gabp', 'An application that hangs, floods or contradicts itself harms nothing else, and nothing it did not clearly do counts as done; its own refusal is DESKTOP_APP_FAILED.'],
  'GC-6': ['tools', 'gabp', 'What an application says of its tools is bounded, without hidden characters and shown as its words; names have at most 40 characters and are never the same; at most 100 tools are published, and the rest are found and called.'],
  'GC-7': ['life', 'gabp', 'An application that restarts is connected to again, with growing waits; its tools come and go with it, and clients are told.'],
  'GC-8': ['events', 'gabp', 'Events are kept for agents to read, and what an application wants seen blocks its calls until it is acknowledged.'],
  'GC-9': ['page', 'app', 'The page shows the applications with state and log to a paired person, who starts and stops them and acknowledges what one wants seen; nothing an application says acts there.'],
  'GC-10': ['command line', 'gabp', 'chaperone apps says in words which applications there are and how they are; started by an agent it does no more than that.'],
  'GC-11': ['peers', 'gabp', 'An application that was written from the specification alone is launched and attached to: its tools, events, resources and attention, after a restart of the host and of its own.'],
  'GC-12': ['peers', 'gabp', 'So is one whose author knew neither the product nor another implementation, over each transport; what it gives back arrives as it was: null, failures with their words, late answers.'],
  'GC-13': ['code', 'gabp', 'A confirmed entry is bound to the code that its interpreter finds beside its script; where its code cannot be told, a person is asked once in each run of the host, and the request says why.'],
});
