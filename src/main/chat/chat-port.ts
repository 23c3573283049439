import { randomUUID } from 'node:crypto';
import { WaitEnded, type ChatPort, type ChatQuestion, type ChatReply, type MissedReply } from '../pipeline/ports.js';
import { speakerOf, WireError } from '../protocol/index.js';
import { endModeOf, type ChatCall, type ChatCalls } from './calls.js';
import type { Journal } from './journal.js';
import { checkQuestion, checkOpenQuestions } from './limits.js';
import { isOpen, type Question } from './questions.js';
import { message } from '../../messages/index.js';

/** The chat as handlers use it: asks questions, and gives answers to the calls that wait. */
export function createChatPort(journal: Journal, calls: ChatCalls): ChatPort {
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

  function giveUp(question: Question, callId: string) {
    if (calls.leave(callId, question.ackId)) journal.withdraw(question);
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
      return calls.wait(call, () => giveUp(question, call.callId));
    },
    withdraw(callId, agentId) {
      for (const question of questions.open())
        if (question.callIds.has(callId) && (agentId === undefined || question.agentId === agentId))
          giveUp(question, callId);
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
  };
}

/** Withdraws questions that were asked longer ago than `ageMs`. */
export function withdrawOld(journal: Journal, ageMs: number): void {
  const now = Date.parse(journal.stamp().at);
  for (const question of journal.questions.open())
    if (isOpen(question) && now - Date.parse(question.askedAt) > ageMs) journal.withdraw(question);
}

const unsavedError = (): WireError =>
  new WireError('DESKTOP_HOST_NOT_READY', message('error.question_unsaved'), {
    reason: 'disk',
    next: 'Ask the person to free disk space, then ask again.',
  });
