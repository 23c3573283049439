import type { UserMessage } from '../protocol/index.js';
import { message } from '../../messages/index.js';
import type { ChatCalls } from './calls.js';
import type { Journal } from './journal.js';
import { replyProblem, type Image, type ReplyProblem } from './limits.js';
import type { Question } from './questions.js';

type AnswerResult = { ok: true; seq: number } | ({ ok: false } & ReplyProblem);
export type ChatAnswer = (ackId: string, text: string, images: Image[], paired: boolean) => AnswerResult;

/** Stores the person's answer: the first one settles a question for every page and every waiting call. */
export function createAnswer(journal: Journal, calls: ChatCalls): ChatAnswer {
  return (ackId, text, images, paired) => {
    const pictures = images.length > 0 ? { images } : {};
    return settle(journal, calls, ackId, { text, paired, ...pictures });
  };
}

/** The same for an answer that the agent's own client brought; only to a question of this agent that this call asks. */
export function createAnswerInClient(journal: Journal, calls: ChatCalls) {
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

const UNSAVED: ReplyProblem = { code: 'not_saved', message: message('reply.not_saved') };

function unanswerable(question: Question | undefined): ReplyProblem | null {
  if (!question) return { code: 'unknown_question', message: message('reply.unknown_question') };
  if (question.answer) return { code: 'already_answered', message: message('reply.already_answered') };
  if (question.end) return { code: 'withdrawn', message: message('reply.withdrawn') };
  return null;
}
