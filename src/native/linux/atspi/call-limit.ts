/**
 * Limits how many requests of a reading are under way. The next ones are started in bulk once half of those are answered, so that
 * they are sent in few writes, and the quicker an application answers the more at once: it handles nothing else before the last of
 * them. Called by object-reader.ts and element-reader.ts.
 */
export type CallLimit = <T>(work: () => Promise<T>) => Promise<T>;

const QUICK_MS = 30;

/** `clock`: milliseconds. */
export function createCallLimit(least: number, most: number, clock = () => performance.now()): CallLimit {
  let waiting: (() => void)[] = [];
  let size = least;
  let running = 0;
  let filledAt = clock();

  const fill = (): void => {
    const now = clock();
    size = now - filledAt <= QUICK_MS ? Math.min(most, size * 2) : Math.max(least, Math.floor(size / 2));
    filledAt = now;
    const next = waiting.slice(0, size - running);
    waiting = waiting.slice(next.length);
    for (const start of next) start();
  };

  const ended = (): void => {
    running -= 1;
    if (waiting.length > 0 && running <= size / 2) fill();
  };

  return (work) =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        running += 1;
        const done = work();
        done.then(ended, ended);
        done.then(resolve, reject);
      };
      if (waiting.length === 0 && running < size) start();
      else waiting.push(start);
    });
}
