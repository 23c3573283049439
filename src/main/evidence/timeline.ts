/** Where in the log each action's end lies, with what it is looked up by. A few words a row, so that years of them fit; the rest is read when asked for. */
import { fitsFilter, type Activity, type ActivityFilter } from '../protocol/index.js';
import type { Decided, Entry } from './entries.js';
import { outcomeWith } from './ledger.js';
import type { LinePlace } from './scan.js';

export interface Row extends LinePlace {
  seq: number;
  executionId: string;
  agent: string;
  effect: Activity['effect'];
  outcome: Activity['outcome'];
  app: string | null;
  /** When it touched the desktop first. */
  startedAt: string | null;
  deleted: { at: string; reason: 'age' | 'quota' } | null;
  /** The person's answer, where the call had ended before it. */
  decided: Decided['decision'] | null;
}

interface Found {
  /** Newest first. */
  rows: Row[];
  /** `before` for the next ones; null: these are the last. */
  next: number | null;
  total: number;
}

export interface Timeline {
  apply(entry: Entry, seq: number, place: LinePlace): void;
  find(before: number | null, filter: ActivityFilter, most: number): Found;
  row(executionId: string): Row | null;
  before(seq: number): Row | null;
  newest(): Row | null;
  /** Names of agents, the latest first. */
  agents(most: number): string[];
}

export function createTimeline(): Timeline {
  /** In the order of their numbers. */
  const rows: Row[] = [];
  const byId = new Map<string, Row>();
  const begun = new Map<string, string>();
  /** Answers whose call is about to end. */
  const decided = new Map<string, Decided['decision']>();
  /** The same few words over and over are kept once. */
  const words = new Map<string, string>();
  const agents = new Set<string>();

  function once(word: string): string {
    const known = words.get(word);
    if (known !== undefined) return known;
    words.set(word, word);
    return word;
  }

  function decide(row: Row, decision: Decided['decision']): void {
    row.decided = decision;
    row.outcome = outcomeWith(row.outcome, decision);
  }

  function add(entry: Extract<Entry, { kind: 'ended' | 'abandoned' }>, seq: number, place: LinePlace): void {
    const { executionId, agent, effect, subject } = entry.execution;
    const row: Row = {
      ...place,
      seq,
      executionId,
      agent: once(agent.name),
      effect,
      outcome: entry.kind === 'ended' ? entry.outcome : 'failed',
      app: subject.app === null ? null : once(subject.app),
      startedAt: begun.get(executionId) ?? null,
      deleted: null,
      decided: null,
    };
    begun.delete(executionId);
    const early = decided.get(executionId);
    if (early !== undefined) decide(row, early);
    decided.delete(executionId);
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
        if (row) decide(row, entry.decision);
        else decided.set(entry.executionId, entry.decision);
      } else if (entry.kind === 'tombstone') {
        const row = byId.get(entry.executionId);
        if (row) row.deleted = { at: entry.at, reason: entry.reason };
      }
    },
    find(before, filter, most) {
      const fitting = rows.filter((row) => fitsFilter(filter, row));
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
