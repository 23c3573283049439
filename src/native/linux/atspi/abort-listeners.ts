/** One listener for each signal, however many calls wait with it: a signal searches all its listeners whenever one is added. */
export interface AbortListeners {
  /** Calls `onAbort` when the signal is aborted, until the returned function is called. */
  add(signal: AbortSignal, onAbort: () => void): () => void;
}

interface Waiting {
  listeners: Set<() => void>;
  callAll(): void;
}

export function createAbortListeners(): AbortListeners {
  const bySignal = new WeakMap<AbortSignal, Waiting>();

  function waitingWith(signal: AbortSignal): Waiting {
    const known = bySignal.get(signal);
    if (known !== undefined) return known;
    const listeners = new Set<() => void>();
    const waiting = { listeners, callAll: () => [...listeners].forEach((listener) => listener()) };
    bySignal.set(signal, waiting);
    signal.addEventListener('abort', waiting.callAll, { once: true });
    return waiting;
  }

  return {
    add(signal, onAbort) {
      const { listeners, callAll } = waitingWith(signal);
      listeners.add(onAbort);
      return () => {
        listeners.delete(onAbort);
        if (listeners.size > 0) return;
        // Node keeps a signal that was made of others for as long as somebody listens to it.
        signal.removeEventListener('abort', callAll);
        bySignal.delete(signal);
      };
    },
  };
}
