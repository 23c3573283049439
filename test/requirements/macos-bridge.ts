import { requirements } from './requirement.js';

/** The bridge's Mach service and its addon. */
// prettier-ignore
export const MACOS_BRIDGE = requirements('The bridge service', {
  'MB-1': ['addon', 'app', 'The addon’s sources compile without a warning for both processors of macOS 13.'],
  'MB-2': ['addon', 'app', 'The protocol carries the types of its text and its reply block, without which NSXPC refuses it.'],
  'MB-3': ['addon', 'app', 'It is built on a Mac only: npm ci runs nothing, and elsewhere there is nothing to build.'],
  'MB-4': ['addon', 'app', 'Where it cannot be loaded the reason is known, and nothing else fails.'],
  'MB-5': ['peers', 'app', 'A caller is the process that its audit token names, of this user, and still that run of that program.'],
  'MB-6': ['messages', 'app', 'Each message has exactly one reply, also one that is no request.'],
  'MB-7': ['messages', 'app', 'Messages lead to the same methods as on the socket; the caller’s digest is over its audit token.'],
  'MB-8': ['health', 'app', 'desktop.health says which doors are open, and in one sentence why the service is not.'],
  'MB-9': ['messages', 'app', 'Approvals and tokens bind as on the socket.'],
  'MB-10': ['peers', 'app', 'A code-signing requirement in service.json is asked of every caller; one that cannot be read closes the service.'],
  'MB-11': ['launchd', 'app', 'launchd says which process has the service; it is registered once, never against the person, never without the addon.'],
  'MB-12': ['launchd', 'app', 'The app that a person opened makes room for the one that launchd started, and what waits goes on there.'],
  'MB-13': ['callers', 'app', 'chaperone call --service calls a method through the service, and says in one sentence why it cannot.'],
  'MB-14': ['addon', 'app', 'A package holds the addon as a real file beside the archive; without it none is made on a Mac.'],
});
