import { LRUCache } from 'lru-cache';
import { DesktopError, type Point } from '../../desktop.js';
import { type AccessibilityBus, CALL_TIMEOUT_MS, idOf, nullFor, type Ref } from './bus.js';
import { EVERYTHING, type FoundObject, mayFit } from './list-search.js';
import { createKnownInterfaces, listChildren, MAX_LISTED_CHILDREN, readStates, createCallLimit } from './queries.js';
import { readSearched } from './whole-list.js';
import {
  type PasswordFields,
  createPasswordFields,
  asStale,
  readAsNeeded,
  type ReadingNeeds,
  readObject,
  staleError,
  cachedChildren,
  type CachedObject,
  readCache,
} from './one-object.js';
import { has, STATE, type StateSet, type AccessibleObject, ROLE } from './accessible-object.js';
import { cellAtPoint, countCells, drawsCells, type ListedChild, visibleChildren } from './visible-children.js';
import type { Windows } from '../windows.js';

export interface SnapshotNode {
  item: AccessibleObject;
  depth: number;
  /** Index in the list; -1 for the first. */
  parent: number;
  path: number[];
}

export interface ObjectSnapshot {
  /** Preorder. */
  nodes: SnapshotNode[];
  truncated: { depth: boolean; nodes: boolean; time: boolean };
  /** Large containers of which not even what they show could be read, each with what it is in. */
  unread: readonly (readonly Ref[])[];
}

/** The same snapshot with every item passed through `change`. */
export function mapItems(
  snapshot: ObjectSnapshot,
  change: (item: AccessibleObject, path: readonly number[]) => AccessibleObject,
): ObjectSnapshot {
  return { ...snapshot, nodes: snapshot.nodes.map((node) => ({ ...node, item: change(node.item, node.path) })) };
}

/** A node and its ancestors, nearest first. */
export function withAncestors(snapshot: ObjectSnapshot, node: SnapshotNode): SnapshotNode[] {
  const line: SnapshotNode[] = [];
  for (let at: SnapshotNode | undefined = node; at !== undefined; at = snapshot.nodes[at.parent]) line.push(at);
  return line;
}

export interface SnapshotLimits extends ReadingNeeds {
  maxDepth: number;
  maxNodes: number;
  /** As of Date.now(). */
  deadline: number;
  /** Takes whatever objects the application names as its own, also those of others. */
  foreign?: boolean;
  /** In pixels of the screen: of a large table, only the cell there is wanted. */
  at?: Point;
  /** Only what shows is wanted, soon: of a table of some size no cell that does not show is looked at, and no header. */
  brief?: boolean;
  /** Leaves out what toolkits draw in their tables, trees and lists. */
  withoutCells?: boolean;
  /** The number of children of the first object, where the same reading has just read it. */
  startCount?: number | undefined;
}

export interface ObjectReader {
  /** One object, read directly. `above` one that is there, it may be gone: LibreOffice replaces a cell that is edited, around its editor. */
  item(ref: Ref, signal: AbortSignal, above?: boolean): Promise<AccessibleObject>;
  /** Its states, read directly; rejects as `item` where it is gone. */
  states(ref: Ref, signal: AbortSignal): Promise<StateSet>;
  /**
   * A subtree: the application's cache in one call, then object by object what is not in the cache
   * (children of list boxes in GTK 3, everything in Qt).
   */
  snapshot(start: Ref, path: number[], limits: SnapshotLimits, signal: AbortSignal): Promise<ObjectSnapshot>;
  /** Objects that were read as password fields, also where they show their text by now. */
  passwords: Omit<PasswordFields, 'classify'>;
  /** The number of children. Rejects with `not_responding` soon when the application hangs. */
  ping(ref: Ref, signal: AbortSignal): Promise<number>;
}

interface Branch {
  item: AccessibleObject;
  above: Branch | null;
  depth: number;
  path: number[];
  children: Branch[];
  /** It, or something that it is in, is not shown; known where `keepsHidden` asks for it. */
  hidden: boolean;
  /** Where the children are known already. */
  found?: readonly FoundObject[];
}

/** What is in pages that Qt does not show: its objects are asked for one by one, and a call searches them several times. */
interface HiddenChild {
  /** Its role, name and number of children; the rest is read when it may fit. */
  item: AccessibleObject;
  /** Among all children of its parent. */
  index: number;
}

/** Nobody acts on what does not show, so what is known of it may be a little old. */
const HIDDEN_KEPT_MS = 5000;
const MAX_HIDDEN_PARENTS = 5000;

