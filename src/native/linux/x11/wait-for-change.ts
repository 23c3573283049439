import { delay } from '../../../base/poll.js';

/** Runs `probe` now and after each change until it gives something other than null; null once `timeoutMs` have passed. */
export async function waitForChange<T>(
  onChange: (listener: () => void) => () => void,
  probe: () => Promise<T | null>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<T | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const changed = new AbortController();
    // Before the probe, so that no change after it is missed.
    const stop = onChange(() => changed.abort());
    try {
      const found = await probe();
      if (found !== null) return found;
      const left = deadline - performance.now();
      if (left <= 0) return null;
      if (!changed.signal.aborted) await delay(left, AbortSignal.any([signal, changed.signal])).catch(() => {});
    } finally {
      stop();
    }
  }
}
