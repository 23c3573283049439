import { DesktopError, type Scope } from '../../desktop.js';
import { missingElementsError } from '../missing-elements.js';
import { parseWindowId, type Windows, type TopLevelWindow } from '../windows.js';
import { type AccessibilityBus, idOf, nullFor, parseId, type Ref, rootOf, refOf } from './bus.js';
import { readChildren, childAt, listChildren, MAX_LISTED_CHILDREN, readRole } from './queries.js';
import type { AppContext } from './app-context.js';
import {
  createIsEmbedded,
  openObjectReader,
  type ObjectReader,
  mapItems,
  type ObjectSnapshot,
  type SnapshotNode,
} from './object-reader.js';
import { openGtk4Layout } from './gtk4-layout.js';
import { inPixels, type Paired, pairScaled, UNSCALED, openWindowOrigins } from './window-origins.js';
import { type AccessibleObject, has, STATE, withState, withoutState, ROLE } from './accessible-object.js';
import { isGtk2, type Toolkit, readToolkit } from './toolkit.js';
import { isAlike, readExtents, type TopLevel } from './toplevels.js';
import { message } from '../../../messages/index.js';

/** The accessible objects of the desktop: applications by process, windows with their X windows, ancestors and paths of elements. */
export interface AccessibleTree extends Ancestry {
  readonly bus: AccessibilityBus;
  readonly reader: ObjectReader;
  /** The accessible applications of a process, the one with windows first. Rejects with `not_found` when it has none. */
  rootsOf(pid: number, signal: AbortSignal): Promise<Ref[]>;
  /** All accessible applications with their processes. */
  allRoots(signal: AbortSignal): Promise<{ root: Ref; pid: number }[]>;
  toolkitOf(root: Ref, signal: AbortSignal): Promise<Toolkit>;
  /** What is needed to read this application. */
  context(root: Ref, pid: number, signal: AbortSignal): Promise<AppContext>;
  /** The accessible counterpart of an X window, with its path. */
  topLevelOf(window: TopLevelWindow, signal: AbortSignal): Promise<CountedPosition | null>;
  /** The same, and all others with the same name and position, which cannot be told apart from it. */
  alikeTopLevels(window: TopLevelWindow, signal: AbortSignal): Promise<Ref[]>;
  /** The object at which a scope starts. */
  resolve(scope: Scope, signal: AbortSignal): Promise<Start>;
}

export interface ElementPosition {
  ref: Ref;
  path: number[];
}

/** `childCount`: as it was just read; undefined where that failed. */
export interface CountedPosition extends ElementPosition {
  childCount?: number | undefined;
}

export interface Start extends ElementPosition {
  root: Ref;
  app: AppContext;
}

type Places = Pick<AppContext, 'gtk4Layout' | 'opensMenus' | 'corrects' | 'correct' | 'scaling' | 'origins'>;

interface AppInfo {
  toolkit: Toolkit;
  identifiers: boolean;
  /** True once it was seen to report positions in pixels of the screen. */
  unscaled: boolean;
}

/** The name that GTK 4 gave to widgets without one before 4.10. */
const CLASS_NAME = /^(Gtk|Adw)[A-Z][A-Za-z]+$/;

