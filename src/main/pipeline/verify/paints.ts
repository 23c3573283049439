import type { DesktopReader, Window, WindowPaint } from '../../../native/desktop.js';
import { delay } from '../../../base/poll.js';

/** Between two looks where nothing tells of a paint; no look comes sooner than the one before took. */
export const POLL_MS = 40;

type PaintWaits = ReturnType<typeof watchPaints>;

/** `from`: the last known paint; null where the system cannot tell. */
export function watchPaints(
  desktop: Pick<DesktopReader, 'windowPaint'>,
  { id }: Window,
  from: WindowPaint | null,
  signal: AbortSignal,
) {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  let generation = from?.generation ?? null;
  let painted: Promise<void> | null = null;

  const update = (paint: WindowPaint | null): void => {
    generation = paint?.generation ?? null;
    painted = null;
  };
  const waitForPaint = (after: string): Promise<void> =>
    (painted ??= desktop.windowPaint(id, after, either).then(update, () => update(null)));

  return {
    /** Resolves at the first paint since `from` or the last wait, after `mostMs` in any case. */
    async next(mostMs: number): Promise<void> {
      if (generation === null) return delay(mostMs, signal);
      const enough = new AbortController();
      const timeout = delay(mostMs, AbortSignal.any([signal, enough.signal])).catch(() => undefined);
      await Promise.race([waitForPaint(generation), timeout]);
      enough.abort();
      signal.throwIfAborted();
    },
    end: (): void => ended.abort(),
  };
}

/** What ends a wait for paints: see {@link Rest}. */
export interface EarlyEnd<T> {
  /** True where there may be something to conclude, false where it is time for another look; else it never resolves. */
  reached(lookBegan: number, signal: AbortSignal): Promise<boolean>;
  conclude(): Promise<T | null>;
}

/** Looks, and again at each paint, until there is something to tell; null where there is nothing within `timeoutMs`. */
export async function lookAtPaints<T>(
  paints: PaintWaits,
  look: () => Promise<T | null>,
  timeoutMs: number,
  signal: AbortSignal,
  early: EarlyEnd<T> | null = null,
): Promise<T | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const began = performance.now();
    const seen = await look();
    if (seen !== null) return seen;
    const left = deadline - performance.now();
    if (left <= 0) return null;
    const pause = Math.min(performance.now() - began, POLL_MS, left);
    const next = waitForNext(paints, pause, Math.max(0, Math.min(POLL_MS, left) - pause), signal);
    if (early !== null && !(await isReached(next, early, began, signal))) continue;
    const concluded = early === null ? null : await early.conclude();
    if (concluded !== null) return concluded;
    await next;
  }
}

async function waitForNext(paints: PaintWaits, pause: number, mostMs: number, signal: AbortSignal): Promise<void> {
  await delay(pause, signal);
  await paints.next(mostMs);
}

/** Resolves false at the next paint. */
async function isReached<T>(
  next: Promise<void>,
  early: EarlyEnd<T>,
  began: number,
  signal: AbortSignal,
): Promise<boolean> {
  const enough = new AbortController();
  const painted = next.then(() => false);
  // Nobody waits for it where the other one comes first.
  painted.catch(() => undefined);
  const reached = early.reached(began, AbortSignal.any([signal, enough.signal]));
  return Promise.race([painted, reached]).finally(() => enough.abort());
}
