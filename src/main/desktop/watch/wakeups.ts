/** Waiters that are resumed together: by `wake`, after their time, or when their signal is aborted. Never rejects. */
export function createWakeups() {
  const waiters = new Set<() => void>();
  return {
    wake(): void {
      for (const waiter of [...waiters]) waiter();
    },
    next: (ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          waiters.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiters.add(done);
        signal.addEventListener('abort', done, { once: true });
        if (signal.aborted) done();
      }),
  };
}
