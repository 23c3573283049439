/** Events that are no longer in memory: in a folder beside the log, some hundreds in a file that is named by the last number in it. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import writeFileAtomic from 'write-file-atomic';
import { errno } from '../../base/type-guards.js';
import type { ChatEvent } from '../protocol/index.js';
import { type ChatRecord, chatRecordSchema } from './records.js';

export interface EarlierEvents {
  /** By number. */
  events: ChatEvent[];
  /** Events up to this number are elsewhere on disk; 0: there are none. */
  since: number;
}

interface Part {
  last: number;
  bytes: number;
}

const EVENTS_A_FILE = 1_000;
const BYTES_A_FILE = 2_000_000;
/** Beyond that the oldest files are deleted. */
const MAX_BYTES = 256_000_000;
const NAME = /^(\d+)\.jsonl$/;

export function openOlderEvents(folder: string, log: Logger) {
  let parts = partsIn(folder);
  const pathOf = (last: number) => join(folder, `${last}.jsonl`);
  const floor = () => parts.at(-1)?.last ?? 0;

  function write(lines: readonly string[], last: number): void {
    const text = lines.join('');
    writeFileAtomic.sync(pathOf(last), text, { mode: 0o600 });
    parts = sorted([...parts.filter((part) => part.last !== last), { last, bytes: Buffer.byteLength(text) }]);
  }

  function deleteOldest(): void {
    let bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    for (const part of parts.slice(0, -1)) {
      if (bytes <= MAX_BYTES) return;
      rmSync(pathOf(part.last), { force: true });
      bytes -= part.bytes;
      parts = parts.filter((one) => one !== part);
    }
  }

  async function read({ last }: Part): Promise<ChatEvent[]> {
    try {
      const { records } = readRecords(await readFile(pathOf(last)), log);
      return records.flatMap((record) => (record.kind === 'event' ? record.event : []));
    } catch (error) {
      log.warn({ err: error, last }, 'chat: a file of older messages could not be read and was passed over');
      return [];
    }
  }

  return {
    /** Events up to this number were moved here; 0: none. */
    floor,
    /** By number. On disk when it returns. */
    add(events: readonly ChatEvent[]): void {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const before = floor();
      let [lines, bytes]: [string[], number] = [[], 0];
      for (const [index, event] of events.entries()) {
        const line = lineOf({ kind: 'event', event } satisfies ChatRecord);
        lines.push(line);
        bytes += line.length;
        const isFull = lines.length === EVENTS_A_FILE || bytes >= BYTES_A_FILE;
        // What was kept longer than its neighbours joins newer ones: the numbers in a file's name must rise.
        if (index < events.length - 1 && (!isFull || event.seq <= before)) continue;
        write(lines, event.seq);
        [lines, bytes] = [[], 0];
      }
      deleteOldest();
    },
    /** Those of the file with the event right before that number. */
    async before(seq: number): Promise<EarlierEvents> {
      const from = parts.findIndex(({ last }) => last >= seq - 1);
      const older = from === -1 ? parts : parts.slice(0, from + 1);
      for (const [index, part] of [...older.entries()].reverse()) {
        const events = (await read(part)).filter((event) => event.seq < seq);
        if (events.length > 0) return { events, since: older[index - 1]?.last ?? 0 };
      }
      return { events: [], since: 0 };
    },
  };
}

function partsIn(folder: string): Part[] {
  const found = namesIn(folder).flatMap((name) => {
    const last = Number(NAME.exec(name)?.[1]);
    return Number.isNaN(last) ? [] : { last, bytes: statSync(join(folder, name)).size };
  });
  return sorted(found);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR') return [];
    throw error;
  }
}

const sorted = (parts: Part[]): Part[] => parts.sort((one, other) => one.last - other.last);

/** Records as lines of JSON. */
export function lineOf(record: ChatRecord): string {
  return `${JSON.stringify(record)}\n`;
}

export function readRecords(bytes: Buffer, log: Logger) {
  const records: ChatRecord[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    const record = parse(bytes.toString('utf8', start, end));
    if (record) records.push(record);
    else log.warn({ at: start }, 'chat log: a line could not be read and was passed over');
    start = end + 1;
  }
  const last = start < bytes.length ? parse(bytes.toString('utf8', start)) : null;
  if (last) records.push(last);
  else if (start < bytes.length) log.warn({ at: start }, 'chat log: the last line was torn and was cut off');
  return {
    records,
    /** Bytes up to the end of the last complete line. */
    whole: last ? bytes.length : start,
    /** The last line is valid but lacks its line end. */
    unended: last !== null,
  };
}

function parse(text: string): ChatRecord | null {
  try {
    return chatRecordSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
