/**
 * Finds recorded actions: lists, filters, search, totals and habits. A line is written to it after it is on disk, some at a time,
 * together with the place of the log that it is made up to: a start reads on from there. What it says is never believed where it
 * matters: rows are read from their lines, and what calls had begun is sealed with this folder's key.
 */
import type { ActivityFilter } from '../protocol/index.js';
import type { AuditEntry } from './audit-entries.js';
import { logPath, type Head } from './audit-head.js';
import type { LogFile } from './log-place.js';
import type { PersonDecision } from './decision-habits.js';
import { IndexDatabase, indexPath, isDamage } from './index-database.js';
import { decisionsSince, foldersAfter, rowBefore, rowOf, searchRows } from './index-queries.js';
import { indexedLine, type ActivityRow, type IndexedLine } from './index-row.js';
import { readIndexState, sealState, type IndexState } from './index-state.js';
import { createLeftovers, type Leftovers } from './leftovers.js';
import type { Logger } from './logger.js';
import { createOpenCalls, type OpenCalls } from './open-calls.js';
import { LOG_START, scanLog, type ChainPoint, type LinePosition } from './scan-log.js';
import { Seal } from './sealed-file.js';

interface RecordIndexOptions {
  stateDir: string;
  file: LogFile;
  head: Head | 'unreadable' | null;
  log: Logger;
}

const NOTHING = { shown: 0, keptBytes: 0, goneUpTo: 0 };
const FLUSH_MS = 100;
const LINES_A_FLUSH = 2_048;
const LINES_A_SAVE = 256;
/** Where the disk takes no more, the next start makes it anew. */
const MAX_WAITING = 32_768;
const MAX_AGENTS = 50;
const SAVE = 'REPLACE INTO state (id, sealed) VALUES (1, ?)';
const ROWS_AT_ONCE = 256;
/** Damage that comes back each time is not of the file. */
const MAX_REBUILDS = 3;

export class RecordIndex {
  readonly calls: OpenCalls;
  readonly leftovers: Leftovers;
  /** Up to here the log was read before. */
  readonly begin: ChainPoint;
  private made: string;
  private place: Pick<IndexState, 'ino' | 'point' | 'lastBytes'>;
  private counts: Pick<IndexState, 'shown' | 'keptBytes' | 'goneUpTo'>;
  private readonly names: Set<string>;
  private waiting: IndexedLine[] = [];
  private unsaved = 0;
  /** Of the save before, not written yet: a start reads the latest lines anew. */
  private latest: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  private rebuilding: Promise<void> | null = null;
  private rebuilds = 0;
  private isWritable = true;
  /** False where only the next start can make it whole. */
  private isWhole = true;
  private closed = false;
  private readonly ending = new AbortController();

  private constructor(
    private readonly options: RecordIndexOptions,
    private db: IndexDatabase,
    private readonly seal: Seal,
    state: IndexState | null,
  ) {
    this.calls = createOpenCalls(state?.calls);
    this.leftovers = createLeftovers(state?.leftovers ?? []);
    this.begin = state?.point ?? LOG_START;
    this.made = state?.made ?? crypto.randomUUID();
    this.place = { ino: options.file.ino, point: this.begin, lastBytes: state?.lastBytes ?? 1 };
    const { shown, keptBytes, goneUpTo } = state ?? NOTHING;
    this.counts = { shown, keptBytes, goneUpTo };
    this.names = new Set(state?.agents);
  }

  /** Empty where the file does not fit the log. Rejects where none can be written. */
  static async open(options: RecordIndexOptions): Promise<RecordIndex> {
    const seal = await Seal.make(options.stateDir);
    const path = indexPath(options.stateDir);
    const db = await IndexDatabase.open(path).catch(() => null);
    try {
      const state = db && (await readIndexState(db, { ...options, seal }));
      if (db !== null && state !== null) {
        db.deleteAfter(state.point.seq);
        return new RecordIndex(options, db, seal, state);
      }
    } catch (error) {
      options.log.warn({ reason: String(error) }, 'the index of the audit log is made anew');
    }
    db?.close();
    return new RecordIndex(options, await IndexDatabase.create(path), seal, null);
  }

  /** In order, for each line once it is on disk. `after`: the chain there. */
  apply(entry: AuditEntry, seq: number, place: LinePosition, after: ChainPoint): void {
    const line = indexedLine(entry, seq, place, this.calls);
    if (line !== null) {
      this.count(line);
      this.waiting.push(line);
      if (this.waiting.length > MAX_WAITING) [this.waiting, this.isWhole] = [[], false];
    }
    this.calls.apply(entry, place);
    this.leftovers.apply(entry);
    this.place = { ...this.place, point: after, lastBytes: place.bytes };
    this.unsaved += 1;
    this.flushSoon();
  }

  /** Of the log, where that is a new file. */
  setLogFile(ino: number): void {
    this.place = { ...this.place, ino };
  }

  async find(before: number | null, filter: ActivityFilter, most: number) {
    const found = await this.read((db) => searchRows(db, before, filter, most));
    return { ...found, total: found.total === 'all' ? this.counts.shown : found.total };
  }

  row(executionId: string): Promise<ActivityRow | null> {
    return this.read((db) => rowOf(db, executionId));
  }

  before(seq: number): Promise<ActivityRow | null> {
    return this.read((db) => rowBefore(db, seq));
  }

