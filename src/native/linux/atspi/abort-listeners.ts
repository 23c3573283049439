/** One listener for each signal, however many calls wait with it: a signal searches all its listeners whenever one is added. */
export interface AbortListeners {
  /** Calls `onAbort` when the signal is aborted, until the returned function is called. */
  add(signal: AbortSignal, onAbort: () => void): () => void;
}

export function createAbortListeners(): AbortListeners {
  const bySignal = new WeakMap<AbortSignal, Set<() => void>>();
  const listenersOf = (signal: AbortSignal): Set<() => void> => {
    const known = bySignal.get(signal);
    if (known !== undefined) return known;
    const listeners = new Set<() => void>();
    bySignal.set(signal, listeners);
    const all = (): void => [...listeners].forEach((listener) => listener());
    signal.addEventListener('abort', all, { once: true });
    return listeners;
  };
  return {
    add: (signal, onAbort) => {
      const listeners = listenersOf(signal);
      listeners.add(onAbort);
      return () => void listeners.delete(onAbort);
    },
  };
}
