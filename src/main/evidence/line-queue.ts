import type { AuditEntry } from './audit-entries.js';
import { storageError } from './errors.js';
import type { LinePosition } from './scan-log.js';
import { message } from '../../messages/index.js';

export interface QueuedLine {
  entry: AuditEntry;
  /** Its call does not wait for it: written with others, and tried again where that fails. */
  deferred: boolean;
}

interface Waiting extends QueuedLine {
  resolve(seq: number): void;
  reject(error: Error): void;
}

interface LineQueueOptions {
  /** Of the log, for errors. */
  path: string;
  /** Writes all or none of them. */
  write(batch: readonly QueuedLine[]): Promise<LinePosition[]>;
  /** Called for each line that was written, in order. Gives its sequence number. */
  onWritten(entry: AuditEntry, place: LinePosition): number;
  /** These could not be written, and wait. */
  onDelayed(lines: number, error: Error): void;
}

const MAX_BATCH_LINES = 256;
const GROUP_MS = 50;

/** The lines of the audit log that are not written yet, in order. One that is not `deferred` is written at once, with all before it. */
export function createLineQueue({ path, write, onWritten, onDelayed }: LineQueueOptions) {
  let queue: Waiting[] = [];
  /** As many from the head of the queue are to be written now. */
  let due = 0;
  let draining: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let writable = true;
  let finishing = false;
  let closed = false;

  async function drain(): Promise<void> {
    while (due > 0) {
      const batch = queue.slice(0, MAX_BATCH_LINES);
      let places: LinePosition[];
      try {
        places = await write(batch);
      } catch (error) {
        refuse(storageError(error, message('error.part_log'), path));
        break;
      }
      writable = true;
      queue = queue.slice(batch.length);
      due -= batch.length;
      for (const [index, place] of places.entries()) {
        const line = batch[index];
        line?.resolve(onWritten(line.entry, place));
      }
    }
    draining = null;
    if (writable && queue.length > 0) flushLater();
  }

  function refuse(error: Error): void {
    writable = false;
    due = 0;
    const refused = queue.filter(({ deferred }) => !deferred || finishing);
    queue = queue.filter(({ deferred }) => deferred && !finishing);
    for (const { reject } of refused) reject(error);
    if (queue.length > 0) onDelayed(queue.length, error);
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    due = queue.length;
    if (due > 0) draining ??= drain();
    return draining ?? Promise.resolve();
  }

  function flushLater(): void {
    timer ??= setTimeout(() => void flush(), GROUP_MS);
  }

  function finish(): Promise<void> {
    finishing = true;
    return flush();
  }

  return {
    /** Resolves with its sequence number once it is written. */
    add: (entry: AuditEntry, { deferred }: { deferred: boolean }) =>
      new Promise<number>((resolve, reject) => {
        if (closed) return reject(storageError(new Error('the recorder is closed'), message('error.part_log'), path));
        queue.push({ entry, deferred, resolve, reject });
        if (deferred) flushLater();
        else void flush();
      }),
    /** False from a failed write to the next one that succeeds. */
    isWritable: () => writable,
    /** Writes what waits. From now on nothing is tried again. */
    finish,
    async close(): Promise<void> {
      closed = true;
      await finish();
    },
  };
}
