/** When to look: soon after a hint, else every interval; never for more than a part of the time, and less and less where hints lead nowhere. */
export interface Pace {
  start(): void;
  hint(): void;
  /** What the look cost, and whether it was worth it. */
  looked(took: { ms: number; found: boolean; failed: boolean }): void;
  /** Milliseconds between looks without a hint, as things are. */
  interval(): number;
  stop(): void;
}

const SOON_MS = 30;
const LONGEST_MS = 30_000;
/** A look is followed by a rest of so many times its length, for each observation there is. */
const REST = 3;
const MOST_DOUBLINGS = 8;

export function createPace(look: () => Promise<void>, options: { intervalMs: number; active(): number }): Pace {
  let timer: NodeJS.Timeout | null = null;
  let at = Infinity;
  let rested = 0;
  let cost = 0;
  let fruitless = 0;
  let failures = 0;
  let hinted = false;
  let looking = false;
  let stopped = false;

  const needed = () => Math.min(LONGEST_MS, cost * REST * Math.max(1, options.active()));
  const failing = () => (failures === 0 ? 0 : Math.min(10_000, 250 * 2 ** Math.min(failures, MOST_DOUBLINGS)));
  const interval = () => Math.round(Math.max(options.intervalMs, needed(), failing()));
  const rest = () => Math.min(interval(), Math.max(SOON_MS, needed()) * 2 ** Math.min(fruitless, MOST_DOUBLINGS));

  function arm(when: number): void {
    if (stopped || (timer !== null && when >= at)) return;
    if (timer !== null) clearTimeout(timer);
    at = when;
    timer = setTimeout(() => void tick(), Math.max(0, when - performance.now())).unref();
  }

  async function tick(): Promise<void> {
    timer = null;
    looking = true;
    const because = hinted;
    hinted = false;
    await look();
    looking = false;
    // Nothing was hinted at for a whole interval: the next hint may be worth it again.
    if (!because) fruitless = 0;
    rested = performance.now();
    arm(rested + (hinted ? rest() : interval()));
  }

  return {
    start: () => arm(performance.now() + interval()),
    hint() {
      hinted = true;
      if (timer !== null && !looking) arm(Math.max(performance.now() + SOON_MS, rested + rest()));
    },
    looked({ ms, found, failed }) {
      cost = ms;
      fruitless = found ? 0 : fruitless + 1;
      failures = failed ? failures + 1 : 0;
    },
    interval,
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
