/** Writes a date, a time or both into a field of several parts, each of which takes keys. */
import type { DatePart, DatePartKind, DesktopActor } from '../../native/desktop.js';
import { message } from '../../messages/index.js';
import { poll } from '../../base/poll.js';
import { WireError } from '../protocol/index.js';
import { focusField } from './type-text.js';

const VALUE =
  /^(?:(\d{4,6})-(?:W(\d{2})|(\d{2})(?:-(\d{2}))?))?(?:(?:^|[T ])(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?$/;

/** Calls `ready` before the first key. Resolves with what the field holds then, in the form of `value` where that was taken whole. Rejects with WireError where `value` does not name exactly the field’s parts. */
export async function writeDate(
  desktop: DesktopActor,
  parts: readonly DatePart[],
  value: string,
  ready: () => Promise<void>,
  signal: AbortSignal,
): Promise<string> {
  const numbers = numbersOf(value);
  const wanted = parts.map(({ kind, id }) => ({ kind, id, number: numbers.get(kind) }));
  const given = [...numbers.keys()].every((kind) => parts.some((part) => part.kind === kind) || IMPLIED.has(kind));
  const possible = wanted.every(({ kind, number = -1 }) => number >= 0 && number <= (MOST[kind] ?? Infinity));
  if (!given || !possible) throw notOfParts(parts);
  await ready();
  for (const { id, kind, number = 0 } of wanted) {
    await focusPart(desktop, id, signal);
    if (kind === 'half of the day') await chooseHalf(desktop, id, number, signal);
    else await desktop.typeText(String(number).padStart(kind === 'year' ? 4 : 2, '0'), signal);
    // The next part would get keys that this one has not taken yet.
    if (!(await holds(desktop, id, number, signal))) return held(desktop, parts, signal);
  }
  return value;
}

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

async function holds(desktop: DesktopActor, id: string, number: number, signal: AbortSignal): Promise<boolean> {
  const taken = async () => Number((await desktop.element(id, signal)).value) === number || null;
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

function numbersOf(value: string): Map<DatePartKind, number> {
  const [year, week, month, day, hour, minute, second, millisecond] = (VALUE.exec(value.trim()) ?? []).slice(1);
  const numbers = new Map<DatePartKind, number>();
  const put = (kind: DatePartKind, text: string | undefined): void => {
    if (text !== undefined) numbers.set(kind, Number(text));
  };
  put('year', year);
  put('week', week);
  put('month', month);
  put('day', day);
  if (hour === undefined) return numbers;
  put('hour', hour);
  // 25 o’clock is none in either form.
  numbers.set('hour of 12', Number(hour) > 23 ? Number(hour) : Number(hour) % 12 || 12);
  numbers.set('half of the day', Number(hour) < 12 ? 1 : 2);
  put('minute', minute);
  put('second', second ?? '00');
  put('millisecond', (millisecond ?? '0').padEnd(3, '0'));
  return numbers;
}

/** Its letters depend on the language; the arrows do not. */
async function chooseHalf(desktop: DesktopActor, id: string, wanted: number, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    const { value: before } = await desktop.element(id, signal);
    if (Number(before) === wanted) return;
    await desktop.key('up', true, signal);
    await desktop.key('up', false, signal);
    const changed = async () => (await desktop.element(id, signal)).value !== before || null;
    await poll(changed, TAKEN_MS, signal, STEP_MS);
  }
}

/** As HTML writes them. */
function notOfParts(parts: readonly DatePart[]): WireError {
  const has = (kind: DatePartKind): boolean => parts.some((part) => part.kind === kind);
  const date = !has('year') ? '' : has('week') ? '2026-W07' : has('day') ? '2026-02-14' : '2026-02';
  const form = [date, has('minute') ? '14:30' : ''].filter((part) => part !== '').join('T');
  return new WireError('DESKTOP_INVALID_REQUEST', message('error.date_form', { form }), { reason: 'date_form', form });
}
