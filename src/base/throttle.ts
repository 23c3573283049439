declare function setTimeout(run: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare const performance: { now(): number };

/** Runs something that many events ask for. */
export function createThrottle(run: () => void, ms: number) {
  let ranAt = -Infinity;
  let timer: unknown = null;

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function now(): void {
    stop();
    ranAt = performance.now();
    run();
  }

  return {
    /** Runs at once. */
    now,
    /** Runs at once, or when `ms` have passed since it last ran. */
    later(): void {
      if (timer !== null) return;
      const left = ranAt + ms - performance.now();
      if (left <= 0) now();
      else timer = setTimeout(now, left);
    },
    close: stop,
  };
}