export function openAccessibleTree(
  bus: AccessibilityBus,
  windows: Windows,
  lineage: (pid: number) => readonly { pid: number }[],
): AccessibleTree {
  const reader = openObjectReader(bus, createIsEmbedded(bus, windows, lineage));
  const ancestry = openAncestry(bus);
  const toolkits = new Map<string, AppInfo>();
  bus.onEnd(() => toolkits.clear());

  const allRoots = async (signal: AbortSignal): Promise<{ root: Ref; pid: number }[]> => {
    const roots = await bus.roots(signal);
    const pids = await Promise.all(roots.map((root) => bus.pidOf(root.bus)));
    return roots.map((root, index) => ({ root, pid: pids[index] ?? 0 })).filter(({ pid }) => pid !== 0);
  };

  const rootsOf = async (pid: number, signal: AbortSignal): Promise<Ref[]> => {
    const own = (await allRoots(signal)).filter((entry) => entry.pid === pid).map(({ root }) => root);
    if (own.length === 0) {
      throw await missingElementsError(pid);
    }
    if (own.length === 1) return own;
    const counts = await Promise.all(own.map((root) => bus.property(root, 'Accessible.ChildCount', { signal })));
    return own.toSorted((a, b) => Number(counts[own.indexOf(b)]) - Number(counts[own.indexOf(a)]));
  };

  const topLevels = async (root: Ref, signal: AbortSignal): Promise<TopLevel[]> => {
    await reader.ping(root, signal);
    const children = await readChildren(bus, root, signal);
    const found = await Promise.all(
      children.map((ref) =>
        ref.bus === root.bus ? readTopLevel(bus, reader, ref, signal).catch(nullFor('stale', 'unsupported')) : null,
      ),
    );
    return found.map((top, index) => top ?? { item: missingObject(children[index] ?? root), extents: null });
  };

  const appInfoOf = async (root: Ref, signal: AbortSignal): Promise<AppInfo> => {
    const known = toolkits.get(root.bus) ?? {
      toolkit: await readToolkit(bus, root.bus, signal),
      identifiers: true,
      unscaled: false,
    };
    toolkits.set(root.bus, known);
    return known;
  };

  const pairs = async (root: Ref, pid: number, signal: AbortSignal): Promise<Paired & { tops: TopLevel[] }> => {
    const [{ toolkit }, tops, all] = await Promise.all([
      appInfoOf(root, signal),
      topLevels(root, signal),
      windows.list(signal),
    ]);
    return {
      tops,
      ...pairScaled(
        toolkit,
        tops.filter(({ item }) => item.ref.bus === root.bus),
        all.filter((window) => window.pid === pid),
      ),
    };
  };

  const context = async (root: Ref, pid: number, signal: AbortSignal): Promise<AppContext> => {
    const shared = await appInfoOf(root, signal);
    return {
      pid,
      toolkit: shared.toolkit,
      ...(await placesOf(shared, root, pid, signal)),
      get identifiers() {
        return shared.identifiers;
      },
      set identifiers(value: boolean) {
        shared.identifiers = value;
      },
    };
  };

  const placesOf = async (known: AppInfo, root: Ref, pid: number, signal: AbortSignal): Promise<Places> => {
    const { toolkit } = known;
    const gtk4 = toolkit.name === 'gtk' && toolkit.major >= 4;
    const own = (await windows.list(signal)).filter((window) => window.pid === pid);
    const opensMenus = isGtk2(toolkit) && own.some(({ normal, shown }) => !normal && shown);
    const inMenus = opensMenus ? asIfOpen : (item: AccessibleObject) => item;
    if (!gtk4 && known.unscaled && own.every(({ shown, origin }) => shown && origin === undefined))
      return { gtk4Layout: null, opensMenus, corrects: opensMenus, correct: inMenus, scaling: UNSCALED, origins: null };
    const { tops, of, scaling } = await pairs(root, pid, signal);
    known.unscaled ||= scaling?.scale === 1;
    const small = (window: TopLevelWindow): TopLevelWindow => inPixels(window, scaling?.scale ?? 1);
    const counterparts = new Map([...of].map(([{ item }, window]) => [idOf(item.ref), small(window)]));
    const popups = own.filter((window) => !window.normal && window.shown).map(small);
    const hidden = tops.map((top) => of.get(top)?.shown === false);
    return {
      scaling: scaling ?? UNSCALED,
      origins: gtk4 ? null : openWindowOrigins(bus, tops, of, own),
      gtk4Layout: gtk4 ? openGtk4Layout(bus, toolkit, counterparts, popups) : null,
      opensMenus,
      corrects: true,
      correct: (item, path) => {
        const named = gtk4 && CLASS_NAME.test(item.name) ? { ...item, name: '' } : item;
        if (hidden[path[0] ?? -1] === true) return { ...named, states: withoutState(item.states, STATE.showing) };
        return gtk4 && has(item.states, STATE.visible)
          ? { ...named, states: withState(item.states, STATE.showing) }
          : inMenus(named);
      },
    };
  };

  const topLevelOf: AccessibleTree['topLevelOf'] = async (window, signal) => {
    for (const root of await rootsOf(window.pid, signal)) {
      const { tops, of } = await pairs(root, window.pid, signal);
      const index = tops.findIndex((top) => of.get(top)?.id === window.id);
      const top = tops[index];
      if (top !== undefined)
        return { ref: top.item.ref, path: [index], childCount: top.item.role === 0 ? undefined : top.item.childCount };
    }
    return null;
  };

  const alikeTopLevels = async (window: TopLevelWindow, signal: AbortSignal): Promise<Ref[]> => {
    for (const root of await rootsOf(window.pid, signal)) {
      const { tops, of } = await pairs(root, window.pid, signal);
      const own = tops.find((top) => of.get(top)?.id === window.id);
      if (own !== undefined) return tops.filter((top) => top === own || isAlike(own, top)).map(({ item }) => item.ref);
    }
    return [];
  };

  const resolve = async ({ pid, windowId, elementId }: Scope, signal: AbortSignal): Promise<Start> => {
    if (elementId !== undefined) {
      const ref = parseId(elementId);
      if ((await bus.pidOf(ref.bus)) !== pid) throw new DesktopError('stale', message('native.element_of_other_app'));
      const root = rootOf(ref.bus);
      const item = await reader.item(ref, signal);
      const [{ path }, app] = await Promise.all([ancestry.lineOf(item, signal), context(root, pid, signal)]);
      return { root, ref, path, app };
    }
    if (windowId !== undefined) {
      const window = await windows.find(parseWindowId(windowId), signal);
      if (window === null || window.pid !== pid) {
        throw new DesktopError('not_found', message('native.window_of_other_app'));
      }
      const top = await topLevelOf(window, signal);
      if (top === null) throw new DesktopError('not_found', message('native.window_no_elements'));
      const root = rootOf(top.ref.bus);
      return { root, ref: top.ref, path: top.path, app: await context(root, pid, signal) };
    }
    const [root] = await rootsOf(pid, signal);
    if (root === undefined) throw await missingElementsError(pid);
    await reader.ping(root, signal);
    return { root, ref: root, path: [], app: await context(root, pid, signal) };
  };

  const toolkitOf: AccessibleTree['toolkitOf'] = async (root, signal) => (await appInfoOf(root, signal)).toolkit;

  return { bus, reader, rootsOf, allRoots, toolkitOf, context, topLevelOf, alikeTopLevels, resolve, ...ancestry };
}

