/**
 * What applications change by themselves (a clock, a progress bar), as far as looks at them have told: a value that differs between two
 * looks with no act and no input of the person between them changed by itself; one that stayed long enough holds still. Pure but for the clock.
 */
import { LRUCache } from 'lru-cache';
import type { Facts } from './changes.js';
import type { PixelPrint } from '../plan.js';
import { changedCells } from '../pixels.js';

/** `unknown`: not watched long enough to tell. */
type Habit = 'own' | 'still' | 'unknown';

export interface OwnChanges {
  /** Something was done on the desktop, by an agent or by the person: what changes next may come from that. */
  acted(): void;
  /** `whole`: the facts are all there is of that application, so what is missing is not there. */
  sawFacts(pid: number, facts: Facts, whole: boolean): void;
  sawPicture(windowId: string, print: PixelPrint): void;
  /** Of one element or window, by its key in the facts. */
  fact(pid: number, key: string): Habit;
  /** Of which elements there are. */
  elements(pid: number): Habit;
  /** Of which windows there are. */
  windows(pid: number): Habit;
  /** For a cell of that window's picture; everything is unknown where its size has changed. */
  picture(windowId: string, like: PixelPrint): (cell: number) => Habit;
}

/** A clock that shows seconds changes twice within this time. */
const WATCHED_MS = 2_000;
/** What an act leads to may come this much later. */
const LATE_MS = 2_000;
/** What changed by itself longer ago than this may have come to rest. */
const REMEMBERED_MS = 10 * 60_000;
const MOST = { applications: 12, facts: 2_000, pictures: 12 };

/** One thing that is looked at. */
interface Watched {
  value: string;
  seenAt: number;
  act: number;
  /** Together, between looks that saw the same. */
  stillMs: number;
  /** The last act soon after which it changed without another: once may be a late effect of that act, twice is its own doing. */
  lateAfter: number | null;
  ownAt: number | null;
}

interface Pictured {
  print: PixelPrint;
  seenAt: number;
  act: number;
  watchedMs: number;
  /** When each cell last changed by itself. */
  own: Map<number, number>;
  /** As `lateAfter`. */
  late: Map<number, number>;
}

const WINDOW = /^window /;
const ELEMENTS = 'which elements';
const WINDOWS = 'which windows';

export function createOwnChanges(now: () => number): OwnChanges {
  const applications = new LRUCache<number, Map<string, Watched>>({ max: MOST.applications });
  const pictures = new LRUCache<string, Pictured>({ max: MOST.pictures });
  let acts = 0;
  let actedAt = -Infinity;

  /** `lateAfter`: the act that a late change came after before. */
  const changedByItself = (seenAfter: number, lateAfter: number | null, at: number): boolean =>
    seenAfter === acts && (at - actedAt > LATE_MS || (lateAfter !== null && lateAfter !== acts));

  function saw(known: Map<string, Watched>, key: string, value: string): void {
    const at = now();
    const one = known.get(key);
    if (one === undefined) {
      if (known.size < MOST.facts)
        known.set(key, { value, seenAt: at, act: acts, stillMs: 0, lateAfter: null, ownAt: null });
      return;
    }
    if (one.value === value) one.stillMs += at - one.seenAt;
    else {
      if (changedByItself(one.act, one.lateAfter, at)) one.ownAt = at;
      if (one.act === acts) one.lateAfter = acts;
    }
    Object.assign(one, { value, seenAt: at, act: acts });
  }

  function habitOf(one: Watched | undefined): Habit {
    if (one === undefined) return 'unknown';
    if (one.ownAt !== null && now() - one.ownAt <= REMEMBERED_MS) return 'own';
    return one.stillMs >= WATCHED_MS ? 'still' : 'unknown';
  }

  const fact = (pid: number, key: string) => habitOf(applications.get(pid)?.get(key));

  return {
    acted() {
      acts += 1;
      actedAt = now();
    },
    sawFacts(pid, facts, whole) {
      const known = getOrAdd(applications, pid, () => new Map<string, Watched>());
      for (const [key, value] of facts) saw(known, key, value);
      if (!whole) return;
      const keys = [...facts.keys()];
      saw(
        known,
        WINDOWS,
        keys
          .filter((key) => WINDOW.test(key))
          .sort()
          .join('\n'),
      );
      saw(known, ELEMENTS, keys.filter((key) => !WINDOW.test(key)).join('\n'));
    },
    sawPicture(windowId, print) {
      const at = now();
      const fresh = (): Pictured => ({ print, seenAt: at, act: acts, watchedMs: 0, own: new Map(), late: new Map() });
      const known = getOrAdd(pictures, windowId, fresh);
      const cells = changedCells(known.print, print);
      if (cells === null) {
        pictures.set(windowId, fresh());
        return;
      }
      for (const cell of cells) {
        if (changedByItself(known.act, known.late.get(cell) ?? null, at)) known.own.set(cell, at);
        if (known.act === acts) known.late.set(cell, acts);
      }
      Object.assign(known, { print, seenAt: at, act: acts, watchedMs: known.watchedMs + at - known.seenAt });
    },
    fact,
    elements: (pid) => fact(pid, ELEMENTS),
    windows: (pid) => fact(pid, WINDOWS),
    picture(windowId, like) {
      const known = pictures.get(windowId);
      if (known === undefined || changedCells(known.print, like) === null) return () => 'unknown';
      return (cell) => {
        const ownAt = known.own.get(cell);
        if (ownAt !== undefined && now() - ownAt <= REMEMBERED_MS) return 'own';
        return known.watchedMs >= WATCHED_MS ? 'still' : 'unknown';
      };
    },
  };
}

/** Nothing there changes but by what is done to it. */
export const NOTHING_BY_ITSELF: OwnChanges = {
  acted: () => undefined,
  sawFacts: () => undefined,
  sawPicture: () => undefined,
  fact: () => 'still',
  elements: () => 'still',
  windows: () => 'still',
  picture: () => () => 'still',
};

function getOrAdd<K extends string | number, V extends object>(cache: LRUCache<K, V>, key: K, create: () => V): V {
  const value = cache.get(key) ?? create();
  cache.set(key, value);
  return value;
}
