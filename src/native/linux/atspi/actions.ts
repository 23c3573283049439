import { delay, poll } from '../../../base/poll.js';
import { DesktopError } from '../../desktop.js';
import { type AccessibilityBus, type Ref, rootOf, idOf } from './bus.js';
import type { ObjectReader } from './object-reader.js';
import { type AccessibleObject, ROLE, has, STATE, describeStates } from './accessible-object.js';
import { readToolkit, type Toolkit } from './toolkit.js';
import { message, type Message } from '../../../messages/index.js';
import type { AccessibleTree } from './accessible-tree.js';
import { readStates } from './queries.js';
import { chosenOption, optionsInGroups, optionsOf, type Option } from './options.js';

/** AT-SPI's action names, lower case and without spaces, that mean an AX action. */
const AX_NAMES: ReadonlyMap<string, string> = new Map([
  ['press', 'AXPress'], ['click', 'AXPress'], ['push', 'AXPress'], ['activate', 'AXPress'], ['toggle', 'AXPress'],
  ['jump', 'AXPress'], ['dodefault', 'AXPress'], ['check', 'AXPress'], ['uncheck', 'AXPress'], ['select', 'AXPick'],
  ['open', 'AXOpen'], ['menu', 'AXShowMenu'], ['showmenu', 'AXShowMenu'], ['showcontextmenu', 'AXShowMenu'],
  ['popup', 'AXShowMenu'], ['increase', 'AXIncrement'], ['increment', 'AXIncrement'], ['decrease', 'AXDecrement'],
  ['decrement', 'AXDecrement'], ['expand', 'AXExpand'], ['collapse', 'AXCollapse'], ['expandorcontract', 'AXExpandOrContract'],
  ['cancel', 'AXCancel'], ['raise', 'AXRaise'], ['setfocus', 'AXSetFocus'], ['scrollup', 'AXScrollUpByPage'],
  ['scrolldown', 'AXScrollDownByPage'], ['scrollleft', 'AXScrollLeftByPage'], ['scrollright', 'AXScrollRightByPage'],
]); // prettier-ignore

const ENTRY_ROLES: ReadonlySet<number> = new Set([ROLE.text, ROLE.entry, ROLE.passwordText, ROLE.spinButton]);
const REPLY_TIMEOUT_MS = 2000;
/** An action that has not replied by then may have a dialog open. */
const SOON_MS = 250;

