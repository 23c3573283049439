/** A recorded action as the index on disk holds it, in rows of one length. What the page shows is read from the log itself. */
import { crc32 } from 'node:zlib';
import { effectSchema, outcomeSchema, type Activity } from '../protocol/index.js';
import type { LinePosition } from './scan-log.js';

export interface ActivityRow extends LinePosition {
  seq: number;
  executionId: string;
  /** From disk both are cut off after 48 bytes: enough to search by. */
  agent: string;
  app: string | null;
  effect: Activity['effect'];
  outcome: Activity['outcome'];
  /** The page lists it; others only have a folder. */
  shown: boolean;
  hasFolder: boolean;
  /** Of the files in its folder. */
  size: number;
  /** When the call began, and when it may have touched the desktop for the first time. In milliseconds. */
  since: number;
  startedAt: number | null;
  deleted: { at: number; reason: 'age' | 'quota' } | null;
  /** Of the line of its start; null where it has none. `hash`: the first digits. */
  startedLine: LinePosition | null;
  /** Of the line of the person's decision, if that came after the call ended. */
  decidedLine: LinePosition | null;
  decision: PersonDecision | null;
}

/** A decision that a person made on a card. `card` tells cards apart. */
export interface PersonDecision {
  card: string;
  at: number;
  how: 'allowed' | 'denied' | 'unanswered';
  waitedMs: number;
}

export const ROW_BYTES = 256;
const NAME_BYTES = 48;
/** A name as a row keeps it. */
export function cutName(name: string): string {
  if (Buffer.byteLength(name) <= NAME_BYTES) return name;
  const bytes = Buffer.alloc(NAME_BYTES);
  return bytes.toString('utf8', 0, bytes.write(name));
}

const ID_DIGITS = 32;
const LINK_HASH_DIGITS = 12;
export const CARD_DIGITS = 32;
const EFFECTS = effectSchema.options;
const OUTCOMES = outcomeSchema.options;
const HOWS = ['allowed', 'denied', 'unanswered'] as const;
const SHOWN = 1;
const HAS_FOLDER = 2;
const DELETED_FOR = new Map([
  ['age', 4],
  ['quota', 8],
] as const);
const STARTED = 16;
const STARTED_LINE = 32;
const DECIDED_LINE = 64;
const HAS_APP = 128;

export function encodeRow(row: ActivityRow): Buffer {
  const to = Buffer.alloc(ROW_BYTES);
  to.writeUInt32BE(row.bytes, 4);
  to.writeUIntBE(row.seq, 8, 6);
  to.writeUIntBE(row.offset, 14, 6);
  to.writeUInt8(EFFECTS.indexOf(row.effect), 20);
  to.writeUInt8(OUTCOMES.indexOf(row.outcome), 21);
  to.writeUInt8(flagsOf(row), 22);
  to.writeUInt8(row.decision === null ? 0 : HOWS.indexOf(row.decision.how) + 1, 23);
  to.write(idDigits(row.executionId), 24, 'hex');
  to.write(row.hash, 40, 'hex');
  writeTime(to, row.startedAt ?? 0, 72);
  writeTime(to, row.deleted?.at ?? 0, 78);
  writeTime(to, row.since, 84);
  to.writeUIntBE(row.size, 90, 6);
  writeLink(to, row.decidedLine, 96);
  writeLink(to, row.startedLine, 112);
  if (row.decision !== null) {
    to.write(row.decision.card, 128, 'hex');
    writeTime(to, row.decision.at, 144);
    to.writeUInt32BE(Math.min(row.decision.waitedMs, 0xffffffff), 150);
  }
  to.write(row.agent, 160, NAME_BYTES);
  to.write(row.app ?? '', 208, NAME_BYTES);
  to.writeUInt32BE(crc32(to.subarray(4)), 0);
  return to;
}

/** null for bytes that were damaged. */
export function decodeRow(from: Buffer): ActivityRow | null {
  if (from.length !== ROW_BYTES || from.readUInt32BE(0) !== crc32(from.subarray(4))) return null;
  const [effect, outcome] = [EFFECTS[from.readUInt8(20)], OUTCOMES[from.readUInt8(21)]];
  if (effect === undefined || outcome === undefined) return null;
  const flags = from.readUInt8(22);
  const reason = [...DELETED_FOR].find(([, bit]) => (flags & bit) !== 0)?.[0];
  const how = HOWS[from.readUInt8(23) - 1];
  return {
    bytes: from.readUInt32BE(4),
    seq: from.readUIntBE(8, 6),
    offset: from.readUIntBE(14, 6),
    effect,
    outcome,
    shown: (flags & SHOWN) !== 0,
    hasFolder: (flags & HAS_FOLDER) !== 0,
    executionId: readId(from, 24),
    hash: from.toString('hex', 40, 72),
    startedAt: (flags & STARTED) === 0 ? null : from.readUIntBE(72, 6),
    deleted: reason === undefined ? null : { at: from.readUIntBE(78, 6), reason },
    since: from.readUIntBE(84, 6),
    size: from.readUIntBE(90, 6),
    decidedLine: (flags & DECIDED_LINE) === 0 ? null : readLink(from, 96),
    startedLine: (flags & STARTED_LINE) === 0 ? null : readLink(from, 112),
    decision:
      how === undefined
        ? null
        : { card: from.toString('hex', 128, 144), at: from.readUIntBE(144, 6), how, waitedMs: from.readUInt32BE(150) },
    agent: readName(from, 160),
    app: (flags & HAS_APP) === 0 ? null : readName(from, 208),
  };
}

export function readId(from: Buffer, at: number): string {
  const digits = from.toString('hex', at, at + ID_DIGITS / 2);
  return [0, 8, 12, 16, 20].map((start, part) => digits.slice(start, [8, 12, 16, 20, 32][part])).join('-');
}

export const ID_OFFSET = 24;
export const idDigits = (executionId: string) => executionId.replaceAll('-', '');

function flagsOf({ shown, hasFolder, deleted, startedAt, startedLine, decidedLine, app }: ActivityRow): number {
  return (
    (shown ? SHOWN : 0) |
    (hasFolder ? HAS_FOLDER : 0) |
    (deleted === null ? 0 : (DELETED_FOR.get(deleted.reason) ?? 0)) |
    (startedAt === null ? 0 : STARTED) |
    (startedLine === null ? 0 : STARTED_LINE) |
    (decidedLine === null ? 0 : DECIDED_LINE) |
    (app === null ? 0 : HAS_APP)
  );
}

const writeTime = (to: Buffer, time: number, at: number) => to.writeUIntBE(Math.max(0, time), at, 6);

function writeLink(to: Buffer, place: LinePosition | null, at: number): void {
  if (place === null) return;
  to.writeUIntBE(place.offset, at, 6);
  to.writeUInt32BE(place.bytes, at + 6);
  to.write(place.hash.slice(0, LINK_HASH_DIGITS), at + 10, 'hex');
}

function readLink(from: Buffer, at: number): LinePosition {
  return {
    offset: from.readUIntBE(at, 6),
    bytes: from.readUInt32BE(at + 6),
    hash: from.toString('hex', at + 10, at + 10 + LINK_HASH_DIGITS / 2),
  };
}

function readName(from: Buffer, at: number): string {
  const bytes = from.subarray(at, at + NAME_BYTES);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? NAME_BYTES : end);
}
