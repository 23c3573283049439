/** Format of an audit log line: JSON with the hash of the previous line in `prev` and the hash of its own bytes in `hash`. */
import { createHash } from 'node:crypto';
import { sha256 } from '../approvals/digest.js';

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

export interface DecodedLine {
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
