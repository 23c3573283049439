import { DesktopError } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import { axActions, perform } from './actions.js';
import { type AccessibilityBus, parseId, type Ref, refs } from './bus.js';
import { ROLE } from './roles.js';
import type { Scene } from './scene.js';
import type { Reader } from './snapshot.js';
import type { Item } from './item.js';
import { describeStates, has, STATE, stateSet } from './states.js';
import { toolkit } from './text.js';

/** Selecting, expanding and choosing: in whichever way the toolkit offers, and then looked at. */

const BECOMES_SO_WITHIN = 1500;
const STEP = 30;
/** Qt's rows only select themselves when pressed. */
const ROWS: ReadonlySet<number> = new Set([ROLE.listItem, ROLE.tableCell, ROLE.treeItem, ROLE.tableRow]);
const HOLDERS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.popupMenu, ROLE.list, ROLE.listBox]);
const MOST_OPTIONS = 500;

export async function setSelected(scene: Scene, id: string, on: boolean, signal: AbortSignal): Promise<void> {
  const { bus, reader } = scene;
  const ref = parseId(id);
  const item = await reader.item(ref, signal);
  const selected = async (): Promise<boolean | null> => {
    const [states] = await bus.call(ref, 'Accessible.GetState', { signal });
    return describeStates(item.role, stateSet(states), false).selected;
  };
  const now = await selected();
  if (now === null) throw cannot('It is nothing that can be selected.');
  if (now === on) return;
  demandEnabled(item);
  const so = seen(async () => (await selected()) === on, signal);
  const [parent] = await scene.ancestors(ref, signal);
  const holder = parent === undefined ? null : await reader.item(parent, signal);
  if (holder !== null && holder.interfaces.has('Selection')) {
    const index = (await scene.pathOf(ref, signal)).at(-1) ?? -1;
    for (const ask of selecting(bus, holder, index, on, signal)) {
      await ask();
      if (await so()) return;
    }
    throw didNot(on ? 'selected' : 'deselected');
  }
  const press = axActions(item.role, (await actionsOf(bus, item, signal)) ?? []);
  const action = ['AXPick', 'AXPress'].find((one) => press.includes(one));
  if (action === undefined) throw cannot('It offers no way to select it.');
  await perform(bus, reader, ref, action, signal);
  if (!(await so())) throw didNot(on ? 'selected' : 'deselected');
}

/** Weakest first: deselecting by place does nothing in some lists, and clearing takes the rest along. */
function selecting(
  bus: AccessibilityBus,
  { ref }: Item,
  index: number,
  on: boolean,
  signal: AbortSignal,
): (() => Promise<unknown>)[] {
  const ask = (member: string, place: number) => bus.call(ref, member, { signature: 'i', body: [place], signal });
  if (on) return [() => ask('Selection.SelectChild', index)];
  const clear = async (): Promise<void> => {
    const count = await bus.property(ref, 'Selection.NSelectedChildren', { signal });
    if (count === 1) await bus.call(ref, 'Selection.ClearSelection', { signal });
  };
  return [() => ask('Selection.DeselectChild', index), clear];
}

export async function setExpanded(scene: Scene, id: string, on: boolean, signal: AbortSignal): Promise<void> {
  const { bus, reader } = scene;
  const ref = parseId(id);
  const item = await reader.item(ref, signal);
  if (!has(item.states, STATE.expandable) && !has(item.states, STATE.expanded))
    throw cannot('It is nothing that can be expanded.');
  if (has(item.states, STATE.expanded) === on) return;
  demandEnabled(item);
  const actions = axActions(item.role, (await actionsOf(bus, item, signal)) ?? []);
  const inert = ROWS.has(item.role) && (await toolkit(bus, ref.bus, signal)).name === 'qt';
  const ways = [on ? 'AXExpand' : 'AXCollapse', 'AXExpandOrContract', ...(inert ? [] : ['AXPress'])];
  const action = ways.find((one) => actions.includes(one));
  if (action === undefined) throw cannot('It offers no way to expand it.');
  await perform(bus, reader, ref, action, signal);
  const expanded = async (): Promise<boolean> => {
    const [states] = await bus.call(ref, 'Accessible.GetState', { signal });
    return has(stateSet(states), STATE.expanded);
  };
  if (!(await seen(async () => (await expanded()) === on, signal)())) throw didNot(on ? 'expanded' : 'collapsed');
}

