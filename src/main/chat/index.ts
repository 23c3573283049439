/**
 * The conversation between agents and the person. Comes in: questions from calls (`ask`), answers from pages (`answer`).
 * Goes out: an answer to each call that waits, and events to every page. Called by handlers through ChatPort and by the page hub.
 */
import type { ChatPort } from '../pipeline/ports.js';
import type { ChatEvent } from '../protocol/index.js';
import { createChatAnswering, type ChatAnswer } from './answering.js';
import { createAsking, withdrawOld } from './asking.js';
import { createChatCalls } from './calls.js';
import { createJournal } from './journal.js';
import { LIMITS } from './limits.js';
import type { ChatOptions } from './journal.js';

export { LIMITS } from './limits.js';

export interface Chat extends ChatPort {
  /** On disk when it returns ok; otherwise nothing has changed and `message` says why, in words for the page. */
  answer: ChatAnswer;
  /** Called when a connection closes: answers given over it that no later call proved are kept for the agent. */
  lost(connectionId: string): void;
  /** Called for an agent that will not reconnect: withdraws its questions. */
  gone(agentId: string): void;
  /** Events after this seq, oldest first. */
  events(sinceSeq: number): ChatEvent[];
  /** Ids of unanswered questions, oldest first. */
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
  withdrawOld(journal, LIMITS.questionAgeMs);
  return {
    ...createAsking(journal, calls),
    answer: createChatAnswering(journal, calls),
    lost: calls.lost,
    gone(agentId) {
      for (const question of journal.questions.open()) if (question.agentId === agentId) journal.withdraw(question);
    },
    events: journal.since,
    pending: () => journal.questions.open().map(({ ackId }) => ackId),
    cursor: journal.cursor,
    on: journal.on,
    async close() {
      calls.endAll();
      journal.close();
    },
  };
}
