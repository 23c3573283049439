/**
 * Finds recorded actions: lists, filters, search, totals and habits. A line is written to it after it is on disk, some at a time,
 * together with the place of the log that it is made up to: a start reads on from there. What it says is never believed where it
 * matters: rows are read from their lines, and what calls had begun is sealed with this folder's key. A long log without one is
 * indexed beside the running host: until then the latest lines are in memory, and what is asked for is told to lack the others.
 */
import { rename } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { ActivityFilter } from '../protocol/index.js';
import type { AuditEntry } from './audit-entries.js';
import type { Head } from './audit-head.js';
import { type LogFile, LOG_START, type ChainPoint, type LinePosition } from './log-lines.js';
import type { PersonDecision } from './activities.js';
import { callsAt, placeNearEnd, type PlaceNearEnd, buildIndex, newIndexPath, type BuiltIndex } from './index-build.js';
import {
  IndexDatabase,
  indexPath,
  isDamage,
  removeIndex,
  decisionsSince,
  foldersAfter,
  rowBefore,
  rowOf,
  searchRows,
} from './index-database.js';
import { indexedLine, type ActivityRow, type IndexedLine } from './index-row.js';
import { IndexCounts, readIndexState, sealState, type IndexState, Leftovers, OpenCalls } from './index-state.js';
import { type Logger, Seal } from './sealed-file.js';

export interface RecordIndexOptions {
  stateDir: string;
  file: LogFile;
  head: Head | 'unreadable' | null;
  log: Logger;
  /** While it is made beside the host: for each millisecond of work, as many of rest. */
  rest?: number | undefined;
}

/** Lines that are not in the index yet. */
interface Older {
  /** Those before this place. */
  to: PlaceNearEnd;
  /** How many of them were read; null where they could not be indexed: the next start tries again. */
  percent: number | null;
}

/** An index that is further behind is made anew. */
const MAX_BYTES_BEHIND = 1 << 24;
/** So much is read before any call runs. */
const MAX_BYTES_UNINDEXED = 1 << 20;
const REST = 1;
const FLUSH_MS = 100;
const LINES_A_FLUSH = 256;
const LINES_A_SAVE = 256;
/** Where the disk takes no more, the next start makes it anew. */
const MAX_WAITING = 32_768;
const SAVE = 'REPLACE INTO state (id, sealed) VALUES (1, ?)';
const ROWS_AT_ONCE = 256;
/** Damage that comes back each time is not of the file. */
const MAX_REBUILDS = 3;

