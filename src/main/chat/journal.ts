import { createEmitter } from '../../base/emitter.js';
import type { Logger } from 'pino';
import type { ChatEvent } from '../protocol/index.js';
import { openLog } from './log.js';
import { openOlderEvents, type EarlierEvents } from './older-events.js';
import { createChatQuestions, isOpen, type Question, type ChatQuestions } from './questions.js';
import type { ChatRecord } from './records.js';
import { isOutgrown, recordsToKeep } from './retention.js';

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
