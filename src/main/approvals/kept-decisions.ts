/** Decisions made while no caller waited. The next identical call gets each once, until its card would have expired. */
import type { RequestFacts } from './request-facts.js';
import type { Clock } from './clock.js';
import { sameSeen, type Seen } from './card.js';
import { storedOf } from './open-card.js';
import type { KeptDecision, PersonDecision, StoredCard } from './store.js';

export interface KeptDecisions {
  keep(card: StoredCard, decision: PersonDecision): void;
  /** Removes and returns the decision; null for an Allow whose target has changed since. `saved` must have written the removal to disk when it returns. */
  take(key: string, seen: (card: StoredCard) => Seen, saved: () => void): PersonDecision | null;
  has(key: string): boolean;
  /** Removes kept permissions; refusals stay. */
  dropAllowed(which: (asked: RequestFacts) => boolean): void;
  withdraw(executionId: string): boolean;
  /** True when something has expired. */
  sweep(): boolean;
  list(): KeptDecision[];
}

export function createKeptDecisions(clock: Clock, last: KeptDecision[]): KeptDecisions {
  const all = new Map(last.map((one) => [one.key, one]));
  const expired = ({ card }: StoredCard) => clock.read() >= Date.parse(card.expiresAt);

  return {
    keep(card, decision) {
      if (!expired(card)) all.set(card.key, { ...storedOf(card), decision });
    },
    take(key, seen, saved) {
      const one = all.get(key);
      if (one === undefined) return null;
      all.delete(key);
      saved();
      // A No stands whatever the target looks like now.
      const stands = one.decision.kind === 'denied' || sameSeen(one.seen, seen(one));
      return stands && !expired(one) ? one.decision : null;
    },
    has: (key) => all.has(key),
    dropAllowed(which) {
      for (const one of [...all.values()]) if (one.decision.kind === 'allowed' && which(one.asked)) all.delete(one.key);
    },
    withdraw(executionId) {
      const one = [...all.values()].find((each) => each.executionIds.includes(executionId));
      return one !== undefined && all.delete(one.key);
    },
    sweep() {
      const over = [...all.values()].filter(expired);
      for (const one of over) all.delete(one.key);
      return over.length > 0;
    },
    list: () => [...all.values()],
  };
}
