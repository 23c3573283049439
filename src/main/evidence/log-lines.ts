/** Reads the audit log, or a part of it, and checks that each line follows the previous one. Used on opening, by `verify` and by the check in the background. */
import { open, type FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { sha256 } from '../approvals/digest.js';
import { READ_FLAGS } from './open-folder.js';
import { auditEntrySchema, type AuditEntry } from './audit-entries.js';
import { errno } from '../../base/type-guards.js';
import { message, type Message } from '../../messages/index.js';
import { logPath, type Head } from './audit-head.js';

// Format of an audit log line: JSON with the hash of the previous line in `prev` and the hash of its own bytes in `hash`.

export const FIRST_PREVIOUS_HASH = '0'.repeat(64);

/** Longer strings are truncated in the log; result.json has them in full. */
const MAX_STRING_LENGTH = 8_000;

/** The line, with its newline, for an entry that follows the line with hash `prev`. */
export function encodeLine(entry: object, seq: number, prev: string): { line: string; hash: string } {
  const body = withoutLongStrings({ v: 1, seq, prev, ...entry });
  const hash = sha256(body);
  return { line: `${body.slice(0, -1)},"hash":"${hash}"}\n`, hash };
}

function withoutLongStrings(value: object): string {
  const whole = JSON.stringify(value);
  if (whole.length <= MAX_STRING_LENGTH) return whole;
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'string' && part.length > MAX_STRING_LENGTH ? `${part.slice(0, MAX_STRING_LENGTH)}…` : part,
  );
}

interface DecodedLine {
  seq: number;
  prev: string;
  hash: string;
  /** The bytes match `hash`. */
  intact: boolean;
  entry: unknown;
}

const HASH_PREFIX = Buffer.from(',"hash":"');
const HASH_DIGITS = 64;
const HASH = /^[0-9a-f]{64}$/;
const END = '"}';

/** Takes a line without its newline; null when it does not have this format. */
export function decodeLine(line: Buffer): DecodedLine | null {
  const bodyEnd = line.length - HASH_PREFIX.length - HASH_DIGITS - END.length;
  const hashStart = bodyEnd + HASH_PREFIX.length;
  if (bodyEnd < 0 || !line.subarray(bodyEnd, hashStart).equals(HASH_PREFIX)) return null;
  // Copied from the bytes: part of a longer text would keep all of that in memory.
  const hash = line.toString('latin1', hashStart, hashStart + HASH_DIGITS);
  if (!HASH.test(hash) || line.toString('latin1', hashStart + HASH_DIGITS) !== END) return null;
  const body = `${line.toString('utf8', 0, bodyEnd)}}`;
  const entry = parse(body);
  if (typeof entry !== 'object' || entry === null || !('seq' in entry) || !('prev' in entry)) return null;
  if (typeof entry.seq !== 'number' || typeof entry.prev !== 'string') return null;
  const intact = sha256OfBody(line.subarray(0, bodyEnd)) === hash;
  return { seq: entry.seq, prev: entry.prev, hash, intact, entry };
}

/** Of the exact bytes: text made of them may have lost what is no UTF-8. */
const sha256OfBody = (bytes: Uint8Array): string => createHash('sha256').update(bytes).update('}').digest('hex');

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

// The lines in their order.

export interface ChainBreak {
  /** Line number, from 1. */
  line: number;
  kind: 'malformed' | 'edited' | 'gap';
  description: Message;
}

const chainPointSchema = z.object({
  lines: z.number().int().min(0),
  /** Sequence number and hash the next line follows. */
  seq: z.number().int(),
  hash: z.string(),
  /** Of the complete lines. */
  bytes: z.number().int().min(0),
});
/** A place between two lines of the log, and the chain there. */
export type ChainPoint = z.infer<typeof chainPointSchema>;

export const isSamePoint = (one: ChainPoint, other: ChainPoint): boolean =>
  one.lines === other.lines && one.seq === other.seq && one.hash === other.hash && one.bytes === other.bytes;

export const LOG_START: ChainPoint = { lines: 0, seq: 0, hash: FIRST_PREVIOUS_HASH, bytes: 0 };

export interface LogScan extends ChainPoint {
  exists: boolean;
  incomplete: Buffer | null;
  breaks: ChainBreak[];
  /** Hash after `mark` lines; null when there are fewer. */
  marked: string | null;
}

export const linePositionSchema = z.object({
  offset: z.number().int().min(0),
  /** Without its newline. */
  bytes: z.number().int().min(0),
  hash: z.string(),
});
/** Position of a line in the log, and its hash when it was written or first read. */
export type LinePosition = z.infer<typeof linePositionSchema>;

/** `after`: the chain after this line. */
export type OnEntry = (entry: AuditEntry, seq: number, place: LinePosition, after: ChainPoint) => void;

interface ScanOptions {
  /** Return the hash after this many lines as `marked`. */
  mark: number;
  onEntry: OnEntry;
  /** A place that was checked before. */
  from?: ChainPoint;
  /** Byte to stop at. */
  to?: number;
  /** Waited for every few lines. */
  onPart?: (scan: LogScan) => Promise<void>;
  signal?: AbortSignal;
}

const LINES_A_PART = 32;

export async function scanLog(path: string, options: ScanOptions): Promise<LogScan> {
  const from = options.from ?? LOG_START;
  const scan: LogScan = {
    ...from,
    exists: true,
    incomplete: null,
    breaks: [],
    marked: options.mark === from.lines ? from.hash : null,
  };
  if (options.to === from.bytes) return scan;
  try {
    for await (const line of readRawLines(path, from.bytes, options.to)) {
      if (line.whole) addLine(scan, line.bytes, options);
      else scan.incomplete = line.bytes;
      if (scan.lines % LINES_A_PART !== 0) continue;
      options.signal?.throwIfAborted();
      await options.onPart?.(scan);
    }
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    scan.exists = false;
  }
  return scan;
}

