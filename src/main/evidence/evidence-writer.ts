/** Writes the evidence of one execution with a folder: files in it and entries in the audit log. Pictures must be masked already. */
import { isControlEffect } from '../pipeline/dependencies.js';
import type { EvidenceFolder, ExecutionEnd } from '../pipeline/ports.js';
import type { WireError } from '../protocol/index.js';
import type { RecordedEnd } from '../pipeline/call-record.js';
import type { LateLog } from './late-log.js';
import type { EndedEntry, ExecutionFacts } from './audit-entries.js';
import { notStartedError, storageError } from './errors.js';
import { writeUnsynced, type FileDigest } from './execution-folder.js';
import type { OpenFolder } from './folder-interface.js';
import { endedEntry, resultJson } from './execution-record.js';
import { THUMBNAIL_SOURCES } from './thumbnails.js';
import { createTrace } from './trace-file.js';
import type { Logger } from './logger.js';
import type { SyncGroup } from './sync-group.js';
import { message, verbatim, type Message } from '../../messages/index.js';

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

export interface EvidenceWriterOptions extends ListedFolder {
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

export function createEvidenceWriter(options: EvidenceWriterOptions): EvidenceWriter {
  const { folder, execution, isListed, audit, syncs, now, log, onEnd } = options;
  const files = new Map<string, FileDigest>();
  const pictures = new Map<string, Uint8Array>();
  const trace = createTrace(folder);
  const disk = createDisk(isControlEffect(execution.effect) ? null : syncs, fail);
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

  async function writeFile(name: string, bytes: Uint8Array | string): Promise<void> {
    if (files.delete(name)) await folder.remove(name);
    const file = await writeUnsynced(folder, name, bytes);
    files.set(name, file.digest);
    if (name.endsWith('.png') && typeof bytes !== 'string') pictures.set(name, bytes);
    disk.sync(folder, name, file.sync);
  }

  async function writeLast(end: ExecutionEnd): Promise<void> {
    await enqueue(verbatim('trace.jsonl'), () => trace.flush());
    const digest = trace.digest();
    if (digest !== null) {
      files.set(digest.name, digest);
      disk.sync(folder, digest.name, trace.close);
    }
    await enqueue(verbatim('result.json'), () =>
      writeFile('result.json', resultJson(execution, end, [...files.values()], failure?.message ?? null)),
    );
  }

  const closeFolder = () => enqueue(message('error.part_folder'), () => folder.close());

  async function finishOnce(end: ExecutionEnd): Promise<RecordedEnd> {
    let unrecorded: WireError | null = null;
    await writeLast(end);
    const entry = endedEntry(execution, end, [...files.values()], failure !== null);
    const picture = THUMBNAIL_SOURCES.map((name) => pictures.get(name)).find((it) => it !== undefined) ?? null;
    written = audit
      .append(entry)
      .catch((error: unknown) => {
        if (!isListed()) unrecorded = storageError(error, message('error.part_log'), execution.workspace);
        fail(error, message('error.part_log'));
        return null;
      })
      .then((seq) => onEnd({ seq, entry, picture }));
    await Promise.all([written, disk.synced(), closeFolder()]);
    return { incomplete: failure !== null, unrecorded };
  }

  return {
    dir: execution.dir,
    async write(name, bytes) {
      if (ending) return fail(new Error(`${name} came after the end`), verbatim(name));
      await enqueue(verbatim(name), () => writeFile(name, bytes));
    },
    lost: (name, thrown) => fail(thrown, verbatim(name)),
    trace(entry) {
      if (ending) return;
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
      await enqueue(verbatim('trace.jsonl'), () => trace.close());
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
