import { afterEach, beforeEach, vi } from 'vitest';

/**
 * For all tests of a file: whoever waits for a time is told at once that it is over, and the clock shows that time. Only where all
 * that is waited for happens in this thread, or never. Call it after what waits in its own `afterEach`.
 */
export function withoutWaits(): void {
  let ended = new AbortController();
  beforeEach(() => {
    ended = new AbortController();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    void advance(ended.signal);
  });
  afterEach(() => {
    ended.abort();
    vi.useRealTimers();
  });
}

async function advance(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!signal.aborted) vi.advanceTimersToNextTimer();
  }
}
