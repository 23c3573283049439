import { readObjectText } from './text.js';
import { DesktopError } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { performAction, readActions } from './actions.js';
import { type AccessibilityBus, type Ref, refs, nullFor } from './bus.js';
import { ROLE } from './roles.js';
import type { AccessibleTree } from './accessible-tree.js';
import type { ObjectReader } from './object-reader.js';
import type { AccessibleObject } from './accessible-object.js';
import { readChildren, readRole, readStates } from './queries.js';
import { describeStates, has, STATE } from './states.js';
import { readToolkit } from './toolkit.js';
import { message, type Message } from '../../../messages/index.js';

/** Selects, expands and chooses in the ways that each toolkit offers, and verifies the result. */

const STATE_TIMEOUT_MS = 1500;
const POLL_MS = 30;
/** In Qt, pressing a row only selects it. */
const QT_ROWS: ReadonlySet<number> = new Set([ROLE.listItem, ROLE.tableCell, ROLE.treeItem, ROLE.tableRow]);
const OPTION_CONTAINERS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.popupMenu, ROLE.list, ROLE.listBox]);
const MAX_OPTIONS = 500;

export async function setSelected(
  accessibleTree: AccessibleTree,
  item: AccessibleObject,
  on: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { bus, reader } = accessibleTree;
  const { ref } = item;
  const selected = async (): Promise<boolean | null> =>
    describeStates(item.role, await readStates(bus, ref, signal), false).selected;
  const now = await selected();
  if (now === null) throw unsupported(message('native.not_selectable'));
  if (now === on) return;
  requireEnabled(item);
  const isDone = waiterFor(async () => (await selected()) === on, signal);
  const [parent] = await accessibleTree.ancestors(ref, signal);
  const holder = parent === undefined ? null : await reader.item(parent, signal);
  if (holder !== null && holder.interfaces.has('Selection')) {
    const index = (await accessibleTree.pathOf(ref, signal)).at(-1) ?? -1;
    for (const call of selectionCalls(bus, holder, index, on, signal)) {
      await call();
      if (await isDone()) return;
    }
    throw notChanged(on ? 'selected' : 'deselected');
  }
  const press = await readActions(bus, item, signal);
  const action = ['AXPick', 'AXPress'].find((one) => press.includes(one));
  if (action === undefined) throw unsupported(message('native.no_way_to_select'));
  await performAction(bus, reader, ref, action, signal);
  if (!(await isDone())) throw notChanged(on ? 'selected' : 'deselected');
}

/** The calls to try, least invasive first: deselecting by index does nothing in some lists, and clearing deselects all. */
function selectionCalls(
  bus: AccessibilityBus,
  { ref }: AccessibleObject,
  index: number,
  on: boolean,
  signal: AbortSignal,
): (() => Promise<unknown>)[] {
  const invoke = (member: string, place: number) => bus.call(ref, member, { signature: 'i', body: [place], signal });
  if (on) return [() => invoke('Selection.SelectChild', index)];
  const clear = async (): Promise<void> => {
    const count = await bus.property(ref, 'Selection.NSelectedChildren', { signal });
    if (count === 1) await bus.call(ref, 'Selection.ClearSelection', { signal });
  };
  return [() => invoke('Selection.DeselectChild', index), clear];
}

export async function setExpanded(
  { bus, reader }: AccessibleTree,
  item: AccessibleObject,
  on: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { ref } = item;
  if (!has(item.states, STATE.expandable) && !has(item.states, STATE.expanded))
    throw unsupported(message('native.not_expandable'));
  if (has(item.states, STATE.expanded) === on) return;
  requireEnabled(item);
  const actions = await readActions(bus, item, signal);
  const pressSelects = QT_ROWS.has(item.role) && (await readToolkit(bus, ref.bus, signal)).name === 'qt';
  const ways = [on ? 'AXExpand' : 'AXCollapse', 'AXExpandOrContract', ...(pressSelects ? [] : ['AXPress'])];
  const action = ways.find((one) => actions.includes(one));
  if (action === undefined) throw unsupported(message('native.no_way_to_expand'));
  await performAction(bus, reader, ref, action, signal);
  const isDone = waiterFor(async () => has(await readStates(bus, ref, signal), STATE.expanded) === on, signal);
  if (!(await isDone())) throw notChanged(on ? 'expanded' : 'other');
}

