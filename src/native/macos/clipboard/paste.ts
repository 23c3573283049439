/** Pastes by the keyboard shortcut, and sees by the focused element that the text was taken. */
import { poll } from '../../../base/poll.js';
import { DesktopError, type GuardedInput } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Clipboard } from './clipboard.js';

export interface PasteParts {
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