/** Not shown, and not only scrolled out of view. */
const isHidden = ({ states }: AccessibleObject): boolean => !has(states, STATE.visible);

/** A child that was removed while the tree was read is left out. */
const nullWhenGone = nullFor('stale');
const MAX_BRIEFLY_LISTED = 64;
const PING_TIMEOUT_MS = 1500;
const CACHE_TIMEOUT_MS = 5000;
const CONCURRENT_CALLS = { least: 64, most: 1024 };

export function openObjectReader(bus: AccessibilityBus, isEmbedded: IsEmbedded): ObjectReader {
  const remembered = createPasswordFields();
  const interfaces = createKnownInterfaces();
  const hiddenChildren = new LRUCache<string, readonly HiddenChild[]>({ max: MAX_HIDDEN_PARENTS, ttl: HIDDEN_KEPT_MS });
  bus.onEnd(interfaces.forgetAll);
  bus.onEnd(() => hiddenChildren.clear());

  const check = (reported: AccessibleObject, above = false): AccessibleObject => {
    const found = remembered.classify(reported);
    if (!above && has(found.states, STATE.defunct)) throw staleError();
    return found;
  };

  const item: ObjectReader['item'] = async (ref, signal, above) => check(await readObject(bus, ref, signal), above);

  const states: ObjectReader['states'] = async (ref, signal) => {
    const found = await readStates(bus, ref, signal).catch(asStale);
    if (has(found, STATE.defunct)) throw staleError();
    return found;
  };

  const ping = async (ref: Ref, signal: AbortSignal): Promise<number> => {
    const options = { timeout: PING_TIMEOUT_MS, signal };
    const count = await bus.property(ref, 'Accessible.ChildCount', options).catch(asStale);
    return typeof count === 'number' ? count : 0;
  };

  const cached = async (
    ref: Ref,
    { maxNodes, deadline }: SnapshotLimits,
    signal: AbortSignal,
  ): Promise<Map<string, CachedObject>> => {
    // For one object, the cache of the whole application is too much.
    if (maxNodes <= 1) return new Map();
    const timeout = Math.max(1, Math.min(CACHE_TIMEOUT_MS, deadline - Date.now()));
    const cache = { bus: ref.bus, path: '/org/a11y/atspi/cache' };
    try {
      return readCache(ref.bus, (await bus.call(cache, 'Cache.GetItems', { timeout, signal }))[0], remembered.classify);
    } catch (error) {
      // No cache yet, or one too large for the time: the objects are read one by one.
      if (error instanceof DesktopError && error.code !== 'lost' && error.code !== 'permission') return new Map();
      throw error;
    }
  };

  const snapshot: ObjectReader['snapshot'] = async (start, path, limits, signal) => {
    const startCount = limits.startCount ?? (await ping(start, signal));
    const known = await cached(start, limits, signal);
    // GTK 3 keeps no order of what is in closed menus: a hundred of them in LibreOffice.
    const own = cachedChildren(known, limits.rolesOnly !== true);
    const limitCalls = createCallLimit(CONCURRENT_CALLS.least, CONCURRENT_CALLS.most);
    const readItem = async (ref: Ref) => check(await readAsNeeded(bus, ref, limits, signal));
    const truncated = { depth: false, nodes: false, time: false };
    const top = known.get(idOf(start))?.item ?? (await readItem(start));
    // GTK 4 caches its root without children.
    const first: Branch = {
      item: { ...top, childCount: startCount },
      depth: 0,
      path,
      children: [],
      above: null,
      hidden: false,
    };
    const unread: Ref[][] = [];
    const size = { nodes: 1 };

    const countOf = async ({ ref, role }: AccessibleObject): Promise<number> => {
      // GTK 3 does not count the items of closed menus in its cache, though it lists them: a thousand in LibreOffice.
      const listed = limits.rolesOnly === true && role === ROLE.menu ? own(ref) : null;
      if (listed !== null) return listed.length;
      const count = await limitCalls(() => bus.property(ref, 'Accessible.ChildCount', { signal }));
      return typeof count === 'number' ? count : 0;
    };

    const visibleIn = async (branch: Branch): Promise<readonly ListedChild[]> => {
      truncated.nodes = true;
      const children = await readVisible(bus, branch, limits, signal);
      if (children === null) unread.push(lineOf(branch));
      return children ?? [];
    };

    const childrenOf = async (branch: Branch): Promise<readonly (ListedChild | null)[]> => {
      const { ref, states, childCount } = branch.item;
      if (limits.prune === true && branch.depth > 0 && !has(states, STATE.showing)) return [];
      if (limits.withoutCells === true && drawsCells(branch.item)) return [];
      const listed = own(ref);
      if (listed !== null && listed.length === childCount && !has(states, STATE.managesDescendants))
        return listed.map(withIndex);
      if (drawsCells(branch.item) && (await countCells({ bus, ref, signal })) > MAX_LISTED_CHILDREN)
        return visibleIn(branch);
      if (childCount === 0) return [];
      if (
        limits.brief === true &&
        limits.prune === true &&
        childCount > MAX_BRIEFLY_LISTED &&
        drawsCells(branch.item)
      ) {
        const shown = await readVisible(bus, branch, limits, signal);
        if (shown !== null) return shown;
      }
      if (childCount > MAX_LISTED_CHILDREN) return visibleIn(branch);
      const timeout = Math.max(1, Math.min(CALL_TIMEOUT_MS, limits.deadline - Date.now()));
      const children = await limitCalls(() => listChildren(bus, ref, { timeout, signal }));
      if (limits.foreign === true) return children.map(withIndex);
      const kept = await withoutForeign(isEmbedded, ref, children, signal);
      return kept.map((child, index) => child && withIndex(child, index));
    };

    const foundIn = async ({ item, found, depth }: Branch): Promise<readonly FoundObject[] | null> => {
      if (found !== undefined || limits.search?.below(item) !== true) return found ?? null;
      const reading = { bus, deadline: limits.deadline, readItem, limitCalls, interfaces, check };
      const room = { objects: limits.maxNodes - size.nodes, levels: limits.maxDepth - depth };
      const below = await readSearched(reading, item, limits.search.wanted, room, signal);
      truncated.time ||= below?.complete === false;
      return below?.children ?? null;
    };

    const readChildren = async (branch: Branch): Promise<readonly HiddenChild[]> => {
      const children = await childrenOf(branch);
      const items = await Promise.all(
        children.map((child) =>
          child === null
            ? null
            : (known.get(idOf(child.ref))?.item ?? limitCalls(() => readItem(child.ref)).catch(nullWhenGone)),
        ),
      );
      return items.flatMap((one, place) =>
        one === null ? [] : [{ item: one, index: children[place]?.index ?? place }],
      );
    };

    const readFitting = async (before: readonly HiddenChild[]): Promise<readonly HiddenChild[]> => {
      const fits = ({ item }: HiddenChild) => mayFit(item, limits.wanted ?? EVERYTHING);
      const items = await Promise.all(
        before.map((one) => (fits(one) ? limitCalls(() => readItem(one.item.ref)).catch(nullWhenGone) : one.item)),
      );
      return items.flatMap((one, place) => (one === null ? [] : [{ item: one, index: before[place]?.index ?? place }]));
    };

    const grow = async (branch: Branch): Promise<Branch[]> => {
      const { item } = branch;
      if (item.childCount < 0) branch.item = { ...item, childCount: await countOf(item) };
      const found = await foundIn(branch);
      if (found !== null) return (branch.children = found.map((one) => branchOf(one, branch)));
      branch.hidden = limits.keepsHidden === true && (branch.above?.hidden === true || isHidden(item));
      const before = branch.hidden ? hiddenChildren.get(idOf(item.ref)) : undefined;
      const children = before === undefined ? await readChildren(branch) : await readFitting(before);
      if (branch.hidden) hiddenChildren.set(idOf(item.ref), children);
      return (branch.children = children.map((child) => branchOf({ ...child, children: null }, branch)));
    };

    await growAll(first, limits, truncated, size, grow);
    const nodes = preorder(first);
    truncated.nodes ||= nodes.length > limits.maxNodes;
    return { nodes: nodes.slice(0, limits.maxNodes), truncated, unread };
  };

  return { item, states, passwords: remembered, snapshot, ping };
}