export class RecordIndex {
  /** Of a log that is indexed beside the host, only known after {@link learnCalls}. */
  calls: OpenCalls;
  readonly leftovers: Leftovers;
  /** Up to here the log was read before. */
  readonly begin: ChainPoint;
  private made: string;
  private place: Pick<IndexState, 'ino' | 'point' | 'lastBytes'>;
  private counts: IndexCounts;
  private older: Older | null = null;
  private waiting: IndexedLine[] = [];
  private unsaved = 0;
  /** Of the save before, not written yet: a start reads the latest lines anew. */
  private latest: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  private building: Promise<BuiltIndex> | null = null;
  /** While it is, no file is at hand: lines wait. */
  private replacing: Promise<void> | null = null;
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
    unindexed: PlaceNearEnd | null = null,
  ) {
    this.calls = new OpenCalls(state?.calls);
    this.leftovers = new Leftovers(state?.leftovers ?? []);
    this.begin = state?.point ?? unindexed?.point ?? LOG_START;
    if (unindexed !== null) this.older = { to: unindexed, percent: 0 };
    this.made = state?.made ?? crypto.randomUUID();
    this.place = { ino: options.file.ino, point: this.begin, lastBytes: state?.lastBytes ?? unindexed?.lastBytes ?? 1 };
    this.counts = new IndexCounts(state ?? {});
  }

  /** Empty where the file does not fit the log. Rejects where none can be written. */
  static async open(options: RecordIndexOptions): Promise<RecordIndex> {
    const { stateDir, file, head, log } = options;
    const seal = await Seal.make(stateDir);
    const path = indexPath(stateDir);
    await removeIndex(newIndexPath(stateDir));
    const db = await IndexDatabase.open(path).catch(() => null);
    try {
      const state = db && (await readIndexState(db, { ...options, seal }));
      if (db !== null && state !== null && file.size - state.point.bytes <= MAX_BYTES_BEHIND) {
        db.deleteAfter(state.point.seq);
        return new RecordIndex(options, db, seal, state);
      }
    } catch (error) {
      log.warn({ reason: String(error) }, 'the index of the audit log is made anew');
    }
    db?.close();
    const isLong = file.size > MAX_BYTES_UNINDEXED && head !== null && head !== 'unreadable';
    const place = isLong ? await placeNearEnd(stateDir, file, head) : null;
    if (place === null) return new RecordIndex(options, await IndexDatabase.create(path), seal, null);
    await removeIndex(path);
    return new RecordIndex(options, await IndexDatabase.inMemory(), seal, null, place);
  }

  /** Before the first line is given: which calls had not ended at its beginning. */
  async learnCalls(signal: AbortSignal): Promise<void> {
    if (this.older !== null) this.calls = await callsAt(this.options.stateDir, this.begin.bytes, signal);
  }

  /** What is not indexed yet; null where everything is. */
  lacks(): Older | null {
    return this.older;
  }

  /** Reads the lines that are not indexed yet. Rejects where they cannot be, or when it is closed. */
  indexOlder(onProgress: (share: number) => void): Promise<BuiltIndex | null> {
    if (this.older === null) return Promise.resolve(null);
    const { to } = this.older;
    return (this.building ??= this.build(to, onProgress).finally(() => (this.building = null)));
  }

  /** In order, for each line once it is on disk. `after`: the chain there. */
  apply(entry: AuditEntry, seq: number, place: LinePosition, after: ChainPoint): void {
    const line = indexedLine(entry, seq, place, this.calls);
    if (line !== null) {
      this.counts.apply(line);
      this.waiting.push(line);
      if (this.waiting.length > MAX_WAITING) [this.waiting, this.isWhole] = [[], false];
    }
    this.calls.apply(entry, place);
    this.leftovers.apply(entry);
    this.place = { ...this.place, point: after, lastBytes: place.bytes };
    this.unsaved += 1;
    if (this.waiting.length % LINES_A_FLUSH === LINES_A_FLUSH - 1) this.flush();
    this.flushSoon();
  }

  /** Of the log, where that is a new file. */
  setLogFile(ino: number): void {
    this.place = { ...this.place, ino };
  }

  async find(before: number | null, filter: ActivityFilter, most: number) {
    const found = await this.read((db) => searchRows(db, before, filter, most));
    if (this.older === null) return { ...found, total: found.total === 'all' ? this.counts.shown : found.total };
    return { ...found, next: found.next ?? Math.min(before ?? Infinity, this.older.to.point.seq + 1), total: null };
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
    return this.counts.agents().reverse().slice(0, most);
  }

  /** Of all files in the folders that are not deleted. */
  keptBytes(): number {
    return this.counts.keptBytes();
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
    if (this.replacing !== null || this.closed) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const lines = this.waiting.slice(0, LINES_A_FLUSH);
    const isAll = lines.length === this.waiting.length;
    const isSaved = this.unsaved >= LINES_A_SAVE && isAll && this.isWhole && this.older === null;
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

  /** Older lines are indexed by the next start. */
  stop(): void {
    this.ending.abort();
  }

  /** Lines that could not be written are read by the next start. */
  async close(): Promise<void> {
    this.stop();
    await this.building?.catch(() => undefined);
    await this.replacing;
    this.flush();
    this.closed = true;
    this.db.close();
  }

  private sealed(): string {
    const { place, counts, made, calls, leftovers } = this;
    return sealState(this.seal, {
      ...place,
      ...counts.facts(),
      made,
      calls: calls.snapshot(),
      leftovers: leftovers.list(),
    });
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

  /** Reads after what waits was written, and once more where the file is damaged: then without what is in it. */
  private async read<T>(query: (db: IndexDatabase) => T): Promise<T> {
    await this.replacing;
    this.flush();
    await this.replacing;
    try {
      return query(this.db);
    } catch (error) {
      if (this.closed || !isDamage(error) || this.rebuilds >= MAX_REBUILDS) throw error;
      await this.rebuild(error);
      return query(this.db);
    }
  }

  private rebuild(why: unknown): Promise<void> {
    return (this.replacing ??= this.makeAnew(why).finally(() => (this.replacing = null)));
  }

  /** Later lines are in memory until those up to here are indexed once more. */
  private async makeAnew(why: unknown): Promise<void> {
    this.options.log.warn({ reason: String(why) }, 'the index of the audit log was damaged, and is made anew');
    this.rebuilds += 1;
    const { point, lastBytes } = this.place;
    [this.older, this.waiting] = [{ to: { point, lastBytes }, percent: 0 }, []];
    [this.counts, this.isWhole] = [new IndexCounts(), true];
    this.db.close();
    this.db = await IndexDatabase.inMemory();
    await removeIndex(indexPath(this.options.stateDir));
    this.indexOlder(() => undefined).catch(() => undefined);
  }

  private async build(to: PlaceNearEnd, onProgress: (share: number) => void): Promise<BuiltIndex> {
    const { stateDir, rest = REST, log } = this.options;
    const { signal } = this.ending;
    const onShare = (share: number) => {
      this.older = { to, percent: Math.floor(share * 100) };
      onProgress(share);
    };
    try {
      const built = await buildIndex({ stateDir, to: to.point, rest, signal, onProgress: onShare });
      await this.copyLater();
      signal.throwIfAborted();
      await (this.replacing = this.adopt(to, built).finally(() => (this.replacing = null)));
      return built;
    } catch (error) {
      this.older = { to, percent: null };
      if (!signal.aborted) log.warn({ reason: String(error) }, 'the index of the audit log could not be made');
      throw error;
    }
  }

  /** The new file gets the lines that came meanwhile, some at a time. */
  private async copyLater(): Promise<void> {
    this.db.attach(newIndexPath(this.options.stateDir));
    for (let last: number | null = 0; last !== null; last = this.db.copyAfter(last)) {
      await setImmediate();
      this.flush();
    }
  }

  /** The new file takes the place of what is in memory. Later lines wait. */
  private async adopt({ point, lastBytes }: PlaceNearEnd, built: BuiltIndex): Promise<void> {
    const path = indexPath(this.options.stateDir);
    this.db.close();
    await rename(newIndexPath(this.options.stateDir), path);
    this.db = await IndexDatabase.open(path);
    this.made = crypto.randomUUID();
    const { ino } = this.place;
    const { counts, calls, leftovers } = built;
    const state = { ino, point, lastBytes, made: this.made, ...counts.facts(), calls, leftovers };
    this.db.run(SAVE, sealState(this.seal, state));
    this.leftovers.add(leftovers);
    counts.add(this.counts);
    [this.counts, this.older] = [counts, null];
    [this.unsaved, this.latest] = [0, this.sealed()];
  }
}
