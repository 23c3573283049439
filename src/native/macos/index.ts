/**
 * The macOS backend, under construction: `native/open.ts` refuses macOS until all of the desktop's interface is here. Nothing in this
 * folder has run on a Mac; it runs in the tests against stand-in libraries (test/support/macos).
 *
 * `calls`: the prototype tables, one for each library, and what binds them; which entry a message is sent through on which processor.
 * `foundation`: who releases what (`scope.ts`), Core Foundation values to JavaScript and back, turns of the run loop.
 * `core.ts`: what all members need, opened once in a process. `processes.ts`: the kernel's word on a process.
 * `screen`: displays, applications, windows. `accessibility`: elements, read as trees, by id, at a point, by the focus; acts on them
 * (actions, values, text, selection, focus, scrolling), each read back. Options of pop-up buttons cannot be chosen yet.
 * Not yet there: input, acts on windows, clipboard, pictures, password areas, changes, permissions, launching, the helper process.
 *
 * All of it runs synchronously on the main thread of one process, where accessibility and AppKit must be called. It is made for a helper
 * process, which can be ended when an application hangs it.
 */
export { openCore, type Core, type CoreOptions } from './core.js';
export { openElementReader, type ElementReader } from './accessibility/element-reader.js';
export { openApps, type Apps } from './screen/apps.js';
export { listDisplays } from './screen/displays.js';
export { openWindowRows, type WindowRows } from './screen/window-rows.js';
export { openWindows, type Windows } from './screen/windows.js';
export { focusElement, performAction } from './accessibility/actions.js';
export { scrollerOf, scrollIntoView } from './accessibility/scrolling.js';
export { setExpanded, setSelected } from './accessibility/select-expand.js';
export { insertText, setValue } from './accessibility/set-values.js';
