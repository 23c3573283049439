/**
 * Learns what applications change by themselves (a clock, a progress bar). A value that differs between two readings, with no act
 * and no input of the person between them, changed by itself; a value that stayed the same long enough is still.
 */
import { LRUCache } from 'lru-cache';
import type { Facts } from './changes.js';
import type { PixelFingerprint } from '../../approvals/plan.js';
import { changedCells } from '../../approvals/pixels.js';

/** `own`: changes by itself. `unknown`: not watched long enough. */
type ChangePattern = 'own' | 'still' | 'unknown';

export interface OwnChanges {
  /** An agent or the person acted: the next changes may come from that. */
  acted(): void;
  /** `whole`: the facts cover the whole application, so a missing fact is gone. */
  sawFacts(pid: number, facts: Facts, whole: boolean): void;
  sawPicture(windowId: string, print: PixelFingerprint): void;
  /** The pattern of one element or window, by its key in the facts. */
  fact(pid: number, key: string): ChangePattern;
  /** The pattern of the set of elements. */
  elements(pid: number): ChangePattern;
  /** The pattern of the set of windows. */
  windows(pid: number): ChangePattern;
  /** The pattern of each cell of the window's picture; `unknown` after a change of its size. */
  picture(windowId: string, like: PixelFingerprint): (cell: number) => ChangePattern;
}

/** A clock that shows seconds changes twice within this time. */
const MIN_WATCHED_MS = 2_000;
/** A change up to this long after an act may be its effect. */
const LATE_EFFECT_MS = 2_000;
/** After this time a value that changed by itself may have stopped. */
const REMEMBERED_MS = 10 * 60_000;
const CACHE_LIMITS = { applications: 12, facts: 2_000, pictures: 12 };

/** What is known of one fact. */
interface FactHistory {
  value: string;
  seenAt: number;
  act: number;
  /** Total time between readings of the same value. */
  stillMs: number;
  /** The last act shortly after which it changed a second time. Once may be a late effect of that act; after two acts it changes by itself. */
  lateAfter: number | null;
  ownAt: number | null;
}

interface PictureHistory {
  print: PixelFingerprint;
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
  const applications = new LRUCache<number, Map<string, FactHistory>>({ max: CACHE_LIMITS.applications });
  const pictures = new LRUCache<string, PictureHistory>({ max: CACHE_LIMITS.pictures });
  let acts = 0;
  let actedAt = -Infinity;

  /** `lateAfter`: the act after which an earlier late change came. */
  const changedByItself = (seenAfter: number, lateAfter: number | null, at: number): boolean =>
    seenAfter === acts && (at - actedAt > LATE_EFFECT_MS || (lateAfter !== null && lateAfter !== acts));

  function recordValue(known: Map<string, FactHistory>, key: string, value: string): void {
    const at = now();
    const one = known.get(key);
    if (one === undefined) {
      if (known.size < CACHE_LIMITS.facts)
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

  function patternOf(one: FactHistory | undefined): ChangePattern {
    if (one === undefined) return 'unknown';
    if (one.ownAt !== null && now() - one.ownAt <= REMEMBERED_MS) return 'own';
    return one.stillMs >= MIN_WATCHED_MS ? 'still' : 'unknown';
  }

  const fact = (pid: number, key: string) => patternOf(applications.get(pid)?.get(key));

  return {
    acted() {
      acts += 1;
      actedAt = now();
    },
    sawFacts(pid, facts, whole) {
      const known = getOrAdd(applications, pid, () => new Map<string, FactHistory>());
      for (const [key, value] of facts) recordValue(known, key, value);
      if (!whole) return;
      const keys = [...facts.keys()];
      recordValue(
        known,
        WINDOWS,
        keys
          .filter((key) => WINDOW.test(key))
          .sort()
          .join('\n'),
      );
      recordValue(known, ELEMENTS, keys.filter((key) => !WINDOW.test(key)).join('\n'));
    },
    sawPicture(windowId, print) {
      const at = now();
      const fresh = (): PictureHistory => ({
        print,
        seenAt: at,
        act: acts,
        watchedMs: 0,
        own: new Map(),
        late: new Map(),
      });
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
        return known.watchedMs >= MIN_WATCHED_MS ? 'still' : 'unknown';
      };
    },
  };
}

/** For applications that never change by themselves. */
export const NO_OWN_CHANGES: OwnChanges = {
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
