import type { DesktopReader, Element, Window } from '../../../native/desktop.js';
import type { Verification } from '../action.js';
import type { RunContext } from '../context.js';
import type { OwnChanges } from '../own-changes.js';
import { changedCells, printPixels } from '../pixels.js';
import type { PixelPrint, Plan } from '../plan.js';
import { until } from '../waiting.js';
import { difference, onlyCloses } from './changes.js';
import type { Facts } from './changes.js';
import { changedBy } from './explaining.js';
import { cut, factsOf } from './facts.js';

const PATIENCE_MS = 700;
const PICTURE_AFTER_MS = 150;
const STEP_MS = 40;

/**
 * Runs `act` and looks at what changed in the application: `confirmed` where the act explains a change; `unverified` where what
 * changed may have done so by itself, as far as is known, or could not be looked at; else `no_change`.
 */
export async function observing(
  { desktop, plan, ownChanges: history }: Pick<RunContext, 'desktop' | 'plan' | 'ownChanges'>,
  act: () => Promise<void>,
  signal: AbortSignal,
): Promise<Verification> {
  const window = plan?.window ?? null;
  const shown = await pictureOf(desktop, window, signal);
  const before = window === null ? null : await factsOf(desktop, window, signal).catch(() => null);
  if (window !== null && before !== null) history.sawFacts(window.app.pid, before, true);
  if (window !== null && shown !== null) history.sawPicture(window.id, shown);
  await act();
  if (before === null || window === null) return { effect: 'unverified', before: null, after: null };
  const scene = { desktop, window, history, signal };
  const elements = watchElements(scene, before, elementOf(plan));
  const pixels = watchPicture(scene, shown);
  const began = performance.now();
  const look = async (): Promise<Verification | null> => {
    const seen = await elements.look();
    // Elements say more than a picture does, a little later.
    if (seen !== null || elements.changed() || performance.now() - began < PICTURE_AFTER_MS) return seen;
    return pixels.look();
  };
  const seen = await until(look, PATIENCE_MS, STEP_MS, signal);
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
  if (shown !== null) history.sawPicture(window.id, shown);
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

function watchPicture({ desktop, window, history, signal }: Scene, shown: PixelPrint | null) {
  const told = { before: [], after: [`${cut(window.title)} looks different`] };
  let last: PixelPrint | null = null;
  return {
    /** It looks different, twice the same, where it did not change by itself before. */
    async look(): Promise<Verification | null> {
      const next = shown === null ? null : await pictureOf(desktop, window, signal);
      const cells = shown === null || next === null ? [] : changedCells(shown, next);
      if (next === null || cells?.length === 0) return null;
      const rests = last !== null && changedCells(last, next)?.length === 0;
      last = next;
      if (!rests || shown === null) return null;
      const habit = history.picture(window.id, shown);
      return cells?.some((cell) => habit(cell) === 'still') === true ? { effect: 'confirmed', ...told } : null;
    },
    atLast: (): Verification | null => (last === null ? null : { effect: 'unverified', ...told }),
  };
}

function elementOf(plan: Plan | null): Element | null {
  return plan !== null && 'element' in plan.target ? plan.target.element : null;
}

/** For what elements do not tell: drawings, scrolled pages. */
async function pictureOf(
  desktop: DesktopReader,
  window: Window | null,
  signal: AbortSignal,
): Promise<PixelPrint | null> {
  if (window === null) return null;
  const target = { kind: 'window', windowId: window.id } as const;
  return desktop.capture(target, signal).then(printPixels, () => null);
}
