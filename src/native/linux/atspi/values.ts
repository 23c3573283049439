import { DesktopError, isDatePart, type DatePart, type DatePartKind } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import type { AccessibleTree } from './accessible-tree.js';
import { type AccessibilityBus, type Ref, idOf, nullFor } from './bus.js';
import { chooseInList, chooseOption } from './actions.js';
import { fieldOf } from './options.js';
import { isColourField, isDateText } from './describe.js';
import { NUMERIC, ROLE, type AccessibleObject, has, STATE, withState } from './accessible-object.js';
import type { ObjectReader } from './object-reader.js';
import { readObjectText, setObjectText } from './text.js';
import { message } from '../../../messages/index.js';
import { readChildren } from './queries.js';

const CHANGE_TIMEOUT_MS = 1000;
const EDITABLE_TIMEOUT_MS = 300;

/** Numbers before text: a spin button also accepts text, but not as its value. */
export async function setValue(
  accessibleTree: AccessibleTree,
  ref: Ref,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  const { bus, reader } = accessibleTree;
  const item = await reader.item(ref, signal);
  const parts = isOfParts(item) ? await readDateParts(bus, reader, ref, signal) : null;
  if (parts !== null) throw new DesktopError('unsupported', message('native.no_value'), { parts });
  if (await isDateText(bus, item, signal)) return setDateText(bus, item, value, signal);
  const isText = item.interfaces.has('EditableText') && !isNumber(value) && value.trim() !== '';
  if (NUMERIC.has(item.role) && item.interfaces.has('Value') && !isText) return setNumber(bus, item, value, signal);
  if (item.interfaces.has('EditableText')) return setObjectText(bus, item, value, signal);
  if (item.role === ROLE.comboBox && !has(item.states, STATE.editable))
    return chooseOrWrite(bus, reader, item, value, signal);
  if (item.interfaces.has('Value')) return setNumber(bus, item, value, signal);
  if (item.role === ROLE.listBox && item.interfaces.has('Selection'))
    return chooseInList(accessibleTree, item, value, signal);
  if (await isColourField(bus, item, signal))
    throw new DesktopError('unsupported', message('native.no_value'), { reason: 'colour' });
  throw new DesktopError('unsupported', message('native.no_value'));
}

/** A time of Firefox is a group that tells that it can be edited. */
const isOfParts = ({ role, states }: AccessibleObject): boolean =>
  role === ROLE.dateEditor || (role === ROLE.panel && has(states, STATE.editable));

const isNumber = (value: string): boolean => value.trim() !== '' && Number.isFinite(Number(value));

/** It takes only what has the form of the text that it shows. */
async function setDateText(
  bus: AccessibilityBus,
  item: AccessibleObject,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  const shown = await readObjectText(bus, item.ref, signal);
  const form = (text: string): string => text.replaceAll(/\d+/g, '0').replaceAll(/\p{L}+/gu, 'a');
  if (form(value) !== form(shown))
    throw new DesktopError('unsupported', message('native.no_value'), { reason: 'date_text', shown });
  await setObjectText(bus, { ...item, states: withState(item.states, STATE.editable) }, value, signal);
}

/** An option of that name, or, where the box has a field as its part, any text. */
async function chooseOrWrite(
  bus: AccessibilityBus,
  reader: ObjectReader,
  combo: AccessibleObject,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await chooseOption(bus, reader, combo, value, signal);
  } catch (error) {
    const field = await fieldOf(bus, combo.ref, signal);
    if (field === null) throw error;
    await setObjectText(bus, await reader.item(field, signal), value, signal);
  }
}

async function setNumber(
  bus: AccessibilityBus,
  item: AccessibleObject,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  const wanted = Number(value);
  if (!isNumber(value)) throw new DesktopError('failed', message('native.number_only'), { reason: 'not_a_number' });
  if (!has(item.states, STATE.sensitive) && !has(item.states, STATE.enabled))
    throw new DesktopError('failed', message('native.element_disabled_not_set'));
  const read = () => bus.property(item.ref, 'Value.CurrentValue', { signal });
  const before = await read();
  await bus.setProperty(item.ref, 'Value.CurrentValue', 'd', wanted, { signal });
  const isClose = (now: unknown) => typeof now === 'number' && Math.abs(now - wanted) <= 1e-6 + Math.abs(wanted) * 1e-6;
  // Where it takes keys as well, they are tried next.
  const limit = has(item.states, STATE.editable) ? EDITABLE_TIMEOUT_MS : CHANGE_TIMEOUT_MS;
  const reached = await poll(async () => isClose(await read()) || null, limit, signal, 25);
  if (reached !== null) return;
  const now = await read();
  throw new DesktopError('failed', message('native.other_value', { value: String(now) }), {
    reason: now === before ? 'ignored' : 'limited',
    value: now,
  });
}

// The parts of a date or time field, which browsers make of spin buttons in the order of the person's language.

const MAX_PARTS = 40;

/** Null where a part is none that is known. What a part means is told by its limits alone: names are in the language of the browser. In Firefox numbers tell none, and the half of the day is a text. */
async function readDateParts(
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
