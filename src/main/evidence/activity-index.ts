/** For each ended execution: its position in the log and the fields that it is searched by. The latest rows are in memory, the others on disk; a row's number is its place among all of them. */
import { LRUCache } from 'lru-cache';
import { type ActivityFilter, matchesFilter } from '../protocol/index.js';
import type { AuditEntry } from './audit-entries.js';
import { personDecision } from './decision-habits.js';
import { hasRow, indexRow, type EndingEntry } from './index-row.js';
import { applyChange, createRowReader, type Change } from './index-rows.js';
import type { IndexState } from './index-state.js';
import type { OpenCalls } from './open-calls.js';
import { type ActivityRow, type PersonDecision, cutName } from './row-format.js';
import type { RowFile } from './row-file.js';
import type { LinePosition } from './scan-log.js';

interface ActivityRows {
  /** Newest first. */
  rows: ActivityRow[];
  /** `before` for the next page; null on the last page. */
  next: number | null;
  /** All that fit; null where older rows were not looked at yet. */
  total: number | null;
}

export interface ActivityIndex {
  /** Before `calls` is told of the entry. */
  apply(entry: AuditEntry, seq: number, place: LinePosition): void;
  find(before: number | null, filter: ActivityFilter, most: number): Promise<ActivityRows>;
  row(executionId: string): Promise<ActivityRow | null>;
  before(seq: number): Promise<ActivityRow | null>;
  newest(): Promise<ActivityRow | null>;
  /** Names of agents, the latest first. */
  agents(most: number): string[];
  /** With a folder that is not deleted, the oldest first. */
  kept(): AsyncGenerator<ActivityRow>;
  /** Of all files in those folders. */
  keptBytes(): number;
  /** Decisions of calls that began since then, the oldest first. */
  decisions(since: number): Promise<PersonDecision[]>;
  shown(): number;
  snapshot(): IndexState;
  /** Moves the rows below this number to disk. One call at a time, also of `storeChanges`. */
  store(below: number): Promise<void>;
  /** Writes all changes to rows on disk: reads the whole index where a row was not read lately. */
  storeChanges(): Promise<void>;
}

interface ActivityIndexOptions {
  stored: RowFile;
  state: IndexState;
  calls: Pick<OpenCalls, 'find'>;
}

const MAX_AGENTS = 50;
const MAX_EARLY = 1_000;
const MAX_NUMBERS = 4_096;
const ROWS_AT_ONCE = 256;
const MAX_DECISIONS = 20_000;

