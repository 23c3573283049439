/**
 * All objects below a long list of GTK 3, whose cache leaves them out. GTK 3 does not tell when rows are inserted or sorted, or
 * when an object gets its first own name, so nothing of that is kept: each reading asks, with as few calls as there can be.
 * Called by object-reader.ts.
 */
import type { LimitFunction } from 'p-limit';
import { type AccessibleObject, makeObject } from './accessible-object.js';
import { type AccessibilityBus, idOf, nullFor, type Ref, refOf } from './bus.js';
import type { KnownInterfaces } from './known-interfaces.js';
import { EVERYTHING, type FoundObject, matchesIn } from './list-search.js';

interface ListContext {
  bus: AccessibilityBus;
  /** As of Date.now(). */
  deadline: number;
  limitCalls: LimitFunction;
  interfaces: KnownInterfaces;
  /** As it is reported; throws `stale` where it is gone. */
  check(item: AccessibleObject): AccessibleObject;
}

interface WholeList {
  children: readonly FoundObject[];
  /** False where there was not enough time. */
  complete: boolean;
}

interface ListedObject {
  item: AccessibleObject;
  parent: string;
}

/** For `catch`: what was removed while the list was read, or refuses. */
const nullWhenGone = nullFor('stale', 'unsupported', 'failed');

/** null where the list cannot be read so: it has more than `maxObjects`, it changed meanwhile, or does not search. */
export async function readWholeList(
  reading: ListContext,
  list: AccessibleObject,
  maxObjects: number,
  signal: AbortSignal,
): Promise<WholeList | null> {
  if (list.childCount > maxObjects) return null;
  const all = await matchesIn(reading, list.ref, EVERYTHING, signal, maxObjects + 1);
  if (all === null || all.length > maxObjects) return null;
  const late = (): boolean => Date.now() >= reading.deadline;
  const read = await Promise.all(
    all.map((ref) =>
      reading.limitCalls(async () => (late() ? 'late' : readListed(reading, ref, signal).catch(nullWhenGone))),
    ),
  );
  if (read.includes(null)) return null;
  const objects = read.filter((one) => one !== null && one !== 'late');
  const complete = objects.length === read.length;
  const childrenOf = childrenIn(list.ref, objects);
  const isWhole = ({ ref, childCount }: AccessibleObject): boolean => childrenOf.get(idOf(ref))?.length === childCount;
  if (complete && ![list, ...objects.map(({ item }) => item)].every(isWhole)) return null;
  return { children: childrenOf.get(idOf(list.ref)) ?? [], complete };
}

async function readListed(
  { bus, interfaces, check }: ListContext,
  ref: Ref,
  signal: AbortSignal,
): Promise<ListedObject | null> {
  const options = { signal };
  const [known, [role], [states], own] = await Promise.all([
    bus.properties(ref, 'Accessible', options),
    bus.call(ref, 'Accessible.GetRole', options),
    bus.call(ref, 'Accessible.GetState', options),
    interfaces.of(ref, async () => (await bus.call(ref, 'Accessible.GetInterfaces', options))[0]),
  ]);
  const parent = refOf(known.get('Parent'));
  const made = makeObject(ref, role, states, [], known.get('Name'), known.get('Description'), known.get('ChildCount'));
  const id = known.get('AccessibleId');
  const item = check({ ...made, interfaces: own, ...(typeof id === 'string' ? { identifier: id } : {}) });
  return parent === null ? null : { item, parent: idOf(parent) };
}

/** By parent. `objects` are in the order of the tree, so children are in theirs. */
function childrenIn(list: Ref, objects: readonly ListedObject[]): ReadonlyMap<string, FoundObject[]> {
  const childrenOf = new Map<string, FoundObject[]>([[idOf(list), []]]);
  for (const { item, parent } of objects) {
    const children: FoundObject[] = [];
    childrenOf.set(idOf(item.ref), children);
    const siblings = childrenOf.get(parent);
    siblings?.push({ item, index: siblings.length, children });
  }
  return childrenOf;
}
