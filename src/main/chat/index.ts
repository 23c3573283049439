/**
 * The conversation between agents and the person. Handlers ask questions through {@link AgentChat}; the page server gives answers and gets
 * events. An answer is on disk before any call gets it, and is never lost with a call that ended.
 */
import { WaitEnded } from '../approvals/request.js';
import {
  type ChatQuestion,
  type ChatReply,
  type MissedReply,
  type Question,
  type WrittenMessage,
  isOpen,
} from './questions.js';
import { type Agent, type ChatEvent, type UserMessage, speakerOf, WireError } from '../protocol/index.js';
import { createChatCalls, type ChatCalls, endModeOf, type ChatCall } from './calls.js';
import { createJournal, type ChatOptions, type Journal, type EarlierEvents } from './journal.js';
import {
  CHAT_LIMITS,
  replyProblem,
  unreadProblem,
  type Image,
  type ReplyProblem,
  checkQuestion,
  checkOpenQuestions,
} from './limits.js';
import { message } from '../../messages/index.js';
import { randomUUID } from 'node:crypto';

/** The chat as handlers use it: asks questions, and gives answers to the calls that wait. */
function createAgentChat(journal: Journal, calls: ChatCalls): AgentChat {
  const { questions } = journal;

  function put({ agent, text, quickReplies, callId }: ChatQuestion): Question {
    const open = questions.open();
    checkOpenQuestions(open.filter(({ agentId }) => agentId === agent.id).length, open.length);
    const ackId = randomUUID();
    const replies = quickReplies.length > 0 ? { quickReplies } : {};
    const event = {
      type: 'agentMessage' as const,
      text,
      agent: speakerOf(agent),
      ...replies,
      ack_id: ackId,
      ...journal.stamp(),
    };
    if (journal.tryEvent(event, callId)) throw unsavedError();
    const question = questions.byAck(ackId);
    if (!question) throw new Error('a recorded question is missing');
    return question;
  }

  function find(asked: ChatQuestion): Question {
    const known = questions.find(asked.agent.id, asked.callId, asked.text);
    if (!known) return put(asked);
    if (!known.callIds.has(asked.callId)) journal.joined(known.ackId, asked.callId);
    return known;
  }

  function takeStored(question: Question, call: ChatCall): ChatReply | null {
    if (question.answer === null) return null;
    calls.take(call);
    return { ...question.answer.reply, givenAt: question.answer.at };
  }

  function giveUp(question: Question) {
    if (!calls.isAwaited(question.ackId)) journal.withdraw(question);
  }

  function missed(question: Question, call: Omit<ChatCall, 'ackId'>): MissedReply[] {
    if (call.signal.aborted || calls.holds(question.ackId)) return [];
    const reply = takeStored(question, { ...call, ackId: question.ackId });
    const { text, askedAt, callIds } = question;
    return reply ? [{ callId: [...callIds][0] ?? '', text, askedAt, reply }] : [];
  }

  return {
    async ask(asked, onWaiting, signal) {
      checkQuestion(asked);
      if (signal.aborted) throw new WaitEnded(endModeOf(signal));
      const question = find(asked);
      const { agent, callId, connectionId } = asked;
      const call = { agentId: agent.id, callId, ackId: question.ackId, signal, connectionId };
      const reply = takeStored(question, call);
      if (reply) return reply;
      onWaiting(question.ackId);
      return calls.wait(call, () => giveUp(question));
    },
    resultWritten(agentId, callId) {
      for (const ackId of calls.written(agentId, callId)) {
        const question = questions.byAck(ackId);
        if (question?.end === null && !question.given)
          journal.tryEvent({ type: 'given', ack_id: ackId, ...journal.stamp() });
      }
    },
    notReceived: calls.notReceived,
    confirmDelivery(agentId, resumed) {
      for (const ackId of calls.takeProven(agentId, resumed))
        if (questions.byAck(ackId)?.end === null)
          journal.tryEvent({ type: 'delivered', ack_id: ackId, ...journal.stamp() });
    },
    collect: (agentId, callId, signal) =>
      questions.undelivered(agentId).flatMap((question) => missed(question, { agentId, callId, signal })),
    collectWritten: (agentId, callId, signal) =>
      questions
        .unread(agentId)
        .flatMap((written) =>
          missed(written, { agentId, callId, signal }).map(({ text, askedAt }) => ({ text, at: askedAt })),
        ),
  };
}

/** Withdraws questions that were asked longer ago than `ageMs`. */
function withdrawOld(journal: Journal, ageMs: number): void {
  const now = Date.parse(journal.stamp().at);
  for (const question of journal.questions.open())
    if (isOpen(question) && now - Date.parse(question.askedAt) > ageMs) journal.withdraw(question);
}

