/** Entries of the audit log as the page's list shows them, and the latest ones. */
import { LRUCache } from 'lru-cache';
import { speakerOf, type Activity, type ErrorCode } from '../protocol/index.js';
import type { DecidedEntry, EndedEntry, AuditEntry, ExecutionFacts, RecordedError } from './audit-entries.js';
import { fromRecord, message, recordedMessageSchema, verbatim, type Code, type Message } from '../../messages/index.js';

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
  const { executionId, tool, effect, subject, dir } = execution;
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
