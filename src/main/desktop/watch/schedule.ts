/** When to read: soon after a hint, else every interval. Reading takes a bounded share of the time, and hints without changes slow it down. */
export interface ReadSchedule {
  start(): void;
  hint(): void;
  /** After each reading. `found`: there were changes; `again`: read again soon (it failed, or the target may be ending). */
  completed(took: { ms: number; found: boolean; again: boolean }): void;
  /** Milliseconds between readings without a hint, at present. */
  interval(): number;
  stop(): void;
}

const AFTER_HINT_MS = 30;
const MAX_REST_MS = 30_000;
/** Rest after a reading, as a multiple of its duration, for each active observation. */
const REST_PER_READ = 3;
const MAX_DOUBLINGS = 8;
/** Hints do not arrive at once after the start: these readings cover the gap. */
const INITIAL_READS_MS = [300, 1500];
const RETRY_MS = { first: 150, most: 10_000 };

export function createReadSchedule(
  look: () => Promise<void>,
  options: { intervalMs: number; active(): number },
): ReadSchedule {
  let timer: NodeJS.Timeout | null = null;
  let at = Infinity;
  let rested = 0;
  const first = [...INITIAL_READS_MS];
  let cost = 0;
  let fruitless = 0;
  let again = 0;
  let hinted = false;
  let looking = false;
  let stopped = false;

  const needed = () => Math.min(MAX_REST_MS, cost * REST_PER_READ * Math.max(1, options.active()));
  const soon = () =>
    again === 0 ? Infinity : Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** Math.min(again, MAX_DOUBLINGS));
  const interval = () => Math.round(Math.max(options.intervalMs, needed()));
  const next = () => Math.max(needed(), Math.min(interval(), soon(), first.shift() ?? Infinity));
  const rest = () => Math.min(interval(), Math.max(AFTER_HINT_MS, needed()) * 2 ** Math.min(fruitless, MAX_DOUBLINGS));

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
    // A whole interval without a hint: the next hint counts fully again.
    if (!because) fruitless = 0;
    rested = performance.now();
    arm(rested + (hinted ? rest() : next()));
  }

  return {
    start: () => arm(performance.now() + next()),
    hint() {
      hinted = true;
      if (timer !== null && !looking) arm(Math.max(performance.now() + AFTER_HINT_MS, rested + rest()));
    },
    completed({ ms, found, again: soonAgain }) {
      cost = ms;
      fruitless = found ? 0 : fruitless + 1;
      again = soonAgain ? again + 1 : 0;
    },
    interval,
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
