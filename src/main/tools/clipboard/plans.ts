/** Plans for reading and replacing the clipboard. */
import type { Plan } from '../../pipeline/plan.js';
import type { DesktopReader } from '../../../native/desktop.js';
import { message } from '../../../messages/index.js';
import { inNoPlace } from '../../protocol/index.js';
import type { SubjectTitle } from '../../protocol/index.js';

/** Throws before the person is asked while agents may see nothing, as when a pairing link is open. */
export async function planReadingOf(act: SubjectTitle, desktop: DesktopReader, signal: AbortSignal): Promise<Plan> {
  await desktop.frontmost(signal);
  return { ...BARE, subject: inNoPlace(act), text: null, notes: [], alwaysAsk: false };
}

export function planReplacing(act: SubjectTitle, text: string | null): Plan {
  const notes = [message('note.clipboard_lost')];
  return { ...BARE, subject: inNoPlace(act), text, notes, alwaysAsk: true };
}

const BARE = {
  target: { kind: 'none' as const },
  window: null,
  ancestors: [],
  look: null,
  needsFocus: false,
  pixels: null,
};
