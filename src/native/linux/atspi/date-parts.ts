/** The parts of a date or time field, which browsers make of spin buttons in the order of the person's language. */
import { isDatePart, type DatePart, type DatePartKind } from '../../desktop.js';
import { idOf, nullFor, type AccessibilityBus, type Ref } from './bus.js';
import type { ObjectReader } from './object-reader.js';
import { readChildren } from './queries.js';
import { ROLE } from './roles.js';

const MAX_PARTS = 40;

/** Null where a part is none that is known. What a part means is told by its limits alone: names are in the language of the browser. In Firefox numbers tell none, and the half of the day is a text. */
export async function readDateParts(
  bus: AccessibilityBus,
  reader: ObjectReader,
  field: Ref,
  signal: AbortSignal,
): Promise<DatePart[] | null> {
  const spins: Ref[] = [];
  const halves: number[] = [];
  const collect = async (parent: Ref, depth: number): Promise<void> => {
    for (const child of await readChildren(bus, parent, signal, MAX_PARTS)) {
      const { role } = await reader.item(child, signal);
      if (role === ROLE.entry) halves.push(spins.length);
      if (role === ROLE.spinButton || role === ROLE.entry) spins.push(child);
      else if (depth > 0) await collect(child, depth - 1);
    }
  };
  await collect(field, 2);
  const limits = await Promise.all(
    spins.slice(0, MAX_PARTS).map(async (part) => {
      const [least, most] = await Promise.all(
        ['Value.MinimumValue', 'Value.MaximumValue'].map((name) =>
          bus.property(part, name, { signal }).catch(nullFor('failed', 'unsupported')),
        ),
      );
      return `${String(least)}-${String(most)}`;
    }),
  );
  const kinds = limits.map((limit, index) =>
    halves.includes(index) ? 'half of the day' : kindOf(limit, limits.slice(0, index), limits[index + 1]),
  );
  const parts = kinds.map((kind, index) => ({ kind, id: spins[index] === undefined ? '' : idOf(spins[index]) }));
  return parts.length > halves.length && parts.every(isDatePart) ? parts : null;
}

const SIXTY = '0-59';
const KINDS: ReadonlyMap<string, DatePartKind> = new Map([
  ['1-31', 'day'],
  ['1-53', 'week'],
  ['0-23', 'hour'],
  ['1-24', 'hour'],
  ['0-11', 'hour of 12'],
  ['1-2', 'half of the day'],
  ['0-1', 'half of the day'],
  ['0-999', 'millisecond'],
]);

/** No least number, and 0 as the greatest. */
const UNTOLD = 'null-0';

function kindOf(limit: string, before: readonly string[], next: string | undefined): DatePartKind | null {
  if (limit === UNTOLD) return 'untold';
  if (limit === SIXTY) return before.at(-1) === SIXTY ? 'second' : 'minute';
  if (limit === '1-12') return next === SIXTY ? 'hour of 12' : 'month';
  return KINDS.get(limit) ?? (Number(limit.split('-')[1]) > 1_000 ? 'year' : null);
}