function addLine(scan: LogScan, bytes: Buffer, options: ScanOptions): void {
  const sealed = decodeLine(bytes);
  const line = scan.lines + 1;
  const found = checkLine(scan, sealed, line);
  if (found !== null) scan.breaks.push(found);
  const offset = scan.bytes;
  scan.lines = line;
  scan.seq = sealed?.seq ?? scan.seq + 1;
  scan.hash = sealed?.hash ?? sha256(bytes);
  scan.bytes += bytes.length + 1;
  if (line === options.mark) scan.marked = scan.hash;
  if (sealed === null || !sealed.intact) return;
  const entry = auditEntrySchema.safeParse(sealed.entry);
  const { hash, seq } = sealed;
  if (entry.success)
    options.onEntry(
      entry.data,
      seq,
      { offset, bytes: bytes.length, hash },
      { lines: line, seq, hash, bytes: scan.bytes },
    );
  else if (found === null)
    scan.breaks.push({ line, kind: 'malformed', description: message('record.unknown_kind', { line }) });
}

function checkLine(scan: LogScan, sealed: DecodedLine | null, line: number): ChainBreak | null {
  if (sealed === null) return { line, kind: 'malformed', description: message('record.not_a_line', { line }) };
  if (!sealed.intact) return { line, kind: 'edited', description: message('record.line_edited', { line }) };
  if (sealed.seq !== scan.seq + 1) {
    return {
      line,
      kind: 'gap',
      description: message('record.wrong_number', { line, number: sealed.seq, due: scan.seq + 1 }),
    };
  }
  if (sealed.prev === scan.hash) return null;
  return { line, kind: 'gap', description: message('record.exchanged', { line }) };
}

const NEWLINE = 0x0a;

/** Lines as exact bytes without their newline; `whole` is false for an unfinished last one. */
export async function* readRawLines(
  path: string,
  start: number,
  to: number | undefined,
): AsyncGenerator<{ bytes: Buffer; whole: boolean }> {
  const file = await open(path, READ_FLAGS);
  const end = to === undefined ? {} : { end: to - 1 };
  let rest: Buffer[] = [];
  // The stream closes the file, also when the consumer stops early.
  for await (const part of file.createReadStream({ highWaterMark: 1 << 18, start, ...end })) {
    if (!Buffer.isBuffer(part)) throw new TypeError('a file stream without an encoding gives buffers');
    let from = 0;
    for (let to = part.indexOf(NEWLINE); to !== -1; to = part.indexOf(NEWLINE, from)) {
      yield { bytes: Buffer.concat([...rest, part.subarray(from, to)]), whole: true };
      rest = [];
      from = to + 1;
    }
    if (from < part.length) rest.push(part.subarray(from));
  }
  if (rest.length > 0) yield { bytes: Buffer.concat(rest), whole: false };
}

/** Longer lines were not written by Chaperone, which truncates strings. */
const MAX_LINE_BYTES = 8 << 20;

/** Reads log lines at these positions, in this order; null for a line that has changed. */
export async function readLines(stateDir: string, places: readonly LinePosition[]): Promise<(AuditEntry | null)[]> {
  if (places.length === 0) return [];
  let file: FileHandle;
  try {
    file = await open(logPath(stateDir), READ_FLAGS);
  } catch {
    return places.map(() => null);
  }
  try {
    const entries: (AuditEntry | null)[] = [];
    for (const place of places) entries.push(await readLine(file, place).catch(() => null));
    return entries;
  } finally {
    await file.close();
  }
}

/** Compares with the hash from when the line was written or first read; some places keep its first digits only. */
async function readLine(file: FileHandle, { offset, bytes, hash }: LinePosition): Promise<AuditEntry | null> {
  if (bytes > MAX_LINE_BYTES) return null;
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, offset);
  if (bytesRead < bytes) return null;
  const sealed = decodeLine(buffer);
  if (sealed === null || !sealed.intact || !sealed.hash.startsWith(hash)) return null;
  const entry = auditEntrySchema.safeParse(sealed.entry);
  return entry.success ? entry.data : null;
}

// A place of the log up to which it was read: whether that log is still the same one, so that reading can go on there.

export const logPlaceSchema = z.object({
  /** Of the log: another file of that name has another. */
  ino: z.number(),
  point: chainPointSchema,
  /** Length of the last line before it, without its newline. */
  lastBytes: z.number().int().min(1),
});
type LogPlace = z.infer<typeof logPlaceSchema>;

export interface LogFile {
  ino: number;
  size: number;
}

/** Whether it is a place of this log, whose last line before it is as it was. */
export async function fitsLog(stateDir: string, log: LogFile, head: Head, place: LogPlace): Promise<boolean> {
  const { point, ino } = place;
  if (ino !== log.ino || point.bytes > log.size || head.count < point.lines) return false;
  return endsWithItsLine(logPath(stateDir), place);
}

async function endsWithItsLine(path: string, { point, lastBytes }: LogPlace): Promise<boolean> {
  const start = point.bytes - lastBytes - 1;
  const before = start > 0 ? 1 : 0;
  if (start < 0) return false;
  const file = await open(path, READ_FLAGS);
  try {
    const bytes = Buffer.alloc(before + lastBytes + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start - before);
    if (bytesRead < bytes.length || bytes.at(-1) !== NEWLINE) return false;
    if (before === 1 && bytes[0] !== NEWLINE) return false;
    const line = decodeLine(bytes.subarray(before, -1));
    return line !== null && line.intact && line.hash === point.hash && line.seq === point.seq;
  } finally {
    await file.close();
  }
}
