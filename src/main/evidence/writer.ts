/** The evidence of one execution. Comes in: masked bytes and what the pipeline knows. Goes out: files in its folder, lines in the audit log. */
import type { Evidence, ExecutionEnd, ExecutionStart } from '../pipeline/ports.js';
import type { Audit } from './audit.js';
import type { Ended } from './entries.js';
import { nothingDone, storageError } from './failures.js';
import { writeNew, type FileDigest } from './folder.js';
import type { Folder } from './held-folder.js';
import { endedEntry, factsOf, resultJson } from './record.js';
import { createTrace } from './trace.js';
import type { Log } from './log.js';

export interface Ending {
  /** null when the line could not be written. */
  seq: number | null;
  entry: Ended;
  /** The last picture written, as PNG. */
  picture: Uint8Array | null;
}

export interface WriterOptions {
  start: ExecutionStart;
  folder: Folder | null;
  audit: Audit;
  now: () => Date;
  log: Log;
  onEnd(ending: Ending): void;
}

export interface OwnedEvidence extends Evidence {
  /** Lets go of its files without an end: the next life of the host finds the call abandoned. */
  release(): Promise<void>;
}

/** Which picture stands for the execution in a list. */
const PICTURES = ['after.png', 'observe.png', 'before.png'] as const;

export function createEvidence({ start, folder, audit, now, log, onEnd }: WriterOptions): OwnedEvidence {
  const execution = factsOf(start, folder?.path ?? null);
  const files = new Map<string, FileDigest>();
  const pictures = new Map<string, Uint8Array>();
  const trace = folder && createTrace(folder);
  let queue: Promise<void> = Promise.resolve();
  let failure: Error | null = null;
  let ending: Promise<{ incomplete: boolean }> | null = null;

  function fail(error: unknown, what: string): void {
    const told = storageError(error, what, folder?.path ?? start.workspace);
    failure ??= told;
    log.warn({ executionId: start.executionId, reason: told.message }, 'evidence is incomplete');
  }

  /** One after another, in the order asked for; the first failure is kept and none is thrown. */
  function enqueue(what: string, step: () => Promise<void>): Promise<void> {
    queue = queue.then(step).catch((error: unknown) => fail(error, what));
    return queue;
  }

  async function put(into: Folder, name: string, bytes: Uint8Array | string): Promise<void> {
    if (files.delete(name)) await into.remove(name);
    files.set(name, await writeNew(into, name, bytes));
    if (name.endsWith('.png') && typeof bytes !== 'string') pictures.set(name, bytes);
  }

  async function closeFolder(into: Folder, end: ExecutionEnd): Promise<void> {
    await enqueue('trace.jsonl', async () => {
      const digest = await trace?.end();
      if (digest) files.set(digest.name, digest);
    });
    await enqueue('result.json', () =>
      put(into, 'result.json', resultJson(execution, end, [...files.values()], failure?.message ?? null)),
    );
    await enqueue('the evidence folder', () => into.close());
  }

  async function finishOnce(end: ExecutionEnd): Promise<{ incomplete: boolean }> {
    if (folder) await closeFolder(folder, end);
    const entry = endedEntry(execution, end, [...files.values()], failure !== null);
    const seq = await audit.append(entry).catch((error: unknown) => {
      fail(error, 'the audit log');
      return null;
    });
    onEnd({ seq, entry, picture: PICTURES.map((name) => pictures.get(name)).find((it) => it !== undefined) ?? null });
    return { incomplete: failure !== null };
  }

  return {
    dir: execution.dir,
    async write(name, bytes) {
      if (folder === null) return;
      if (ending) return fail(new Error(`${name} came after the end`), name);
      await enqueue(name, () => put(folder, name, bytes));
    },
    lost: (name, thrown) => fail(thrown, name),
    trace(entry) {
      if (trace === null || ending) return;
      const at = now().toISOString();
      void enqueue('trace.jsonl', async () => trace.add(JSON.stringify({ at, ...entry })));
    },
    async started() {
      await queue;
      if (failure !== null) throw nothingDone(failure);
      const at = now().toISOString();
      await audit.append({ kind: 'started', at, execution, files: [...files.values()] }).catch((error: unknown) => {
        throw nothingDone(error);
      });
    },
    finish(end) {
      ending ??= finishOnce(end);
      return ending;
    },
    async release() {
      if (ending) return void (await ending);
      await enqueue('trace.jsonl', async () => void (await trace?.end()));
      await enqueue('the evidence folder', async () => folder?.close());
    },
  };
}
