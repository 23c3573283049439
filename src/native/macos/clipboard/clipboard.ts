/** The clipboard on the host's side: one write after the other, and changes by the count of the pasteboard, which asks nobody. */
import { createEmitter } from '../../../base/emitter.js';
import {
  type ClipboardAccess,
  type ClipboardContent,
  type ClipboardReading,
  DesktopError,
  type GuardedInput,
} from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { message } from '../../../messages/index.js';

export interface ClipboardHelper {
  readClipboard(signal: AbortSignal): Promise<ClipboardReading>;
  putOnClipboard(content: ClipboardContent, signal: AbortSignal): Promise<number>;
  clipboardCount(signal: AbortSignal): Promise<number>;
  /** The count of the change. */
  lendText(text: string, signal: AbortSignal): Promise<number>;
  giveBackClipboard(signal: AbortSignal): Promise<{ restored: boolean; count: number | null }>;
}

export interface Clipboard extends ClipboardAccess {
  /** `work` runs while the text is there; what was there before comes back in any case. Nobody is told. */
  whileLent(text: string, signal: AbortSignal, work: () => Promise<void>): Promise<{ restored: boolean }>;
  close(): void;
}

const POLL_MS = 250;

export function createClipboard(helper: ClipboardHelper): Clipboard {
  const changes = createEmitter<ClipboardContent | null>();
  const ending = new AbortController();
  let seen: number | null = null;
  let watching = false;
  let timer: NodeJS.Timeout | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** A helper answers in order: a count asked for after a write comes after that write's own. */
  const look = async (): Promise<void> => {
    const count = await helper.clipboardCount(ending.signal).catch(() => null);
    if (count !== null && seen !== null && count !== seen && watching) changes.emit(null);
    if (count !== null) seen = count;
    timer = watching ? setTimeout(() => void look(), POLL_MS).unref() : null;
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  /** A helper that ended meanwhile does not know any more what was there. */
  const giveBack = async (): Promise<{ restored: boolean }> => {
    const { restored, count } = await helper
      .giveBackClipboard(ending.signal)
      .catch(() => ({ restored: false, count: null }));
    if (count !== null) seen = count;
    return { restored };
  };
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    watching = false;
    seen = null;
  };

  return {
    readClipboard: (signal) => helper.readClipboard(signal),
    writeClipboard: (content, signal) =>
      inTurn(async () => {
        signal.throwIfAborted();
        seen = await helper.putOnClipboard(content, signal);
        changes.emit(content);
      }),
    whileLent: (text, signal, work) =>
      inTurn(async () => {
        signal.throwIfAborted();
        let restored = false;
        try {
          seen = await helper.lendText(text, ending.signal);
          await work();
        } finally {
          ({ restored } = await giveBack());
        }
        return { restored };
      }),
    onClipboardChange(listener) {
      const off = changes.on(listener);
      if (!watching) {
        watching = true;
        seen = null;
        // At once: what is copied from now on is a change.
        void look();
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

/** Pastes by the keyboard shortcut, and sees by the focused element that the text was taken. */
interface PasteParts {
  clipboard: Pick<Clipboard, 'whileLent'>;
  /** Presses and lets go of a shortcut; its guard runs right before. */
  shortcut(character: string, guard: () => Promise<void>, signal: AbortSignal): Promise<void>;
  frontPid(signal: AbortSignal): Promise<number | null>;
  /** Another one whenever the text of the focused element of that process changes; null where it tells none. */
  focusedText(pid: number, signal: AbortSignal): Promise<string | null>;
}

const TAKEN_LIMIT_MS = 3000;
const LOOK_MS = 25;

export function createPaste(parts: PasteParts): Pick<GuardedInput, 'paste'> {
  const { clipboard, shortcut, frontPid, focusedText } = parts;
  const requireFront = async (pid: number, signal: AbortSignal): Promise<void> => {
    if ((await frontPid(signal)) === pid) return;
    throw new DesktopError('failed', message('native.paste_not_in_front'));
  };
  return {
    async paste(text, pid, guard, signal) {
      signal.throwIfAborted();
      await requireFront(pid, signal);
      const before = await focusedText(pid, signal);
      if (before === null) throw new DesktopError('failed', message('native.nothing_takes_text'));
      let taken = false;
      const { restored } = await clipboard.whileLent(text, signal, async () => {
        const last = async (): Promise<void> => {
          await guard();
          await requireFront(pid, signal);
        };
        await shortcut('v', last, signal);
        const changed = async (): Promise<true | null> => ((await focusedText(pid, signal)) === before ? null : true);
        taken = (await poll(changed, TAKEN_LIMIT_MS, signal, LOOK_MS)) !== null;
      });
      if (taken) return { restored };
      throw new DesktopError('failed', message('native.paste_not_taken'), { restored });
    },
  };
}
