/** Waiting for a time, a condition or a promise. Where a signal fires first they reject with its reason, except {@link withTimeout}. */

declare function setTimeout(run: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const performance: { now(): number };

/** What is used here of an AbortSignal: neither Node nor a DOM library declares it to this folder. */
interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Runs `probe`, at least once, until it gives something other than null; null once `timeoutMs` have passed. */
export async function poll<T>(
  probe: () => Promise<T | null>,
  timeoutMs: number,
  signal: Signal,
  stepMs = 8,
): Promise<T | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const found = await probe();
    if (found !== null) return found;
    const left = deadline - performance.now();
    if (left <= 0) return null;
    await delay(Math.min(stepMs, left), signal);
  }
}

export function delay(ms: number, signal: Signal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** The outcome of `work`, or the signal's reason as soon as it fires; `work` itself is not stopped by that. */
export function abortable<T>(work: Promise<T>, signal: Signal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The outcome of `work`; null where `timeoutMs` pass or the signal fires first. `work` itself is not stopped by that. */
export function withTimeout<T>(work: Promise<T>, timeoutMs: number, signal?: Signal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    const giveUp = (): void => {
      stop();
      resolve(null);
    };
    const timer = setTimeout(giveUp, timeoutMs);
    if (signal?.aborted === true) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
    work.then(
      (outcome) => {
        stop();
        resolve(outcome);
      },
      (error: unknown) => {
        stop();
        reject(error);
      },
    );
  });
}

/**
 * Runs `work` with the signal of `own`, which is aborted as soon as one of `sources` is. Once `work` has ended, `sources` refer to
 * nothing of it. After AbortSignal.any they would in Node 20: a source keeps a reference for every signal that was made of it.
 */
export async function withFirstOf<S, T>(
  sources: readonly Signal[],
  own: { signal: S; abort(reason: unknown): void },
  work: (signal: S) => Promise<T>,
): Promise<T> {
  const stops = sources.map((source) => {
    const abort = (): void => own.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  });
  try {
    return await work(own.signal);
  } finally {
    for (const stop of stops) stop();
  }
}
