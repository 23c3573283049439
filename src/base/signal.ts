/** The end of a wait: what it uses of an AbortSignal, and one that is made in a fraction of the time. */

export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface Abort {
  readonly signal: Signal;
  /** The first reason counts. */
  abort(reason: unknown): void;
}

/** For each call several. Node takes longer to make an AbortController than to parse the call; what Node itself waits for needs one. */
export function createAbort(): Abort {
  let listeners: (() => void)[] = [];
  let end: { reason: unknown } | null = null;
  return {
    signal: {
      get aborted() {
        return end !== null;
      },
      get reason() {
        return end?.reason;
      },
      throwIfAborted() {
        if (end !== null) throw end.reason;
      },
      addEventListener: (_type, listener) => void listeners.push(listener),
      removeEventListener: (_type, listener) => {
        if (listeners.at(-1) === listener) listeners.pop();
        else listeners = listeners.filter((one) => one !== listener);
      },
    },
    abort(reason) {
      if (end !== null) return;
      end = { reason };
      // One that an earlier one removes is not called.
      for (let next = listeners.shift(); next !== undefined; next = listeners.shift()) next();
    },
  };
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
