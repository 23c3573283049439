/** Which changes after an act the act explains, and which an application may have made by itself (a clock, a progress bar). Pure. */
import type { Element } from '../../../native/desktop.js';
import type { OwnChanges } from './own-changes.js';
import type { Facts } from './changes.js';

/** What shows something and takes nothing: that it changed is no answer to an act on it. */
const SHOWING: ReadonlySet<string> = new Set([
  'AXStaticText', 'AXHeading', 'AXImage', 'AXProgressIndicator', 'AXBusyIndicator', 'AXLevelIndicator', 'AXGroup', 'AXWindow',
]); // prettier-ignore
/** What is inside these is content of its own, no part of them. */
const HOLDING: ReadonlySet<string> = new Set([
  'AXScrollArea', 'AXWebArea', 'AXTable', 'AXOutline', 'AXList', 'AXTabGroup', 'AXSplitGroup', 'AXToolbar', 'AXMenuBar',
]); // prettier-ignore
const MOVING = /^AX(?:Progress|Busy|Level)Indicator\b/;
const WINDOW = /^window /;
const MARKS = /(?: (?:focused|checked|selected|expanded))+$/;
const PLACE = / at \(-?[\d.]+, -?[\d.]+\), [\d.]+×[\d.]+(?:, minimised)?$/;
const TIME = /\b\d{1,2}:\d{2}(?::\d{2})?\b/g;

export interface Changed {
  /** Anything at all. */
  any(): boolean;
  /** Of what changed, what the act explains, as it was and as it is. */
  explained(): { before: Facts; after: Facts };
}

/** What changed between two looks, with an act between them. */
export function changedBy(
  target: Element | null,
  history: Pick<OwnChanges, 'fact' | 'elements' | 'windows'>,
  pid: number,
) {
  const own = target === null || SHOWING.has(target.role) ? null : target.path.join('/');
  const hasParts = target !== null && !HOLDING.has(target.role);

  return (before: Facts, after: Facts): Changed => {
    const comesOrGoes = (key: string) => before.has(key) !== after.has(key);
    const keys = differing(before, after);
    const reordered = keys.some((key) => !WINDOW.test(key) && comesOrGoes(key));
    const values = new Set(after.values());

    /** Its line stands elsewhere now: something before it in the tree came or went. */
    const onlyMoved = (key: string) => reordered && !comesOrGoes(key) && values.has(before.get(key) ?? '');

    /** Only a state of it changed, or where a window is: applications seldom do either by themselves. */
    function isMark(key: string): boolean {
      if (comesOrGoes(key)) return false;
      const rest = WINDOW.test(key) ? PLACE : MARKS;
      return before.get(key)?.replace(rest, '') === after.get(key)?.replace(rest, '');
    }

    function isTarget(key: string): boolean {
      if (own === null || onlyMoved(key)) return false;
      return key === own || (hasParts && key.startsWith(`${own}/`));
    }

    function isExplained(key: string): boolean {
      if (WINDOW.test(key) && comesOrGoes(key)) return history.windows(pid) !== 'own';
      if (isTarget(key) && isMark(key)) return true;
      if (history.fact(pid, key) === 'own') return false;
      if (isTarget(key)) return true;
      if (comesOrGoes(key)) return history.elements(pid) === 'still';
      if (isMark(key)) return true;
      const [one, other] = [before.get(key) ?? '', after.get(key) ?? ''];
      return history.fact(pid, key) === 'still' && !MOVING.test(other) && !isTime(one, other);
    }

    return {
      any: () => keys.length > 0,
      explained() {
        const told = keys.filter(isExplained);
        const only = (facts: Facts) => new Map(told.flatMap((key) => [[key, facts.get(key)] as const]).filter(isThere));
        return { before: only(before), after: only(after) };
      },
    };
  };
}

/** The same but for the time of day in it, which may stay the same for a minute. */
function isTime(one: string, other: string): boolean {
  return one !== other && one.replace(TIME, '') === other.replace(TIME, '');
}

function differing(one: Facts, other: Facts): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key));
}

const isThere = (entry: readonly [string, string | undefined]): entry is readonly [string, string] =>
  entry[1] !== undefined;