interface Option {
  ref: Ref;
  name: string;
  selected: boolean;
}

/** Chooses the option of that name. */
export async function choose(
  bus: AccessibilityBus,
  reader: Reader,
  combo: Item,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  demandEnabled(combo);
  const options = await optionsOf(bus, combo, signal);
  const index = options.findIndex(({ name }) => name === value);
  const option = options[index];
  const kit = await toolkit(bus, combo.ref.bus, signal);
  // GTK 4 makes them when they are to be seen.
  if (option === undefined && kit.name === 'gtk' && kit.major >= 4)
    throw new DesktopError('unsupported', 'Its options show only while it is open. Click it, then click the option.');
  if (option === undefined)
    throw new DesktopError('failed', `There is no option “${value}”.`, {
      reason: 'no_such_option',
      options: options.slice(0, 50).map(({ name }) => name),
    });
  if (combo.interfaces.has('Selection'))
    await bus.call(combo.ref, 'Selection.SelectChild', { signature: 'i', body: [index], signal });
  else if (kit.name === 'qt') throw cannot('Its options cannot be chosen through accessibility.');
  else await perform(bus, reader, option.ref, 'AXPress', signal);
  const chosen = async (): Promise<boolean> => (await chosenOption(bus, combo, signal)) === value;
  if (!(await seen(chosen, signal)())) throw didNot(`“${value}”`);
}

/** The name of the option that is chosen. */
export async function chosenOption(bus: AccessibilityBus, combo: Item, signal: AbortSignal): Promise<string | null> {
  if (combo.interfaces.has('Selection')) {
    const [child] = await bus.call(combo.ref, 'Selection.GetSelectedChild', { signature: 'i', body: [0], signal });
    const [ref] = refs([child]);
    const name = ref === undefined ? null : await bus.property(ref, 'Accessible.Name', { signal });
    return typeof name === 'string' ? name : null;
  }
  // Qt names it by what is chosen.
  if ((await toolkit(bus, combo.ref.bus, signal)).name === 'qt') return combo.name;
  return (await optionsOf(bus, combo, signal)).find(({ selected }) => selected)?.name ?? null;
}

async function optionsOf(bus: AccessibilityBus, combo: Item, signal: AbortSignal): Promise<Option[]> {
  const below = async (ref: Ref): Promise<Ref[]> =>
    refs((await bus.call(ref, 'Accessible.GetChildren', { signal }))[0]).slice(0, MOST_OPTIONS);
  const children = await below(combo.ref);
  const [holder] = children;
  const role = holder === undefined ? 0 : (await bus.call(holder, 'Accessible.GetRole', { signal }))[0];
  const found = holder !== undefined && typeof role === 'number' && HOLDERS.has(role) ? await below(holder) : children;
  return Promise.all(
    found.map(async (ref) => {
      const [name, states] = await Promise.all([
        bus.property(ref, 'Accessible.Name', { signal }),
        bus.call(ref, 'Accessible.GetState', { signal }),
      ]);
      return {
        ref,
        name: typeof name === 'string' ? name : '',
        selected: has(stateSet(states[0]), STATE.selected),
      };
    }),
  );
}

async function actionsOf(bus: AccessibilityBus, item: Item, signal: AbortSignal): Promise<unknown> {
  return item.interfaces.has('Action') ? (await bus.call(item.ref, 'Action.GetActions', { signal }))[0] : [];
}

function seen(check: () => Promise<boolean>, signal: AbortSignal): () => Promise<boolean> {
  return async () => (await poll(async () => (await check()) || null, BECOMES_SO_WITHIN, signal, STEP)) !== null;
}

function demandEnabled(item: Item): void {
  if (has(item.states, STATE.sensitive) || has(item.states, STATE.enabled)) return;
  throw new DesktopError('failed', 'The element is disabled, so it was not acted on. Look at what enables it.');
}

const cannot = (why: string): DesktopError => new DesktopError('unsupported', `${why} Click it instead.`);
const didNot = (what: string): DesktopError =>
  new DesktopError('failed', `The element was asked, but did not become ${what}. Look at it again.`);
