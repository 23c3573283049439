/** Runs `probe` until it gives something other than null, or `timeoutMs` has passed: then null. Rejects when aborted. */
export async function poll<T>(
  probe: () => Promise<T | null>,
  timeoutMs: number,
  signal: AbortSignal,
  everyMs = 8,
): Promise<T | null> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const found = await probe();
    if (found !== null) return found;
    if (Date.now() >= deadline) return null;
    await pause(everyMs, signal);
  }
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** The promise's outcome, or the signal's reason as soon as it fires. The work itself goes on unheard. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
