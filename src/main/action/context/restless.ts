/** Which changes after an act may be its own, and which an application makes by itself (a clock, a progress bar). Pure. */
import type { Element } from '../../../native/desktop.js';
import type { Facts } from './changes.js';

/** What shows something and takes nothing: that it changed is no answer to an act on it. */
const SHOWING: ReadonlySet<string> = new Set([
  'AXStaticText', 'AXHeading', 'AXImage', 'AXProgressIndicator', 'AXBusyIndicator', 'AXLevelIndicator', 'AXGroup', 'AXWindow',
]); // prettier-ignore
const WINDOW = /^window /;
/** Applications do not select, check or focus by themselves. */
const MARKS = /(?: (?:focused|checked|selected|expanded))+$/;

export interface ChangeWatch {
  /** The next look at the application, `atMs` after the act. */
  see(now: Facts, atMs: number): void;
  changed(): boolean;
  /** Something changed that an act explains without further looks: its target, a state, a window that opened or closed. */
  explained(): boolean;
  /** Looks before and after with only what changed once and then stayed for `stillMs`; what changed again does so by itself. */
  settled(stillMs: number): { before: Facts; after: Facts };
  /** Something that changed once could still become settled. */
  undecided(stillMs: number, latestMs: number): boolean;
}

export function createChangeWatch(before: Facts, target: Element | null): ChangeWatch {
  const own = target === null || SHOWING.has(target.role) ? null : target.path.join('/');
  const changes = new Map<string, { times: number; atMs: number }>();
  let seenAtMs = 0;
  let structureChanges = 0;
  let last = before;

  const comesOrGoes = (key: string, one: Facts, other: Facts) => one.has(key) !== other.has(key);
  const now = () => differing(before, last);

  function isExplained(key: string): boolean {
    if (WINDOW.test(key)) return comesOrGoes(key, before, last);
    if (key === own) return true;
    const [one, other] = [before.get(key), last.get(key)];
    return one !== undefined && other !== undefined && one.replace(MARKS, '') === other.replace(MARKS, '');
  }

  const isOnce = (key: string): boolean =>
    changes.get(key)?.times === 1 && !(comesOrGoes(key, before, last) && structureChanges > 1);

  const ageOf = (key: string): number => seenAtMs - (changes.get(key)?.atMs ?? seenAtMs);

  return {
    see(next, atMs) {
      const keys = differing(last, next);
      for (const key of keys) changes.set(key, { times: (changes.get(key)?.times ?? 0) + 1, atMs });
      if (keys.some((key) => !WINDOW.test(key) && comesOrGoes(key, last, next))) structureChanges += 1;
      last = next;
      seenAtMs = atMs;
    },
    changed: () => now().length > 0,
    explained: () => now().some(isExplained),
    undecided: (stillMs, latestMs) =>
      now().some((key) => isOnce(key) && ageOf(key) < stillMs && (changes.get(key)?.atMs ?? 0) <= latestMs),
    settled(stillMs) {
      const keys = now().filter((key) => isOnce(key) && ageOf(key) >= stillMs);
      const only = (facts: Facts) => new Map(keys.flatMap((key) => [[key, facts.get(key)] as const]).filter(isThere));
      return { before: only(before), after: only(last) };
    },
  };
}

function differing(one: Facts, other: Facts): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key));
}

const isThere = (entry: readonly [string, string | undefined]): entry is readonly [string, string] =>
  entry[1] !== undefined;
