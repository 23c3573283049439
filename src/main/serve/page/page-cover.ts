/**
 * What lies over the page while a person presses Allow: they would read that, and press what is below. Comes in: presses, and the
 * windows on the screen. Goes out: the name of what lay there. Called by approvals.ts.
 */
import { basename } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { DesktopBackend, Point, Rect, StackedWindow } from '../../../native/desktop.js';
import { contains, overlaps } from '../../../base/rect.js';
import type { ProcessTable } from '../../../native/peer/types.js';
import type { Approvals } from '../../approvals/index.js';
import type { PressPlace } from '../../protocol/index.js';

export interface PageCover {
  /** `pid`: the page's process; null where it is not known. */
  pressBegan(connection: string, pid: number | null, place: PressPlace | undefined): void;
  /** What lay over that page from half a second before its press until now; null: nothing. Rejects where that cannot be told. */
  coverOf(connection: string): Promise<string | null>;
  close(): void;
}

interface PageCoverOptions {
  desktop: Pick<DesktopBackend, 'stack' | 'pointer' | 'onChange'>;
  processes: Pick<ProcessTable, 'lookup' | 'lineage'>;
  approvals: Pick<Approvals, 'cards' | 'onCard'>;
  /** Milliseconds, never running backwards. */
  now(): number;
}

interface StackSample {
  at: number;
  stack: StackedWindow[];
}

interface Press {
  at: number;
  isOwn(window: StackedWindow): boolean;
  place: PressPlace | undefined;
  pointer: Promise<Point>;
}

const BEFORE_MS = 500;
const DESKTOP_TIMEOUT_MS = 5_000;
const MAX_SAMPLES = 100;
const MAX_PRESSES = 64;
const TITLE = 'Chaperone';
const MAX_NAME_CHARS = 80;

export function createPageCover({ desktop, processes, approvals, now }: PageCoverOptions): PageCover {
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

  /** All windows of the program that holds the page's connection. */
  function ownerOf(pid: number | null): Press['isOwn'] {
    if (pid === null) return ({ managed, title }) => managed && title.includes(TITLE);
    const executable = processes.lookup(pid)?.executable;
    const program = (of: number) => processes.lineage(of).filter((one) => one.executable === executable);
    const line = new Set([pid, ...program(pid).map((one) => one.pid)]);
    return (window) =>
      line.has(window.pid) || (window.pid !== 0 && program(window.pid).some((one) => line.has(one.pid)));
  }

  function nameOf({ pid, title }: StackedWindow): string {
    const program = basename(processes.lookup(pid)?.executable ?? '') || 'an unknown program';
    const shown = title.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS);
    return shown === '' ? `a window of ${program}` : `“${shown}” of ${program}`;
  }

  followCards();
  const endCards = approvals.onCard(followCards);
  return {
    pressBegan(connection, pid, place) {
      const pointer = desktop.pointer(AbortSignal.timeout(DESKTOP_TIMEOUT_MS));
      pointer.catch(() => undefined);
      presses.set(connection, { at: now(), isOwn: ownerOf(pid), place, pointer });
    },
    async coverOf(connection) {
      const press = presses.get(connection);
      presses.delete(connection);
      // Without a press there is no Allow either.
      if (press === undefined) return null;
      const [pointer] = await Promise.all([press.place === undefined ? null : press.pointer, takeSample()]);
      const since = samples.findLastIndex(({ at }) => at <= press.at - BEFORE_MS);
      for (const { stack } of samples.slice(Math.max(since, 0))) {
        const cover = coverOver(stack, press.isOwn, press.place, pointer);
        if (cover !== null) return nameOf(cover);
      }
      return null;
    },
    close() {
      endCards();
      watching?.();
    },
  };
}

/** The topmost window of others over the card and the pointer; without a pointer over any part of the page. Pure. */
export function coverOver(
  stack: readonly StackedWindow[],
  isOwn: (window: StackedWindow) => boolean,
  place: PressPlace | undefined,
  pointer: Point | null,
): StackedWindow | null {
  const pages = stack.filter((window) => window.managed && isOwn(window));
  const under = pointer === null ? undefined : pages.find(({ frame }) => contains(frame, pointer));
  const page = under ?? pages.find(({ focused }) => focused) ?? pages[0];
  if (page === undefined) return null;
  const parts = under === undefined || pointer === null || place === undefined ? [page.frame] : shownAt(place, pointer);
  const above = stack.slice(0, stack.indexOf(page)).filter((window) => !isOwn(window));
  return above.find(({ areas }) => areas.some((area) => parts.some((part) => overlaps(area, part)))) ?? null;
}

/** On the screen, by where the pointer was as it pressed. */
function shownAt({ x, y, ratio, card }: PressPlace, pointer: Point): Rect[] {
  const [left, top] = [pointer.x + (card.x - x) * ratio, pointer.y + (card.y - y) * ratio];
  const shown = { x: left, y: top, width: card.width * ratio, height: card.height * ratio };
  return [shown, { ...pointer, width: 1, height: 1 }];
}
