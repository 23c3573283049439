import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after `ms`; rejects with the signal's own reason as soon as it fires. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  }
}

/** Looks until `look` gives a value or the time is over (then null). Looks at least once. */
export async function until<T>(
  look: () => Promise<T | null>,
  limitMs: number,
  stepMs: number,
  signal: AbortSignal,
): Promise<T | null> {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    const left = end - performance.now();
    if (left <= 0) return null;
    await pause(Math.min(stepMs, left), signal);
  }
}
