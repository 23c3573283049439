/**
 * All objects below a long list of GTK 3 or in a page of Chromium, which the cache leaves out. GTK 3 does not tell when rows are
 * inserted or sorted, or when an object gets its first own name, so nothing of that is kept: each reading asks, with few calls.
 * Called by object-reader.ts.
 */
import { idOf, nullFor, type Ref, refOf } from './bus.js';
import {
  SEARCHED_ROLES,
  type Searching,
  searchBelow,
  readRole,
  type CallLimit,
  type KnownInterfaces,
  readStates,
} from './queries.js';
import { type AccessibleObject, attributeMap, makeObject } from './accessible-object.js';
import {
  EVERYTHING,
  fittingIn,
  type FoundObject,
  matchesIn,
  readFound,
  type SearchContext,
  type Wanted,
} from './list-search.js';

// Roles of the many objects in a long list, which has few different ones: one object is asked for its role, then the application which
// others have it. States are asked of each object: a search by states takes GTK 3 as long as asking all of them.

/** Fewer are asked one by one. */
const MIN_OBJECTS = 48;
const MAX_SEARCHES = 5;

/** By id; without those whose role few others have. */
async function readCommonRoles(
  searching: Searching,
  list: Ref,
  all: readonly Ref[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const known = new Map<string, number>();
  let unread = all;
  for (let search = 0; search < MAX_SEARCHES && unread.length >= MIN_OBJECTS; search += 1) {
    const [sample] = unread;
    const role = sample === undefined ? null : await readRole(searching.bus, sample, signal).catch(nullWhenGone);
    if (typeof role !== 'number' || role >= SEARCHED_ROLES) break;
    const found = await searchBelow(searching, list, { states: [0, 0], roles: new Set([role]) }, signal);
    if (found === null) break;
    for (const ref of found) known.set(idOf(ref), role);
    const left = unread.filter((ref) => !known.has(idOf(ref)));
    // The role of the sample has changed meanwhile.
    if (left.length === unread.length) break;
    unread = left;
  }
  return known;
}

interface ListContext extends Searching {
  limitCalls: CallLimit;
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

/** Where more fit, reading everything takes fewer calls than finding the places of those. */
const MAX_FOUND = 300;
/** For `catch`: what was removed while the list was read, or refuses. */
const nullWhenGone = nullFor('stale', 'unsupported', 'failed');

/** How much may be read. */
interface Room {
  objects: number;
  levels: number;
}

/** What fits below an object, or everything there; null where the application does not search. */
export async function readSearched(
  reading: ListContext & SearchContext,
  list: AccessibleObject,
  wanted: Wanted,
  room: Room,
  signal: AbortSignal,
): Promise<WholeList | null> {
  const fitting = wanted === EVERYTHING ? null : await fittingIn(reading, list.ref, wanted, signal);
  const few = fitting !== null && fitting.length <= MAX_FOUND;
  const whole = few ? null : await readWholeList(reading, list, room, signal);
  if (whole !== null || fitting === null) return whole;
  return { children: await readFound(reading, list.ref, fitting, signal), complete: true };
}

/** null where the list cannot be read so: there is too little room, its rows changed meanwhile, or it does not search. */
export async function readWholeList(
  reading: ListContext,
  list: AccessibleObject,
  room: Room,
  signal: AbortSignal,
): Promise<WholeList | null> {
  if (list.childCount > room.objects || room.levels <= 1) return null;
  const all = await matchesIn(reading, list.ref, EVERYTHING, signal, room.objects + 1);
  if (all === null || all.length > room.objects || !areDifferent([list.ref, ...all])) return null;
  const roles = await readCommonRoles(reading, list.ref, all, signal);
  const late = (): boolean => Date.now() >= reading.deadline;
  const read = await Promise.all(
    all.map((ref) =>
      reading.limitCalls(async () =>
        late() ? 'late' : readListed(reading, ref, roles.get(idOf(ref)), signal).catch(nullWhenGone),
      ),
    ),
  );
  const complete = !read.includes('late');
  const children = childrenIn(
    list,
    read.filter((one) => one !== null && one !== 'late'),
    complete,
    room.levels,
  );
  return children === null ? null : { children, complete };
}

async function readListed(
  { bus, interfaces, check }: ListContext,
  ref: Ref,
  commonRole: number | undefined,
  signal: AbortSignal,
): Promise<ListedObject | null> {
  const options = { signal };
  const [known, role, states, own] = await Promise.all([
    bus.properties(ref, 'Accessible', options),
    commonRole ?? readRole(bus, ref, signal),
    readStates(bus, ref, signal),
    interfaces.of(ref, async () => (await bus.call(ref, 'Accessible.GetInterfaces', options))[0]),
  ]);
  const parent = refOf(known.get('Parent'));
  const made = makeObject(ref, role, states, [], known.get('Name'), known.get('Description'), known.get('ChildCount'));
  const id = known.get('AccessibleId');
  const attributes = attributeMap(known.get('Attributes'));
  const item = check({ ...made, interfaces: own, attributes, ...(typeof id === 'string' ? { identifier: id } : {}) });
  return parent === null ? null : { item, parent: idOf(parent) };
}

/**
 * The children of the list. `objects` are in the order of the tree, so children are in theirs. Where `counted`, those of an object
 * that has another number of them by now are null, and those below the lowest level.
 */
function childrenIn(
  list: AccessibleObject,
  objects: readonly ListedObject[],
  counted: boolean,
  levels: number,
): readonly FoundObject[] | null {
  const below = new Map<string, ListedObject[]>();
  for (const object of objects) {
    const siblings = below.get(object.parent);
    if (siblings === undefined) below.set(object.parent, [object]);
    else siblings.push(object);
  }
  const childrenOf = ({ ref, childCount }: AccessibleObject, left: number): readonly FoundObject[] | null => {
    const own = below.get(idOf(ref)) ?? [];
    if (left === 0 || (counted && own.length !== childCount)) return null;
    return own.map(({ item }, index) => ({ item, index, children: childrenOf(item, left - 1) }));
  };
  return childrenOf(list, levels);
}

const areDifferent = (all: readonly Ref[]): boolean => new Set(all.map(idOf)).size === all.length;
