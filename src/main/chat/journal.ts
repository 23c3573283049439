import { createEmitter } from '../../base/emitter.js';
import type { Logger } from 'pino';
import type { ChatEvent } from '../protocol/index.js';
import { createChatQuestions, isOpen, type Question, type ChatQuestions } from './questions.js';
import { type ChatRecord, chatRecordSchema } from './records.js';
import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import { message, MessageError } from '../../messages/index.js';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errno } from '../../base/type-guards.js';

export interface ChatOptions {
  /** chat.jsonl; made 0600 when it is not there. Older messages go into a folder beside it. */
  file: string;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger;
}

export interface Journal {
  readonly questions: ChatQuestions;
  /** Sequence number and time of the next event. */
  stamp(): { seq: number; at: string };
  /** Writes the event, then applies it, then calls listeners. A failed write is logged and returned, and changes nothing. */
  tryEvent(event: ChatEvent, callId?: string): unknown;
  withdraw(question: Question): void;
  /** Best effort: without it a call that resumes after a restart is still found by its text. */
  joined(ackId: string, callId: string): void;
  since(seq: number): ChatEvent[];
  /** Events up to this number are on disk only, but those of questions whose answer has not arrived. */
  floor(): number;
  earlier(before: number): Promise<EarlierEvents>;
  cursor(): number;
  on(listener: (event: ChatEvent) => void): () => void;
  close(): void;
}

/** Records between two attempts to make room where the first one failed. */
const RECORDS_A_TRY = 1_000;

/** The log on disk, the state it adds up to, and the listeners for new events. */
export function createJournal({ file, now, log }: ChatOptions): Journal {
  const { disk, ...onDisk } = openLog(file, log);
  const questions = createChatQuestions();
  const older = openOlderEvents(`${file.replace(/\.jsonl$/, '')}-older`, log);
  let { records } = onDisk;
  let events = eventsOf(records);
  /** Of records: room is made when there are as many. */
  let nextRoom = 0;
  let closed = false;
  const news = createEmitter<ChatEvent>((error) => log.error({ err: error }, 'chat: a listener failed'));

  function makeRoom(): void {
    if (records.length < nextRoom || !isOutgrown(records.length, disk.bytes())) return;
    nextRoom = records.length + RECORDS_A_TRY;
    const kept = recordsToKeep(records);
    const staying = new Set(kept);
    const leaving = eventsOf(records.filter((record) => !staying.has(record)));
    if (leaving.length === 0) return;
    try {
      older.add(leaving);
      disk.rewrite(kept);
    } catch (error) {
      return log.error({ err: error }, 'chat log: older messages could not be moved, and stay where they are');
    }
    records = kept;
    events = eventsOf(kept);
    nextRoom = 0;
    questions.forget(new Set(leaving.flatMap((event) => (event.type === 'agentMessage' ? event.ack_id : []))));
  }

  function write(record: ChatRecord): unknown {
    try {
      if (closed) throw new Error('the chat is closed');
      disk.append(record);
    } catch (error) {
      log.error({ err: error }, 'chat log: a line could not be written');
      return error;
    }
    questions.apply(record);
    records.push(record);
    if (record.kind === 'event') events.push(record.event);
    makeRoom();
    return null;
  }

  function tryEvent(event: ChatEvent, callId?: string): unknown {
    const failure = write({ kind: 'event', event, ...(callId === undefined ? {} : { callId }) });
    if (failure === null) news.emit(event);
    return failure;
  }

  for (const record of records) questions.apply(record);
  makeRoom();
  const cursor = () => Math.max(events.at(-1)?.seq ?? 0, older.floor());
  const stamp = () => ({ seq: cursor() + 1, at: new Date(now()).toISOString() });

  return {
    questions,
    stamp,
    tryEvent,
    withdraw(question) {
      if (isOpen(question)) tryEvent({ type: 'withdrawn', ack_id: question.ackId, ...stamp() });
    },
    joined: (ackId, callId) => void write({ kind: 'joined', ackId, callId }),
    since: (seq) => events.slice(firstAfter(events, seq)),
    floor: older.floor,
    async earlier(before) {
      const floor = older.floor();
      const recent = events.filter((event) => event.seq > floor && event.seq < before);
      if (recent.length > 0) return { events: recent, since: floor };
      const found = await older.before(before);
      const kept = events.filter(({ seq }) => seq > found.since && seq < before);
      return { ...found, events: [...found.events, ...kept].sort(bySeq) };
    },
    cursor,
    on: news.on,
    close() {
      if (closed) return;
      closed = true;
      news.clear();
      disk.close();
    },
  };
}

