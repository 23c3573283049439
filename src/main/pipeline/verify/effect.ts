import type { DesktopReader, Element, Rect, Window, WindowPaint } from '../../../native/desktop.js';
import type { Verification } from '../action.js';
import type { RunContext } from '../context.js';
import type { OwnChanges } from './own-changes.js';
import { changedCells } from '../../approvals/pixels.js';
import { targetElement, type PixelFingerprint, type Plan } from '../../approvals/plan.js';
import {
  captureWindow,
  readBaseline,
  type WindowPicture,
  diffFacts,
  hasSelection,
  onlyCloses,
  onlySelects,
  type Facts,
  quoteTruncated,
  readApplicationFacts,
} from './changes.js';
import { poll, delay } from '../../../base/poll.js';
import { Rest, TWO_FRAMES_MS, createChangeComparer } from './rest.js';

const CHANGE_TIMEOUT_MS = 700;
/** An application that has not read its input by then is looked at nevertheless. */
const FIRST_LOOK_MS = 16;
const PICTURE_DELAY_MS = 150;
const PICTURE_INTERVAL_MS = 33;
/** Told early. An idle application may have a timer, or wait for a server: that is no `no_change`. */
const NOTHING_SO_FAR: Verification = { effect: 'unverified', before: [], after: [] };
const UNKNOWN: Verification = { effect: 'unverified', before: null, after: null };
/** A browser tells accessibility of a change some time after it has painted it. */
const PAGE_LAG_MS = 250;
/** What more a key does that has moved the caret shows by then, or once the application rests. */
const SELECTION_ONLY_MS = 150;

/**
 * Runs `act` and compares the application before and after: `confirmed` where the act explains a change; `unverified` where the
 * application may have made the change by itself, could not be read, or may still do something; `no_change` only where it read its
 * input and then nothing changed for the whole time. `readBack`: what the target itself says afterwards, which counts more; null
 * where it says nothing.
 */
export async function verifyEffect(
  {
    desktop,
    plan,
    timing,
    ownChanges: history,
    takeBaseline,
    mustKnow,
  }: Pick<RunContext, 'plan' | 'timing' | 'ownChanges' | 'takeBaseline' | 'mustKnow'> & {
    desktop: DesktopReader;
  },
  act: () => Promise<void>,
  signal: AbortSignal,
  readBack: (lookUntilOver: LookUntilOver) => Promise<Verification | null> = () => Promise.resolve(null),
): Promise<Verification> {
  timing.stage('baseline');
  const window = plan?.window ?? null;
  const { paint, shown, facts: before } = await (takeBaseline?.() ?? readBaseline(desktop, window, signal));
  if (window !== null && before !== null) history.sawFacts(window.app.pid, before, true);
  if (window !== null && shown !== null) history.sawPicture(window.id, shown.print);
  timing.stage('act');
  await act();
  timing.stage('verify');
  if (window === null) return (await readBack(lookOnTime(signal))) ?? UNKNOWN;
  const scene = { desktop, window, history, signal };
  const watches = {
    rest: new Rest(desktop, window, shown === null ? null : paint, signal),
    pixels: watchPicture(scene, shown, targetFrame(plan)),
    paints: watchPaints(desktop, window, paint, signal),
    mustKnow,
  };
  try {
    const held = await readBack(lookUntilRead(watches, window, signal));
    if (held !== null || before === null) return held ?? UNKNOWN;
    return await lookForEffect({ ...watches, elements: watchElements(scene, before, targetElement(plan)) }, signal);
  } finally {
    watches.paints.end();
    watches.rest.end();
  }
}

/**
 * Looks at a field until there is something, or until it is over: when the time is up, or (`soon`) two frames after the application has
 * read its input. In a page the application must rest besides, and the field hold something new, or the window look as before the act:
 * accessibility is told later there.
 */
export type LookUntilOver = <T>(
  look: () => Promise<T | null>,
  timeoutMs: number,
  holdsNew: () => Promise<boolean>,
) => Promise<{ seen: T | null; soon: boolean }>;

const lookOnTime =
  (signal: AbortSignal): LookUntilOver =>
  async (look, timeoutMs) => ({ seen: await poll(look, timeoutMs, signal, POLL_MS), soon: false });

const OVER = Symbol('over');

