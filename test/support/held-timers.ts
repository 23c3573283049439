/** Time limits that a test lets end when it likes, so that none depends on how fast the machine gets to what the limit interrupts. */
import { onTestFinished, vi } from 'vitest';

export interface HeldTimers {
  /** Waits until a timer of that length runs, and lets all of them end. What starts one anew, as who finds it early does, gets a real one. */
  end(): Promise<void>;
}

type Given = [run: (...given: unknown[]) => void, after?: number, ...given: unknown[]];

/** Once in a test: from now on, timers of this process with exactly this length end by `end` only. */
export function holdTimers(ms: number): HeldTimers {
  const held = new Map<unknown, () => void>();
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  let ended = false;
  globalThis.setTimeout = new Proxy(start, {
    apply(_, self: unknown, all: Given): unknown {
      const [run, after, ...given] = all;
      if (ended || after !== ms) return Reflect.apply(start, self, all);
      const timer = start(() => undefined, after);
      held.set(timer, () => run(...given));
      return timer;
    },
  });
  globalThis.clearTimeout = (timer) => {
    held.delete(timer);
    stop(timer);
  };
  onTestFinished(() => {
    globalThis.setTimeout = start;
    globalThis.clearTimeout = stop;
  });
  return {
    async end() {
      await vi.waitUntil(() => held.size > 0, { timeout: 50_000, interval: 5 });
      ended = true;
      const due = [...held.values()];
      held.clear();
      for (const run of due) run();
    },
  };
}
