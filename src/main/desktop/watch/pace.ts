/** When to look: soon after a hint, else every interval; never for more than a part of the time, and less and less where hints lead nowhere. */
export interface Pace {
  start(): void;
  hint(): void;
  /** What the look cost, whether it was worth it, and whether it should be made again: it failed, or what is watched is about to end. */
  looked(took: { ms: number; found: boolean; again: boolean }): void;
  /** Milliseconds between looks without a hint, as things are. */
  interval(): number;
  stop(): void;
}

const SOON_MS = 30;
const LONGEST_MS = 30_000;
/** A look is followed by a rest of so many times its length, for each observation there is. */
const REST = 3;
const MOST_DOUBLINGS = 8;
/** It takes a moment until hints come: what happens meanwhile is looked for after so many milliseconds. */
const FIRST_MS = [300, 1500];
const AGAIN_MS = { first: 150, most: 10_000 };

export function createPace(look: () => Promise<void>, options: { intervalMs: number; active(): number }): Pace {
  let timer: NodeJS.Timeout | null = null;
  let at = Infinity;
  let rested = 0;
  const first = [...FIRST_MS];
  let cost = 0;
  let fruitless = 0;
  let again = 0;
  let hinted = false;
  let looking = false;
  let stopped = false;

  const needed = () => Math.min(LONGEST_MS, cost * REST * Math.max(1, options.active()));
  const soon = () =>
    again === 0 ? Infinity : Math.min(AGAIN_MS.most, AGAIN_MS.first * 2 ** Math.min(again, MOST_DOUBLINGS));
  const interval = () => Math.round(Math.max(options.intervalMs, needed()));
  const next = () => Math.max(needed(), Math.min(interval(), soon(), first.shift() ?? Infinity));
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
    arm(rested + (hinted ? rest() : next()));
  }

  return {
    start: () => arm(performance.now() + next()),
    hint() {
      hinted = true;
      if (timer !== null && !looking) arm(Math.max(performance.now() + SOON_MS, rested + rest()));
    },
    looked({ ms, found, again: soonAgain }) {
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