function lookUntilRead(
  watches: Omit<Watches, 'elements'>,
  { documentUrl }: Window,
  signal: AbortSignal,
): LookUntilOver {
  const { rest, pixels, paints, mustKnow } = watches;
  const looksSame = async () => {
    if (!(await rest.isPainted(signal))) return true;
    await pixels.look();
    return !pixels.changed();
  };
  return async <T>(look: () => Promise<T | null>, timeoutMs: number, holdsNew: () => Promise<boolean>) => {
    const early: EarlyEnd<T | typeof OVER> =
      documentUrl === null
        ? {
            reached: (began, stop) => rest.settled(began, stop),
            conclude: async () => (await look()) ?? OVER,
          }
        : {
            reached: (began, stop) => rest.reached(began, stop, PAGE_LAG_MS),
            conclude: async () => ((await holdsNew()) || (await looksSame()) ? OVER : null),
          };
    const seen = await lookAtPaints<T | typeof OVER>(paints, look, timeoutMs, signal, mustKnow ? null : early);
    return seen === OVER ? { seen: null, soon: true } : { seen, soon: false };
  };
}

interface Watches {
  rest: Rest;
  elements: ReturnType<typeof watchElements>;
  pixels: ReturnType<typeof watchPicture>;
  paints: ReturnType<typeof watchPaints>;
  mustKnow: boolean;
}

async function lookForEffect(watches: Watches, signal: AbortSignal): Promise<Verification> {
  const { rest, elements, pixels, paints, mustKnow } = watches;
  await rest.beginLooking(mustKnow ? CHANGE_TIMEOUT_MS : FIRST_LOOK_MS, signal);
  const early = mustKnow ? null : earlyEnd(watches, signal);
  const inTime = await lookAtPaints(paints, lookAt(watches), CHANGE_TIMEOUT_MS, signal, early);
  // On a busy machine there may have been time for one picture only, which cannot show whether the change is stable.
  const seen = inTime ?? (pixels.changed() && !elements.changed() ? await pixels.look() : null);
  elements.remember();
  return seen ?? elements.atLast() ?? pixels.atLast() ?? nothingSeen(watches);
}

function lookAt({ elements, pixels }: Watches): () => Promise<Verification | null> {
  const began = performance.now();
  return async () => {
    const seen = await elements.look();
    // Elements describe a change better than pixels, but report it a little later.
    const now = performance.now();
    if (seen !== null || elements.changed() || now - began < PICTURE_DELAY_MS) return seen;
    return now - pixels.lookedAt() < PICTURE_INTERVAL_MS ? null : pixels.look();
  };
}

/** What is there to tell before the time is over: that only a caret moved, or that nothing has changed so far. */
function earlyEnd({ rest, elements, pixels }: Watches, signal: AbortSignal): EarlyEnd<Verification> {
  const changed = () => elements.changed() || pixels.changed();
  return {
    reached: (began, stop) => rest.reached(began, stop, elements.lagMs),
    async conclude() {
      if (!elements.isRead()) return null;
      if (elements.selection() !== null) return elements.selection();
      if (changed()) return null;
      const seen = (await rest.isPainted(signal)) ? await pixels.look() : null;
      return seen ?? (changed() ? null : NOTHING_SO_FAR);
    },
  };
}

/** The time is over. */
function nothingSeen({ rest, elements, mustKnow }: Watches): Verification {
  if (!elements.isRead() || rest.isUnread()) return UNKNOWN;
  const knows = rest.isUntold() || (mustKnow && rest.wasReadFirst());
  return knows ? { effect: 'no_change', before: [], after: [] } : NOTHING_SO_FAR;
}

/** Records the state while no act runs, as when a person is being asked: what changes then changes by itself. */
export async function recordState(
  { desktop, history, window }: { desktop: DesktopReader; history: OwnChanges; window: Window },
  signal: AbortSignal,
): Promise<void> {
  history.sawFacts(window.app.pid, await readApplicationFacts(desktop, window, signal), true);
  const shown = await captureWindow(desktop, window, signal);
  if (shown !== null) history.sawPicture(window.id, shown.print);
}

interface Scene {
  desktop: DesktopReader;
  window: Window;
  history: OwnChanges;
  signal: AbortSignal;
}