const bySeq = (one: ChatEvent, other: ChatEvent): number => one.seq - other.seq;

const eventsOf = (records: readonly ChatRecord[]): ChatEvent[] =>
  records.flatMap((record) => (record.kind === 'event' ? record.event : [])).sort(bySeq);

const firstAfter = (events: ChatEvent[], seq: number): number => events.findLastIndex((event) => event.seq <= seq) + 1;

/** Of the log and of what is in memory. What goes is still on disk, in other files. */
export const CHAT_LOG_LIMITS = {
  bytes: 32_000_000,
  records: 5_000,
  keptRecords: 2_500,
  keptBytes: 16_000_000,
} as const;

export const isOutgrown = (records: number, bytes: number): boolean =>
  bytes > CHAT_LOG_LIMITS.bytes || records > CHAT_LOG_LIMITS.records;

/** The records to keep when the log has outgrown its limits: the newest ones, and everything about questions whose answer has not arrived, in their old order. */
export function recordsToKeep(records: ChatRecord[]): ChatRecord[] {
  const settled = new Set(records.filter(isEnd).map(ackOf));
  let bytesLeft = CHAT_LOG_LIMITS.keptBytes;
  let count = 0;
  const kept = records.toReversed().filter((record) => {
    if (!settled.has(ackOf(record))) return true;
    bytesLeft -= JSON.stringify(record).length;
    count += 1;
    return bytesLeft >= 0 && count <= CHAT_LOG_LIMITS.keptRecords;
  });
  return kept.reverse();
}

function isEnd(record: ChatRecord): boolean {
  return record.kind === 'event' && (record.event.type === 'delivered' || record.event.type === 'withdrawn');
}

function ackOf(record: ChatRecord): string {
  return record.kind === 'event' ? record.event.ack_id : record.ackId;
}

const CLOSED = -1;

interface ChatLog {
  bytes(): number;
  /** On disk when it returns. Throws, leaving the file as it was, when it cannot be written. */
  append(record: ChatRecord): void;
  /** Only these are left of it, on disk when it returns. Throws when they cannot be written; what was there is there still. */
  rewrite(records: readonly ChatRecord[]): void;
  close(): void;
}

/**
 * Opens or creates the JSONL file (0600, never through a link). A torn last line, left by a host that died while writing, is cut off;
 * other unreadable lines are passed over, kept and reported. `records`: what is in it, oldest first.
 */
function openLog(file: string, log: Logger): { records: ChatRecord[]; disk: ChatLog } {
  let fd = openPrivate(file);
  const { records, whole, unended } = readRecords(readFileSync(fd), log);
  let size = whole;
  ftruncateSync(fd, whole);
  if (unended) size += writeAll(fd, Buffer.from('\n'));

  const disk: ChatLog = {
    bytes: () => size,
    append(record) {
      try {
        const written = writeAll(fd, Buffer.from(lineOf(record)));
        fdatasyncSync(fd);
        size += written;
      } catch (error) {
        ftruncateSync(fd, size);
        throw error;
      }
    },
    rewrite(kept) {
      writeFileAtomic.sync(file, kept.map(lineOf).join(''), { mode: 0o600 });
      close();
      fd = openPrivate(file);
      size = fstatSync(fd).size;
    },
    close,
  };
  return { records, disk };

  /** What is written afterwards fails. */
  function close(): void {
    if (fd !== CLOSED) closeSync(fd);
    fd = CLOSED;
  }
}

function openPrivate(file: string): number {
  const fd = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  if (!fstatSync(fd).isFile()) {
    closeSync(fd);
    throw new MessageError(message('host.no_chat_file', { file }));
  }
  fchmodSync(fd, 0o600);
  return fd;
}

function writeAll(fd: number, bytes: Buffer): number {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
  return bytes.length;
}

/** Events that are no longer in memory: in a folder beside the log, some hundreds in a file that is named by the last number in it. */
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

function openOlderEvents(folder: string, log: Logger) {
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
function lineOf(record: ChatRecord): string {
  return `${JSON.stringify(record)}\n`;
}

function readRecords(bytes: Buffer, log: Logger) {
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
