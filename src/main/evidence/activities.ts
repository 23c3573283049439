/** Entries of the audit log as the page's list shows them, and the latest ones. */
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { speakerOf, type Activity, type ErrorCode, type Habits } from '../protocol/index.js';
import type { DecidedEntry, EndedEntry, AuditEntry, ExecutionFacts, RecordedError } from './audit-entries.js';
import { fromRecord, message, recordedMessageSchema, verbatim, type Code, type Message } from '../../messages/index.js';
import { sha256 } from '../approvals/digest.js';

export interface RecentActivities {
  /** Those of before this start, the oldest first. */
  begin(known: readonly Activity[]): void;
  apply(entry: AuditEntry, seq: number): void;
  /** Newest first. */
  list(limit: number): Activity[];
}

export const MAX_RECENT = 200;
const MAX_EARLY_DECISIONS = 1_000;

const FAILURES = {
  DESKTOP_HOST_NOT_READY: 'failure.not_ready',
  DESKTOP_PERMISSION_MISSING: 'failure.permission',
  DESKTOP_WORKSPACE_FORBIDDEN: 'failure.workspace',
  DESKTOP_CONFIRM_REQUIRED: 'failure.confirm',
  DESKTOP_ELEMENT_NOT_FOUND: 'failure.not_found',
  DESKTOP_TIMEOUT: 'failure.timeout',
  DESKTOP_ABORTED: 'failure.aborted',
  DESKTOP_INTERNAL_ERROR: 'failure.internal',
  DESKTOP_INVALID_REQUEST: 'failure.invalid',
  DESKTOP_UNSUPPORTED: 'failure.unsupported',
  DESKTOP_TARGET_CHANGED: 'failure.changed',
  DESKTOP_APP_FAILED: 'failure.app',
} as const satisfies Record<ErrorCode, Code>;

export function createRecentActivities(): RecentActivities {
  let activities: Activity[] = [];
  /** By execution: decisions recorded before the call's own end. */
  const earlyDecisions = new LRUCache<string, DecidedEntry['decision']>({ max: MAX_EARLY_DECISIONS });

  function add(ended: Activity): void {
    const early = earlyDecisions.get(ended.executionId);
    earlyDecisions.delete(ended.executionId);
    activities.push(early === undefined ? ended : withDecision(ended, early));
    if (activities.length > MAX_RECENT * 2) activities = activities.slice(-MAX_RECENT);
  }

  function applyDecision({ executionId, decision }: DecidedEntry): void {
    if (!activities.some((it) => it.executionId === executionId)) earlyDecisions.set(executionId, decision);
    activities = activities.map((it) => (it.executionId === executionId ? withDecision(it, decision) : it));
  }

  return {
    begin(known) {
      activities = [...known];
    },
    apply(entry, seq) {
      if (entry.kind === 'ended') add(endedActivity(entry, seq));
      else if (entry.kind === 'abandoned' && entry.started) add(abandonedActivity(entry, seq));
      else if (entry.kind === 'decided') applyDecision(entry);
      else if (entry.kind === 'tombstone')
        activities = activities.map((it) => (it.executionId === entry.executionId ? { ...it, evidenceDir: null } : it));
    },
    list: (limit) => activities.slice(-Math.min(limit, MAX_RECENT)).reverse(),
  };
}

function activityOf(
  execution: ExecutionFacts,
  seq: number,
  at: string,
  outcome: Activity['outcome'],
  verified: Activity['verified'],
  note: Message | null,
): Activity {
  const { executionId, tool, effect, subject, dir, desktop, plain } = execution;
  return {
    seq,
    executionId,
    at,
    agent: speakerOf(execution.agent),
    tool,
    effect,
    subject,
    outcome,
    verified,
    note,
    ...(desktop === undefined ? {} : { desktop }),
    ...(plain === undefined ? {} : { plain }),
    evidenceDir: dir,
    thumbnail: null,
  };
}

function abandonedActivity({ execution, at }: Extract<AuditEntry, { kind: 'abandoned' }>, seq: number): Activity {
  return activityOf(execution, seq, at, 'failed', null, message('stopped.host_ended'));
}

/** The activity for an entry; null for entries that the list does not show. */
export function activityFrom(entry: AuditEntry, seq: number): Activity | null {
  if (entry.kind === 'ended') return endedActivity(entry, seq);
  return entry.kind === 'abandoned' ? abandonedActivity(entry, seq) : null;
}

/** A denial after the call ended becomes its outcome. An Allow does not: it takes effect with a later call. */
export function outcomeAfterDecision(
  outcome: Activity['outcome'],
  decision: DecidedEntry['decision'],
): Activity['outcome'] {
  return outcome === 'waiting' && decision.kind === 'denied' ? 'denied' : outcome;
}

export function withDecision(activity: Activity, decision: DecidedEntry['decision']): Activity {
  const outcome = outcomeAfterDecision(activity.outcome, decision);
  return outcome === activity.outcome ? activity : { ...activity, outcome, note: denialMessage(decision) };
}

function denialMessage(decision: EndedEntry['decision']): Message | null {
  const recorded = recordedMessageSchema.safeParse(decision?.kind === 'denied' ? decision['message'] : null);
  return recorded.success && recorded.data !== '' ? fromRecord(recorded.data) : null;
}

export const errorText = ({ message: english, text }: RecordedError): Message =>
  text === undefined ? verbatim(english) : fromRecord({ ...text, text: english });

export function endedActivity(entry: EndedEntry, seq: number): Activity {
  const error = entry.error && message(FAILURES[entry.error.code], { why: errorText(entry.error) });
  const note = entry.outcome === 'denied' || entry.outcome === 'no_answer' ? denialMessage(entry.decision) : error;
  return activityOf(entry.execution, seq, entry.at, entry.outcome, entry.verified, note);
}

// Pure: statistics of the person's recent decisions, so that the page can point out allowing without reading.

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
