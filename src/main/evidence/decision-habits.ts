/** Pure: statistics of the person's recent decisions, so that the page can point out allowing without reading. */
import * as z from 'zod';
import type { Habits } from '../protocol/index.js';
import { sha256 } from '../approvals/digest.js';
import type { AuditEntry } from './audit-entries.js';

/** A decision that a person made on a card. `card` tells cards apart. */
export const personDecisionSchema = z.object({
  card: z.string(),
  at: z.number(),
  how: z.enum(['allowed', 'denied', 'unanswered']),
  waitedMs: z.number(),
});
export type PersonDecision = z.infer<typeof personDecisionSchema>;

const CARD_DIGITS = 32;
const DAYS = 7;
const DAY_MS = 86_400_000;
const HASTY_ANSWER_MS = 2_000;

export const habitsSince = (now: Date): number => now.getTime() - DAYS * DAY_MS;

/** `decisions`: the oldest first. Several calls on one card count once. */
export function habitsOf(decisions: readonly PersonDecision[], now: Date): Habits {
  const byCard = new Map(decisions.toReversed().map((one) => [one.card, one]));
  const lately = [...byCard.values()].filter(({ at }) => at >= habitsSince(now));
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
}

/** null for stops, pauses, and decisions by a policy or grant: a person made none of these on a card. */
export function personDecision(entry: AuditEntry): PersonDecision | null {
  if (entry.kind !== 'ended' && entry.kind !== 'decided') return null;
  const decision: Record<string, unknown> = entry.decision ?? {};
  const { kind, by, reason, approvalId, at, waitedMs } = decision;
  if (typeof approvalId !== 'string' || typeof at !== 'string' || typeof waitedMs !== 'number') return null;
  const how = kind === 'allowed' && by === 'person' ? 'allowed' : kind === 'denied' ? howOfDenial(reason) : null;
  const time = Date.parse(at);
  if (how === null || Number.isNaN(time)) return null;
  return { card: sha256(approvalId).slice(0, CARD_DIGITS), at: time, how, waitedMs: Math.max(0, Math.round(waitedMs)) };
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
