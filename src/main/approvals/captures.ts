/** Captures shown on open cards. They are kept in memory only, up to a total size. */
import type { FullView } from '../pipeline/ports.js';

const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

/** `views`: oldest first. Disposes of the oldest ones beyond `maxBytes`; the newest is always kept. */
export function disposeOldest(views: readonly (FullView | null)[], maxBytes = MAX_TOTAL_BYTES): void {
  let left = maxBytes;
  views.toReversed().forEach((view, age) => {
    left -= view?.read()?.capture.rgb.length ?? 0;
    if (left < 0 && age > 0) view?.dispose();
  });
}
