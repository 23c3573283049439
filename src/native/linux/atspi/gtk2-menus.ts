/** GTK 2 never reports the items of an open menu as shown. Those of a closed menu have no position. */
import { type AccessibilityBus, nullFor } from './bus.js';
import type { AppContext } from './app-context.js';
import { type AccessibleObject, ROLE, has, STATE, withoutState, withState } from './accessible-object.js';
import { mapItems, type ObjectSnapshot, type SnapshotNode } from './object-reader.js';
import { readExtents } from './toplevels.js';

const MENUS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.popupMenu]);
export const IN_MENUS: ReadonlySet<number> = new Set([...MENUS, ROLE.menuItem, ROLE.checkMenuItem, ROLE.radioMenuItem]);
const nullWhenGone = nullFor('stale', 'unsupported', 'failed');

/** Until its position tells whether it is shown. */
export const asIfOpen = (item: AccessibleObject): AccessibleObject =>
  IN_MENUS.has(item.role) && has(item.states, STATE.visible)
    ? { ...item, states: withState(item.states, STATE.showing) }
    : item;

/** A snapshot as the application should have reported it. */
export async function corrected(
  bus: AccessibilityBus,
  { correct, opensMenus }: AppContext,
  snapshot: ObjectSnapshot,
  signal: AbortSignal,
): Promise<ObjectSnapshot> {
  const found = mapItems(snapshot, correct);
  return opensMenus ? withoutClosedMenus(bus, found, signal) : found;
}

/** Asks each open menu for one of its items only: there are a thousand in GIMP. */
async function withoutClosedMenus(
  bus: AccessibilityBus,
  snapshot: ObjectSnapshot,
  signal: AbortSignal,
): Promise<ObjectSnapshot> {
  const children = new Map<SnapshotNode, SnapshotNode[]>(snapshot.nodes.map((node) => [node, []]));
  for (const node of snapshot.nodes) {
    const above = snapshot.nodes[node.parent];
    if (above !== undefined) children.get(above)?.push(node);
  }
  const below = (node: SnapshotNode): SnapshotNode[] => children.get(node) ?? [];
  const closed = new Set<SnapshotNode>();
  const close = (node: SnapshotNode): void => {
    for (const one of below(node)) {
      closed.add(one);
      close(one);
    }
  };
  const look = async (menu: SnapshotNode): Promise<void> => {
    const item = below(menu).find((one) => has(one.item.states, STATE.showing));
    const place = item === undefined ? null : await readExtents(bus, item.item.ref, signal).catch(nullWhenGone);
    if (place === null) return close(menu);
    await Promise.all(below(menu).filter(isMenu).map(look));
  };
  const isOuter = (node: SnapshotNode): boolean => {
    const above = snapshot.nodes[node.parent];
    return above === undefined || !IN_MENUS.has(above.item.role);
  };
  await Promise.all(snapshot.nodes.filter((node) => isMenu(node) && isOuter(node)).map(look));
  return {
    ...snapshot,
    nodes: snapshot.nodes.map((node) => (closed.has(node) ? { ...node, item: hidden(node.item) } : node)),
  };
}

const isMenu = ({ item }: SnapshotNode): boolean => MENUS.has(item.role);

const hidden = (item: AccessibleObject): AccessibleObject => ({
  ...item,
  states: withoutState(item.states, STATE.showing),
});