function watchElements({ desktop, window, history, signal }: Scene, before: Facts, target: Element | null) {
  const { pid } = window.app;
  const compare = createChangeComparer(target, history, pid);
  let last = before;
  let first: Verification | null = null;
  let selectedAt = Infinity;
  let selection: Verification | null = null;
  let isRead = false;
  return {
    /** How long nothing must be painted before nothing more is told: a caret that moves in a page is told after its paint. */
    lagMs: window.documentUrl !== null && hasSelection(before) ? PAGE_LAG_MS : TWO_FRAMES_MS,
    /** Whether the last look got an answer. */
    isRead: () => isRead,
    /** Only a caret moved. */
    selection: () => selection,
    changed: () => compare(before, last).any(),
    /** A closing menu is not yet the result: what its item opens comes after it. Nor is a caret: a page that an Enter opens comes after it. */
    async look(): Promise<Verification | null> {
      const now = await readApplicationFacts(desktop, window, signal).catch(() => null);
      isRead = now !== null;
      selection = null;
      if (now === null) return null;
      last = now;
      const explained = compare(before, now).explained();
      const diff = diffFacts(explained.before, explained.after);
      if (diff.before.length + diff.after.length === 0) return null;
      const seen: Verification = { effect: 'confirmed', ...diff };
      const selects = onlySelects(diff);
      if (selects) selection = seen;
      if (!onlyCloses(diff) && !selects) return seen;
      first = seen;
      if (selects) selectedAt = Math.min(selectedAt, performance.now());
      return selects && performance.now() - selectedAt >= SELECTION_ONLY_MS ? seen : null;
    },
    atLast(): Verification | null {
      if (first !== null) return first;
      return compare(before, last).any() ? { effect: 'unverified', ...diffFacts(before, last) } : null;
    },
    remember: () => history.sawFacts(pid, last, true),
  };
}

/** An element may draw this far outside its frame, in points. */
const MARGIN_POINTS = 24;
/** A change of this part of a window is more than a clock or an indicator. */
const LARGE_FRACTION = 0.1;

function watchPicture({ desktop, window, history, signal }: Scene, shown: WindowPicture | null, place: Rect | null) {
  const change = { before: [], after: [`${quoteTruncated(window.title)} looks different`] };
  let last: PixelFingerprint | null = null;
  let lookedAt = -Infinity;
  return {
    lookedAt: () => lookedAt,
    /** Confirms a change that is stable over two pictures, in cells that never changed by themselves, at the target or in a large part of the window. */
    async look(): Promise<Verification | null> {
      const next = shown === null ? null : await captureWindow(desktop, window, signal);
      lookedAt = performance.now();
      const cells = shown === null || next === null ? [] : changedCells(shown.print, next.print);
      if (next === null || cells?.length === 0) return null;
      const isStable = last !== null && changedCells(last, next.print)?.length === 0;
      last = next.print;
      if (!isStable || shown === null) return null;
      const patternOf = history.picture(window.id, shown.print);
      const still = cells?.filter((cell) => patternOf(cell) === 'still') ?? [];
      const explained =
        still.length > 0 && (isLarge(still, shown.print) || still.some((cell) => isNearTarget(cell, shown, place)));
      return explained ? { effect: 'confirmed', ...change } : null;
    },
    changed: () => last !== null,
    atLast: (): Verification | null => (last === null ? null : { effect: 'unverified', ...change }),
  };
}

const isLarge = (cells: readonly number[], { columns, rows }: PixelFingerprint): boolean =>
  cells.length >= LARGE_FRACTION * columns * rows;

/** Whether a cell lies at the target; every cell does where the target's frame is unknown. */
function isNearTarget(cell: number, { print, origin }: WindowPicture, place: Rect | null): boolean {
  if (place === null) return true;
  const edge = print.edge ?? 1;
  const [x, y] = [origin.x + (cell % print.columns) * edge, origin.y + Math.floor(cell / print.columns) * edge];
  const [left, top] = [place.x - MARGIN_POINTS - edge, place.y - MARGIN_POINTS - edge];
  return x > left && y > top && x < place.x + place.width + MARGIN_POINTS && y < place.y + place.height + MARGIN_POINTS;
}

function targetFrame(plan: Plan | null): Rect | null {
  if (plan?.target.kind === 'point') {
    const { point, element } = plan.target;
    return element?.frame ?? { ...point, width: 1, height: 1 };
  }
  // A target out of view has another frame after scrolling.
  return plan?.scroller === undefined ? (targetElement(plan)?.frame ?? null) : null;
}

/** Between two looks where nothing tells of a paint; no look comes sooner than the one before took. */
const POLL_MS = 40;

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
interface EarlyEnd<T> {
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
