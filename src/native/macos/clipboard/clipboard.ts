/** The clipboard on the host's side: one write after the other, and changes by the count of the pasteboard, which asks nobody. */
import { createEmitter } from '../../../base/emitter.js';
import type { ClipboardAccess, ClipboardContent, ClipboardReading } from '../../desktop.js';

export interface ClipboardHelper {
  readClipboard(signal: AbortSignal): Promise<ClipboardReading>;
  putOnClipboard(content: ClipboardContent, signal: AbortSignal): Promise<number>;
  clipboardCount(signal: AbortSignal): Promise<number>;
}

const POLL_MS = 250;

export function createClipboard(helper: ClipboardHelper): ClipboardAccess & { close(): void } {
  const changes = createEmitter<ClipboardContent | null>();
  const ending = new AbortController();
  let seen: number | null = null;
  let timer: NodeJS.Timeout | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** A helper answers in order: a count asked for after a write comes after that write's own. */
  const look = async (): Promise<void> => {
    const count = await helper.clipboardCount(ending.signal).catch(() => null);
    if (count !== null && seen !== null && count !== seen && timer !== null) changes.emit(null);
    if (count !== null) seen = count;
    timer = timer === null ? null : setTimeout(() => void look(), POLL_MS).unref();
  };
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    seen = null;
  };

  return {
    readClipboard: (signal) => helper.readClipboard(signal),
    async writeClipboard(content, signal) {
      const write = last.then(async () => {
        signal.throwIfAborted();
        seen = await helper.putOnClipboard(content, signal);
        changes.emit(content);
      });
      last = write.catch(() => undefined);
      await write;
    },
    onClipboardChange(listener) {
      const off = changes.on(listener);
      if (timer === null) {
        seen = null;
        timer = setTimeout(() => void look(), 0).unref();
      }
      return () => {
        off();
        if (changes.size === 0) stop();
      };
    },
    close() {
      ending.abort();
      stop();
      changes.clear();
    },
  };
}
