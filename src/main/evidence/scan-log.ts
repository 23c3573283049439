/** Reads the audit log, or a part of it, and checks that each line follows the previous one. Used on opening, by `verify` and by the check in the background. */
import { open } from 'node:fs/promises';
import * as z from 'zod';
import { sha256 } from '../approvals/digest.js';
import { READ_FLAGS } from './folder-interface.js';
import { FIRST_PREVIOUS_HASH, decodeLine, type DecodedLine } from './hash-chain.js';
import { auditEntrySchema, type AuditEntry } from './audit-entries.js';
import { errno } from '../../base/errno.js';
import { message, type Message } from '../../messages/index.js';

export interface ChainBreak {
  /** Line number, from 1. */
  line: number;
  kind: 'malformed' | 'edited' | 'gap';
  description: Message;
}

export const chainPointSchema = z.object({
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
