import { delay } from '../../../base/poll.js';
import { DesktopError } from '../../desktop.js';
import { type AccessibilityBus, type Ref, rootOf } from './bus.js';
import type { ObjectReader } from './object-reader.js';
import type { AccessibleObject } from './accessible-object.js';
import { ROLE } from './roles.js';
import { has, STATE } from './states.js';
import { readToolkit, type Toolkit } from './toolkit.js';
import { message } from '../../../messages/index.js';

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
