/** What was seen for the open cards, in memory and nowhere else: whole captures, so there is a most. */
import type { Sight } from '../pipeline/ports.js';

const MOST_BYTES = 128 * 1024 * 1024;

/** Oldest first. The newest is kept however large it is. */
export function keepWithin(sights: readonly (Sight | null)[], most = MOST_BYTES): void {
  let left = most;
  sights.toReversed().forEach((sight, age) => {
    left -= sight?.seen()?.capture.rgb.length ?? 0;
    if (left < 0 && age > 0) sight?.drop();
  });
}
