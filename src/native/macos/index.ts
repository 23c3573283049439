/**
 * The macOS backend, under construction: `native/open.ts` refuses macOS until all of the desktop's interface is here. Nothing in this
 * folder has run on a Mac; it runs in the tests against stand-in libraries (test/support/macos).
 *
 * `calls`: the prototype tables, one for each library, and what binds them; which entry a message is sent through on which processor.
 * `foundation`: who releases what (`scope.ts`), Core Foundation values to JavaScript and back, turns of the run loop.
 *
 * All of it is called on the main thread of one process, where accessibility and AppKit must be called.
 */
export { bindLibraries, type Bound } from './calls/bind.js';
export type { LibraryPaths } from './calls/libraries.js';
