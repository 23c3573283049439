/** What was seen for the open cards, in memory and nowhere else: whole captures, so there is a most. */
import type { FullView } from '../pipeline/ports.js';

const MOST_BYTES = 128 * 1024 * 1024;

/** Oldest first. The newest is kept however large it is. */
export function keepWithin(views: readonly (FullView | null)[], most = MOST_BYTES): void {
  let left = most;
  views.toReversed().forEach((view, age) => {
    left -= view?.read()?.capture.rgb.length ?? 0;
    if (left < 0 && age > 0) view?.dispose();
  });
}
