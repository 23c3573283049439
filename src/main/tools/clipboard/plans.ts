/** What the person is asked before the clipboard is read or replaced. */
import type { Plan } from '../../pipeline/plan.js';
import type { DesktopReader } from '../../../native/desktop.js';
import { message } from '../../../messages/index.js';

export const onClipboard = (verb: string, done: string, target = 'the clipboard') => ({
  verb,
  done,
  target,
  app: null,
  place: null,
});

/** Refused before anybody is asked while agents may not look at all, as when a pairing link is open. */
export async function planReadingOf(what: string, desktop: DesktopReader, signal: AbortSignal): Promise<Plan> {
  await desktop.frontmost(signal);
  return { ...BARE, subject: onClipboard('Read', 'Read', what), text: null, notes: [], alwaysAsk: false };
}

export function planReplacing(verb: string, done: string, text: string | null): Plan {
  const notes = [message('note.clipboard_lost')];
  return { ...BARE, subject: onClipboard(verb, done), text, notes, alwaysAsk: true };
}

const BARE = {
  target: { kind: 'none' as const },
  window: null,
  ancestors: [],
  look: null,
  needsFocus: false,
  pixels: null,
};
