/** The clipboard. Its count goes up with every change, so that a paste can tell whether its own text is still there. */
import type { ClipboardReading } from '../desktop.js';
import type { State } from './model.js';

/** Sets the content. `by` is `us` where a caller of this backend wrote it. */
export function setClipboard(state: State, content: ClipboardReading, by: 'program' | 'us' = 'program'): number {
  const count = replaceClipboardSilently(state, content);
  state.clipboardChanges.emit(by === 'us' ? copyOf(content) : null);
  return count;
}

/** The same without calling the listeners: for the moment of a paste. */
export function replaceClipboardSilently(state: State, content: ClipboardReading): number {
  state.clipboard = copyOf(content);
  state.clipboardCount += 1;
  return state.clipboardCount;
}

export function copyOf(content: ClipboardReading): ClipboardReading {
  return structuredClone(content);
}

/** The content as a program may read it; of concealed content only the fact. */
export function readingOf(content: ClipboardReading): ClipboardReading {
  return content.concealed === true ? { concealed: true } : copyOf(content);
}