const unsavedError = (): WireError =>
  new WireError('DESKTOP_HOST_NOT_READY', message('error.question_unsaved'), {
    reason: 'disk',
    next: 'Ask the person to free disk space, then ask again.',
  });

/** What calls of agents use. */
export type AgentChat = Pick<
  Chat,
  'ask' | 'resultWritten' | 'notReceived' | 'confirmDelivery' | 'collect' | 'collectWritten'
>;

export interface Chat {
  /**
   * Puts the question (or joins the same agent's identical one, by `callId` or by text while its answer has not arrived) and waits for the person.
   * Aborting with `detach` leaves the question open; with `withdraw` the call gives it up. An abort after this resolved and before the agent's next
   * call means that the answer did not arrive: it is kept for the next call. Throws DESKTOP_INVALID_REQUEST (empty, too long) and
   * DESKTOP_HOST_NOT_READY `reason: too_many_questions`.
   */
  ask(question: ChatQuestion, onWaiting: (ackId: string) => void, signal: AbortSignal): Promise<ChatReply>;
  /** The result of this call was written to the agent’s connection, with any answer in it. */
  resultWritten(agentId: string, callId: string): void;
  /** Whoever made this call has left it: an answer that it has got is kept for the agent's next call. */
  notReceived(agentId: string, callId: string): void;
  /** A later call of this agent proves that earlier answers arrived, except the one of the call that it resumes. */
  confirmDelivery(agentId: string, resumed: string | null): void;
  /**
   * Answers that wait for this agent because their call ended, or other calls came while it seemed to wait. The call that collects them
   * gives them: `signal` and `callId` are its own, and the agent's next call proves their arrival.
   */
  collect(agentId: string, callId: string, signal: AbortSignal): MissedReply[];
  /** The same for what the person wrote first. Any result of this agent carries it. */
  collectWritten(agentId: string, callId: string, signal: AbortSignal): WrittenMessage[];
  /** The person writes to an agent that has asked nothing. On disk when it returns ok. */
  write(to: Agent, text: string): AnswerResult;
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
    ...createAgentChat(journal, calls),
    answerInClient: createAnswerInClient(journal, calls),
    answer: createAnswer(journal, calls),
    write: (to, text) => write(journal, to, text),
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

type AnswerResult = { ok: true; seq: number } | ({ ok: false } & ReplyProblem);
type ChatAnswer = (ackId: string, text: string, images: Image[], paired: boolean) => AnswerResult;

/** Stores the person's answer: the first one settles a question for every page and every waiting call. */
function createAnswer(journal: Journal, calls: ChatCalls): ChatAnswer {
  return (ackId, text, images, paired) => {
    const pictures = images.length > 0 ? { images } : {};
    return settle(journal, calls, ackId, { text, paired, ...pictures });
  };
}

/** The same for an answer that the agent's own client brought; only to a question of this agent that this call asks. */
function createAnswerInClient(journal: Journal, calls: ChatCalls) {
  return (agentId: string, callId: string, text: string): boolean => {
    const asked = journal.questions.open().find((one) => one.agentId === agentId && one.callIds.has(callId));
    return asked !== undefined && settle(journal, calls, asked.ackId, { text, paired: false, inClient: true }).ok;
  };
}

type Given = Pick<UserMessage, 'text' | 'paired' | 'images' | 'inClient'>;

function settle(journal: Journal, calls: ChatCalls, ackId: string, given: Given): AnswerResult {
  const { text, images = [], ...how } = given;
  const problem = unanswerable(journal.questions.byAck(ackId)) ?? replyProblem(text, images);
  if (problem) return { ok: false, ...problem };
  const event = { type: 'userMessage' as const, ...given, ack_id: ackId, ...journal.stamp() };
  if (journal.tryEvent(event)) return { ok: false, ...UNSAVED };
  calls.give(ackId, { reply: text, images, ...how });
  return { ok: true, seq: event.seq };
}

/** Waits on disk for the agent's next call. */
function write(journal: Journal, to: Agent, text: string): AnswerResult {
  const problem = replyProblem(text, []) ?? unreadProblem(journal.questions.unread(to.id).length);
  if (problem) return { ok: false, ...problem };
  const how = { ack_id: randomUUID(), paired: true, to: speakerOf(to) };
  const event = { type: 'userMessage' as const, text, ...how, ...journal.stamp() };
  if (journal.tryEvent(event)) return { ok: false, ...UNSAVED };
  return { ok: true, seq: event.seq };
}

const UNSAVED: ReplyProblem = { code: 'not_saved', message: message('reply.not_saved') };

function unanswerable(question: Question | undefined): ReplyProblem | null {
  if (!question) return { code: 'unknown_question', message: message('reply.unknown_question') };
  if (question.answer) return { code: 'already_answered', message: message('reply.already_answered') };
  if (question.end) return { code: 'withdrawn', message: message('reply.withdrawn') };
  return null;
}
