/** Decisions made while no caller waited. The next identical call gets each once, until its card would have expired. */
import type { RequestFacts } from './request-facts.js';
import type { Clock } from './clock.js';
import { sameSeen, type Seen } from './card.js';
import { storedOf } from './open-card.js';
import type { KeptDecision, PersonDecision, StoredCard } from './store.js';

export type KeptDecisions = ReturnType<typeof createKeptDecisions>;

export function createKeptDecisions(clock: Clock, last: KeptDecision[]) {
  const all = new Map(last.map((one) => [one.key, one]));
  const expired = ({ card }: StoredCard) => clock.read() >= Date.parse(card.expiresAt);

  return {
    keep(card: StoredCard, decision: PersonDecision): void {
      if (!expired(card)) all.set(card.key, { ...storedOf(card), decision });
    },
    /** Removes and returns the decision; null for an Allow whose target has changed since. `saved` must have written the removal to disk when it returns. */
    take(key: string, seen: (card: StoredCard) => Seen, saved: () => void): PersonDecision | null {
      const one = all.get(key);
      if (one === undefined) return null;
      all.delete(key);
      saved();
      // A No stands whatever the target looks like now.
      const stands = one.decision.kind === 'denied' || sameSeen(one.seen, seen(one));
      return stands && !expired(one) ? one.decision : null;
    },
    has: (key: string): boolean => all.has(key),
    /** Removes kept permissions; refusals stay. */
    dropAllowed(which: (asked: RequestFacts) => boolean): void {
      for (const one of [...all.values()]) if (one.decision.kind === 'allowed' && which(one.asked)) all.delete(one.key);
    },
    withdraw(executionId: string): boolean {
      const one = [...all.values()].find((each) => each.executionIds.includes(executionId));
      return one !== undefined && all.delete(one.key);
    },
    /** True when something has expired. */
    sweep(): boolean {
      const over = [...all.values()].filter(expired);
      for (const one of over) all.delete(one.key);
      return over.length > 0;
    },
    list: (): KeptDecision[] => [...all.values()],
  };
}
