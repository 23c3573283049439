import { requirements } from './requirement.js';

/** Hosts on other machines: what `chaperone connect` and `chaperone mcp --connect` promise. */
// prettier-ignore
export const REMOTE = requirements('Hosts elsewhere:', {
  'RH-1': ['shim', 'gabp', 'An agent here uses the host there through SSH’s own forwarding: asked and answered there, evidence there, nothing started here.'],
  'RH-2': ['identity', 'gabp', 'What SSH forwards is shown as via SSH, told by the kernel’s executable and ancestry; its names are claims.'],
  'RH-3': ['grants', 'gabp', 'It matches no grant of a program there, nor a stored one; its own grants end with its connection.'],
  'RH-4': ['loss', 'gabp', 'After a lost connection the shim connects again, and its calls and their answers go on; only the same shim is known again.'],
  'RH-5': ['ssh', 'gabp', 'SSH itself checks the key of the machine; nothing in an address or command is taken for an option or by a shell.'],
  'RH-6': ['faults', 'gabp', 'What is missing or wrong there is said with the next step; a host is started there only where that was asked for.'],
  'RH-7': ['socket', 'gabp', 'A socket that somebody forwards is taken with the bridge.json beside it, and never one of another user.'],
  'RH-8': ['page', 'gabp', 'Its page is at the same port here, with a pairing of its own; a page that SSH forwards is nobody’s until it is paired.'],
  'RH-9': ['list', 'gabp', 'Page, popover and `chaperone connect --list` name each connected host and what waits there; it is answered there only. What waits there for an agent here is named too, as that agent’s word.'],
  'RH-11': ['container', 'gabp', 'The recipe of a container has the private desktop and one port, which is SSH’s; an agent’s key there gets no shell.'],
  'RH-12': ['setup', 'gabp', 'chaperone setup --connect registers a client with the host of another machine; only an address is taken.'],
  'RH-10': ['admin', 'gabp', 'Whoever SSH forwards gets no pairing link and no way to the desktop, tells of no hosts, and sees nothing of other agents.'],
});
