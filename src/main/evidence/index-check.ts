/**
 * Compares the index with the log as that is read: what each line adds is made once more, and compared with what SQLite has of
 * a part as one text. Where that differs, SQLite looks for rows that are in one of the two only. Rows depend on earlier lines alone, so
 * part after part can be compared and let go.
 */
import type { AuditEntry } from './audit-entries.js';
import type { Head } from './audit-head.js';
import type { LogFile } from './log-place.js';
import { IndexDatabase, indexPath } from './index-database.js';
import { indexedLine, seqOf, type IndexedLine } from './index-row.js';
import { readIndexState } from './index-state.js';
import { createOpenCalls, NO_CALLS, type OpenCalls } from './open-calls.js';
import type { LinePosition } from './scan-log.js';
import { Seal } from './sealed-file.js';

export interface IndexFaults {
  /** Of lines whose rows differ. */
  count: number;
  /** Number of the first such line; null where that is not known. */
  line: number | null;
}

/** The lines to compare: after one number, up to another. */
interface Range {
  after: number;
  to: number;
  /** At its beginning. */
  calls: ReturnType<OpenCalls['snapshot']>;
}

const LINES_AT_ONCE = 128;

export class IndexCheck {
  readonly faults: IndexFaults = { count: 0, line: null };
  private readonly calls: OpenCalls;
  private lines: IndexedLine[] = [];
  private last: number;

  private constructor(
    private readonly db: IndexDatabase,
    /** Of the index, when it was made. */
    readonly made: string,
    private readonly range: Range,
  ) {
    this.calls = createOpenCalls(range.calls);
    this.last = range.after;
  }

  /** null where there is no index that the next start would use: it is made anew. `from`: where an earlier check of it was stopped. */
  static async open(
    stateDir: string,
    log: { file: LogFile; head: Head | 'unreadable' | null },
    from?: Partial<Range>,
  ): Promise<IndexCheck | null> {
    const db = await IndexDatabase.openToCompare(indexPath(stateDir)).catch(() => null);
    if (db === null) return null;
    try {
      const state = await readIndexState(db, { stateDir, ...log, seal: await Seal.find(stateDir) });
      const to = Math.max(state?.point.seq ?? 0, db.lastSeq());
      const range: Range = { after: from?.after ?? 0, calls: from?.calls ?? NO_CALLS, to: from?.to ?? to };
      if (state !== null) return new IndexCheck(db, state.made, range);
    } catch {
      // So damaged that the next start cannot use it.
    }
    db.close();
    return null;
  }

  /** In the order of the log. */
  apply(entry: AuditEntry, seq: number, place: LinePosition): void {
    const line = indexedLine(entry, seq, place, this.calls);
    if (line !== null && seqOf(line) <= this.range.to) this.lines.push(line);
    this.calls.apply(entry, place);
    this.last = seq;
  }

  /** The lines given since, once they are many. */
  compare(): void {
    if (this.lines.length >= LINES_AT_ONCE) this.compareUpTo(Math.min(this.last, this.range.to));
  }

  /** Where another check can go on; null once a fault was found. */
  checked(): Omit<Range, 'to'> | null {
    this.compareUpTo(Math.min(this.last, this.range.to));
    return this.faults.count > 0 ? null : { after: this.range.after, calls: this.calls.snapshot() };
  }

  /** After all lines. `whole`: also what SQLite itself finds wrong with its file. */
  finish({ whole }: { whole: boolean }): IndexFaults {
    this.compareUpTo(this.range.to);
    if (whole && this.faults.count === 0 && !this.tryTo(() => this.db.isSound())) this.fault(null);
    return this.faults;
  }

  close(): void {
    this.db.close();
  }

  private compareUpTo(to: number): void {
    const lines = this.lines;
    this.lines = [];
    if (to <= this.range.after && lines.length === 0) return;
    const differing = this.tryTo(() => {
      if (this.db.isOf(lines, this.range.after, to)) return new Set<number>();
      this.db.transaction(() => this.db.insert('temp', lines));
      return this.db.differing(this.range.after, to);
    });
    if (differing === null) this.fault(null);
    for (const seq of differing ?? []) this.fault(seq);
    this.range.after = Math.max(to, this.range.after);
  }

  private fault(seq: number | null): void {
    this.faults.count += 1;
    if (seq !== null && (this.faults.line === null || seq < this.faults.line)) this.faults.line = seq;
  }

  /** null where the file cannot be read. */
  private tryTo<T>(step: () => T): T | null {
    try {
      return step();
    } catch {
      return null;
    }
  }
}
