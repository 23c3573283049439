/** Searching below an object with Collection.GetMatches, which GTK 3 and Chromium implement. Called by list-search.ts and common-roles.ts. */
import { type AccessibilityBus, nullFor, type Ref, refs } from './bus.js';
import type { StateSet } from './states.js';

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
