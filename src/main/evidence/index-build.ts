/**
 * Makes the index of a long log beside a running host: in a file of its own, which takes its place when it is done, a few lines at a
 * time with rests in between. Checks on the way that each line follows the one before.
 */
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { logPath, type Head } from './audit-head.js';
import { IndexDatabase, indexPath, removeIndex } from './index-database.js';
import { indexedLine } from './index-row.js';
import { IndexCounts, Leftovers, OpenCalls, type CallsState } from './index-state.js';
import { isSamePoint, scanLog, type ChainPoint, readRawLines, decodeLine, type LogFile } from './log-lines.js';
import { auditEntrySchema } from './audit-entries.js';
import { READ_FLAGS } from './open-folder.js';

interface BuildOptions {
  stateDir: string;
  /** Up to here. */
  to: ChainPoint;
  /** For each millisecond of work, as many of rest. */
  rest: number;
  signal: AbortSignal;
  onProgress(share: number): void;
}

export interface BuiltIndex {
  counts: IndexCounts;
  leftovers: string[];
  calls: CallsState;
  /** Of the chain. */
  breaks: number;
}

export const newIndexPath = (stateDir: string) => `${indexPath(stateDir)}.new`;

const WORK_MS = 2;
/** What takes longer waited for the disk or another program: that is no work. */
const MAX_WORK_MS = 5;

export async function buildIndex({ stateDir, to, rest, signal, onProgress }: BuildOptions): Promise<BuiltIndex> {
  const path = newIndexPath(stateDir);
  const db = await IndexDatabase.create(path, 'build');
  try {
    const [counts, leftovers, calls] = [new IndexCounts(), new Leftovers(), new OpenCalls()];
    let resumed = performance.now();
    db.begin();
    const scan = await scanLog(logPath(stateDir), {
      ...{ mark: 0, to: to.bytes, signal },
      onEntry(entry, seq, place) {
        const line = indexedLine(entry, seq, place, calls);
        calls.apply(entry, place);
        leftovers.apply(entry);
        if (line === null) return;
        counts.apply(line);
        db.insert('main', [line]);
      },
      async onPart({ bytes }) {
        const worked = performance.now() - resumed;
        if (worked < WORK_MS) return;
        onProgress(bytes / to.bytes);
        await delay(Math.min(worked, MAX_WORK_MS) * rest, undefined, { signal });
        resumed = performance.now();
      },
    });
    db.commit();
    db.close();
    await sync(path);
    const breaks = scan.breaks.length + Number(!isSamePoint(scan, to));
    return { counts, leftovers: leftovers.list(), calls: calls.snapshot(), breaks };
  } catch (error) {
    db.close();
    await removeIndex(path);
    throw error;
  }
}

/** It was written without waiting for the disk. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

// What a start must know of a long log that has no index: a place near its end to read on from, and the calls that had not ended
// there. Lines before that place are told apart by a few of their bytes: a million of them take a second. That they follow each
// other is checked while the index is made.

export interface PlaceNearEnd {
  point: ChainPoint;
  /** Length of the last line before it. */
  lastBytes: number;
}

const TAIL_BYTES = 1 << 19;
const NEWLINE = '\n';

/** After a line that is as it was written; null where the line of the head is not found near the end of the log. */
export async function placeNearEnd(stateDir: string, { size }: LogFile, head: Head): Promise<PlaceNearEnd | null> {
  const start = size - TAIL_BYTES;
  const tail = await readFrom(logPath(stateDir), start);
  const first = tail.indexOf(NEWLINE) + 1;
  let place: PlaceNearEnd | null = null;
  let lines = 0;
  for (let from = first, to = tail.indexOf(NEWLINE, from); to !== -1; to = tail.indexOf(NEWLINE, from)) {
    const line = decodeLine(tail.subarray(from, to));
    if (place === null) {
      if (line?.intact !== true) return null;
      const point = { lines: 0, seq: line.seq, hash: line.hash, bytes: start + to + 1 };
      place = { point, lastBytes: to - from };
    } else lines += 1;
    if (line?.hash === head.hash) return { ...place, point: { ...place.point, lines: head.count - lines } };
    from = to + 1;
  }
  return null;
}

async function readFrom(path: string, start: number): Promise<Buffer> {
  const file = await open(path, READ_FLAGS);
  try {
    const bytes = Buffer.alloc(TAIL_BYTES);
    const { bytesRead } = await file.read(bytes, 0, TAIL_BYTES, start);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const KIND = Buffer.from('"kind":"');
const ID = Buffer.from('"executionId":"');
const ID_DIGITS = 36;
const [BEGUN, STARTED, ENDED, ABANDONED] = [...Buffer.from('bsea')];

interface RawLine {
  bytes: Buffer;
  offset: number;
}

/** The calls at this place of the log. */
export async function callsAt(stateDir: string, to: number, signal: AbortSignal): Promise<OpenCalls> {
  const calls = new OpenCalls();
  const open = new Map<string, RawLine>();
  let offset = 0;
  for await (const { bytes } of readRawLines(logPath(stateDir), 0, to)) {
    signal.throwIfAborted();
    const kind = bytes.indexOf(KIND) + KIND.length;
    const letter = kind < KIND.length ? undefined : bytes[kind];
    // Nearly all lines are of calls that only read: they have no other line.
    if (letter === BEGUN || letter === STARTED) open.set(idIn(bytes, kind), { bytes: Buffer.from(bytes), offset });
    else if (letter === ENDED && open.size > 0) open.delete(idIn(bytes, kind));
    else if (letter === ABANDONED) {
      const id = idIn(bytes, kind);
      for (const line of [open.get(id), { bytes, offset }]) if (line !== undefined) applyTo(calls, line);
      open.delete(id);
    }
    offset += bytes.length + 1;
  }
  for (const line of open.values()) applyTo(calls, line);
  return calls;
}

function idIn(bytes: Buffer, from: number): string {
  const at = bytes.indexOf(ID, from) + ID.length;
  return bytes.toString('latin1', at, at + ID_DIGITS);
}

function applyTo(calls: OpenCalls, { bytes, offset }: RawLine): void {
  const line = decodeLine(bytes);
  const entry = auditEntrySchema.safeParse(line?.entry);
  if (line?.intact === true && entry.success) calls.apply(entry.data, { offset, bytes: bytes.length, hash: line.hash });
}
