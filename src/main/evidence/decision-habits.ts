/** Statistics of the person's recent decisions, so that the page can point out allowing without reading. Updated with every audit entry. */
import { LRUCache } from 'lru-cache';
import type { Habits } from '../protocol/index.js';
import type { AuditEntry } from './audit-entries.js';

interface DecisionHabits {
  apply(entry: AuditEntry): void;
  read(now: Date): Habits;
}

const DAYS = 7;
const DAY_MS = 86_400_000;
const HASTY_ANSWER_MS = 2_000;
const MAX_DECISIONS = 20_000;

interface PersonDecision {
  at: number;
  how: 'allowed' | 'denied' | 'unanswered';
  waitedMs: number;
}

export function createDecisionHabits(): DecisionHabits {
  /** By card id: several calls on one card count once. */
  const decided = new LRUCache<string, PersonDecision>({ max: MAX_DECISIONS });

  return {
    apply(entry) {
      if (entry.kind !== 'ended' && entry.kind !== 'decided') return;
      const one = decisionOf(entry.decision);
      if (one === null || decided.has(one.card)) return;
      decided.set(one.card, one.decided);
    },
    read(now) {
      const since = now.getTime() - DAYS * DAY_MS;
      const lately = [...decided.values()].filter(({ at }) => at >= since);
      const count = (how: PersonDecision['how']) => lately.filter((one) => one.how === how).length;
      return {
        days: DAYS,
        asked: lately.length,
        allowed: count('allowed'),
        denied: count('denied'),
        unanswered: count('unanswered'),
        medianMs: median(lately.filter(({ how }) => how !== 'unanswered').map(({ waitedMs }) => waitedMs)),
        hasty: lately.filter(({ how, waitedMs }) => how === 'allowed' && waitedMs < HASTY_ANSWER_MS).length,
      };
    },
  };
}

/** null for stops, pauses, and decisions by a policy or grant: a person made none of these on a card. */
function decisionOf(decision: Record<string, unknown> | null): { card: string; decided: PersonDecision } | null {
  const { kind, by, reason, approvalId, at, waitedMs } = decision ?? {};
  if (typeof approvalId !== 'string' || typeof at !== 'string' || typeof waitedMs !== 'number') return null;
  const how = kind === 'allowed' && by === 'person' ? 'allowed' : kind === 'denied' ? howOfDenial(reason) : null;
  return how === null ? null : { card: approvalId, decided: { at: Date.parse(at), how, waitedMs } };
}

function howOfDenial(reason: unknown): PersonDecision['how'] | null {
  if (reason === 'denied') return 'denied';
  return reason === 'timeout' ? 'unanswered' : null;
}

function median(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}
