/** The form of one line of the audit log: JSON that names the hash of the line before it, sealed with the hash of its own exact bytes. */
import { createHash } from 'node:crypto';

export const GENESIS = '0'.repeat(64);

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Longer strings are cut in the log; what they say in full is in result.json. */
const LONGEST = 8_000;

/** `entry` as a line (with its newline) that follows `prev`. */
export function seal(entry: object, seq: number, prev: string): { line: string; hash: string } {
  const body = JSON.stringify({ v: 1, seq, prev, ...entry }, (_name, value: unknown) =>
    typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value,
  );
  const hash = sha256(body);
  return { line: `${body.slice(0, -1)},"hash":"${hash}"}\n`, hash };
}

export interface Sealed {
  seq: number;
  prev: string;
  hash: string;
  /** The bytes are the ones that were hashed. */
  intact: boolean;
  entry: unknown;
}

const SEAL = /,"hash":"([0-9a-f]{64})"\}$/;

/** Reads a line without its newline; null when it is none of ours. */
export function unseal(line: Buffer): Sealed | null {
  const match = SEAL.exec(line.subarray(-160).toString('latin1'));
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
