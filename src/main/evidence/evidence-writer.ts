/** Writes the evidence of one execution with a folder: its files and entries in the audit log. Pictures must be masked already. */
import { isControlEffect, type WireError } from '../protocol/index.js';
import { type EvidenceFolder, type ExecutionEnd, type RecordedEnd, endedEntry } from './execution.js';
import type { LateLog } from './audit-log.js';
import type { EndedEntry, ExecutionFacts } from './audit-entries.js';
import { notStartedError, storageError, type Logger } from './sealed-file.js';
import type { OpenFolder } from './open-folder.js';
import { FilesOfExecution, type FilesOptions } from './execution-files.js';
import { THUMBNAIL_SOURCES } from './imaging.js';
import { message, type Message } from '../../messages/index.js';

export interface FinishedExecution {
  /** null when the entry could not be written. */
  seq: number | null;
  entry: EndedEntry;
  /** The PNG to make the thumbnail from. */
  picture: Uint8Array | null;
}

/** `isListed`: the log on disk has the line of its beginning. */
export interface ListedFolder {
  folder: OpenFolder;
  execution: ExecutionFacts;
  isListed(): boolean;
}

interface EvidenceWriterOptions extends ListedFolder, FilesOptions {
  audit: LateLog;
  /** For the files of calls that do not act. */
  syncs: SyncGroup;
  now: () => Date;
  log: Logger;
  onEnd(ending: FinishedExecution): void;
}

export interface EvidenceWriter extends EvidenceFolder {
  /** Closes its files without recording an end: the next start of the host records the call as abandoned. */
  release(): Promise<void>;
}

const file = (name: string): Message => message('error.part_file', { name });

export function createEvidenceWriter(options: EvidenceWriterOptions): EvidenceWriter {
  const { folder, execution, isListed, audit, syncs, now, log, onEnd } = options;
  const pictures = new Map<string, Uint8Array>();
  const disk = createDisk(isControlEffect(execution.effect) ? null : syncs, fail);
  const files = new FilesOfExecution(options, disk.sync);
  let queue: Promise<void> = Promise.resolve();
  let failure: Error | null = null;
  let ending: Promise<RecordedEnd> | null = null;
  let written: Promise<void> = Promise.resolve();

  function fail(error: unknown, what: Message): void {
    const reported = storageError(error, what, folder.path);
    failure ??= reported;
    log.warn({ executionId: execution.executionId, reason: reported.message }, 'evidence is incomplete');
  }

  /** Runs the steps one after another. Keeps the first failure and throws none. */
  function enqueue(what: Message, step: () => Promise<void>): Promise<void> {
    queue = queue.then(step).catch((error: unknown) => fail(error, what));
    return queue;
  }

  async function writeLast(end: ExecutionEnd): Promise<void> {
    await enqueue(file('trace.jsonl'), () => files.endTrace());
    await enqueue(file('result.json'), () => files.writeResult(end, failure?.message ?? null));
  }

  const closeFolders = () => enqueue(message('error.part_folder'), () => files.close());

  async function finishOnce(end: ExecutionEnd): Promise<RecordedEnd> {
    let unrecorded: WireError | null = null;
    await writeLast(end);
    const entry = endedEntry(execution, end, files.list(), failure !== null);
    const picture = THUMBNAIL_SOURCES.map((name) => pictures.get(name)).find((it) => it !== undefined) ?? null;
    written = audit
      .append(entry)
      .catch((error: unknown) => {
        if (!isListed()) unrecorded = storageError(error, message('error.part_log'), execution.workspace);
        fail(error, message('error.part_log'));
        return null;
      })
      .then((seq) => onEnd({ seq, entry, picture }));
    await Promise.all([written, disk.synced(), closeFolders()]);
    return { incomplete: failure !== null, unrecorded, kept: files.keptNames() };
  }

  return {
    dir: execution.dir,
    async write(name, bytes, shows = 'call') {
      if (ending) return fail(new Error(`${name} came after the end`), file(name));
      if (name.endsWith('.png') && typeof bytes !== 'string') pictures.set(name, bytes);
      await enqueue(file(name), () => files.write(name, bytes, shows));
    },
    lost: (name, thrown) => fail(thrown, file(name)),
    trace(entry) {
      if (ending) return;
      files.addToTrace(JSON.stringify({ at: now().toISOString(), ...entry }));
      void enqueue(file('trace.jsonl'), () => files.flushTrace());
    },
    async started() {
      await queue;
      await disk.synced();
      if (failure !== null) throw notStartedError(failure);
      const at = now().toISOString();
      await audit.append({ kind: 'started', at, execution, files: files.list() }).catch((error: unknown) => {
        throw notStartedError(error);
      });
    },
    finish(end) {
      ending ??= finishOnce(end);
      return ending;
    },
    async release() {
      if (ending) {
        await ending;
        return written;
      }
      await enqueue(file('trace.jsonl'), () => files.closeTrace());
      await Promise.all([disk.synced(), closeFolders()]);
    },
  };
}