function axActions(role: number, names: readonly unknown[]): string[] {
  return names.map((native) => {
    const plain = typeof native === 'string' ? native.toLowerCase().replaceAll(/[\s_-]/g, '') : '';
    // Chromium leaves the name of its one action empty.
    if (plain === '') return 'AXPress';
    if (plain === 'activate' && ENTRY_ROLES.has(role)) return 'AXConfirm';
    return AX_NAMES.get(plain) ?? `AX${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
  });
}

type Asked = Pick<AccessibilityBus, 'call' | 'property'>;

/** AX names by the index of DoAction; a name may occur twice. */
export async function readActions(
  bus: Asked,
  item: AccessibleObject,
  signal: AbortSignal,
  toolkit?: Toolkit,
): Promise<string[]> {
  if (!item.interfaces.has('Action')) return [];
  return axActions(item.role, await nativeNames(bus, item, signal, toolkit));
}

const MENU_ITEMS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.menuItem, ROLE.checkMenuItem, ROLE.radioMenuItem]);

async function nativeNames(bus: Asked, { ref, role }: AccessibleObject, signal: AbortSignal, toolkit?: Toolkit) {
  const named = async (index: number): Promise<unknown> =>
    (await bus.call(ref, 'Action.GetName', { signature: 'i', body: [index], signal }))[0];
  // Thunderbird ends when asked for the list of an item in a menu of its menu bar.
  if (MENU_ITEMS.has(role) && (toolkit ?? (await readToolkit(bus, ref.bus, signal))).name === 'gecko') {
    const count = Number(await bus.property(ref, 'Action.NActions', { signal }));
    return Promise.all(Array.from({ length: count }, (_, index) => named(index)));
  }
  const [list] = await bus.call(ref, 'Action.GetActions', { signal });
  if (!Array.isArray(list)) return [];
  const listed: unknown[] = list.map((action: unknown) => (Array.isArray(action) ? action[0] : action));
  // Firefox lists each as no more than the marks between its name and its keys, and tells the name when asked for it.
  const isBare = (name: unknown) => typeof name === 'string' && /^;+$/.test(name);
  return Promise.all(listed.map((name, index) => (isBare(name) ? named(index) : name)));
}

export async function performAction(
  bus: AccessibilityBus,
  reader: ObjectReader,
  ref: Ref,
  action: string,
  signal: AbortSignal,
): Promise<void> {
  const item = await reader.item(ref, signal);
  const actions = await readActions(bus, item, signal);
  const index = actions.indexOf(action);
  if (index < 0) {
    const has = actions.length === 0 ? 'none' : 'other';
    const known = { action, has, actions: [...new Set(actions)].join(', ') } as const;
    throw new DesktopError('unsupported', message('native.no_action', known));
  }
  if (!has(item.states, STATE.sensitive) && !has(item.states, STATE.enabled)) {
    throw new DesktopError('failed', message('native.element_disabled'));
  }
  const done = await repliedOrBegun(
    bus.call(ref, 'Action.DoAction', { signature: 'i', body: [index], timeout: REPLY_TIMEOUT_MS, signal }),
    reader,
    rootOf(ref.bus),
    signal,
  );
  if (done[0] === false) throw new DesktopError('failed', message('native.action_not_done', { action }));
}

/**
 * Some toolkits reply only after a dialog that the action opened is closed. Reads go over another connection, so the answer to one
 * says nothing about the action; an application that has answered two, one after the other, has looked at that connection in between.
 */
async function repliedOrBegun(
  reply: Promise<unknown[]>,
  reader: ObjectReader,
  root: Ref,
  signal: AbortSignal,
): Promise<unknown[]> {
  reply.catch(() => {});
  const first = await Promise.race([reply, delay(SOON_MS, signal).then(() => null)]);
  if (first !== null) return first;
  const begun = async (): Promise<unknown[]> => {
    await reader.ping(root, signal);
    await reader.ping(root, signal);
    return [true];
  };
  return Promise.any([reply, begun()]).catch(async () => reply);
}

/** Selects, expands and chooses in the ways that each toolkit offers, and verifies the result. */

const STATE_TIMEOUT_MS = 1500;
const POLL_MS = 30;
/** In Qt, pressing a row only selects it. */
const QT_ROWS: ReadonlySet<number> = new Set([ROLE.listItem, ROLE.tableCell, ROLE.treeItem, ROLE.tableRow]);

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
  const { holder, ...place } = await placeInSelection(accessibleTree, ref, signal);
  if (holder !== null) {
    for (const call of selectionCalls(bus, holder, place, on, signal)) {
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

interface PlaceInSelection {
  /** For `SelectChild`. */
  index: number;
  deselect: { member: 'Selection.DeselectChild' | 'Selection.DeselectSelectedChild'; index: number };
}

/** What its selection is asked of, and by which numbers. */
async function placeInSelection(
  accessibleTree: AccessibleTree,
  ref: Ref,
  signal: AbortSignal,
): Promise<PlaceInSelection & { holder: AccessibleObject | null }> {
  const { bus, reader } = accessibleTree;
  const { name } = await readToolkit(bus, ref.bus, signal);
  const above = (await accessibleTree.ancestors(ref, signal)).slice(0, name === 'gecko' ? 2 : 1);
  const items = await Promise.all(above.map((one) => reader.item(one, signal)));
  const holder = items.find(({ interfaces }) => interfaces.has('Selection')) ?? null;
  const index = (await accessibleTree.pathOf(ref, signal)).at(-1) ?? -1;
  const deselect = { member: 'Selection.DeselectChild', index } as const;
  if (holder?.role === ROLE.listBox && name === 'gecko') {
    // It counts all options here and there.
    const options = await optionsInGroups(bus, holder, signal);
    const place = options.findIndex((one) => idOf(one.ref) === idOf(ref));
    return { holder, index: place, deselect: { member: 'Selection.DeselectSelectedChild', index: place } };
  }
  // Its calls count some of the options only; picking one does no more than to change it.
  if (holder?.role === ROLE.listBox && name === 'chromium') return { holder: null, index, deselect };
  return { holder, index, deselect };
}

/** The calls to try, least invasive first: deselecting by index does nothing in some lists, and clearing deselects all. */
function selectionCalls(
  bus: AccessibilityBus,
  { ref }: AccessibleObject,
  { index, deselect }: PlaceInSelection,
  on: boolean,
  signal: AbortSignal,
): (() => Promise<unknown>)[] {
  const invoke = (member: string, place: number) => bus.call(ref, member, { signature: 'i', body: [place], signal });
  if (on) return [() => invoke('Selection.SelectChild', index)];
  const clear = async (): Promise<void> => {
    const count = await bus.property(ref, 'Selection.NSelectedChildren', { signal });
    if (count === 1) await bus.call(ref, 'Selection.ClearSelection', { signal });
  };
  return [() => invoke(deselect.member, deselect.index), clear];
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
  const shown = options.filter(({ enabled }) => enabled);
  // Firefox takes no choice while its list is closed: the keys go from the chosen one to the wanted one.
  if (option?.enabled === true && toolkit.name === 'gecko' && !combo.interfaces.has('Selection')) {
    const steps = shown.indexOf(option) - shown.findIndex(({ selected }) => selected);
    throw new DesktopError('unsupported', message('native.options_when_open'), { reason: 'options_by_keys', steps });
  }
  // GTK 4 creates the options when they are shown.
  if (option === undefined && toolkit.name === 'gtk' && toolkit.major >= 4)
    throw new DesktopError('unsupported', message('native.options_when_open'), { reason: 'options_when_open' });
  if (option === undefined) throw noSuchOption(value, options);
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

/** Chooses what the lines of `value` name, and nothing else. */
export async function chooseInList(
  accessibleTree: AccessibleTree,
  list: AccessibleObject,
  value: string,
  signal: AbortSignal,
): Promise<void> {
  const { bus, reader } = accessibleTree;
  requireEnabled(list);
  const options = await optionsInGroups(bus, list, signal);
  const wanted = value === '' ? [] : value.split('\n');
  const unknown = wanted.find((name) => !options.some((one) => one.name === name));
  if (unknown !== undefined) throw noSuchOption(unknown, options);
  const change = async (on: boolean): Promise<void> => {
    for (const { ref, name, selected } of options)
      if (wanted.includes(name) === on && selected !== on)
        await setSelected(accessibleTree, await reader.item(ref, signal), on, signal);
  };
  await change(true);
  await change(false);
}

function waiterFor(check: () => Promise<boolean>, signal: AbortSignal): () => Promise<boolean> {
  return async () => (await poll(async () => (await check()) || null, STATE_TIMEOUT_MS, signal, POLL_MS)) !== null;
}

function requireEnabled(item: AccessibleObject): void {
  if (has(item.states, STATE.sensitive) || has(item.states, STATE.enabled)) return;
  throw new DesktopError('failed', message('native.element_disabled'));
}

const unsupported = (text: Message): DesktopError => new DesktopError('unsupported', text);
const noSuchOption = (value: string, options: readonly Option[]): DesktopError =>
  new DesktopError('failed', message('native.no_such_option', { value }), {
    reason: 'no_such_option',
    options: options.slice(0, 50).map(({ name }) => name),
  });
const notChanged = (state: 'selected' | 'deselected' | 'expanded' | 'other'): DesktopError =>
  new DesktopError('failed', message('native.did_not_become', { state }));
