import type { LimitFunction } from 'p-limit';
import { type AccessibilityBus, idOf, nullFor, type Ref, refOf, refs } from './bus.js';
import type { AccessibleObject } from './accessible-object.js';
import { STATE, withState } from './states.js';
import { isGtk3, type Toolkit } from './toolkit.js';

/**
 * What a reading is for. Lists of GTK 3 are not in its cache and can have thousands of rows, so the application is asked which
 * objects in a list fit, and only those are read.
 */
export interface Wanted {
  /** Only objects in this state; null for any. */
  state: number | null;
  /** AT-SPI's numbers; null for any role. */
  roles: ReadonlySet<number> | null;
  /** Whether an object of that name may fit. */
  named: ((name: string) => boolean) | null;
}

/** null for toolkits whose lists are not searched. */
export const wantedFrom = (toolkit: Toolkit, wanted: Wanted | null): Wanted | null => (isGtk3(toolkit) ? wanted : null);

export const SHOWING: Wanted = { state: STATE.showing, roles: null, named: null };
export const FOCUSED: Wanted = { state: STATE.focused, roles: null, named: null };
export const EVERYTHING: Wanted = { state: null, roles: null, named: null };

/** An object in a list, with those in it that fit or contain what fits. */
export interface FoundObject {
  item: AccessibleObject;
  /** Among all children of its parent. */
  index: number;
  children: FoundObject[];
}

interface ObjectPlace {
  ref: Ref;
  parent: string;
  index: number;
}

const SEARCH_TIMEOUT_MS = 5000;
const MAX_LEVELS = 100;
const WORD_BITS = 32;
const ROLE_WORDS = 5;
const ALL = 1;
const UNLIMITED = 0;
const ANY = 2;
const nullWhenGone = nullFor('stale', 'unsupported', 'failed');

/** `deadline`: as of Date.now(). */
interface SearchContext {
  bus: AccessibilityBus;
  deadline: number;
  readItem(ref: Ref): Promise<AccessibleObject>;
  limitCalls: LimitFunction;
}

/** The objects below `list` that fit, and those between; null where the application does not search. */
export async function searchList(
  reading: SearchContext,
  list: Ref,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<readonly FoundObject[] | null> {
  if (wanted.roles?.size === 0) return [];
  const found = await matchesIn(reading, list, wanted, signal);
  if (found === null) return null;
  const named = await withNames(reading, found, wanted, signal);
  const places = await placesOf(reading, list, named, signal);
  const { limitCalls, readItem } = reading;
  const items = await Promise.all(places.map(({ ref }) => limitCalls(() => readItem(ref).catch(nullWhenGone))));
  return buildTree(idOf(list), places, items);
}

/** In the order of the tree; null where the application does not search. */
export async function matchesIn(
  { bus, deadline }: Pick<SearchContext, 'bus' | 'deadline'>,
  list: Ref,
  { state, roles }: Wanted,
  signal: AbortSignal,
  atMost = UNLIMITED,
): Promise<Ref[] | null> {
  const states = state === null ? [] : withState([0, 0], state).map((word) => word | 0);
  const rule = [states, ALL, [], ALL, roles === null ? [] : bitsOf(roles), ANY, [], ALL, false];
  const timeout = Math.max(1, Math.min(SEARCH_TIMEOUT_MS, deadline - Date.now()));
  const options = { signature: '(aiia{ss}iaiiasib)uib', body: [rule, ALL, atMost, true], timeout, signal };
  const reply = await bus.call(list, 'Collection.GetMatches', options).catch(nullWhenGone);
  return reply === null ? null : refs(reply[0]);
}

function bitsOf(roles: ReadonlySet<number>): number[] {
  return Array.from({ length: ROLE_WORDS }, (_, word) =>
    [...roles].filter((role) => role >> 5 === word).reduce((bits, role) => bits | (1 << (role % WORD_BITS)), 0),
  );
}

async function withNames(
  { bus, limitCalls }: SearchContext,
  found: Ref[],
  { named }: Wanted,
  signal: AbortSignal,
): Promise<Ref[]> {
  if (named === null) return found;
  const names = await Promise.all(
    found.map((ref) => limitCalls(() => bus.property(ref, 'Accessible.Name', { signal }).catch(nullWhenGone))),
  );
  return found.filter((_, index) => named(String(names[index] ?? '')));
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
  return parent === null || typeof index?.[0] !== 'number' || index[0] < 0 ? null : { ref, parent, index: index[0] };
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
