/** The options of a combo box or a list, and which are chosen. */
import { DesktopError } from '../../desktop.js';
import { readObjectText } from './text.js';
import { type AccessibilityBus, type Ref, refs, nullFor } from './bus.js';
import { ROLE, type AccessibleObject, has, STATE } from './accessible-object.js';
import { readChildren, readRole, readStates } from './queries.js';
import { readToolkit } from './toolkit.js';
import { message } from '../../../messages/index.js';

const OPTION_CONTAINERS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.popupMenu, ROLE.list, ROLE.listBox]);
const MAX_OPTIONS = 500;

export interface Option {
  ref: Ref;
  name: string;
  selected: boolean;
  enabled: boolean;
}

/** Its list, its button and its field. */
const MAX_PARTS_OF_COMBO = 8;

/** The field within a combo box in which any text can be written; null where it has none. */
export async function fieldOf(bus: AccessibilityBus, parent: Ref, signal: AbortSignal, depth = 2): Promise<Ref | null> {
  for (const child of await readChildren(bus, parent, signal, MAX_PARTS_OF_COMBO)) {
    if (has(await readStates(bus, child, signal), STATE.editable)) return child;
    const within = depth > 0 ? await fieldOf(bus, child, signal, depth - 1) : null;
    if (within !== null) return within;
  }
  return null;
}

/** The name of the option that is chosen, or the text in the box’s own field. */
export async function shownChoice(
  bus: AccessibilityBus,
  combo: AccessibleObject,
  signal: AbortSignal,
): Promise<string | null> {
  const chosen = await chosenOption(bus, combo, signal).catch(nullFor('unsupported', 'failed'));
  if (chosen !== null && chosen !== '') return chosen;
  const field = await fieldOf(bus, combo.ref, signal);
  return field === null ? chosen : readObjectText(bus, field, signal);
}

/** The name of the option that is chosen. */
export async function chosenOption(
  bus: AccessibilityBus,
  combo: AccessibleObject,
  signal: AbortSignal,
): Promise<string | null> {
  if (combo.interfaces.has('Selection')) {
    const [child] = await bus.call(combo.ref, 'Selection.GetSelectedChild', { signature: 'i', body: [0], signal });
    const [ref] = refs([child]);
    const name = ref?.bus !== combo.ref.bus ? null : await bus.property(ref, 'Accessible.Name', { signal });
    return typeof name === 'string' ? name : null;
  }
  // In Qt the name of a combo box is the chosen option.
  if ((await readToolkit(bus, combo.ref.bus, signal)).name === 'qt') return combo.name;
  return (await optionsOf(bus, combo, signal)).find(({ selected }) => selected)?.name ?? null;
}

export async function optionsOf(
  bus: AccessibilityBus,
  combo: AccessibleObject,
  signal: AbortSignal,
): Promise<Option[]> {
  const below = async (ref: Ref): Promise<Ref[]> => {
    const children = (await readChildren(bus, ref, signal, MAX_OPTIONS)).slice(0, MAX_OPTIONS);
    if (children.every((child) => child.bus === ref.bus)) return children;
    throw new DesktopError('unsupported', message('native.options_not_choosable'));
  };
  const children = await below(combo.ref);
  const [holder] = children;
  const role = holder === undefined ? 0 : await readRole(bus, holder, signal);
  const found =
    holder !== undefined && typeof role === 'number' && OPTION_CONTAINERS.has(role) ? await below(holder) : children;
  return describeOptions(bus, found, signal);
}

function describeOptions(
  bus: AccessibilityBus,
  found: readonly Ref[],
  signal: AbortSignal,
): Promise<(Option & { selectable: boolean })[]> {
  return Promise.all(
    found.map(async (ref) => {
      const [name, states] = await Promise.all([
        bus.property(ref, 'Accessible.Name', { signal }),
        readStates(bus, ref, signal),
      ]);
      return {
        ref,
        name: typeof name === 'string' ? name : '',
        selected: has(states, STATE.selected),
        enabled: has(states, STATE.enabled),
        selectable: has(states, STATE.selectable),
      };
    }),
  );
}

/** The names of what is chosen, in their order. */
export async function chosenInList(
  bus: AccessibilityBus,
  list: AccessibleObject,
  signal: AbortSignal,
): Promise<string[]> {
  const chosen = await chosenRefs(bus, list, signal);
  const names = await Promise.all(chosen.map((ref) => bus.property(ref, 'Accessible.Name', { signal })));
  return names.filter((name) => typeof name === 'string');
}

async function chosenRefs(bus: AccessibilityBus, { ref }: AccessibleObject, signal: AbortSignal): Promise<Ref[]> {
  const count = await bus.property(ref, 'Selection.NSelectedChildren', { signal });
  const places = Array.from({ length: Math.min(MAX_OPTIONS, typeof count === 'number' ? count : 0) }, (_, at) => at);
  const found = places.map(async (at) =>
    bus.call(ref, 'Selection.GetSelectedChild', { signature: 'i', body: [at], signal }),
  );
  return refs((await Promise.all(found)).map(([child]) => child));
}

export async function optionsInGroups(
  bus: AccessibilityBus,
  list: AccessibleObject,
  signal: AbortSignal,
): Promise<Option[]> {
  const options: Option[] = [];
  for (const one of await describeOptions(bus, await readChildren(bus, list.ref, signal, MAX_OPTIONS), signal)) {
    const inside = one.selectable ? [] : await readChildren(bus, one.ref, signal, MAX_OPTIONS);
    options.push(...(one.selectable ? [one] : await describeOptions(bus, inside, signal)));
  }
  return options;
}
