/**
 * The audit log, `audit.jsonl` in the state folder: appends entries and reports their sequence numbers once they are on disk. Lines
 * are written in the order in which they were given. Owned by the recorder.
 */
import { constants, fstatSync, lstatSync, statSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { sha256 } from '../approvals/digest.js';
import {
  FIRST_PREVIOUS_HASH,
  encodeLine,
  scanLog,
  type ChainPoint,
  type LinePosition,
  type LogScan,
  type OnEntry,
} from './log-lines.js';
import type { AuditEntry, RecoveredEntry } from './audit-entries.js';
import { storageError } from './sealed-file.js';
import { DURABLE_WRITES } from './open-folder.js';
import { logPath, replaceHead, type Head, type HeadKey } from './audit-head.js';
import { message, MessageError } from '../../messages/index.js';

export interface AuditLog {
  /** Resolves with the sequence number once line and head are on disk. Rejects with a WireError; then no part of the line remains. */
  append(entry: AuditEntry): Promise<number>;
  /**
   * The same for a line that its call does not wait for: written together with others within 50 ms, or before the next line of
   * `append`. Where that fails it is tried again with the next line, and at the end.
   */
  appendDeferred(entry: AuditEntry): Promise<number>;
  /** False from a failed write to the next one that succeeds. */
  isWritable(): boolean;
  /** Before the end: writes what waits. From now on a line that cannot be written is rejected. Never rejects itself. */
  finish(): Promise<void>;
  /** What was repaired on opening; null when the log was intact. */
  readonly recovered: RecoveredEntry | null;
  /** Tells the file from another of its name. */
  readonly ino: number;
  close(): Promise<void>;
}

interface AuditLogOptions {
  stateDir: string;
  now: () => Date;
  /** The saved head; `from`: a place up to which the log is not read again. The head is not before it. */
  head: Head | 'unreadable' | null;
  /** Writes heads with a code that only the app can make. */
  headKey?: HeadKey | undefined;
  from: ChainPoint;
  /** Called for every existing entry after `from`, then for each new one, in order. */
  onEntry: OnEntry;
  /** Waited for every few existing lines. */
  onPart?: (scan: LogScan) => Promise<void>;
  signal?: AbortSignal;
  /** Lines of `appendDeferred` could not be written, and wait. */
  onDelayed(lines: number, error: Error): void;
}

export const NOTHING_RECOVERED = {
  kind: 'recovered',
  torn: null,
  ahead: 0,
  lost: 0,
  headMissing: false,
  damaged: 0,
} as const satisfies Omit<RecoveredEntry, 'at'>;

const OPEN_FLAGS =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | DURABLE_WRITES;

/** Creates the state folder, and the log where there is none. Rejects when they cannot be used. */
export async function prepareLog(stateDir: string): Promise<{ ino: number; size: number }> {
  const path = logPath(stateDir);
  try {
    await mkdir(stateDir, { recursive: true, mode: 0o700 });
    const found = lstatSync(path, { throwIfNoEntry: false });
    return { ino: found?.ino ?? 0, size: found?.size ?? 0 };
  } catch (error) {
    throw storageError(error, message('error.part_log'), path);
  }
}

/** Opens and checks the log, and appends a `recovered` entry if it was damaged. Rejects when the state folder cannot be used. */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const path = logPath(options.stateDir);
  try {
    const { head } = options;
    const mark = head === null || head === 'unreadable' ? 0 : head.count;
    const scan = await scanLog(path, { ...options, mark });
    const file = await open(path, OPEN_FLAGS, 0o600);
    return await recoverLog(options, file, scan, head).catch(async (error: unknown) => {
      await file.close();
      throw error;
    });
  } catch (error) {
    throw storageError(error, message('error.part_log'), path);
  }
}

async function recoverLog(
  options: AuditLogOptions,
  file: FileHandle,
  scan: LogScan,
  head: Head | 'unreadable' | null,
): Promise<AuditLog> {
  await file.chmod(0o600);
  if (scan.incomplete !== null) await file.truncate(scan.bytes);
  if (scan.lines === 0 && head === null) {
    await replaceHead(options.stateDir, { count: 0, hash: FIRST_PREVIOUS_HASH }, { headKey: options.headKey });
  }
  return createLog(options, file, scan, findRecovered(scan, head, options));
}

function findRecovered(
  scan: LogScan,
  saved: Head | 'unreadable' | null,
  options: AuditLogOptions,
): RecoveredEntry | null {
  const head = saved === 'unreadable' ? null : saved;
  const headMissing = saved === null ? scan.lines > 0 : head === null;
  const count = head?.count ?? 0;
  const exchanged = head !== null && scan.marked !== null && scan.marked !== head.hash;
  const recovered: RecoveredEntry = {
    kind: 'recovered',
    at: options.now().toISOString(),
    torn: scan.incomplete && {
      bytes: scan.incomplete.length,
      sha256: sha256(scan.incomplete),
      base64: scan.incomplete.subarray(0, 4096).toString('base64'),
    },
    ahead: headMissing ? 0 : Math.max(0, scan.lines - count),
    lost: Math.max(0, count - scan.lines),
    headMissing,
    damaged: scan.breaks.length + (exchanged ? 1 : 0),
  };
  const { torn, ahead, lost, damaged } = recovered;
  return torn !== null || headMissing || ahead + lost + damaged > 0 ? recovered : null;
}