/** Puts files on disk: with the group where there is one that takes them, else at once. */
function createDisk(group: SyncGroup | null, fail: (error: unknown, what: Message) => void) {
  const syncing = new Set<Promise<void>>();
  return {
    sync(into: OpenFolder, name: string, put: () => Promise<void>): void {
      if (group?.add({ path: `${into.path}/${name}`, sync: put }) === true) return;
      const synced = put()
        .catch((error: unknown) => fail(error, file(name)))
        .then(() => void syncing.delete(synced));
      syncing.add(synced);
    },
    /** Resolves when those not left to the group are there. */
    synced: () => Promise.all(syncing),
  };
}

// The evidence of an execution that has no folder: its line in the audit log.

/** Their line may follow the answer. */
const HARMLESS: ReadonlySet<ExecutionFacts['effect']> = new Set(['read', 'bookkeeping']);

export function createLineWriter({
  execution,
  audit,
  now,
  log,
  onEnd,
}: Pick<EvidenceWriterOptions, 'execution' | 'audit' | 'now' | 'log' | 'onEnd'>): EvidenceWriter {
  let ending: Promise<RecordedEnd> | null = null;
  let written: Promise<void> = Promise.resolve();

  async function finishOnce(end: ExecutionEnd): Promise<RecordedEnd> {
    let incomplete = false;
    const entry = endedEntry(execution, end, [], false);
    const mayFollow = HARMLESS.has(execution.effect) && audit.isWritable();
    written = (mayFollow ? audit.appendDeferred(entry) : audit.append(entry)).then(
      (seq) => onEnd({ seq, entry, picture: null }),
      (error: unknown) => {
        incomplete = true;
        log.warn({ executionId: execution.executionId, reason: String(error) }, 'evidence is incomplete');
        onEnd({ seq: null, entry, picture: null });
      },
    );
    if (!mayFollow) await written;
    return { incomplete, unrecorded: null, kept: [] };
  }

  return {
    dir: null,
    write: () => Promise.resolve(),
    lost: () => undefined,
    trace: () => undefined,
    async started() {
      await audit.append({ kind: 'started', at: now().toISOString(), execution, files: [] }).catch((error: unknown) => {
        throw notStartedError(error);
      });
    },
    finish(end) {
      ending ??= finishOnce(end);
      return ending;
    },
    async release() {
      await ending;
      await written;
    },
  };
}

interface UnsyncedFile {
  path: string;
  /** Also closes it. */
  sync(): Promise<void>;
}

const GROUP_MS = 50;
/** Each keeps a file open. */
const MAX_WAITING = 256;

/** Puts files on disk that no call waits for: together within 50 ms, so that most find it done by the first. Owned by the recorder. */
export class SyncGroup {
  private waiting: UnsyncedFile[] = [];
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private works = true;

  constructor(private readonly log: Logger) {}

  /** False where its call must wait for it: too many are due, one has failed, or the group is closed. */
  add(file: UnsyncedFile): boolean {
    if (!this.works || this.waiting.length >= MAX_WAITING) return false;
    this.waiting.push(file);
    this.timer ??= setTimeout(() => this.flush(), GROUP_MS);
    return true;
  }

  /** Resolves when all are on disk. Never rejects. */
  async close(): Promise<void> {
    this.works = false;
    this.flush();
    await this.running;
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const files = this.waiting;
    this.waiting = [];
    this.running = this.running.then(() => this.syncAll(files));
  }

  private async syncAll(files: readonly UnsyncedFile[]): Promise<void> {
    for (const { path, sync } of files) {
      await sync().catch((error: unknown) => {
        this.works = false;
        this.log.warn({ path, reason: String(error) }, 'evidence may not be on disk');
      });
    }
  }
}
