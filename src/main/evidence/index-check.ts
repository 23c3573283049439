/**
 * Compares the index on disk with the log, line by line as that is read: each action has its row, each row its action, and
 * decisions and deletions are those of the log. Only lines up to a checkpoint must be in the index; later ones may be.
 */
import * as z from 'zod';
import type { AuditEntry } from './audit-entries.js';
import { personDecision } from './decision-habits.js';
import { hasRow, indexRow } from './index-row.js';
import { applyChange } from './index-rows.js';
import { callsStateSchema, createOpenCalls } from './open-calls.js';
import { readLines } from './read-lines.js';
import { encodeRow, type ActivityRow } from './row-format.js';
import type { StoredRows } from './row-file.js';
import type { LinePosition } from './scan-log.js';

export interface IndexCheck {
  /** In the order of the log. Parts of it may come in another order, each after `continueAt`. */
  apply(entry: AuditEntry, seq: number, place: LinePosition): void;
  /** Compares the lines given since. */
  compare(): Promise<void>;
  state(): IndexCheckState;
  /** null once a fault was found: then another run compares from the first line on. Only after all that was given was compared. */
  checked(): Promise<CheckedBefore | null>;
  continueAt(state: IndexCheckState): void;
  /** After all lines. */
  finish(): Promise<IndexFaults>;
}

export interface IndexFaults {
  count: number;
  /** Sequence number of the first line whose row differs; null where the row is of no line. */
  line: number | null;
}

/** What is known at a place of the log. */
export const indexCheckStateSchema = z.object({ rows: z.number().int().min(0), calls: callsStateSchema });
export type IndexCheckState = z.infer<typeof indexCheckStateSchema>;
export const INDEX_START: IndexCheckState = { rows: 0, calls: { open: [], interrupted: [] } };

interface IndexCheckOptions {
  stateDir: string;
  rows: StoredRows;
  /** The checkpoint's: bytes of the log, and rows of the index. */
  end: { bytes: number; rows: number };
  /** In an earlier run, from the first line on. */
  before?: CheckedBefore | undefined;
}

export const checkedBeforeSchema = z.object({
  rows: z.number().int().min(0),
  faults: z.literal(0),
  /** A bit each, in Base64: rows that say that their folder was deleted, and those of which the log says so. */
  inIndex: z.string(),
  inLog: z.string(),
});
type CheckedBefore = z.infer<typeof checkedBeforeSchema>;

interface Expected {
  seq: number;
  row: ActivityRow;
}

/** Of a decision or a deletion: what the row must tell. */
interface Told {
  seq: number;
  place: LinePosition;
  deleted: ActivityRow['deleted'];
}

const CHANGES_AT_ONCE = 32_768;
const ROWS_AT_ONCE = 4_096;