async function readTopLevel(
  bus: AccessibilityBus,
  reader: ObjectReader,
  ref: Ref,
  signal: AbortSignal,
): Promise<TopLevel> {
  const item = await reader.item(ref, signal);
  const extents = item.interfaces.has('Component') ? await readExtents(bus, ref, signal) : null;
  return { item, extents };
}

function missingObject(ref: Ref): AccessibleObject {
  return { ref, role: 0, name: '', description: '', states: [0, 0], interfaces: new Set(), childCount: 0 };
}

/** What is above an object in its tree. Called by accessible-tree.ts. */
export interface Ancestry {
  /** Child indexes from the application root. */
  pathOf(ref: Ref, signal: AbortSignal): Promise<number[]>;
  /** Nearest first, up to the window; without the application root. */
  ancestors(ref: Ref, signal: AbortSignal): Promise<Ref[]>;
  /** Both, read once. */
  lineOf(item: Pick<AccessibleObject, 'ref' | 'role'>, signal: AbortSignal): Promise<Line>;
  /** The same of its nearest ancestor, with that. */
  lineAbove(ref: Ref, signal: AbortSignal): Promise<Line>;
}

export interface Ancestor {
  ref: Ref;
  /** As the application reports it. */
  role: unknown;
}

/** Ancestors of an object, nearest first, and its path. */
export interface Line {
  ancestors: Ancestor[];
  path: number[];
}

