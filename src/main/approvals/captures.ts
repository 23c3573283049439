/** Captures shown on open cards. They are kept in memory only, up to a total size. */
import type { FullView } from '../pipeline/ports.js';

const MAX_TOTAL_BYTES = 128 * 1024 * 1024;

/** `views`: oldest first. Drops the oldest ones beyond `most` bytes; the newest is always kept. */
export function disposeOldest(views: readonly (FullView | null)[], most = MAX_TOTAL_BYTES): void {
  let left = most;
  views.toReversed().forEach((view, age) => {
    left -= view?.read()?.capture.rgb.length ?? 0;
    if (left < 0 && age > 0) view?.dispose();
  });
}
