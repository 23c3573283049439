/** Format of an audit log line: JSON with the hash of the previous line in `prev` and the hash of its own bytes in `hash`. */
import { sha256 } from '../pipeline/sha256.js';

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

const HASH_SUFFIX = /,"hash":"([0-9a-f]{64})"\}$/;

/** Takes a line without its newline; null when it does not have this format. */
export function decodeLine(line: Buffer): DecodedLine | null {
  const match = HASH_SUFFIX.exec(line.subarray(-160).toString('latin1'));
  if (match === null) return null;
  const [whole, hash] = match;
  if (hash === undefined) return null;
  const body = Buffer.concat([line.subarray(0, line.length - whole.length), Buffer.from('}')]);
  const entry = parse(body);
  if (typeof entry !== 'object' || entry === null || !('seq' in entry) || !('prev' in entry)) return null;
  if (typeof entry.seq !== 'number' || typeof entry.prev !== 'string') return null;
  return { seq: entry.seq, prev: entry.prev, hash, intact: sha256(body) === hash, entry };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
