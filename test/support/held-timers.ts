/** Time limits that a test lets end when it likes, so that none depends on how fast the machine gets to what the limit interrupts. */
import { onTestFinished, vi } from 'vitest';

export interface HeldTimers {
  /** Waits until a timer of that length runs, and lets all of them end. */
  end(): Promise<void>;
}

/** Once in a test: from now until its end, timers of this process with exactly this length end by `end` only. */
export function holdTimers(ms: number): HeldTimers {
  const held = new Map<unknown, () => void>();
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const starting = vi.spyOn(globalThis, 'setTimeout').mockImplementation((run: () => void, after?: number) => {
    if (after !== ms) return start(run, after);
    const timer = start(() => undefined, after);
    held.set(timer, run);
    return timer;
  });
  const stopping = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer);
    stop(timer);
  });
  onTestFinished(() => {
    starting.mockRestore();
    stopping.mockRestore();
  });
  return {
    async end() {
      await vi.waitUntil(() => held.size > 0, { timeout: 50_000, interval: 5 });
      for (const [timer, run] of held) {
        clearTimeout(timer as NodeJS.Timeout);
        run();
      }
    },
  };
}
