/** Plans for reading and replacing the clipboard. */
import { planWithoutTarget, type Plan } from '../../pipeline/plan.js';
import type { DesktopReader } from '../../../native/desktop.js';
import { message } from '../../../messages/index.js';
import { subjectWithoutPlace, type Title } from '../../protocol/index.js';

/** Throws before the person is asked while agents may see nothing, as when a pairing link is open. */
export async function planReadingOf(act: Title, desktop: DesktopReader, signal: AbortSignal): Promise<Plan> {
  await desktop.frontmost(signal);
  return planWithoutTarget(subjectWithoutPlace(act));
}

export const planReplacing = (act: Title, text: string | null): Plan => ({
  ...planWithoutTarget(subjectWithoutPlace(act)),
  text,
  notes: [message('note.clipboard_lost')],
  alwaysAsk: true,
});