export function createActivityIndex({ stored, state, calls }: ActivityIndexOptions): ActivityIndex {
  /** Those not on disk, ascending. */
  const latest: ActivityRow[] = [];
  const byId = new Map<string, ActivityRow>();
  /** Being written: a change must be written after them. */
  let writing: ReadonlySet<ActivityRow> = new Set();
  const changes = new Map<string, Change>();
  const numbers = new LRUCache<string, number>({ max: MAX_NUMBERS });
  const agents = new Set(state.agents);
  let { shown, keptBytes, oldestKept } = state;
  for (const { executionId, line, kind, by } of state.early) changes.set(executionId, { decided: { line, kind, by } });

  const reader = createRowReader({ stored, latest, changes, numbers });
  const { count, at, numberOf, backwards, shownBelow, read } = reader;
  const search = createIndexSearch(reader);

  function change(executionId: string, made: Change): void {
    const row = byId.get(executionId);
    if (row !== undefined) applyChange(row, made);
    if (row === undefined || writing.has(row)) changes.set(executionId, { ...changes.get(executionId), ...made });
  }

  function add(entry: EndingEntry, seq: number, place: LinePosition): void {
    const row = indexRow(entry, seq, place, calls.find(entry.execution.executionId));
    const early = changes.get(row.executionId);
    if (early !== undefined) applyChange(row, early);
    changes.delete(row.executionId);
    latest.push(row);
    byId.set(row.executionId, row);
    if (row.hasFolder) keptBytes += row.size;
    if (!row.shown) return;
    shown += 1;
    const { name } = entry.execution.agent;
    agents.delete(name);
    agents.add(name);
    for (const oldest of agents) if (agents.size > MAX_AGENTS) agents.delete(oldest);
  }

  async function writeChanges(): Promise<void> {
    const made = [...changes].filter(([, { early }]) => early !== true);
    const sought = new Set(made.map(([id]) => id).filter((id) => !numbers.has(id)));
    const found = sought.size === 0 ? new Map<string, number>() : await stored.numbersOf(sought);
    for (const [id, one] of made) {
      const number = numbers.get(id) ?? found.get(id);
      if (number === undefined || number >= stored.count()) {
        if (!byId.has(id)) one.early = true;
        continue;
      }
      const [row] = await stored.read(number, number + 1);
      if (row?.executionId === id) {
        applyChange(row, one);
        await stored.replace(number, row);
      }
      if (changes.get(id) === one) changes.delete(id);
    }
    const early = [...changes].filter(([, one]) => one.early === true);
    for (const [id] of early.slice(0, -MAX_EARLY)) changes.delete(id);
  }

  return {
    apply(entry, seq, place) {
      if (hasRow(entry)) add(entry, seq, place);
      else if (entry.kind === 'decided') {
        change(entry.executionId, { decided: { line: place, kind: entry.decision.kind, by: personDecision(entry) } });
      } else if (entry.kind === 'tombstone') {
        change(entry.executionId, { deleted: { at: Date.parse(entry.at), reason: entry.reason } });
        keptBytes = Math.max(0, keptBytes - entry.bytes);
      }
    },
    async find(before, filter, most) {
      const found = await search(before, filter, most);
      for (const { row, number } of found.rows) numbers.set(row.executionId, number);
      const rows = found.rows.map(({ row }) => row);
      return { rows, next: found.next, total: found.total === 'all' ? shown : found.total };
    },
    async row(executionId) {
      const known = byId.get(executionId);
      if (known !== undefined) return known;
      const number = numbers.get(executionId) ?? (await stored.numbersOf(new Set([executionId]))).get(executionId);
      const found = number === undefined ? null : await at(number);
      return found?.executionId === executionId ? found : null;
    },
    before: async (seq) => shownBelow(await numberOf(seq)),
    newest: () => shownBelow(count()),
    agents: (most) => [...agents].reverse().slice(0, most),
    async *kept() {
      let allGone = true;
      for (let from = oldestKept; from < count(); from += ROWS_AT_ONCE) {
        const rows = await read(from, Math.min(from + ROWS_AT_ONCE, count()));
        for (const [index, row] of rows.entries()) {
          const here = row !== null && row.hasFolder && row.deleted === null;
          allGone &&= !here;
          if (allGone) oldestKept = from + index + 1;
          if (!here) continue;
          numbers.set(row.executionId, from + index);
          yield row;
        }
      }
    },
    keptBytes: () => keptBytes,
    async decisions(since) {
      const found: PersonDecision[] = [];
      for await (const { row } of backwards(count())) {
        if (row.since < since || found.length === MAX_DECISIONS) break;
        if (row.decision !== null) found.push(row.decision);
      }
      return found.reverse();
    },
    shown: () => shown,
    snapshot: () => ({
      rows: count(),
      shown,
      keptBytes,
      oldestKept,
      agents: [...agents],
      early: [...changes].flatMap(([executionId, { decided }]) =>
        decided === undefined ? [] : [{ executionId, ...decided }],
      ),
    }),
    async store(below) {
      const moved = latest.slice(0, Math.max(0, below - stored.count()));
      writing = new Set(moved);
      try {
        await stored.write(moved);
        stored.advance(moved.length);
        latest.splice(0, moved.length);
        for (const { executionId } of moved) byId.delete(executionId);
      } finally {
        writing = new Set();
      }
    },
    storeChanges: writeChanges,
  };
}

// Pages of the rows that fit a filter, the newest first. However long the record, a page reads a bounded part of the index.

interface FoundRows {
  rows: { row: ActivityRow; number: number }[];
  /** `before` for the next page; null on the last page. */
  next: number | null;
  /** All that fit; `all`: as many as are listed; null where older rows were not looked at. */
  total: number | 'all' | null;
}

/** So many rows are looked at for one page, which may be empty then: the next page goes on. */
const MAX_SEARCHED_ROWS = 16_384;

function createIndexSearch({ count, numberOf, backwards, afterRowBelow }: ReturnType<typeof createRowReader>) {
  return async (before: number | null, given: ActivityFilter, most: number): Promise<FoundRows> => {
    const filter = given.agent === undefined ? given : { ...given, agent: cutName(given.agent) };
    const all = Object.values(filter).every((value) => value === undefined);
    const from = before === null ? count() : await numberOf(before);
    const end = all ? 0 : Math.max(0, from - MAX_SEARCHED_ROWS);
    const isCounted = !all && before === null && end === 0;
    const rows: FoundRows['rows'] = [];
    let fitting = 0;
    for await (const found of backwards(from, end)) {
      if (!found.row.shown || !matchesFilter(filter, found.row)) continue;
      fitting += 1;
      if (rows.length < most) rows.push(found);
      else if (!isCounted) break;
    }
    const next = fitting > rows.length ? (rows.at(-1)?.row.seq ?? null) : await afterRowBelow(end);
    return { rows, next, total: all ? 'all' : isCounted ? fitting : null };
  };
}
