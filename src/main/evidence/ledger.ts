/** What the audit log amounts to, kept up line by line: which calls ended, what a page may replay, which folders there are. */
import type { Activity } from '../protocol/index.js';
import type { Decided, Ended, Entry, ExecutionFacts, Recovered } from './entries.js';
import type { FileDigest } from './folder.js';
import { fromRecord, type Message } from '../../messages/index.js';

/** A folder the log knows. */
export interface KnownFolder {
  execution: ExecutionFacts;
  dir: string;
  state: 'open' | 'ended' | 'abandoned' | 'deleted';
  /** As last recorded: at the start of the act, then at its end. */
  files: FileDigest[];
  damage: Message[];
}

export interface Ledger {
  apply(entry: Entry, seq: number): void;
  /** Executions that have begun or started and not ended. */
  unended(): { execution: ExecutionFacts; started: boolean }[];
  /** By callId: calls that had started when an earlier life ended. */
  interrupted(callId: string): { executionId: string; startedAt: string } | null;
  /** Newest first. */
  recent(limit: number): Activity[];
  /** In the order in which they began. */
  folders(): Iterable<KnownFolder>;
  folder(executionId: string): KnownFolder | null;
  recoveries(): { recovered: Recovered; seq: number }[];
}

const KEPT_ACTIVITIES = 200;

export function createLedger(): Ledger {
  const open = new Map<string, { execution: ExecutionFacts; started: boolean; startedAt: string }>();
  const interrupted = new Map<string, { executionId: string; startedAt: string }>();
  const folders = new Map<string, KnownFolder>();
  const recoveries: { recovered: Recovered; seq: number }[] = [];
  let activities: Activity[] = [];
  /** Answers whose call is about to end. */
  const decided = new Map<string, Decided['decision']>();

  function show(ended: Activity): void {
    const early = decided.get(ended.executionId);
    decided.delete(ended.executionId);
    activities.push(early === undefined ? ended : withDecision(ended, early));
    if (activities.length > KEPT_ACTIVITIES * 2) activities = activities.slice(-KEPT_ACTIVITIES);
  }

  function folder(execution: ExecutionFacts, state: KnownFolder['state'], files: FileDigest[] | null): void {
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

  function abandon(entry: Extract<Entry, { kind: 'abandoned' }>, seq: number): void {
    const { execution, started } = entry;
    const since = open.get(execution.executionId)?.startedAt ?? execution.since;
    open.delete(execution.executionId);
    folder(execution, 'abandoned', null);
    if (!started) return;
    interrupted.set(execution.callId, { executionId: execution.executionId, startedAt: since });
    show(abandonedActivity(entry, seq));
  }

  function bury(entry: Extract<Entry, { kind: 'tombstone' }>): void {
    const known = folders.get(entry.executionId);
    if (known)
      folders.set(entry.executionId, { ...known, state: 'deleted', files: [], damage: entry.damage.map(fromRecord) });
    activities = activities.map((it) => (it.executionId === entry.executionId ? { ...it, evidenceDir: null } : it));
  }

  function decide({ executionId, decision }: Decided): void {
    if (!activities.some((it) => it.executionId === executionId)) decided.set(executionId, decision);
    activities = activities.map((it) => (it.executionId === executionId ? withDecision(it, decision) : it));
  }

  return {
    apply(entry, seq) {
      if (entry.kind === 'begun') {
        open.set(entry.execution.executionId, { execution: entry.execution, started: false, startedAt: entry.at });
        folder(entry.execution, 'open', null);
      } else if (entry.kind === 'started') {
        open.set(entry.execution.executionId, { execution: entry.execution, started: true, startedAt: entry.at });
        folder(entry.execution, 'open', entry.files);
      } else if (entry.kind === 'ended') {
        open.delete(entry.execution.executionId);
        folder(entry.execution, 'ended', entry.files);
        show(endedActivity(entry, seq));
      } else if (entry.kind === 'abandoned') abandon(entry, seq);
      else if (entry.kind === 'decided') decide(entry);
      else if (entry.kind === 'tombstone') bury(entry);
      else if (entry.kind === 'recovered') recoveries.push({ recovered: entry, seq });
    },
    unended: () => [...open.values()].map(({ execution, started }) => ({ execution, started })),
    interrupted: (callId) => interrupted.get(callId) ?? null,
    recent: (limit) => activities.slice(-Math.min(limit, KEPT_ACTIVITIES)).reverse(),
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
  note: string | null,
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

function abandonedActivity({ execution, at }: Extract<Entry, { kind: 'abandoned' }>, seq: number): Activity {
  const note = 'Chaperone stopped while this ran; what it did is not known.';
  return activityOf(execution, seq, at, 'failed', null, note);
}

/** What a line shows as; null where it shows nothing. */
export function shownActivity(entry: Entry, seq: number): Activity | null {
  if (entry.kind === 'ended') return endedActivity(entry, seq);
  return entry.kind === 'abandoned' ? abandonedActivity(entry, seq) : null;
}

/** A No after the call has ended is its outcome; an Allow is not, because it acts with a later call. */
export function outcomeWith(outcome: Activity['outcome'], decision: Decided['decision']): Activity['outcome'] {
  return outcome === 'waiting' && decision.kind === 'denied' ? 'denied' : outcome;
}

export function withDecision(activity: Activity, decision: Decided['decision']): Activity {
  const outcome = outcomeWith(activity.outcome, decision);
  return outcome === activity.outcome ? activity : { ...activity, outcome, note: messageOf(decision) };
}

function messageOf(decision: Ended['decision']): string | null {
  const message = decision?.kind === 'denied' ? decision['message'] : null;
  return typeof message === 'string' && message !== '' ? message : null;
}

export function endedActivity(entry: Ended, seq: number): Activity {
  const said = messageOf(entry.decision);
  const error = entry.error && `${entry.error.code}: ${entry.error.message}`;
  const note = entry.outcome === 'denied' || entry.outcome === 'no_answer' ? said : error;
  return activityOf(entry.execution, seq, entry.at, entry.outcome, entry.verified, note);
}
