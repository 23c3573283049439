/** Writes a date, a time or both into a field of several parts, each of which takes keys. */
import type { DatePart, DatePartKind, DesktopActor } from '../../native/desktop.js';
import { message } from '../../messages/index.js';
import { poll } from '../../base/poll.js';
import { WireError } from '../protocol/index.js';
import { pressKey } from './click.js';
import { numbersOf } from './date-text.js';
import { focusField } from './type-text.js';

/** Calls `ready` before the first key. Resolves with what the field holds then, in the form of `value` where that was taken whole. Rejects with WireError where `value` does not name exactly the field’s parts. */
export async function writeDate(
  desktop: DesktopActor,
  parts: readonly DatePart[],
  value: string,
  ready: () => Promise<void>,
  signal: AbortSignal,
): Promise<string> {
  const untold = parts.some(({ kind }) => kind === 'untold');
  const numbers = numbersOf(value);
  if (untold ? !fitsCount(parts, numbers) : !fits(parts, numbers)) throw notOfParts(parts);
  await ready();
  const known = untold ? await tellParts(desktop, parts, signal) : parts;
  if (!fits(known, numbers)) throw notOfParts(known);
  for (const { id, kind } of known) {
    const number = numbers.get(kind) ?? 0;
    await focusPart(desktop, id, signal);
    if (kind === 'half of the day') await chooseHalf(desktop, id, number, signal);
    else await desktop.typeText(String(number).padStart(kind === 'year' ? 4 : 2, '0'), signal);
    // The next part would get keys that this one has not taken yet.
    if (!(await holds(desktop, { id, kind }, number, signal))) return held(desktop, known, signal);
  }
  return value;
}

/** Each part has its number, which it can hold, and no number is left over. */
function fits(parts: readonly DatePart[], numbers: ReadonlyMap<DatePartKind, number>): boolean {
  const given = [...numbers.keys()].every((kind) => parts.some((part) => part.kind === kind) || IMPLIED.has(kind));
  const possible = ({ kind }: DatePart): boolean => {
    const number = numbers.get(kind) ?? -1;
    return number >= 0 && number <= (MOST[kind] ?? Infinity);
  };
  return given && parts.every(possible);
}

/** As far as it can be told before a key is pressed: a date has three parts, a time two or more. */
function fitsCount(parts: readonly DatePart[], numbers: ReadonlyMap<DatePartKind, number>): boolean {
  const count = parts.filter(({ kind }) => kind === 'untold').length;
  const dates = ['year', 'month', 'day'] as const;
  const given = dates.filter((kind) => numbers.has(kind)).length;
  const inLimits = [...numbers].every(([kind, number]) => number <= (MOST[kind] ?? Infinity));
  return inLimits && (given === 0 || given === 3) && (numbers.has('minute') ? count >= given + 2 : count === given);
}

/** Firefox does not tell what its parts are; End writes the greatest number that a part takes, and nothing into the year. */
async function tellParts(
  desktop: DesktopActor,
  parts: readonly DatePart[],
  signal: AbortSignal,
): Promise<readonly DatePart[]> {
  const most: string[] = [];
  for (const { id, kind } of parts) {
    if (kind === 'untold') {
      await focusPart(desktop, id, signal);
      await pressKey(desktop, 'end', signal);
      const full = async () => ((await desktop.element(id, signal)).value ?? '') || null;
      most.push((await poll(full, HANDED_ON_MS, signal, STEP_MS)) ?? '');
    } else most.push(kind);
  }
  return parts.map(({ kind, id }, index) => {
    if (kind !== 'untold') return { kind, id };
    const minutesNext = most[index + 1] === '59';
    return { id, kind: kindOfMost(most[index] ?? '', { minutesNext, minutesBefore: most[index - 1] === '59' }) };
  });
}

function kindOfMost(most: string, near: { minutesNext: boolean; minutesBefore: boolean }): DatePartKind {
  if (most === '12') return near.minutesNext ? 'hour of 12' : 'month';
  if (most === '59') return near.minutesBefore ? 'second' : 'minute';
  return MOST_TELLS.get(most) ?? 'year';
}

const MOST_TELLS: ReadonlyMap<string, DatePartKind> = new Map([
  ['31', 'day'],
  ['23', 'hour'],
  ['999', 'millisecond'],
]);

async function held(desktop: DesktopActor, parts: readonly DatePart[], signal: AbortSignal): Promise<string> {
  const read = async ({ kind, id }: DatePart) => `${kind} ${(await desktop.element(id, signal)).value ?? ''}`;
  return (await Promise.all(parts.map(read))).join(', ');
}

/** A full part hands the focus on by itself; asked for it as well, the next one would lose its first key. */
async function focusPart(desktop: DesktopActor, id: string, signal: AbortSignal): Promise<void> {
  const focused = async () => (await desktop.element(id, signal)).states.focused || null;
  if ((await poll(focused, HANDED_ON_MS, signal, STEP_MS)) === null)
    await focusField(desktop, await desktop.element(id, signal), signal);
}

async function holds(
  desktop: DesktopActor,
  { id, kind }: DatePart,
  number: number,
  signal: AbortSignal,
): Promise<boolean> {
  const read = kind === 'half of the day' ? halfOf : Number;
  const taken = async () => read((await desktop.element(id, signal)).value) === number || null;
  return (await poll(taken, TAKEN_MS, signal, STEP_MS)) === true;
}

const HANDED_ON_MS = 100;
const TAKEN_MS = 1_000;
const STEP_MS = 20;

const MOST: Partial<Record<DatePartKind, number>> = {
  month: 12,
  week: 53,
  day: 31,
  hour: 23,
  'hour of 12': 12,
  minute: 59,
  second: 59,
};

/** Told by others, or nothing where the field has no part for it. */
const IMPLIED: ReadonlySet<DatePartKind> = new Set(['hour', 'hour of 12', 'half of the day', 'second', 'millisecond']);

/** Its number, or its letters, which are not known in every language. */
const halfOf = (value: string | null): number =>
  /^a/i.test(value ?? '') ? 1 : /^p/i.test(value ?? '') ? 2 : Number(value);

/** Its letters depend on the language; the arrows do not. */
async function chooseHalf(desktop: DesktopActor, id: string, wanted: number, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    const { value: before } = await desktop.element(id, signal);
    if (halfOf(before) === wanted) return;
    await pressKey(desktop, 'up', signal);
    const changed = async () => (await desktop.element(id, signal)).value !== before || null;
    await poll(changed, TAKEN_MS, signal, STEP_MS);
  }
}

/** As HTML writes them. */
function notOfParts(parts: readonly DatePart[]): WireError {
  const has = (kind: DatePartKind): boolean => parts.some((part) => part.kind === kind);
  const many = parts.filter(({ kind }) => kind === 'untold').length;
  if (many > 0) return dateForm(many < 3 ? '14:30' : many < 4 ? '2026-02-14' : '2026-02-14T14:30');
  const date = !has('year') ? '' : has('week') ? '2026-W07' : has('day') ? '2026-02-14' : '2026-02';
  return dateForm([date, has('minute') ? '14:30' : ''].filter((part) => part !== '').join('T'));
}

const dateForm = (form: string): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', message('error.date_form', { form }), { reason: 'date_form', form });
