import { createEmitter } from '../../base/emitter.js';
import type { Logger } from 'pino';
import type { ChatEvent } from '../protocol/index.js';
import { openLog } from './log.js';
import { createChatQuestions, isOpen, type Question, type ChatQuestions } from './questions.js';
import type { ChatRecord } from './records.js';

export interface ChatOptions {
  /** chat.jsonl; made 0600 when it is not there. */
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
  cursor(): number;
  on(listener: (event: ChatEvent) => void): () => void;
  close(): void;
}

/** The log on disk, the state it adds up to, and the listeners for new events. */
export function createJournal({ file, now, log }: ChatOptions): Journal {
  const disk = openLog(file, log);
  const questions = createChatQuestions();
  const events: ChatEvent[] = [];
  let closed = false;
  const news = createEmitter<ChatEvent>((error) => log.error({ err: error }, 'chat: a listener failed'));

  function apply(record: ChatRecord) {
    questions.apply(record);
    if (record.kind === 'event') events.push(record.event);
  }

  function write(record: ChatRecord): unknown {
    try {
      if (closed) throw new Error('the chat is closed');
      disk.append(record);
    } catch (error) {
      log.error({ err: error }, 'chat log: a line could not be written');
      return error;
    }
    apply(record);
    return null;
  }

  function tryEvent(event: ChatEvent, callId?: string): unknown {
    const failure = write({ kind: 'event', event, ...(callId === undefined ? {} : { callId }) });
    if (failure === null) news.emit(event);
    return failure;
  }

  for (const record of disk.records) apply(record);
  events.sort((a, b) => a.seq - b.seq);
  const cursor = () => events.at(-1)?.seq ?? 0;
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

function firstAfter(events: ChatEvent[], seq: number): number {
  const index = events.findIndex((event) => event.seq > seq);
  return index === -1 ? events.length : index;
}
