/** State derived from the audit log, updated with every entry: open calls, recent activities, evidence folders. */
import type { Activity, ErrorCode } from '../protocol/index.js';
import type {
  DecidedEntry,
  EndedEntry,
  AuditEntry,
  ExecutionFacts,
  RecordedError,
  RecoveredEntry,
} from './audit-entries.js';
import type { FileDigest } from './execution-folder.js';
import { fromRecord, message, recordedMessageSchema, verbatim, type Code, type Message } from '../../messages/index.js';

/** A folder that the log lists. */
export interface KnownFolder {
  execution: ExecutionFacts;
  dir: string;
  state: 'open' | 'ended' | 'abandoned' | 'deleted';
  /** As last recorded: at the start of the act, then at its end. */
  files: FileDigest[];
  damage: Message[];
}

export interface ExecutionIndex {
  apply(entry: AuditEntry, seq: number): void;
  /** Executions that have begun or started and not ended. */
  unended(): { execution: ExecutionFacts; started: boolean }[];
  /** By call id: calls that had started when the host ended. */
  interrupted(callId: string): { executionId: string; startedAt: string } | null;
  /** Newest first. */
  recent(limit: number): Activity[];
  /** In the order in which they began. */
  folders(): Iterable<KnownFolder>;
  folder(executionId: string): KnownFolder | null;
  recoveries(): { recovered: RecoveredEntry; seq: number }[];
}

const MAX_ACTIVITIES = 200;

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
} as const satisfies Record<ErrorCode, Code>;

export function createExecutionIndex(): ExecutionIndex {
  const open = new Map<string, { execution: ExecutionFacts; started: boolean; startedAt: string }>();
  const interrupted = new Map<string, { executionId: string; startedAt: string }>();
  const folders = new Map<string, KnownFolder>();
  const recoveries: { recovered: RecoveredEntry; seq: number }[] = [];
  let activities: Activity[] = [];
  /** By execution: decisions recorded before the call's own end. */
  const earlyDecisions = new Map<string, DecidedEntry['decision']>();

  function addActivity(ended: Activity): void {
    const early = earlyDecisions.get(ended.executionId);
    earlyDecisions.delete(ended.executionId);
    activities.push(early === undefined ? ended : withDecision(ended, early));
    if (activities.length > MAX_ACTIVITIES * 2) activities = activities.slice(-MAX_ACTIVITIES);
  }

  function updateFolder(execution: ExecutionFacts, state: KnownFolder['state'], files: FileDigest[] | null): void {
    if (execution.dir === null) return;
    const known = folders.get(execution.executionId);
    folders.set(execution.executionId, {
      execution,
      dir: execution.dir,
      state,
      files: files ?? known?.files ?? [],
      damage: known?.damage ?? [],
    });
  }

  function abandon(entry: Extract<AuditEntry, { kind: 'abandoned' }>, seq: number): void {
    const { execution, started } = entry;
    const since = open.get(execution.executionId)?.startedAt ?? execution.since;
    open.delete(execution.executionId);
    updateFolder(execution, 'abandoned', null);
    if (!started) return;
    interrupted.set(execution.callId, { executionId: execution.executionId, startedAt: since });
    addActivity(abandonedActivity(entry, seq));
  }

  function markDeleted(entry: Extract<AuditEntry, { kind: 'tombstone' }>): void {
    const known = folders.get(entry.executionId);
    if (known)
      folders.set(entry.executionId, { ...known, state: 'deleted', files: [], damage: entry.damage.map(fromRecord) });
    activities = activities.map((it) => (it.executionId === entry.executionId ? { ...it, evidenceDir: null } : it));
  }

  function applyDecision({ executionId, decision }: DecidedEntry): void {
    if (!activities.some((it) => it.executionId === executionId)) earlyDecisions.set(executionId, decision);
    activities = activities.map((it) => (it.executionId === executionId ? withDecision(it, decision) : it));
  }

  return {
    apply(entry, seq) {
      if (entry.kind === 'begun') {
        open.set(entry.execution.executionId, { execution: entry.execution, started: false, startedAt: entry.at });
        updateFolder(entry.execution, 'open', null);
      } else if (entry.kind === 'started') {
        open.set(entry.execution.executionId, { execution: entry.execution, started: true, startedAt: entry.at });
        updateFolder(entry.execution, 'open', entry.files);
      } else if (entry.kind === 'ended') {
        open.delete(entry.execution.executionId);
        updateFolder(entry.execution, 'ended', entry.files);
        addActivity(endedActivity(entry, seq));
      } else if (entry.kind === 'abandoned') abandon(entry, seq);
      else if (entry.kind === 'decided') applyDecision(entry);
      else if (entry.kind === 'tombstone') markDeleted(entry);
      else if (entry.kind === 'recovered') recoveries.push({ recovered: entry, seq });
    },
    unended: () => [...open.values()].map(({ execution, started }) => ({ execution, started })),
    interrupted: (callId) => interrupted.get(callId) ?? null,
    recent: (limit) => activities.slice(-Math.min(limit, MAX_ACTIVITIES)).reverse(),
    folders: () => folders.values(),
    folder: (executionId) => folders.get(executionId) ?? null,
    recoveries: () => recoveries,
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
  const { id, name, tile } = execution.agent;
  const { executionId, tool, effect, subject, dir } = execution;
  return {
    seq,
    executionId,
    at,
    agent: { id, name, tile },
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
