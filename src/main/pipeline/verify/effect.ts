import type { Capture, DesktopReader, Element, Point, Rect, Window } from '../../../native/desktop.js';
import type { Verification } from '../action.js';
import type { RunContext } from '../context.js';
import type { OwnChanges } from './own-changes.js';
import { changedCells, printPixels } from '../pixels.js';
import type { PixelPrint, Plan } from '../plan.js';
import { poll } from '../../../base/poll.js';
import { difference, onlyCloses } from './changes.js';
import type { Facts } from './changes.js';
import { changedBy } from './explain.js';
import { cut, factsOf } from './facts.js';

const PATIENCE_MS = 700;
const PICTURE_AFTER_MS = 150;
const STEP_MS = 40;

/**
 * Runs `act` and looks at what changed in the application: `confirmed` where the act explains a change; `unverified` where what
 * changed may have done so by itself, as far as is known, or could not be looked at; else `no_change`.
 */
export async function observing(
  { desktop, plan, ownChanges: history }: Pick<RunContext, 'plan' | 'ownChanges'> & { desktop: DesktopReader },
  act: () => Promise<void>,
  signal: AbortSignal,
): Promise<Verification> {
  const window = plan?.window ?? null;
  const shown = await pictureOf(desktop, window, signal);
  const before = window === null ? null : await factsOf(desktop, window, signal).catch(() => null);
  if (window !== null && before !== null) history.sawFacts(window.app.pid, before, true);
  if (window !== null && shown !== null) history.sawPicture(window.id, shown.print);
  await act();
  if (before === null || window === null) return { effect: 'unverified', before: null, after: null };
  const scene = { desktop, window, history, signal };
  const elements = watchElements(scene, before, elementOf(plan));
  const pixels = watchPicture(scene, shown, placeOf(plan));
  const began = performance.now();
  const look = async (): Promise<Verification | null> => {
    const seen = await elements.look();
    // Elements say more than a picture does, a little later.
    if (seen !== null || elements.changed() || performance.now() - began < PICTURE_AFTER_MS) return seen;
    return pixels.look();
  };
  const seen = await poll(look, PATIENCE_MS, signal, STEP_MS);
  elements.remember();
  return seen ?? elements.atLast() ?? pixels.atLast() ?? { effect: 'no_change', before: [], after: [] };
}

/** Looks at it while nothing is done there, as when a person is being asked: what changes now does so by itself. */
export async function lookAhead(
  { desktop, history, window }: { desktop: DesktopReader; history: OwnChanges; window: Window },
  signal: AbortSignal,
): Promise<void> {
  history.sawFacts(window.app.pid, await factsOf(desktop, window, signal), true);
  const shown = await pictureOf(desktop, window, signal);
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
  const compare = changedBy(target, history, pid);
  let last = before;
  let closed: Verification | null = null;
  return {
    changed: () => compare(before, last).any(),
    /** A menu closes before what its item opens comes: that is waited for. */
    async look(): Promise<Verification | null> {
      const now = await factsOf(desktop, window, signal).catch(() => null);
      if (now === null) return null;
      last = now;
      const explained = compare(before, now).explained();
      const told = difference(explained.before, explained.after);
      if (told.before.length + told.after.length === 0) return null;
      const seen: Verification = { effect: 'confirmed', ...told };
      if (!onlyCloses(told)) return seen;
      closed = seen;
      return null;
    },
    atLast(): Verification | null {
      if (closed !== null) return closed;
      return compare(before, last).any() ? { effect: 'unverified', ...difference(before, last) } : null;
    },
    remember: () => history.sawFacts(pid, last, true),
  };
}

/** Around the target, in points: what it draws beyond its frame. */
const BESIDE = 24;
/** So much of a window is more than a clock or a light in it. */
const LARGE = 0.1;

function watchPicture({ desktop, window, history, signal }: Scene, shown: Pictured | null, place: Rect | null) {
  const told = { before: [], after: [`${cut(window.title)} looks different`] };
  let last: PixelPrint | null = null;
  return {
    /** It looks different, twice the same, where it did not change by itself before: at the target, or in a large part of the window. */
    async look(): Promise<Verification | null> {
      const next = shown === null ? null : await pictureOf(desktop, window, signal);
      const cells = shown === null || next === null ? [] : changedCells(shown.print, next.print);
      if (next === null || cells?.length === 0) return null;
      const rests = last !== null && changedCells(last, next.print)?.length === 0;
      last = next.print;
      if (!rests || shown === null) return null;
      const habit = history.picture(window.id, shown.print);
      const still = cells?.filter((cell) => habit(cell) === 'still') ?? [];
      const explained =
        still.length > 0 && (isLarge(still, shown.print) || still.some((cell) => isAt(cell, shown, place)));
      return explained ? { effect: 'confirmed', ...told } : null;
    },
    atLast: (): Verification | null => (last === null ? null : { effect: 'unverified', ...told }),
  };
}

const isLarge = (cells: readonly number[], { columns, rows }: PixelPrint): boolean =>
  cells.length >= LARGE * columns * rows;

/** Whether a cell lies at the place acted on; where none is known, the whole window is. */
function isAt(cell: number, { print, origin }: Pictured, place: Rect | null): boolean {
  if (place === null) return true;
  const edge = print.edge ?? 1;
  const [x, y] = [origin.x + (cell % print.columns) * edge, origin.y + Math.floor(cell / print.columns) * edge];
  const [left, top] = [place.x - BESIDE - edge, place.y - BESIDE - edge];
  return x > left && y > top && x < place.x + place.width + BESIDE && y < place.y + place.height + BESIDE;
}

function placeOf(plan: Plan | null): Rect | null {
  if (plan?.target.kind === 'point') {
    const { point, element } = plan.target;
    return element?.frame ?? { ...point, width: 1, height: 1 };
  }
  // What is out of view before the act is somewhere else after it.
  return plan?.scroller === undefined ? (elementOf(plan)?.frame ?? null) : null;
}

function elementOf(plan: Plan | null): Element | null {
  return plan !== null && 'element' in plan.target ? plan.target.element : null;
}

interface Pictured {
  print: PixelPrint;
  origin: Point;
}

/** For what elements do not tell: drawings, scrolled pages. */
async function pictureOf(desktop: DesktopReader, window: Window | null, signal: AbortSignal): Promise<Pictured | null> {
  if (window === null) return null;
  const target = { kind: 'window', windowId: window.id } as const;
  const taken = (capture: Capture) => ({ print: printPixels(capture), origin: capture.origin });
  return desktop.capture(target, signal).then(taken, () => null);
}
