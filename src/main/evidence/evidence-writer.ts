/** Writes the evidence of one execution: files in its folder and entries in the audit log. Pictures must be masked already. */
import type { EvidenceFolder, ExecutionEnd, ExecutionStart } from '../pipeline/ports.js';
import type { AuditLog } from './audit-log.js';
import type { EndedEntry, ExecutionFacts } from './audit-entries.js';
import { notStartedError, storageError } from './errors.js';
import { writeNew, type FileDigest } from './execution-folder.js';
import type { OpenFolder } from './folder-interface.js';
import { endedEntry, executionFacts, resultJson } from './execution-record.js';
import { THUMBNAIL_SOURCES } from './thumbnails.js';
import { createTrace } from './trace-file.js';
import type { Log } from './log.js';

export interface FinishedExecution {
  /** null when the entry could not be written. */
  seq: number | null;
  entry: EndedEntry;
  /** The PNG to make the thumbnail from. */
  picture: Uint8Array | null;
}

/** Their line may follow the answer. */
const HARMLESS: ReadonlySet<ExecutionFacts['effect']> = new Set(['read', 'bookkeeping']);

interface EvidenceWriterOptions {
  start: ExecutionStart;
  folder: OpenFolder | null;
  audit: AuditLog;
  now: () => Date;
  log: Log;
  onEnd(ending: FinishedExecution): void;
}

export interface EvidenceWriter extends EvidenceFolder {
  /** Closes its files without recording an end: the next start of the host records the call as abandoned. */
  release(): Promise<void>;
}

export function createEvidenceWriter({ start, folder, audit, now, log, onEnd }: EvidenceWriterOptions): EvidenceWriter {
  const execution = executionFacts(start, folder?.path ?? null);
  const files = new Map<string, FileDigest>();
  const pictures = new Map<string, Uint8Array>();
  const trace = folder && createTrace(folder);
  let queue: Promise<void> = Promise.resolve();
  let failure: Error | null = null;
  let ending: Promise<{ incomplete: boolean }> | null = null;
  let written: Promise<void> = Promise.resolve();

  function fail(error: unknown, what: string): void {
    const reported = storageError(error, what, folder?.path ?? start.workspace);
    failure ??= reported;
    log.warn({ executionId: start.executionId, reason: reported.message }, 'evidence is incomplete');
  }

  /** Runs the steps one after another. Keeps the first failure and throws none. */
  function enqueue(what: string, step: () => Promise<void>): Promise<void> {
    queue = queue.then(step).catch((error: unknown) => fail(error, what));
    return queue;
  }

  async function writeFile(into: OpenFolder, name: string, bytes: Uint8Array | string): Promise<void> {
    if (files.delete(name)) await into.remove(name);
    files.set(name, await writeNew(into, name, bytes));
    if (name.endsWith('.png') && typeof bytes !== 'string') pictures.set(name, bytes);
  }

  async function closeFolder(into: OpenFolder, end: ExecutionEnd): Promise<void> {
    await enqueue('trace.jsonl', async () => {
      const digest = await trace?.end();
      if (digest) files.set(digest.name, digest);
    });
    await enqueue('result.json', () =>
      writeFile(into, 'result.json', resultJson(execution, end, [...files.values()], failure?.message ?? null)),
    );
    await enqueue('the evidence folder', () => into.close());
  }

  async function finishOnce(end: ExecutionEnd): Promise<{ incomplete: boolean }> {
    if (folder) await closeFolder(folder, end);
    const entry = endedEntry(execution, end, [...files.values()], failure !== null);
    const picture = THUMBNAIL_SOURCES.map((name) => pictures.get(name)).find((it) => it !== undefined) ?? null;
    const mayFollow = folder === null && HARMLESS.has(execution.effect) && audit.isWritable();
    written = (mayFollow ? audit.appendSoon(entry) : audit.append(entry))
      .catch((error: unknown) => {
        fail(error, 'the audit log');
        return null;
      })
      .then((seq) => onEnd({ seq, entry, picture }));
    if (!mayFollow) await written;
    return { incomplete: failure !== null };
  }

  return {
    dir: execution.dir,
    async write(name, bytes) {
      if (folder === null) return;
      if (ending) return fail(new Error(`${name} came after the end`), name);
      await enqueue(name, () => writeFile(folder, name, bytes));
    },
    lost: (name, thrown) => fail(thrown, name),
    trace(entry) {
      if (trace === null || ending) return;
      const at = now().toISOString();
      void enqueue('trace.jsonl', async () => trace.add(JSON.stringify({ at, ...entry })));
    },
    async started() {
      await queue;
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
      await enqueue('trace.jsonl', async () => void (await trace?.end()));
      await enqueue('the evidence folder', async () => folder?.close());
    },
  };
}
