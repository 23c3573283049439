/** Writes the evidence of one execution: files in its folder and entries in the audit log. Pictures must be masked already. */
import { isControlEffect } from '../pipeline/dependencies.js';
import type { EvidenceFolder, ExecutionEnd, ExecutionStart } from '../pipeline/ports.js';
import type { WireError } from '../protocol/index.js';
import type { RecordedEnd } from '../pipeline/call-record.js';
import type { LateLog } from './late-log.js';
import type { EndedEntry, ExecutionFacts } from './audit-entries.js';
import { notStartedError, storageError } from './errors.js';
import { writeUnsynced, type FileDigest } from './execution-folder.js';
import type { OpenFolder } from './folder-interface.js';
import { endedEntry, executionFacts, resultJson } from './execution-record.js';
import { THUMBNAIL_SOURCES } from './thumbnails.js';
import { createTrace } from './trace-file.js';
import type { Log } from './log.js';
import type { SyncGroup } from './sync-group.js';
import { message, verbatim, type Message } from '../../messages/index.js';

export interface FinishedExecution {
  /** null when the entry could not be written. */
  seq: number | null;
  entry: EndedEntry;
  /** The PNG to make the thumbnail from. */
  picture: Uint8Array | null;
}

/** Their line may follow the answer. */
const HARMLESS: ReadonlySet<ExecutionFacts['effect']> = new Set(['read', 'bookkeeping']);

/** `isListed`: the log on disk has the line of its beginning. */
export interface ListedFolder {
  folder: OpenFolder;
  execution: ExecutionFacts;
  isListed(): boolean;
}

interface EvidenceWriterOptions {
  start: ExecutionStart;
  /** null for a call without a folder. */
  made: ListedFolder | null;
  audit: LateLog;
  /** For the files of calls that do not act. */
  syncs: SyncGroup;
  now: () => Date;
  log: Log;
  onEnd(ending: FinishedExecution): void;
}

export interface EvidenceWriter extends EvidenceFolder {
  /** Closes its files without recording an end: the next start of the host records the call as abandoned. */
  release(): Promise<void>;
}

export function createEvidenceWriter(options: EvidenceWriterOptions): EvidenceWriter {
  const { start, made, audit, syncs, now, log, onEnd } = options;
  const folder = made?.folder ?? null;
  const execution = made?.execution ?? executionFacts(start, null);
  const files = new Map<string, FileDigest>();
  const pictures = new Map<string, Uint8Array>();
  const trace = folder && createTrace(folder);
  const disk = createDisk(isControlEffect(execution.effect) ? null : syncs, fail);
  let queue: Promise<void> = Promise.resolve();
  let failure: Error | null = null;
  let ending: Promise<RecordedEnd> | null = null;
  let written: Promise<void> = Promise.resolve();

  function fail(error: unknown, what: Message): void {
    const reported = storageError(error, what, folder?.path ?? start.workspace);
    failure ??= reported;
    log.warn({ executionId: start.executionId, reason: reported.message }, 'evidence is incomplete');
  }

  /** Runs the steps one after another. Keeps the first failure and throws none. */
  function enqueue(what: Message, step: () => Promise<void>): Promise<void> {
    queue = queue.then(step).catch((error: unknown) => fail(error, what));
    return queue;
  }

  async function writeFile(into: OpenFolder, name: string, bytes: Uint8Array | string): Promise<void> {
    if (files.delete(name)) await into.remove(name);
    const file = await writeUnsynced(into, name, bytes);
    files.set(name, file.digest);
    if (name.endsWith('.png') && typeof bytes !== 'string') pictures.set(name, bytes);
    disk.sync(into, name, file.sync);
  }

  async function writeLast(into: OpenFolder, end: ExecutionEnd): Promise<void> {
    await enqueue(verbatim('trace.jsonl'), async () => trace?.flush());
    const digest = trace?.digest() ?? null;
    if (trace && digest !== null) {
      files.set(digest.name, digest);
      disk.sync(into, digest.name, trace.close);
    }
    await enqueue(verbatim('result.json'), () =>
      writeFile(into, 'result.json', resultJson(execution, end, [...files.values()], failure?.message ?? null)),
    );
  }

  const closeFolder = () => enqueue(message('error.part_folder'), async () => folder?.close());

  async function finishOnce(end: ExecutionEnd): Promise<RecordedEnd> {
    let unrecorded: WireError | null = null;
    if (folder) await writeLast(folder, end);
    const entry = endedEntry(execution, end, [...files.values()], failure !== null);
    const picture = THUMBNAIL_SOURCES.map((name) => pictures.get(name)).find((it) => it !== undefined) ?? null;
    const mayFollow = folder === null && HARMLESS.has(execution.effect) && audit.isWritable();
    written = (mayFollow ? audit.appendDeferred(entry) : audit.append(entry))
      .catch((error: unknown) => {
        if (made?.isListed() === false) unrecorded = storageError(error, message('error.part_log'), start.workspace);
        fail(error, message('error.part_log'));
        return null;
      })
      .then((seq) => onEnd({ seq, entry, picture }));
    await Promise.all([mayFollow ? null : written, disk.synced(), closeFolder()]);
    return { incomplete: failure !== null, unrecorded };
  }

  return {
    dir: execution.dir,
    async write(name, bytes) {
      if (folder === null) return;
      if (ending) return fail(new Error(`${name} came after the end`), verbatim(name));
      await enqueue(verbatim(name), () => writeFile(folder, name, bytes));
    },
    lost: (name, thrown) => fail(thrown, verbatim(name)),
    trace(entry) {
      if (trace === null || ending) return;
      trace.add(JSON.stringify({ at: now().toISOString(), ...entry }));
      void enqueue(verbatim('trace.jsonl'), () => trace.flush());
    },
    async started() {
      await queue;
      await disk.synced();
      if (failure !== null) throw notStartedError(failure);
      const at = now().toISOString();
      await audit.append({ kind: 'started', at, execution, files: [...files.values()] }).catch((error: unknown) => {
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
      await enqueue(verbatim('trace.jsonl'), async () => trace?.close());
      await Promise.all([disk.synced(), closeFolder()]);
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
        .catch((error: unknown) => fail(error, verbatim(name)))
        .then(() => void syncing.delete(synced));
      syncing.add(synced);
    },
    /** Resolves when those not left to the group are there. */
    synced: () => Promise.all(syncing),
  };
}
