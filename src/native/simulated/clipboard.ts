/** The one clipboard. Its count goes up with every change, so that whoever borrowed it sees whether it is still theirs. */
import type { ClipboardContent } from '../desktop.js';
import type { State } from './model.js';

export function setClipboard(state: State, content: ClipboardContent): number {
  state.clipboard = copyOf(content);
  state.clipboardCount += 1;
  return state.clipboardCount;
}

export function copyOf(content: ClipboardContent): ClipboardContent {
  return structuredClone(content);
}
