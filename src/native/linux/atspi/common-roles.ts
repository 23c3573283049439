/**
 * Roles of the many objects in a long list, which has few different ones: one object is asked for its role, then the application which
 * others have it. States are asked of each object: a search by states takes GTK 3 as long as asking all of them.
 * Called by whole-list.ts.
 */
import { idOf, nullFor, type Ref } from './bus.js';
import { SEARCHED_ROLES, type Searching, searchBelow } from './collection.js';
import { readRole } from './queries.js';

/** Fewer are asked one by one. */
const MIN_OBJECTS = 48;
const MAX_SEARCHES = 5;
const nullWhenGone = nullFor('stale', 'unsupported', 'failed');

/** By id; without those whose role few others have. */
export async function readCommonRoles(
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