async function createLog(
  options: AuditLogOptions,
  file: FileHandle,
  scan: LogScan,
  recovered: RecoveredEntry | null,
): Promise<AuditLog> {
  const path = logPath(options.stateDir);
  let { lines, seq, hash, bytes } = scan;
  let toldLines = lines;
  let halfWritten = false;

  /** Throws when another process moved, replaced or wrote to the log: appending could lose the line or hide the change. */
  async function assertUnchanged(): Promise<void> {
    if (halfWritten) await file.truncate(bytes);
    halfWritten = false;
    // The kernel answers from memory, as long as the file is open: no disk can hold this up.
    const [held, named] = [fstatSync(file.fd), statSync(path, { throwIfNoEntry: false })];
    if (named === undefined || named.ino !== held.ino || named.dev !== held.dev)
      throw new MessageError(message('error.log_moved'));
    if (held.size !== bytes) throw new MessageError(message('error.log_changed'));
  }

  async function writeBatch(batch: readonly QueuedLine[]): Promise<LinePosition[]> {
    await assertUnchanged();
    const sealed: Buffer[] = [];
    const places: LinePosition[] = [];
    let tip = hash;
    let offset = bytes;
    for (const [index, queued] of batch.entries()) {
      const { line, hash: next } = encodeQueued(queued, seq + 1 + index, tip);
      const raw = Buffer.from(line);
      sealed.push(raw);
      places.push({ offset, bytes: raw.length - 1, hash: next });
      offset += raw.length;
      tip = next;
    }
    const text = Buffer.concat(sealed);
    halfWritten = true;
    const append = async (): Promise<void> => {
      await file.appendFile(text);
      if (DURABLE_WRITES === 0) await file.datasync();
    };
    await replaceHead(
      options.stateDir,
      { count: lines + batch.length, hash: tip },
      { headKey: options.headKey, append },
    );
    halfWritten = false;
    [lines, hash, bytes] = [lines + batch.length, tip, bytes + text.length];
    return places;
  }

  async function write(batch: readonly QueuedLine[]): Promise<LinePosition[]> {
    try {
      return await writeBatch(batch);
    } catch (error) {
      if (halfWritten)
        halfWritten = await file.truncate(bytes).then(
          () => false,
          () => true,
        );
      throw error;
    }
  }

  function onWritten(entry: AuditEntry, place: LinePosition): number {
    seq += 1;
    toldLines += 1;
    const after = { lines: toldLines, seq, hash: place.hash, bytes: place.offset + place.bytes + 1 };
    options.onEntry(entry, seq, place, after);
    return seq;
  }

  const queue = createLineQueue({ path, write, onWritten, onDelayed: options.onDelayed });
  if (recovered !== null) await queue.add(recovered, { deferred: false });
  return {
    append: (entry) => queue.add(entry, { deferred: false }),
    appendDeferred: (entry) => queue.add(entry, { deferred: true }),
    isWritable: queue.isWritable,
    finish: queue.finish,
    recovered,
    ino: fstatSync(file.fd).ino,
    async close() {
      await queue.close();
      await file.close();
    },
  };
}

function encodeQueued(queued: QueuedLine, seq: number, prev: string): { line: string; hash: string } {
  try {
    return encodeLine(queued.entry, seq, prev);
  } catch (error) {
    // It would fail again, and hold up every line after it.
    queued.deferred = false;
    throw error;
  }
}

interface QueuedLine {
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

export type LateLog = Pick<AuditLog, 'append' | 'appendDeferred' | 'isWritable' | 'finish' | 'close'>;

/** An audit log that may not have been read yet: lines given before wait for it. */
export function createLateLog() {
  let log: AuditLog | null = null;
  let open: (log: AuditLog) => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  const waited = new Promise<AuditLog>((resolve, reject) => ([open, refuse] = [resolve, reject]));
  waited.catch(() => undefined);

  const gaveUp = () => storageError(new Error('the audit log was not read to its end'), message('error.part_log'), '');

  const late: LateLog = {
    append: (entry: AuditEntry) => (log === null ? waited.then((read) => read.append(entry)) : log.append(entry)),
    appendDeferred: (entry: AuditEntry) =>
      log === null ? waited.then((read) => read.appendDeferred(entry)) : log.appendDeferred(entry),
    isWritable: () => log?.isWritable() ?? false,
    finish: async () => log?.finish(),
    async close() {
      refuse(gaveUp());
      await log?.close();
    },
  };
  return {
    log: late,
    opened(read: AuditLog): void {
      log = read;
      open(read);
    },
    failed: (error: Error) => refuse(error),
    recovered: (): RecoveredEntry | null => log?.recovered ?? null,
  };
}