export function createIndexCheck({ stateDir, rows, end, before }: IndexCheckOptions): IndexCheck {
  let calls = createOpenCalls();
  let next = 0;
  let expected: Expected[] = [];
  let told = new Map<string, Told[]>();
  let toldCount = 0;
  let comparedRows = before?.rows ?? 0;
  const deletedRows = createDeletedRows(end.rows, before);
  const faults: IndexFaults = { count: 0, line: null };

  function fault(seq: number | null): void {
    faults.count += 1;
    if (seq !== null && (faults.line === null || seq < faults.line)) faults.line = seq;
  }

  function tell(executionId: string, one: Told): void {
    const others = told.get(executionId);
    if (others === undefined) told.set(executionId, [one]);
    else others.push(one);
    toldCount += 1;
  }

  async function compareRows(): Promise<void> {
    const due = expected;
    expected = [];
    comparedRows += due.length;
    for (let from = 0; from < due.length; from += ROWS_AT_ONCE) {
      const part = due.slice(from, from + ROWS_AT_ONCE);
      const first = next - due.length + from;
      const found = await rows.read(first, first + part.length);
      for (const [at, { seq, row }] of part.entries()) {
        const stored = found[at] ?? null;
        if (stored === null || !(await isRowOf(stateDir, stored, row))) fault(seq);
        else if (stored.deleted !== null) deletedRows.deleted(first + at);
      }
    }
  }

  async function compareChanges(): Promise<void> {
    const due = told;
    told = new Map();
    toldCount = 0;
    const numbers = due.size === 0 ? [] : await rows.numbersOf(new Set(due.keys()));
    for (const [executionId, number] of numbers) {
      if (number >= end.rows) continue;
      const [row = null] = await rows.read(number, number + 1);
      for (const one of due.get(executionId) ?? []) compareChange(row, number, one);
    }
  }

  function compareChange(row: ActivityRow | null, number: number, { seq, place, deleted }: Told): void {
    if (deleted !== null && row?.deleted?.at === deleted.at && row.deleted.reason === deleted.reason)
      deletedRows.told(number);
    if (place.offset >= end.bytes) return;
    const isThere = deleted === null ? (row?.decidedLine?.offset ?? -1) >= place.offset : row?.deleted != null;
    if (!isThere) fault(seq);
  }

  return {
    apply(entry, seq, place) {
      if (entry.kind === 'decided') tell(entry.executionId, { seq, place, deleted: null });
      else if (entry.kind === 'tombstone')
        tell(entry.executionId, { seq, place, deleted: { at: Date.parse(entry.at), reason: entry.reason } });
      else if (hasRow(entry) && place.offset < end.bytes) {
        expected.push({ seq, row: indexRow(entry, seq, place, calls.find(entry.execution.executionId)) });
        next += 1;
      }
      calls.apply(entry, place);
    },
    async compare() {
      await compareRows();
      if (toldCount >= CHANGES_AT_ONCE) await compareChanges();
    },
    state: () => ({ rows: next, calls: calls.snapshot() }),
    async checked() {
      await compareRows();
      await compareChanges();
      return faults.count > 0 ? null : { rows: comparedRows, faults: 0, ...deletedRows.bits() };
    },
    continueAt(state) {
      calls = createOpenCalls(state.calls);
      next = state.rows;
    },
    async finish() {
      await compareRows();
      await compareChanges();
      const others = deletedRows.untold() + Math.abs(end.rows - comparedRows);
      for (let left = others; left > 0; left -= 1) fault(null);
      return faults;
    },
  };
}

/** `due` is made from the log alone; a decision and a deletion came later. */
async function isRowOf(stateDir: string, stored: ActivityRow, due: ActivityRow): Promise<boolean> {
  const row = { ...due, deleted: stored.deleted };
  if (stored.decidedLine !== null) {
    const [entry] = await readLines(stateDir, [stored.decidedLine]);
    if (entry?.kind !== 'decided' || entry.executionId !== due.executionId) return false;
    const by = personDecision(entry);
    applyChange(row, { decided: { line: stored.decidedLine, kind: entry.decision.kind, by } });
  }
  return encoded(row)?.equals(encodeRow(stored)) ?? false;
}

/** null for what no row can hold: the index was not made from such a line. */
function encoded(row: ActivityRow): Buffer | null {
  try {
    return encodeRow(row);
  } catch {
    return null;
  }
}

/** Which rows say that their folder was deleted, and which of them the log says so of: a bit each. */
function createDeletedRows(rows: number, before: Pick<CheckedBefore, 'inIndex' | 'inLog'> | undefined) {
  const bytes = Math.ceil(rows / 8);
  const [inIndex, inLog] = [Buffer.alloc(bytes), Buffer.alloc(bytes)];
  inIndex.write(before?.inIndex ?? '', 'base64');
  inLog.write(before?.inLog ?? '', 'base64');
  const mark = (bits: Buffer, row: number): void => {
    bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7));
  };
  return {
    deleted: (row: number) => mark(inIndex, row),
    told: (row: number) => mark(inLog, row),
    bits: () => ({ inIndex: inIndex.toString('base64'), inLog: inLog.toString('base64') }),
    untold(): number {
      let count = 0;
      for (let at = 0; at < bytes; at += 1)
        for (let left = (inIndex[at] ?? 0) & ~(inLog[at] ?? 0); left !== 0; left &= left - 1) count += 1;
      return count;
    },
  };
}
