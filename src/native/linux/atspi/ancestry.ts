import { type AccessibleObject, ROLE } from './accessible-object.js';
import { type AccessibilityBus, idOf, nullFor, type Ref, refOf, rootOf } from './bus.js';
import { childAt, listChildren, MAX_LISTED_CHILDREN, readRole } from './queries.js';

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

export function openAncestry(bus: AccessibilityBus): Ancestry {
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
