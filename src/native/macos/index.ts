/**
 * The macOS backend. Nothing in this folder has run on a Mac; it runs in the tests against stand-in libraries (test/support/macos).
 *
 * `calls`: the prototype tables, one for each library, and what binds them; which entry a message is sent through on which processor.
 * `foundation`: who releases what (`scope.ts`), Core Foundation values to JavaScript and back, turns of the run loop.
 * `core.ts`: what all members need, opened once in a process. `processes.ts`: the kernel's word on a process. `permissions.ts`: what this
 * process is allowed, silently; the host asks a new process where something is not granted (`helper/permissions.ts`);
 * `automation.ts`: which applications take its scripts.
 * `screen`: displays, applications, windows and their states.
 * `accessibility`: elements, read as trees, by id, at a point and by the focus; acts on them (actions, values, text, selection, focus,
 * scrolling), each read back; where password fields show; which documents browsers show (`documents.ts`, which also wakes them).
 * `input`: pointer and keys. What is held is known to the host (`input.ts`); the helper looks characters up in the keyboard layout
 * (`layouts.ts`) and posts events (`post.ts`), in a helper of its own, where no event waits behind an application that hangs. That helper lets go of what is held where
 * the host ends without a word.
 * `window-acts`: focus, frames, minimising, maximising, closing, quitting and ending, each seen on the screen or in the process.
 * `clipboard`: texts, pictures as PNG and files; one file can be written. Pasting: the text is lent to the pasteboard for the moment.
 * `watching`: the person's input by an event tap, in the helper for events; changes by observers and looks, in a helper of their own.
 * `launching`: which applications there are, and their start, behind what is in front or before it.
 * `open.ts` puts the desktop together from five helpers: for elements, events, the clipboard, pictures and changes. Not yet there: media keys.
 * `pictures`: of displays, their parts and windows, by ScreenCaptureKit in a helper of its own, else by the system's program.
 *
 * `helper`: the process in which all of this runs, on its main thread, where accessibility and AppKit must be called. The host's side
 * (`client.ts`) ends it when an application hangs it, and starts another; `served.ts` has the members as the host calls them.
 */
export { openMacos, type MacOptions } from './open.js';
export { forkHelper, type HelperProcess } from './helper/process.js';
