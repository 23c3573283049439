/** What an application reports of one of its objects now. */
import { type AccessibilityBus, type Ref, refOf, refs, nullFor } from './bus.js';
import { type StateSet, stateSet, interfaceSet } from './accessible-object.js';

/** Containers with more children than this are never asked for all of them. */
export const MAX_LISTED_CHILDREN = 5000;

/** A role that is no number is none of the known ones. */
export async function readRole(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<unknown> {
  return (await bus.call(ref, 'Accessible.GetRole', { signal }))[0];
}

export async function readStates(bus: AccessibilityBus, ref: Ref, signal: AbortSignal): Promise<StateSet> {
  return stateSet((await bus.call(ref, 'Accessible.GetState', { signal }))[0]);
}

/**
 * All of them; at most `atMost` where there are more. A container that makes its children when it is asked for them would make
 * millions.
 */
export async function readChildren(
  bus: AccessibilityBus,
  ref: Ref,
  signal: AbortSignal,
  atMost = MAX_LISTED_CHILDREN,
): Promise<Ref[]> {
  const count = await bus.property(ref, 'Accessible.ChildCount', { signal });
  // A number that does not fit in 32 bits is below zero.
  if (typeof count === 'number' && count >= 0 && count <= atMost) return listChildren(bus, ref, { signal });
  const children = await Promise.all(Array.from({ length: atMost }, (_, index) => childAt(bus, ref, index, signal)));
  return children.filter((child) => child !== null);
}

/** For a container of which it is known that it has not too many. */
export async function listChildren(
  bus: AccessibilityBus,
  ref: Ref,
  options: { signal: AbortSignal; timeout?: number },
): Promise<Ref[]> {
  return refs((await bus.call(ref, 'Accessible.GetChildren', options))[0]);
}

export async function childAt(
  bus: AccessibilityBus,
  ref: Ref,
  index: number,
  signal: AbortSignal,
): Promise<Ref | null> {
  return refOf((await bus.call(ref, 'Accessible.GetChildAtIndex', { signature: 'i', body: [index], signal }))[0]);
}

// Searching below an object with Collection.GetMatches, which GTK 3 and Chromium implement. Called by list-search.ts and whole-list.ts.

export interface Searching {
  bus: AccessibilityBus;
  /** As of Date.now(). */
  deadline: number;
}

export interface MatchRule {
  /** An object needs all of them. */
  states: StateSet;
  /** AT-SPI's numbers; null for any role. */
  roles: ReadonlySet<number> | null;
}

const SEARCH_TIMEOUT_MS = 5000;
const WORD_BITS = 32;
const ROLE_WORDS = 5;
/** Roles from here on cannot be searched for. */
export const SEARCHED_ROLES = WORD_BITS * ROLE_WORDS;
const MATCH = { all: 1, any: 2 } as const;
const IN_ORDER_OF_THE_TREE = 1;
const UNLIMITED = 0;

/** The application's own objects, in the order of the tree; null where it does not search. */
export async function searchBelow(
  { bus, deadline }: Searching,
  above: Ref,
  { states, roles }: MatchRule,
  signal: AbortSignal,
  atMost = UNLIMITED,
): Promise<Ref[] | null> {
  const words = states[0] === 0 && states[1] === 0 ? [] : states.map((word) => word | 0);
  const roleBits = roles === null ? [] : bitsOf(roles);
  const rule = [words, MATCH.all, [], MATCH.all, roleBits, MATCH.any, [], MATCH.all, false];
  const timeout = Math.max(1, Math.min(SEARCH_TIMEOUT_MS, deadline - Date.now()));
  const body = [rule, IN_ORDER_OF_THE_TREE, atMost, true];
  const options = { signature: '(aiia{ss}iaiiasib)uib', body, timeout, signal };
  const reply = await bus
    .call(above, 'Collection.GetMatches', options)
    .catch(nullFor('stale', 'unsupported', 'failed'));
  return reply === null ? null : refs(reply[0]).filter((ref) => ref.bus === above.bus);
}

function bitsOf(roles: ReadonlySet<number>): number[] {
  return Array.from({ length: ROLE_WORDS }, (_, word) =>
    [...roles].filter((role) => role >> 5 === word).reduce((bits, role) => bits | (1 << (role % WORD_BITS)), 0),
  );
}

/**
 * Limits how many requests of a reading are under way. The next ones are started in bulk once half of those are answered, so that
 * they are sent in few writes, and the quicker an application answers the more at once: it handles nothing else before the last of
 * them. Called by object-reader.ts and element-reader.ts.
 */
export type CallLimit = <T>(work: () => Promise<T>) => Promise<T>;

const QUICK_MS = 30;

/** `clock`: milliseconds. */
export function createCallLimit(least: number, most: number, clock = () => performance.now()): CallLimit {
  let waiting: (() => void)[] = [];
  let size = least;
  let running = 0;
  let filledAt = clock();

  const fill = (): void => {
    const now = clock();
    size = now - filledAt <= QUICK_MS ? Math.min(most, size * 2) : Math.max(least, Math.floor(size / 2));
    filledAt = now;
    const next = waiting.slice(0, size - running);
    waiting = waiting.slice(next.length);
    for (const start of next) start();
  };

  const ended = (): void => {
    running -= 1;
    if (waiting.length > 0 && running <= size / 2) fill();
  };

  return (work) =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        running += 1;
        const done = work();
        done.then(ended, ended);
        done.then(resolve, reject);
      };
      if (waiting.length === 0 && running < size) start();
      else waiting.push(start);
    });
}

/**
 * The interfaces of objects of GTK 3 and Chromium. They are those of the object's class, so they never change, and an application never
 * gives the path of one object to another.
 */
export interface KnownInterfaces {
  of(ref: Ref, ask: () => Promise<unknown>): Promise<ReadonlySet<string>>;
  forgetAll(): void;
}

const MAX_APPLICATIONS = 4;
const MAX_OBJECTS = 20_000;

export function createKnownInterfaces(maxApplications = MAX_APPLICATIONS, maxObjects = MAX_OBJECTS): KnownInterfaces {
  /** By connection, the one used last at the end. */
  const applications = new Map<string, Map<string, ReadonlySet<string>>>();

  const objectsOf = (bus: string): Map<string, ReadonlySet<string>> => {
    const known = applications.get(bus) ?? new Map<string, ReadonlySet<string>>();
    applications.delete(bus);
    applications.set(bus, known);
    for (const oldest of applications.keys()) {
      if (applications.size <= maxApplications) break;
      applications.delete(oldest);
    }
    return known;
  };

  return {
    of: async ({ bus, path }, ask) => {
      const objects = objectsOf(bus);
      const found = objects.get(path);
      if (found !== undefined) return found;
      const interfaces = interfaceSet(await ask());
      if (objects.size >= maxObjects) objects.clear();
      objects.set(path, interfaces);
      return interfaces;
    },
    forgetAll: () => applications.clear(),
  };
}