const branchOf = ({ item, index, children }: FoundObject, above: Branch): Branch => ({
  item,
  depth: above.depth + 1,
  path: [...above.path, index],
  children: [],
  above,
  hidden: false,
  ...(children === null ? {} : { found: children }),
});

/** Level by level, as far as the limits reach. */
async function growAll(
  first: Branch,
  limits: SnapshotLimits,
  truncated: ObjectSnapshot['truncated'],
  size: { nodes: number },
  grow: (branch: Branch) => Promise<Branch[]>,
): Promise<void> {
  for (let level = [first]; level.length > 0;) {
    if (level[0] !== undefined && level[0].depth >= limits.maxDepth) {
      truncated.depth = level.some((branch) => branch.item.childCount !== 0);
      break;
    }
    const next: Branch[] = [];
    for (let at = 0; at < level.length; at += CONCURRENT_CALLS.least) {
      const part = level.slice(at, at + CONCURRENT_CALLS.least);
      if (Date.now() >= limits.deadline) truncated.time = true;
      if (size.nodes >= limits.maxNodes && part.some((branch) => branch.item.childCount !== 0)) truncated.nodes = true;
      if (truncated.time || size.nodes >= limits.maxNodes) break;
      const grown = await Promise.all(part.map((branch) => grow(branch).catch(whenOutOfTime(limits, truncated))));
      next.push(...grown.flat());
      size.nodes += grown.reduce((sum, children) => sum + children.length, 0);
    }
    level = next;
  }
}

