/** How the person decided lately, kept up line by line from the record, so that waving things through shows. */
import { LRUCache } from 'lru-cache';
import type { Habits } from '../protocol/index.js';
import type { Entry } from './entries.js';

export interface HabitsBook {
  apply(entry: Entry): void;
  read(now: Date): Habits;
}

const DAYS = 7;
const DAY_MS = 86_400_000;
const HASTY_MS = 2_000;
const MOST = 20_000;

interface Decided {
  at: number;
  how: 'allowed' | 'denied' | 'unanswered';
  waitedMs: number;
}

export function createHabits(): HabitsBook {
  /** By card: calls that joined one count once. */
  const decided = new LRUCache<string, Decided>({ max: MOST });

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
      const count = (how: Decided['how']) => lately.filter((one) => one.how === how).length;
      return {
        days: DAYS,
        asked: lately.length,
        allowed: count('allowed'),
        denied: count('denied'),
        unanswered: count('unanswered'),
        medianMs: median(lately.filter(({ how }) => how !== 'unanswered').map(({ waitedMs }) => waitedMs)),
        hasty: lately.filter(({ how, waitedMs }) => how === 'allowed' && waitedMs < HASTY_MS).length,
      };
    },
  };
}

/** Only what a person was asked; stops, pauses and what a policy or grant decided are not their answers. */
function decisionOf(decision: Record<string, unknown> | null): { card: string; decided: Decided } | null {
  const { kind, by, reason, approvalId, at, waitedMs } = decision ?? {};
  if (typeof approvalId !== 'string' || typeof at !== 'string' || typeof waitedMs !== 'number') return null;
  const how = kind === 'allowed' && by === 'person' ? 'allowed' : kind === 'denied' ? denial(reason) : null;
  return how === null ? null : { card: approvalId, decided: { at: Date.parse(at), how, waitedMs } };
}

function denial(reason: unknown): Decided['how'] | null {
  if (reason === 'denied') return 'denied';
  return reason === 'timeout' ? 'unanswered' : null;
}

function median(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2);
}
