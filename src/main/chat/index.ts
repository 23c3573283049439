/**
 * The conversation between agents and the person. Handlers ask questions through ChatPort; the page server gives answers and gets
 * events. An answer is on disk before any call gets it, and is never lost with a call that ended.
 */
import type { ChatPort } from '../pipeline/ports.js';
import type { ChatEvent } from '../protocol/index.js';
import { createAnswer, createAnswerInClient, type ChatAnswer } from './answer.js';
import { createChatPort, withdrawOld } from './chat-port.js';
import { createChatCalls } from './calls.js';
import { createJournal, type ChatOptions } from './journal.js';
import { CHAT_LIMITS } from './limits.js';
import type { EarlierEvents } from './older-events.js';

export interface Chat extends ChatPort {
  /** On disk when it returns ok; otherwise nothing has changed, and `message` says why. */
  answer: ChatAnswer;
  /** The answer that the agent's own client brought to the question of this call; false where that is not open, or not this agent's. */
  answerInClient(agentId: string, callId: string, text: string): boolean;
  /** Called when a connection closes: answers given over it that no later call proved are kept for the agent. */
  connectionClosed(connectionId: string): void;
  /** Called for an agent that will not reconnect: withdraws its questions. */
  agentEnded(agentId: string): void;
  /** Events after this seq that are in memory, oldest first. */
  events(sinceSeq: number): ChatEvent[];
  /** Events up to this seq are on disk only, but those of questions whose answer has not arrived. */
  floor(): number;
  /** Some of the events before that seq, the last of them included. */
  earlier(before: number): Promise<EarlierEvents>;
  /** Ids of the unanswered questions, oldest first. */
  pending(): string[];
  /** Seq of the newest event; 0 before the first. */
  cursor(): number;
  on(listener: (event: ChatEvent) => void): () => void;
  /** Ends every wait with `detach`; questions stay for the next host. */
  close(): Promise<void>;
}

/** Rejects when the log cannot be opened: a host that cannot keep the conversation must not start. */
export async function createChat(options: ChatOptions): Promise<Chat> {
  const journal = createJournal(options);
  const calls = createChatCalls();
  withdrawOld(journal, CHAT_LIMITS.questionAgeMs);
  return {
    ...createChatPort(journal, calls),
    answerInClient: createAnswerInClient(journal, calls),
    answer: createAnswer(journal, calls),
    connectionClosed: calls.connectionClosed,
    agentEnded(agentId) {
      for (const question of journal.questions.open()) if (question.agentId === agentId) journal.withdraw(question);
    },
    events: journal.since,
    floor: journal.floor,
    earlier: journal.earlier,
    pending: () => journal.questions.open().map(({ ackId }) => ackId),
    cursor: journal.cursor,
    on: journal.on,
    async close() {
      calls.endAll();
      journal.close();
    },
  };
}