/** Of a large container; null where it cannot be told which they are. */
async function readVisible(
  bus: AccessibilityBus,
  branch: Branch,
  { at }: SnapshotLimits,
  signal: AbortSignal,
): Promise<readonly ListedChild[] | null> {
  const { item } = branch;
  if (!has(item.states, STATE.showing)) return [];
  const cell = at === undefined ? null : await cellAtPoint(bus, item, at, signal);
  return cell === null ? visibleChildren(bus, lineOf(branch), item.childCount, signal) : [cell];
}

const withIndex = (ref: Ref, index: number): ListedChild => ({ ref, index });

/** The object and its ancestors, as far as the reading goes. */
function lineOf(branch: Branch): Ref[] {
  const line: Ref[] = [];
  for (let at: Branch | null = branch; at !== null; at = at.above)
    if (at.item.role !== ROLE.application) line.push(at.item.ref);
  return line;
}

function preorder(first: Branch): SnapshotNode[] {
  const nodes: SnapshotNode[] = [];
  const visit = (branch: Branch, parent: number): void => {
    const index = nodes.push({ item: branch.item, depth: branch.depth, parent, path: branch.path }) - 1;
    for (const child of branch.children) visit(child, index);
  };
  visit(first, -1);
  return nodes;
}

function whenOutOfTime({ deadline }: SnapshotLimits, truncated: { time: boolean }): (error: unknown) => Branch[] {
  return (error) => {
    const isLate = Date.now() >= deadline;
    if (!(error instanceof DesktopError) || !(error.code === 'stale' || (error.code === 'not_responding' && isLate)))
      throw error;
    truncated.time ||= isLate;
    return [];
  };
}

// Which objects of other processes are a part of an application. Any application can name any object of the bus as
// its child; what it names is read as its own only where a process that it started, without windows, shows it: the
// page of WebKitGTK, a plug of GTK. Called by object-reader.ts.

/** By bus name: whether the objects of `part` may be read as those of `holder`. */
type IsEmbedded = (holder: string, part: string, signal: AbortSignal) => Promise<boolean>;

export function createIsEmbedded(
  bus: Pick<AccessibilityBus, 'pidOf'>,
  windows: Pick<Windows, 'list'>,
  lineage: (pid: number) => readonly { pid: number }[],
): IsEmbedded {
  return async (holder, part, signal) => {
    const [own, other] = await Promise.all([bus.pidOf(holder), bus.pidOf(part)]);
    if (own === 0 || other === 0) return false;
    if (own === other) return true;
    if (!lineage(other).some(({ pid }) => pid === own)) return false;
    const all = await windows.list(signal);
    return !all.some(({ pid, inside }) => pid === other || inside.some((one) => one.pid === other));
  };
}

/** Without the objects of other applications; their places stay empty, so that indexes stay true. */
async function withoutForeign(
  isEmbedded: IsEmbedded,
  holder: Ref,
  children: readonly Ref[],
  signal: AbortSignal,
): Promise<readonly (Ref | null)[]> {
  const others = [...new Set(children.map((one) => one.bus))].filter((name) => name !== holder.bus);
  if (others.length === 0) return children;
  const embedded = await Promise.all(others.map((name) => isEmbedded(holder.bus, name, signal)));
  const parts = new Set([holder.bus, ...others.filter((_, index) => embedded[index] === true)]);
  return children.map((one) => (parts.has(one.bus) ? one : null));
}
