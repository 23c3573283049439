/** Reads the audit log from its first byte and checks that each line follows the one before. Used on opening and by `verify`. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { GENESIS, sha256, unseal, type Sealed } from './chain.js';
import { entrySchema, type Entry } from './entries.js';
import { errno } from './failures.js';
import { message, type Message } from '../../messages/index.js';

export interface Break {
  /** Line number, from 1. */
  line: number;
  kind: 'malformed' | 'edited' | 'gap';
  said: Message;
}

export interface Scan {
  exists: boolean;
  lines: number;
  /** Sequence number and hash the next line follows. */
  seq: number;
  hash: string;
  /** Bytes of the whole lines. */
  bytes: number;
  torn: Buffer | null;
  breaks: Break[];
  /** Hash after `mark` lines; null when there are fewer. */
  marked: string | null;
}

/** Where in the log a line lies, and what it was when it was written or read first. */
export interface LinePlace {
  offset: number;
  /** Without its newline. */
  bytes: number;
  hash: string;
}

export interface ScanOptions {
  /** Remember the hash after that many lines. */
  mark: number;
  onEntry(entry: Entry, seq: number, place: LinePlace): void;
}

export async function scanLog(path: string, options: ScanOptions): Promise<Scan> {
  const scan: Scan = {
    exists: true,
    lines: 0,
    seq: 0,
    hash: GENESIS,
    bytes: 0,
    torn: null,
    breaks: [],
    marked: options.mark === 0 ? GENESIS : null,
  };
  try {
    for await (const line of linesOf(path)) {
      if (line.whole) take(scan, line.bytes, options);
      else scan.torn = line.bytes;
    }
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
    scan.exists = false;
  }
  return scan;
}

function take(scan: Scan, bytes: Buffer, options: ScanOptions): void {
  const sealed = unseal(bytes);
  const line = scan.lines + 1;
  const found = check(scan, sealed, line);
  if (found !== null) scan.breaks.push(found);
  const offset = scan.bytes;
  scan.lines = line;
  scan.seq = sealed?.seq ?? scan.seq + 1;
  scan.hash = sealed?.hash ?? sha256(bytes);
  scan.bytes += bytes.length + 1;
  if (line === options.mark) scan.marked = scan.hash;
  if (sealed === null || !sealed.intact) return;
  const entry = entrySchema.safeParse(sealed.entry);
  if (entry.success) options.onEntry(entry.data, sealed.seq, { offset, bytes: bytes.length, hash: sealed.hash });
  else if (found === null)
    scan.breaks.push({ line, kind: 'malformed', said: message('record.unknown_kind', { line }) });
}

function check(scan: Scan, sealed: Sealed | null, line: number): Break | null {
  if (sealed === null) return { line, kind: 'malformed', said: message('record.not_a_line', { line }) };
  if (!sealed.intact) return { line, kind: 'edited', said: message('record.line_edited', { line }) };
  if (sealed.seq !== scan.seq + 1) {
    return {
      line,
      kind: 'gap',
      said: message('record.wrong_number', { line, number: sealed.seq, due: scan.seq + 1 }),
    };
  }
  if (sealed.prev === scan.hash) return null;
  return { line, kind: 'gap', said: message('record.exchanged', { line }) };
}

const NEWLINE = 0x0a;

/** Lines as exact bytes without their newline; `whole` is false for an unfinished last one. */
async function* linesOf(path: string): AsyncGenerator<{ bytes: Buffer; whole: boolean }> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  let rest: Buffer[] = [];
  // The stream closes the file, also when the consumer stops early.
  for await (const part of file.createReadStream({ highWaterMark: 1 << 18 })) {
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
