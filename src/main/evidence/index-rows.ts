/** Reads the rows of the index by number, wherever they are: the first ones on disk, the latest in memory. */
import type { LRUCache } from 'lru-cache';
import { outcomeAfterDecision } from './activities.js';
import type { ActivityRow, PersonDecision } from './row-format.js';
import type { RowFile } from './row-file.js';
import type { LinePosition } from './scan-log.js';

/** A change to a row that is not in memory. */
export interface Change {
  decided?: { line: LinePosition; kind: string; by: PersonDecision | null };
  deleted?: ActivityRow['deleted'];
  /** It is not on disk either: its call has not ended. */
  early?: boolean;
}

interface RowReaderOptions {
  stored: RowFile;
  /** Those after them. */
  latest: readonly ActivityRow[];
  /** By execution: not written yet. */
  changes: ReadonlyMap<string, Change>;
  /** By execution: numbers of rows that were read lately. */
  numbers: LRUCache<string, number>;
}

const FIRST_ROWS = 256;
const CHUNK_ROWS = 4_096;

export function createRowReader({ stored, latest, changes, numbers }: RowReaderOptions) {
  const count = () => stored.count() + latest.length;

  async function read(from: number, to: number): Promise<(ActivityRow | null)[]> {
    // Before the wait: rows may move to disk meanwhile.
    const first = stored.count();
    const inMemory = latest.slice(Math.max(0, from - first), Math.max(0, to - first));
    const rows = from >= first ? [] : await stored.read(from, Math.min(to, first));
    for (const row of rows) {
      const made = row && changes.get(row.executionId);
      if (row && made) applyChange(row, made);
    }
    return [...rows, ...inMemory];
  }

  async function at(number: number): Promise<ActivityRow | null> {
    const [row = null] = number < 0 ? [] : await read(number, number + 1);
    if (row !== null) numbers.set(row.executionId, number);
    return row;
  }

  /** The number of the first row whose sequence number is not below `seq`. */
  async function numberOf(seq: number): Promise<number> {
    let [low, high] = [0, count()];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (((await at(middle))?.seq ?? Infinity) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Rows below `number` down to `end` with their numbers, the newest first. */
  async function* backwards(number: number, end = 0): AsyncGenerator<{ row: ActivityRow; number: number }> {
    for (let to = number, size = FIRST_ROWS; to > end; size = CHUNK_ROWS) {
      const from = Math.max(end, to - size);
      const rows = await read(from, to);
      for (let index = rows.length - 1; index >= 0; index -= 1) {
        const row = rows[index];
        if (row) yield { row, number: from + index };
      }
      to = from;
    }
  }

  async function shownBelow(number: number): Promise<ActivityRow | null> {
    for await (const found of backwards(number)) {
      if (!found.row.shown) continue;
      numbers.set(found.row.executionId, found.number);
      return found.row;
    }
    return null;
  }

  /** The sequence number after that of the last row below `number` that can be read; null where there is none. */
  async function afterRowBelow(number: number): Promise<number | null> {
    for await (const { row } of backwards(number)) return row.seq + 1;
    return null;
  }

  return { count, read, at, numberOf, backwards, shownBelow, afterRowBelow };
}

export function applyChange(row: ActivityRow, { decided, deleted }: Change): void {
  if (deleted !== undefined) row.deleted = deleted;
  if (decided === undefined) return;
  row.decidedLine = decided.line;
  row.decision ??= decided.by;
  row.outcome = outcomeAfterDecision(row.outcome, decided);
}
