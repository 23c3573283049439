/** For each ended execution: its position in the log and the fields that it is searched by. Rows are small, because all of them stay in memory; the rest is read from the log. */
import { matchesFilter, type Activity, type ActivityFilter } from '../protocol/index.js';
import type { DecidedEntry, AuditEntry } from './audit-entries.js';
import { outcomeAfterDecision } from './execution-index.js';
import type { LinePosition } from './scan-log.js';

export interface ActivityIndexRow extends LinePosition {
  seq: number;
  executionId: string;
  agent: string;
  effect: Activity['effect'];
  outcome: Activity['outcome'];
  app: string | null;
  /** When it may have touched the desktop for the first time. */
  startedAt: string | null;
  deleted: { at: string; reason: 'age' | 'quota' } | null;
  /** The person's decision, if it came after the call ended. */
  decided: DecidedEntry['decision'] | null;
}

interface ActivityRows {
  /** Newest first. */
  rows: ActivityIndexRow[];
  /** `before` for the next page; null on the last page. */
  next: number | null;
  total: number;
}

export interface ActivityIndex {
  apply(entry: AuditEntry, seq: number, place: LinePosition): void;
  find(before: number | null, filter: ActivityFilter, most: number): ActivityRows;
  row(executionId: string): ActivityIndexRow | null;
  before(seq: number): ActivityIndexRow | null;
  newest(): ActivityIndexRow | null;
  /** Names of agents, the latest first. */
  agents(most: number): string[];
}

export function createActivityIndex(): ActivityIndex {
  /** Ascending by sequence number. */
  const rows: ActivityIndexRow[] = [];
  const byId = new Map<string, ActivityIndexRow>();
  const begun = new Map<string, string>();
  /** By execution: decisions recorded before the call's own end. */
  const earlyDecisions = new Map<string, DecidedEntry['decision']>();
  /** Repeated strings share one copy. */
  const interned = new Map<string, string>();
  const agents = new Set<string>();

  function intern(word: string): string {
    const known = interned.get(word);
    if (known !== undefined) return known;
    interned.set(word, word);
    return word;
  }

  function applyDecision(row: ActivityIndexRow, decision: DecidedEntry['decision']): void {
    row.decided = decision;
    row.outcome = outcomeAfterDecision(row.outcome, decision);
  }

  function add(entry: Extract<AuditEntry, { kind: 'ended' | 'abandoned' }>, seq: number, place: LinePosition): void {
    const { executionId, agent, effect, subject } = entry.execution;
    const row: ActivityIndexRow = {
      ...place,
      seq,
      executionId,
      agent: intern(agent.name),
      effect,
      outcome: entry.kind === 'ended' ? entry.outcome : 'failed',
      app: subject.app === null ? null : intern(subject.app),
      startedAt: begun.get(executionId) ?? null,
      deleted: null,
      decided: null,
    };
    begun.delete(executionId);
    const early = earlyDecisions.get(executionId);
    if (early !== undefined) applyDecision(row, early);
    earlyDecisions.delete(executionId);
    rows.push(row);
    byId.set(executionId, row);
    agents.delete(row.agent);
    agents.add(row.agent);
  }

  /** The index of the first row whose number is not below `seq`. */
  function indexOf(seq: number): number {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle]?.seq ?? Infinity) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    apply(entry, seq, place) {
      if (entry.kind === 'started') begun.set(entry.execution.executionId, entry.at);
      else if (entry.kind === 'ended' || (entry.kind === 'abandoned' && entry.started)) add(entry, seq, place);
      else if (entry.kind === 'decided') {
        const row = byId.get(entry.executionId);
        if (row) applyDecision(row, entry.decision);
        else earlyDecisions.set(entry.executionId, entry.decision);
      } else if (entry.kind === 'tombstone') {
        const row = byId.get(entry.executionId);
        if (row) row.deleted = { at: entry.at, reason: entry.reason };
      }
    },
    find(before, filter, most) {
      const fitting = rows.filter((row) => matchesFilter(filter, row));
      const older = before === null ? fitting : fitting.filter((row) => row.seq < before);
      const found = older.slice(-most).reverse();
      const last = found.at(-1);
      return {
        rows: found,
        next: last !== undefined && older.length > found.length ? last.seq : null,
        total: fitting.length,
      };
    },
    row: (executionId) => byId.get(executionId) ?? null,
    before: (seq) => rows[indexOf(seq) - 1] ?? null,
    newest: () => rows.at(-1) ?? null,
    agents: (most) => [...agents].reverse().slice(0, most),
  };
}