const MAX_ANCESTORS = 300;

function openAncestry(bus: AccessibilityBus): Ancestry {
  const parentOf = async (ref: Ref, signal: AbortSignal): Promise<Ref | null> => {
    const parent = refOf(await bus.property(ref, 'Accessible.Parent', { signal }));
    return parent === null || parent.bus !== ref.bus ? null : parent;
  };

  const walkUp = async (ref: Ref, signal: AbortSignal): Promise<Ancestor[]> => {
    const found: Ancestor[] = [];
    let at = await parentOf(ref, signal);
    while (at !== null && !hasRootPath(at) && found.length <= MAX_ANCESTORS) {
      const parent = parentOf(at, signal);
      parent.catch(() => {});
      const role = await readRole(bus, at, signal);
      if (role === ROLE.application) break;
      found.push({ ref: at, role });
      at = await parent;
    }
    return found;
  };

  const ancestors: Ancestry['ancestors'] = async (ref, signal) => (await walkUp(ref, signal)).map((above) => above.ref);

  const indexIn = async (parent: Ref | null, child: Ref, signal: AbortSignal): Promise<number> => {
    const [reported] = await bus.call(child, 'Accessible.GetIndexInParent', { signal });
    const index = typeof reported === 'number' ? reported : -1;
    if (parent === null && index >= 0) return index;
    const holder = parent ?? rootOf(child.bus);
    const there =
      index < 0 ? null : await childAt(bus, holder, index, signal).catch(nullFor('stale', 'unsupported', 'failed'));
    if (there !== null && idOf(there) === idOf(child)) return index;
    const count = await bus.property(holder, 'Accessible.ChildCount', { signal });
    // What is made anew at each question, as the cells of a large table, is not the same object there.
    if (typeof count !== 'number' || count < 0 || count > MAX_LISTED_CHILDREN) return index;
    const siblings = await listChildren(bus, holder, { signal });
    const found = siblings.findIndex((sibling) => idOf(sibling) === idOf(child));
    // Qt lists the rows of a tree under new names each time.
    return found < 0 ? index : found;
  };

  const pathAlong = async (chain: readonly Ref[], signal: AbortSignal): Promise<number[]> => {
    const indexes = await Promise.all(chain.map((one, place) => indexIn(chain[place + 1] ?? null, one, signal)));
    return indexes.reverse();
  };

  const lineOf: Ancestry['lineOf'] = async ({ ref, role }, signal) => {
    if (hasRootPath(ref) || role === ROLE.application) return { ancestors: [], path: [] };
    const above = await walkUp(ref, signal);
    return { ancestors: above, path: await pathAlong([ref, ...above.map((one) => one.ref)], signal) };
  };

  const lineAbove: Ancestry['lineAbove'] = async (ref, signal) => {
    const above = await walkUp(ref, signal);
    const chain = above.map((one) => one.ref);
    return { ancestors: above, path: await pathAlong(chain, signal) };
  };

  const pathOf: Ancestry['pathOf'] = async (ref, signal) => {
    if (hasRootPath(ref)) return [];
    const role = await readRole(bus, ref, signal);
    return (await lineOf({ ref, role: typeof role === 'number' ? role : 0 }, signal)).path;
  };

  return { pathOf, ancestors, lineOf, lineAbove };
}

const hasRootPath = ({ path }: Ref): boolean => path.endsWith('/root');

const MENUS: ReadonlySet<number> = new Set([ROLE.menu, ROLE.popupMenu]);
/** GTK 2 never reports the items of an open menu as shown. Those of a closed menu have no position. */
export const IN_MENUS: ReadonlySet<number> = new Set([...MENUS, ROLE.menuItem, ROLE.checkMenuItem, ROLE.radioMenuItem]);
const nullWhenGone = nullFor('stale', 'unsupported', 'failed');

/** Until its position tells whether it is shown. */
const asIfOpen = (item: AccessibleObject): AccessibleObject =>
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
