/**
 * Reads the log once and checks what it says: the chain of lines, the index and, for `verify`, every evidence folder. How far it has
 * come is kept for a run that is stopped, and only while nothing is wrong: what is, a new run finds again.
 */
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { recoveredSchema, type AuditEntry } from './audit-entries.js';
import { logPath, type Head } from './audit-head.js';
import { FolderCheck, folderCheckStateSchema, type EvidenceProblem } from './folder-check.js';
import {
  fitsLog,
  logPlaceSchema,
  type LogFile,
  scanLog,
  type ChainPoint,
  type LinePosition,
  type LogScan,
} from './log-lines.js';
import { callsStateSchema, readIndexState, OpenCalls, NO_CALLS } from './index-state.js';
import { Seal } from './sealed-file.js';
import { IndexDatabase, indexPath } from './index-database.js';
import { indexedLine, seqOf, type IndexedLine } from './index-row.js';

const recoverySchema = z.object({ recovered: recoveredSchema, seq: z.number().int() });
export type Recovery = z.infer<typeof recoverySchema>;

const progressSchema = z.object({
  v: z.literal(2),
  ...logPlaceSchema.shape,
  /** When it was written. */
  at: z.string(),
  /** null where folders are not looked at. */
  folders: folderCheckStateSchema.nullable(),
  recoveries: z.array(recoverySchema),
  /** `after`: compared up to this line. null where there was no index. */
  index: z.object({ made: z.string(), after: z.number().int(), calls: callsStateSchema }).nullable(),
});
type Progress = z.infer<typeof progressSchema>;

interface PassOptions {
  stateDir: string;
  file: LogFile;
  head: Head | 'unreadable' | null;
  /** Only the folders of this workspace; without `files`, none. */
  workspace?: string | undefined;
  files: boolean;
  /** Up to here only, and the index as well. */
  to?: ChainPoint;
  /** Name of the file that says how far it has come; null: a run that is stopped starts anew. */
  progress: string | null;
  saveEveryMs?: number | undefined;
  /** Goes on where an earlier run was stopped. */
  resumes: boolean;
  /** For each millisecond of checking, as many of rest. */
  rest?: number;
  signal?: AbortSignal;
  onPart?(scan: LogScan, from: Progress | null): void;
}

export interface LogPass {
  scan: LogScan;
  recoveries: readonly Recovery[];
  index: IndexFaults;
  files: EvidenceProblem[];
  /** The lines before were checked by another run. */
  from: Progress | null;
}

const SAVE_EVERY_MS = 2_000;

export async function passOver(options: PassOptions): Promise<LogPass> {
  const { stateDir, head, to } = options;
  const from = options.resumes ? await readProgress(options) : null;
  const index = await IndexCheck.open(stateDir, options, {
    ...from?.index,
    ...(to === undefined ? {} : { to: to.seq }),
  });
  try {
    // An index that was made since is compared from its first row on.
    if (from !== null && from.index?.made !== index?.made) return await passOver({ ...options, resumes: false });
    const pass = new Pass(options, from, index);
    const scan = await scanLog(logPath(stateDir), {
      ...(from === null ? {} : { from: from.point }),
      ...(to === undefined ? {} : { to: to.bytes }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      mark: head === null || head === 'unreadable' ? 0 : head.count,
      onEntry: (entry, seq, place) => pass.apply(entry, seq, place),
      onPart: (part) => pass.onPart(part),
    });
    return { scan, from, ...(await pass.finish()) };
  } finally {
    index?.close();
  }
}

class Pass {
  private readonly folders: FolderCheck | null;
  private readonly recoveries: Recovery[];
  private last: LinePosition | null = null;
  private savedAt = performance.now();
  private resumedAt = performance.now();

  constructor(
    private readonly options: PassOptions,
    private readonly from: Progress | null,
    private readonly index: IndexCheck | null,
  ) {
    const { stateDir, workspace, files } = options;
    this.folders = files ? new FolderCheck({ stateDir, workspace, before: from?.folders ?? undefined }) : null;
    this.recoveries = [...(from?.recoveries ?? [])];
  }

  apply(entry: AuditEntry, seq: number, place: LinePosition): void {
    this.last = place;
    this.folders?.apply(entry, place);
    this.index?.apply(entry, seq, place);
    if (entry.kind === 'recovered') this.recoveries.push({ recovered: entry, seq });
  }

  async onPart(scan: LogScan): Promise<void> {
    const { rest, signal, onPart } = this.options;
    await this.folders?.inspect();
    this.index?.compare();
    onPart?.(scan, this.from);
    await this.save(scan);
    if (rest !== undefined) await delay((performance.now() - this.resumedAt) * rest, undefined, { signal });
    this.resumedAt = performance.now();
  }

  async finish() {
    const index = this.index?.finish({ whole: this.folders !== null }) ?? { count: 0, line: null };
    return { recoveries: this.recoveries, index, files: (await this.folders?.finish()) ?? [] };
  }

  private async save({ lines, seq, hash, bytes, breaks }: LogScan): Promise<void> {
    const { stateDir, file, progress, saveEveryMs = SAVE_EVERY_MS } = this.options;
    if (progress === null || performance.now() - this.savedAt < saveEveryMs) return;
    if (breaks.length > 0 || this.last === null || this.last.offset + this.last.bytes + 1 !== bytes) return;
    const checked = this.index?.checked() ?? null;
    if (this.index !== null && checked === null) return;
    const content: Progress = {
      ...{ v: 2, ino: file.ino, point: { lines, seq, hash, bytes }, lastBytes: this.last.bytes },
      ...{ at: new Date().toISOString(), folders: this.folders?.state() ?? null, recoveries: this.recoveries },
      index: this.index && checked && { made: this.index.made, ...checked },
    };
    // Where it cannot be written, a stopped run starts anew: that is no reason to fail.
    await Seal.make(stateDir)
      .then((seal) => writeFileAtomic(`${stateDir}/${progress}`, seal.write(progress, content), { mode: 0o600 }))
      .catch(() => undefined);
    this.savedAt = performance.now();
  }
}

/** null for one that is missing, was not written with this folder's key, or does not fit the log and its head. */
async function readProgress({ stateDir, file, head, to, progress }: PassOptions): Promise<Progress | null> {
  if (progress === null || head === null || head === 'unreadable') return null;
  const text = await readFile(`${stateDir}/${progress}`, 'utf8').catch(() => '');
  const found = progressSchema.safeParse((await Seal.find(stateDir))?.read(progress, text));
  if (!found.success || found.data.point.bytes >= (to?.bytes ?? Infinity)) return null;
  return (await fitsLog(stateDir, file, head, found.data)) ? found.data : null;
}

export const removeProgress = (stateDir: string, progress: string): Promise<void> =>
  rm(`${stateDir}/${progress}`, { force: true }).catch(() => undefined);

// Compares the index with the log as that is read: what each line adds is made once more, and compared with what SQLite has of
// a part as one text. Where that differs, SQLite looks for rows that are in one of the two only. Rows depend on earlier lines alone, so
// part after part can be compared and let go.

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

class IndexCheck {
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
    this.calls = new OpenCalls(range.calls);
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
