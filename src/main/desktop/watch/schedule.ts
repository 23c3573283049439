/** When to read: a frame after a hint, else every interval. Reading takes a bounded share of the time, except for a few readings in a row, and hints without changes slow it down. */
export interface ReadSchedule {
  start(): void;
  /** `isLaidOut`: a reading need not wait for the next frame. */
  hint(isLaidOut?: boolean): void;
  /** After each reading. `found`: there were changes; `again`: read again soon (it failed, or the target may be ending). */
  completed(took: { ms: number; found: boolean; again: boolean }): void;
  /** Whether a hint led to the reading that runs. */
  isHinted(): boolean;
  /** How many hints have come so far. */
  hints(): number;
  /** Milliseconds between readings without a hint, at present. */
  interval(): number;
  stop(): void;
}

/** A frame: what has just changed is laid out by then. */
const AFTER_HINT_MS = 16;
const MAX_REST_MS = 30_000;
/** Rest after a reading, as a multiple of its duration, for each active observation. */
const REST_PER_READ = 3;
/** After a hint, rests are put off while they are no longer than this together. */
const MAX_OWED_REST_MS = 1000;
const MAX_DOUBLINGS = 9;
/** Hints do not arrive at once after the start: these readings cover the gap. */
const INITIAL_READS_MS = [300, 1500];
const RETRY_MS = { first: 150, max: 10_000 };

export function createReadSchedule(
  read: () => Promise<void>,
  options: { intervalMs: number; active(): number },
): ReadSchedule {
  let timer: NodeJS.Timeout | null = null;
  let at = Infinity;
  let lastReadAt = 0;
  const initialReads = [...INITIAL_READS_MS];
  let lastReadMs = 0;
  let restOwedUntil = 0;
  let readsWithoutChange = 0;
  let soonReads = 0;
  let hints = 0;
  let hinted = false;
  let wasHinted = false;
  let reading = false;
  let stopped = false;

  const minRestMs = () => Math.min(MAX_REST_MS, lastReadMs * REST_PER_READ * Math.max(1, options.active()));
  const retryMs = () =>
    soonReads === 0 ? Infinity : Math.min(RETRY_MS.max, RETRY_MS.first * 2 ** Math.min(soonReads, MAX_DOUBLINGS));
  const interval = () => Math.round(Math.max(options.intervalMs, minRestMs()));
  const nextReadMs = () => Math.max(minRestMs(), Math.min(interval(), retryMs(), initialReads.shift() ?? Infinity));
  const restAfterHintMs = () => {
    const owed = restOwedUntil - lastReadAt - MAX_OWED_REST_MS;
    return Math.min(interval(), Math.max(owed, AFTER_HINT_MS * 2 ** Math.min(readsWithoutChange, MAX_DOUBLINGS)));
  };

  function arm(when: number): void {
    if (stopped || (timer !== null && when >= at)) return;
    if (timer !== null) clearTimeout(timer);
    at = when;
    timer = setTimeout(() => void tick(), Math.max(0, when - performance.now())).unref();
  }

  async function tick(): Promise<void> {
    timer = null;
    reading = true;
    wasHinted = hinted;
    hinted = false;
    await read();
    reading = false;
    // A whole interval without a hint: the next hint counts fully again.
    if (!wasHinted) readsWithoutChange = 0;
    lastReadAt = performance.now();
    restOwedUntil = Math.max(lastReadAt, restOwedUntil) + minRestMs();
    arm(lastReadAt + (hinted ? restAfterHintMs() : nextReadMs()));
  }

  return {
    start: () => arm(performance.now() + nextReadMs()),
    hint(isLaidOut = false) {
      hints += 1;
      hinted = true;
      const earliest = performance.now() + (isLaidOut ? 0 : AFTER_HINT_MS);
      if (timer !== null && !reading) arm(Math.max(earliest, lastReadAt + restAfterHintMs()));
    },
    completed({ ms, found, again }) {
      lastReadMs = ms;
      readsWithoutChange = found ? 0 : readsWithoutChange + 1;
      soonReads = again ? soonReads + 1 : 0;
    },
    isHinted: () => wasHinted,
    hints: () => hints,
    interval,
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
