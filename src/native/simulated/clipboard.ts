/** The one clipboard. Its count goes up with every change, so that whoever borrowed it sees whether it is still theirs. */
import type { ClipboardReading } from '../desktop.js';
import type { State } from './model.js';

/** A new content; `by` says whether this backend was asked to write it. */
export function setClipboard(state: State, content: ClipboardReading, by: 'program' | 'us' = 'program'): number {
  const count = lendClipboard(state, content);
  state.clipboardChanges.emit(by === 'us' ? copyOf(content) : null);
  return count;
}

/** The same without a word to those who listen: a paste lends it for a moment. */
export function lendClipboard(state: State, content: ClipboardReading): number {
  state.clipboard = copyOf(content);
  state.clipboardCount += 1;
  return state.clipboardCount;
}

export function copyOf(content: ClipboardReading): ClipboardReading {
  return structuredClone(content);
}

/** What a program is given that asks: of a concealed content, only that. */
export function readingOf(content: ClipboardReading): ClipboardReading {
  return content.concealed === true ? { concealed: true } : copyOf(content);
}
