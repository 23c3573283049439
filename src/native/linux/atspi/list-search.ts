import { type CallLimit, type Searching, searchBelow, MAX_LISTED_CHILDREN } from './queries.js';
import { type AccessibilityBus, idOf, nullFor, type Ref, refOf } from './bus.js';
import { type AccessibleObject, ROLE, has, STATE, type StateSet, withState } from './accessible-object.js';
import { isGtk3, type Toolkit } from './toolkit.js';

/** What a reading is for. */
export interface Wanted {
  /** Only objects in this state; null for any. */
  state: number | null;
  /** AT-SPI's numbers; null for any role. */
  roles: ReadonlySet<number> | null;
  /** Whether an object of that name may fit; null for any name. */
  named: ((name: string) => boolean) | null;
  /** Roles of which also an object without a name may fit. */
  unnamed: ReadonlySet<number>;
}

/**
 * Long lists of GTK 3 and pages of Chromium are not in the cache and can have thousands of objects, so the application is asked
 * which of them fit, and only those are read.
 */
export interface Search {
  wanted: Wanted;
  /** Whether what is below an object is to be searched. */
  below(item: AccessibleObject): boolean;
}

/** null for toolkits that do not search. */
export function searchFor(toolkit: Toolkit, wanted: Wanted): Search | null {
  if (isGtk3(toolkit)) return { wanted, below: isLongList };
  return toolkit.name === 'chromium' ? { wanted, below: isPage } : null;
}

const isLongList = ({ role, states, childCount }: AccessibleObject): boolean =>
  role === ROLE.listBox &&
  has(states, STATE.managesDescendants) &&
  childCount >= MIN_SEARCHED_CHILDREN &&
  childCount <= MAX_LISTED_CHILDREN;

const isPage = ({ role, childCount }: AccessibleObject): boolean => role === ROLE.documentWeb && childCount > 0;

export const EVERYTHING: Wanted = { state: null, roles: null, named: null, unnamed: new Set() };
export const SHOWING: Wanted = { ...EVERYTHING, state: STATE.showing };
export const FOCUSED: Wanted = { ...EVERYTHING, state: STATE.focused };

/** Whether it fits, as far as role and name show. */
export const mayFit = ({ role, name }: AccessibleObject, { roles, named, unnamed }: Wanted): boolean =>
  roles?.has(role) !== false && (named === null || named(name) || (name === '' && unnamed.has(role)));

/** An object in a list, with those in it that fit or contain what fits. */
export interface FoundObject {
  item: AccessibleObject;
  /** Among all children of its parent. */
  index: number;
  /** null where they are still to be asked for. */
  children: readonly FoundObject[] | null;
}

interface ObjectPlace {
  ref: Ref;
  parent: string;
  index: number;
}

/** Shorter lists are read as a whole. */
const MIN_SEARCHED_CHILDREN = 32;
const MAX_LEVELS = 100;
const NO_STATES: StateSet = [0, 0];
const nullWhenGone = nullFor('stale', 'unsupported', 'failed');

export interface SearchContext extends Searching {
  readItem(ref: Ref): Promise<AccessibleObject>;
  limitCalls: CallLimit;
}

/** What fits below `list`; null where the application does not search. */
export async function fittingIn(
  reading: SearchContext,
  list: Ref,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Ref[] | null> {
  if (wanted.roles?.size === 0) return [];
  const found = await matchesIn(reading, list, wanted, signal);
  return found === null ? null : withNames(reading, list, found, wanted, signal);
}

/** These objects below `list`, and those between. */
export async function readFound(
  reading: SearchContext,
  list: Ref,
  found: readonly Ref[],
  signal: AbortSignal,
): Promise<readonly FoundObject[]> {
  const places = await placesOf(reading, list, found, signal);
  const { limitCalls, readItem } = reading;
  const items = await Promise.all(places.map(({ ref }) => limitCalls(() => readItem(ref).catch(nullWhenGone))));
  return buildTree(idOf(list), places, items);
}

/** In the order of the tree; null where the application does not search. */
export function matchesIn(
  searching: Searching,
  list: Ref,
  { state, roles }: Pick<Wanted, 'state' | 'roles'>,
  signal: AbortSignal,
  atMost?: number,
): Promise<Ref[] | null> {
  const states = state === null ? NO_STATES : withState(NO_STATES, state);
  return searchBelow(searching, list, { states, roles }, signal, atMost);
}

async function withNames(
  reading: SearchContext,
  list: Ref,
  found: Ref[],
  { state, named, unnamed }: Wanted,
  signal: AbortSignal,
): Promise<Ref[]> {
  if (named === null) return found;
  const { bus, limitCalls } = reading;
  const names = await Promise.all(
    found.map((ref) => limitCalls(() => bus.property(ref, 'Accessible.Name', { signal }).catch(nullWhenGone))),
  );
  const searched = unnamed.size > 0 && names.includes('');
  const labelled = searched ? await matchesIn(reading, list, { state, roles: unnamed }, signal) : [];
  const fits = new Set(labelled?.map(idOf));
  return found.filter((ref, index) => {
    const name = String(names[index] ?? '');
    return named(name) || (name === '' && (labelled === null || fits.has(idOf(ref))));
  });
}

/** Places of these objects and of all between them and the list. */
async function placesOf(
  { bus, limitCalls }: SearchContext,
  list: Ref,
  found: readonly Ref[],
  signal: AbortSignal,
): Promise<ObjectPlace[]> {
  const places = new Map<string, ObjectPlace>();
  let unread = new Map(found.map((ref) => [idOf(ref), ref]));
  for (let level = 0; unread.size > 0 && level < MAX_LEVELS; level += 1) {
    const read = await Promise.all([...unread.values()].map((ref) => limitCalls(() => placeOf(bus, ref, signal))));
    const above = new Map<string, Ref>();
    for (const { parent, ...place } of read.filter((one) => one !== null)) {
      places.set(idOf(place.ref), { ...place, parent: idOf(parent) });
      above.set(idOf(parent), parent);
    }
    above.delete(idOf(list));
    unread = new Map([...above].filter(([id]) => !places.has(id)));
  }
  return [...places.values()];
}

async function placeOf(
  bus: AccessibilityBus,
  ref: Ref,
  signal: AbortSignal,
): Promise<{ ref: Ref; parent: Ref; index: number } | null> {
  const [above, index] = await Promise.all([
    bus.property(ref, 'Accessible.Parent', { signal }).catch(nullWhenGone),
    bus.call(ref, 'Accessible.GetIndexInParent', { signal }).catch(nullWhenGone),
  ]);
  const parent = refOf(above);
  if (parent === null || parent.bus !== ref.bus || typeof index?.[0] !== 'number' || index[0] < 0) return null;
  return { ref, parent, index: index[0] };
}

function buildTree(
  list: string,
  places: readonly ObjectPlace[],
  items: readonly (AccessibleObject | null)[],
): FoundObject[] {
  const childrenOf = new Map<string, FoundObject[]>(
    [list, ...places.map(({ ref }) => idOf(ref))].map((id) => [id, []]),
  );
  places.forEach(({ ref, parent, index }, at) => {
    const item = items[at] ?? null;
    if (item !== null) childrenOf.get(parent)?.push({ item, index, children: childrenOf.get(idOf(ref)) ?? [] });
  });
  for (const children of childrenOf.values()) children.sort((a, b) => a.index - b.index);
  return childrenOf.get(list) ?? [];
}
