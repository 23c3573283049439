/** Messages a second, over some time; a burst may have as many at once. */
const PER_SECOND = 500;
const BURST = 2_000;

/** False once more is received than can be read without holding everything else up. */
export function createRateLimit(nowMs: () => number): () => boolean {
  let left = BURST;
  let at = nowMs();
  return () => {
    const now = nowMs();
    left = Math.min(BURST, left + ((now - at) / 1000) * PER_SECOND) - 1;
    at = now;
    return left >= 0;
  };
}
