/**
 * What lies over the page while a person presses Allow: they would read that, and press what is below. Also whether the page came
 * under the pointer only then: they would press something else. Comes in: presses, and the windows on the screen. Called by approvals.ts.
 */
import { basename } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { DesktopBackend, Point, Rect, StackedWindow } from '../../../native/desktop.js';
import { contains, overlaps } from '../../../base/rect.js';
import type { ProcessTable } from '../../../native/peer/types.js';
import type { Approvals } from '../../approvals/index.js';
import type { PressPlace } from '../../protocol/index.js';
import { pageWindows, type IsPageWindow } from './seen-presses.js';

/** `over`: what lay over it. `moved`: its window was not all the time where it was pressed. */
export type Disturbance = { over: string } | { moved: true };

export type PageCover = ReturnType<typeof createPageCover>;

interface PageCoverOptions {
  desktop: Pick<DesktopBackend, 'stack' | 'pointer' | 'displays' | 'onChange'>;
  processes: Pick<ProcessTable, 'lookup' | 'lineage'>;
  approvals: Pick<Approvals, 'cards' | 'onCard'>;
  /** Milliseconds, never running backwards. */
  now(): number;
}

interface StackSample {
  at: number;
  stack: StackedWindow[];
}

/** Where the pointer was as it pressed, and the card by that. */
interface PlaceOnScreen {
  pointer: Point;
  card: Rect;
}

interface Press {
  at: number;
  isOwn: IsPageWindow;
  place: Promise<PlaceOnScreen> | null;
}

const BEFORE_MS = 500;
const DESKTOP_TIMEOUT_MS = 5_000;
const MAX_SAMPLES = 100;
const MAX_PRESSES = 64;
const MAX_NAME_CHARS = 80;

export function createPageCover({ desktop, processes, approvals, now }: PageCoverOptions) {
  const presses = new LRUCache<string, Press>({ max: MAX_PRESSES });
  let samples: StackSample[] = [];
  let watching: (() => void) | null = null;

  async function takeSample(): Promise<void> {
    const at = now();
    const stack = await desktop.stack(AbortSignal.timeout(DESKTOP_TIMEOUT_MS));
    samples = [...samples, { at, stack }].slice(-MAX_SAMPLES);
  }

  /** Takes samples only while there is something to allow. */
  function followCards(): void {
    const asking = approvals.cards().length > 0;
    if (asking === (watching !== null)) return;
    watching?.();
    watching = asking ? desktop.onChange(({ kind }) => void (kind === 'windows' && sampleLater())) : null;
    samples = [];
    if (asking) sampleLater();
  }

  /** A failed sample is taken again when the Allow arrives. */
  const sampleLater = (): void => void takeSample().catch(() => undefined);

  function nameOf({ pid, title }: StackedWindow): string {
    const program = basename(processes.lookup(pid)?.executable ?? '') || 'an unknown program';
    const shown = title.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS);
    return shown === '' ? `a window of ${program}` : `“${shown}” of ${program}`;
  }

  async function placeOnScreen(place: PressPlace): Promise<PlaceOnScreen> {
    const signal = AbortSignal.timeout(DESKTOP_TIMEOUT_MS);
    const [pointer, displays] = await Promise.all([desktop.pointer(signal), desktop.displays(signal)]);
    // Pages count pixels, the screen is in points.
    const scale = displays.find(({ frame }) => contains(frame, pointer))?.scale ?? 1;
    return { pointer, card: cardOnScreen({ ...place, ratio: place.ratio / scale }, pointer) };
  }

  followCards();
  const endCards = approvals.onCard(followCards);
  return {
    /** `pid`: the page's process; null where it is not known. */
    pressBegan(connection: string, pid: number | null, place: PressPlace | undefined): void {
      const onScreen = place === undefined ? null : placeOnScreen(place);
      onScreen?.catch(() => undefined);
      presses.set(connection, { at: now(), isOwn: pageWindows(processes, pid), place: onScreen });
    },
    /** What was wrong with that page from half a second before its press until now; null: nothing. Rejects where that cannot be told. */
    async disturbanceOf(connection: string): Promise<Disturbance | null> {
      const press = presses.get(connection);
      presses.delete(connection);
      // Without a press there is no Allow either.
      if (press === undefined) return null;
      const [place] = await Promise.all([press.place, takeSample()]);
      const since = samples.findLastIndex(({ at }) => at <= press.at - BEFORE_MS);
      const stacks = samples.slice(Math.max(since, 0)).map(({ stack }) => stack);
      for (const stack of stacks) {
        const cover = coverOver(stack, press.isOwn, place);
        if (cover !== null) return { over: nameOf(cover) };
      }
      const places = stacks.map((stack) => JSON.stringify(pageUnder(stack, press.isOwn, place)?.frame ?? null));
      return new Set(places).size > 1 ? { moved: true } : null;
    },
    close(): void {
      endCards();
      watching?.();
    },
  };
}

/** The topmost window of others over the card and the pointer; without a pointer over any part of the page. Pure. */
export function coverOver(
  stack: readonly StackedWindow[],
  isOwn: (window: StackedWindow) => boolean,
  place: PlaceOnScreen | null,
): StackedWindow | null {
  const pages = stack.filter((window) => window.managed && isOwn(window));
  const under = pageUnder(stack, isOwn, place);
  const page = under ?? pages.find(({ focused }) => focused) ?? pages[0];
  if (page === undefined) return null;
  const parts = under === undefined || place === null ? [page.frame] : [place.card, pointOf(place)];
  const above = stack.slice(0, stack.indexOf(page)).filter((window) => !isOwn(window));
  return above.find(({ areas }) => areas.some((area) => parts.some((part) => overlaps(area, part)))) ?? null;
}

/** The page's window at the pointer. */
const pageUnder = (
  stack: readonly StackedWindow[],
  isOwn: (window: StackedWindow) => boolean,
  place: PlaceOnScreen | null,
) =>
  place === null
    ? undefined
    : stack.find((window) => window.managed && isOwn(window) && contains(window.frame, place.pointer));

const pointOf = ({ pointer }: PlaceOnScreen): Rect => ({ ...pointer, width: 1, height: 1 });

function cardOnScreen({ x, y, ratio, card }: PressPlace, pointer: Point): Rect {
  const [left, top] = [pointer.x + (card.x - x) * ratio, pointer.y + (card.y - y) * ratio];
  return { x: left, y: top, width: card.width * ratio, height: card.height * ratio };
}
