import { idOf, type Ref, refOf } from './bus.js';
import { type AccessibleObject, makeObject } from './accessible-object.js';

export interface CachedObject {
  item: AccessibleObject;
  parent: string;
  index: number;
}

/** The reply of Cache.GetItems, by id; without objects of other applications, of which it says what it likes. */
export function readCache(
  bus: string,
  value: unknown,
  classify: (item: AccessibleObject) => AccessibleObject,
): Map<string, CachedObject> {
  const found = new Map<string, CachedObject>();
  if (!Array.isArray(value)) return found;
  for (const entry of value) {
    if (!Array.isArray(entry) || typeof entry[3] !== 'number') continue;
    const [own, , parent, index, count, interfaces, name, role, description, states]: unknown[] = entry;
    const ref = refOf(own);
    if (ref === null || ref.bus !== bus) continue;
    const above = refOf(parent);
    const object = makeObject(ref, role, states, interfaces, name, description, count);
    found.set(idOf(ref), {
      item: classify({ ...object, ...(above === null ? {} : { parent: above }) }),
      parent: above === null ? '' : idOf(above),
      index: typeof index === 'number' ? index : -1,
    });
  }
  return found;
}

/** Children as the cache has them, in order; null where an index is missing, unless the order does not matter. */
export function cachedChildren(known: ReadonlyMap<string, CachedObject>, inOrder: boolean): (ref: Ref) => Ref[] | null {
  const byParent = new Map<string, CachedObject[]>();
  for (const entry of known.values()) {
    const siblings = byParent.get(entry.parent);
    if (siblings === undefined) byParent.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  return (ref) => {
    const children = byParent.get(idOf(ref))?.sort((a, b) => a.index - b.index) ?? [];
    return !inOrder || children.every((child, place) => child.index === place)
      ? children.map(({ item }) => item.ref)
      : null;
  };
}