interface Option {
  ref: Ref;
  name: string;
  selected: boolean;
}

/** Chooses the option of that name. */
export async function chooseOption(
  bus: AccessibilityBus,
  reader: ObjectReader,
  combo: AccessibleObject,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  requireEnabled(combo);
  const options = await optionsOf(bus, combo, signal);
  const index = options.findIndex(({ name }) => name === value);
  const option = options[index];
  const toolkit = await readToolkit(bus, combo.ref.bus, signal);
  // GTK 4 creates the options when they are shown.
  if (option === undefined && toolkit.name === 'gtk' && toolkit.major >= 4)
    throw new DesktopError('unsupported', message('native.options_when_open'), { reason: 'options_when_open' });
  if (option === undefined)
    throw new DesktopError('failed', message('native.no_such_option', { value }), {
      reason: 'no_such_option',
      options: options.slice(0, 50).map(({ name }) => name),
    });
  if (combo.interfaces.has('Selection'))
    await bus.call(combo.ref, 'Selection.SelectChild', { signature: 'i', body: [index], signal });
  else if (toolkit.name === 'qt') throw unsupported(message('native.options_not_choosable'));
  else await performAction(bus, reader, option.ref, await choosingAction(bus, reader, option.ref, signal), signal);
  const chosen = async (): Promise<boolean> => (await chosenOption(bus, combo, signal)) === value;
  if (!(await waiterFor(chosen, signal)()))
    throw new DesktopError('failed', message('native.not_chosen', { value }), { reason: 'ignored' });
}

/** Firefox's options are picked; others are pressed. */
async function choosingAction(
  bus: AccessibilityBus,
  reader: ObjectReader,
  option: Ref,
  signal: AbortSignal,
): Promise<string> {
  const actions = await readActions(bus, await reader.item(option, signal), signal);
  return !actions.includes('AXPress') && actions.includes('AXPick') ? 'AXPick' : 'AXPress';
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
async function chosenOption(
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

async function optionsOf(bus: AccessibilityBus, combo: AccessibleObject, signal: AbortSignal): Promise<Option[]> {
  const below = async (ref: Ref): Promise<Ref[]> => {
    const children = (await readChildren(bus, ref, signal, MAX_OPTIONS)).slice(0, MAX_OPTIONS);
    if (children.every((child) => child.bus === ref.bus)) return children;
    throw unsupported(message('native.options_not_choosable'));
  };
  const children = await below(combo.ref);
  const [holder] = children;
  const role = holder === undefined ? 0 : await readRole(bus, holder, signal);
  const found =
    holder !== undefined && typeof role === 'number' && OPTION_CONTAINERS.has(role) ? await below(holder) : children;
  return Promise.all(
    found.map(async (ref) => {
      const [name, states] = await Promise.all([
        bus.property(ref, 'Accessible.Name', { signal }),
        readStates(bus, ref, signal),
      ]);
      return { ref, name: typeof name === 'string' ? name : '', selected: has(states, STATE.selected) };
    }),
  );
}

function waiterFor(check: () => Promise<boolean>, signal: AbortSignal): () => Promise<boolean> {
  return async () => (await poll(async () => (await check()) || null, STATE_TIMEOUT_MS, signal, POLL_MS)) !== null;
}

function requireEnabled(item: AccessibleObject): void {
  if (has(item.states, STATE.sensitive) || has(item.states, STATE.enabled)) return;
  throw new DesktopError('failed', message('native.element_disabled'));
}

const unsupported = (text: Message): DesktopError => new DesktopError('unsupported', text);
const notChanged = (state: 'selected' | 'deselected' | 'expanded' | 'other'): DesktopError =>
  new DesktopError('failed', message('native.did_not_become', { state }));