  newest(): Promise<ActivityRow | null> {
    return this.before(Number.MAX_SAFE_INTEGER);
  }

  /** Decisions of calls that began since then, the oldest first. */
  decisions(since: number): Promise<PersonDecision[]> {
    return this.read((db) => decisionsSince(db, since));
  }

  /** Names, the latest first. */
  agents(most: number): string[] {
    return [...this.names].reverse().slice(0, most);
  }

  /** Of all files in the folders that are not deleted. */
  keptBytes(): number {
    return this.counts.keptBytes;
  }

  /** With a folder that is not deleted, the oldest first. */
  async *kept(): AsyncGenerator<ActivityRow> {
    let allGone = true;
    for (let after = this.counts.goneUpTo; ;) {
      const rows = await this.read((db) => foldersAfter(db, after, ROWS_AT_ONCE));
      for (const row of rows) {
        after = row.seq;
        allGone &&= row.deleted !== null;
        if (allGone) this.counts.goneUpTo = row.seq;
        if (row.deleted === null) yield row;
      }
      if (rows.length === 0) return;
    }
  }

  /** Writes what waits. Never throws: what cannot be written now is tried again, and the log has it. */
  flush(): void {
    if (this.rebuilding !== null || this.closed) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const lines = this.waiting.slice(0, LINES_A_FLUSH);
    const isAll = lines.length === this.waiting.length;
    const isSaved = this.unsaved >= LINES_A_SAVE && isAll && this.isWhole;
    if (lines.length === 0 && !isSaved) return;
    try {
      this.db.transaction(() => {
        this.db.insert('main', lines);
        if (isSaved && this.latest !== null) this.db.run(SAVE, this.latest);
      });
      this.waiting = this.waiting.slice(lines.length);
      if (isSaved) [this.unsaved, this.latest] = [0, this.sealed()];
      this.isWritable = true;
      if (!isAll) this.flushSoon();
    } catch (error) {
      this.onFailed(error);
    }
  }

  /** Lines that could not be written are read by the next start. */
  async close(): Promise<void> {
    this.ending.abort();
    await this.rebuilding;
    this.flush();
    this.closed = true;
    this.db.close();
  }

  private count(line: IndexedLine): void {
    if (line.kind === 'deleted') this.counts.keptBytes = Math.max(0, this.counts.keptBytes - line.bytes);
    if (line.kind !== 'action') return;
    const { hasFolder, size, shown, agent } = line.action;
    if (hasFolder) this.counts.keptBytes += size;
    if (!shown) return;
    this.counts.shown += 1;
    this.names.delete(agent);
    this.names.add(agent);
    for (const oldest of this.names) if (this.names.size > MAX_AGENTS) this.names.delete(oldest);
  }

  private sealed(): string {
    const { place, counts, made, calls, leftovers } = this;
    const state = {
      ...place,
      ...counts,
      made,
      agents: [...this.names],
      calls: calls.snapshot(),
      leftovers: leftovers.list(),
    };
    return sealState(this.seal, state);
  }

  private flushSoon(): void {
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref();
  }

  private onFailed(error: unknown): void {
    if (isDamage(error) && this.rebuilds < MAX_REBUILDS) return void this.rebuild(error);
    if (this.isWritable)
      this.options.log.warn({ reason: String(error) }, 'the index of the audit log could not be written');
    this.isWritable = false;
    this.flushSoon();
  }

  /** Reads after what waits was written, and once more from a new file where this one is damaged. */
  private async read<T>(query: (db: IndexDatabase) => T): Promise<T> {
    await this.rebuilding;
    this.flush();
    await this.rebuilding;
    try {
      return query(this.db);
    } catch (error) {
      if (this.closed || !isDamage(error) || this.rebuilds >= MAX_REBUILDS) throw error;
      await this.rebuild(error);
      return query(this.db);
    }
  }

  private rebuild(why: unknown): Promise<void> {
    this.options.log.warn({ reason: String(why) }, 'the index of the audit log was damaged, and is made anew');
    this.rebuilds += 1;
    const running = (this.rebuilding ??= this.readLog().finally(() => (this.rebuilding = null)));
    return running.catch((error: unknown) => {
      this.isWhole = false;
      this.options.log.warn({ reason: String(error) }, 'the index of the audit log could not be made anew');
    });
  }

  /** Up to the latest line that is known: later ones wait meanwhile. */
  private async readLog(): Promise<void> {
    const { stateDir } = this.options;
    const to = this.place.point.bytes;
    [this.waiting, this.counts] = [[], { ...NOTHING }];
    [this.made, this.isWhole] = [crypto.randomUUID(), true];
    this.names.clear();
    this.db.close();
    this.db = await IndexDatabase.create(indexPath(stateDir)).catch(() => IndexDatabase.create(':memory:'));
    const calls = createOpenCalls();
    let lines: IndexedLine[] = [];
    const insert = () => {
      this.db.transaction(() => this.db.insert('main', lines));
      lines = [];
    };
    await scanLog(logPath(stateDir), {
      ...{ mark: 0, to, signal: this.ending.signal },
      onEntry: (entry, seq, place) => {
        const line = indexedLine(entry, seq, place, calls);
        calls.apply(entry, place);
        if (line === null) return;
        this.count(line);
        lines.push(line);
      },
      onPart: async () => insert(),
    });
    insert();
    [this.unsaved, this.latest] = [LINES_A_SAVE, this.sealed()];
  }
}
