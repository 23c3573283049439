import type { ChatRecord } from './records.js';
import type { Agent } from '../protocol/index.js';

export interface ChatReply {
  reply: string;
  /** Answered by a paired page. */
  paired: boolean;
  /** Brought by the agent's own client, so that nothing proves that the person gave it. */
  inClient?: true;
  images: { mimeType: string; base64: string }[];
  /** When the person answered; set where the answer was first given to an earlier call of the same question, which may not have received it. */
  givenAt?: string;
}

/** An answer whose call had ended, or may have ended, before it arrived. */
export interface MissedReply {
  callId: string;
  text: string;
  askedAt: string;
  reply: ChatReply;
}

/** What the person wrote without being asked. */
export interface WrittenMessage {
  text: string;
  at: string;
}

export interface ChatQuestion {
  callId: string;
  agent: Agent;
  text: string;
  quickReplies: string[];
  /** The caller's connection: where it is lost before the agent's next call, the answer counts as not received. */
  connectionId?: string;
}

export interface Question {
  readonly ackId: string;
  readonly agentId: string;
  readonly text: string;
  readonly askedAt: string;
  /** Nobody asked: the person wrote first. */
  readonly written: boolean;
  /** The calls that asked it, in order. */
  readonly callIds: Set<string>;
  answer: { reply: ChatReply; at: string } | null;
  /** The answer was written to the agent’s connection. */
  given: boolean;
  end: 'delivered' | 'withdrawn' | null;
}

export type ChatQuestions = ReturnType<typeof createChatQuestions>;

/** State of all questions (asked, answered, delivered), computed from the records of the log. */
export function createChatQuestions() {
  const byAck = new Map<string, Question>();
  const byAgent = new Map<string, Question[]>();
  const of = (agentId: string) => byAgent.get(agentId) ?? [];

  function add(question: Question) {
    byAck.set(question.ackId, question);
    const list = byAgent.get(question.agentId);
    if (list) list.push(question);
    else byAgent.set(question.agentId, [question]);
  }

  function applyEvent({ event, callId }: Extract<ChatRecord, { kind: 'event' }>) {
    if (event.type === 'agentMessage') return add(fromMessage(event, callId));
    if (event.type === 'userMessage' && event.to !== undefined && !byAck.has(event.ack_id))
      add(fromPerson(event, event.to.id));
    const question = byAck.get(event.ack_id);
    if (!question) return;
    if (event.type === 'userMessage')
      question.answer = {
        reply: {
          ...{ reply: event.text, paired: event.paired, images: event.images ?? [] },
          ...(event.inClient === undefined ? {} : { inClient: event.inClient }),
        },
        at: event.at,
      };
    else if (event.type === 'given') question.given = true;
    else question.end = event.type;
  }

  return {
    /** Applies one record. Records from disk and new ones are treated alike. */
    apply(record: ChatRecord): void {
      if (record.kind === 'event') applyEvent(record);
      else byAck.get(record.ackId)?.callIds.add(record.callId);
    },
    byAck: (ackId: string): Question | undefined => byAck.get(ackId),
    /** Drops those whose answer has arrived, or that were withdrawn. */
    forget(ackIds: ReadonlySet<string>): void {
      for (const [ackId, { end }] of byAck) if (end !== null && ackIds.has(ackId)) byAck.delete(ackId);
      for (const [agentId, asked] of byAgent) {
        const left = asked.filter(({ ackId }) => byAck.has(ackId));
        if (left.length > 0) byAgent.set(agentId, left);
        else byAgent.delete(agentId);
      }
    },
    /** The question a call means: the one this call asked before, else the agent's identical one whose answer has not arrived. */
    find(agentId: string, callId: string, text: string): Question | undefined {
      const same = of(agentId).filter(
        (question) => !question.written && question.text === text && question.end !== 'withdrawn',
      );
      return (
        same.findLast((question) => question.callIds.has(callId)) ?? same.findLast((question) => question.end === null)
      );
    },
    /** Unanswered, oldest first. */
    open: (): Question[] => [...byAck.values()].filter(isOpen),
    /** Answered, but not known to have arrived; oldest first. */
    undelivered: (agentId: string): Question[] =>
      of(agentId).filter((question) => !question.written && question.answer !== null && question.end === null),
    /** What the person wrote first, and is not known to have arrived; oldest first. */
    unread: (agentId: string): Question[] => of(agentId).filter(({ written, end }) => written && end === null),
  };
}

export function isOpen(question: Question): boolean {
  return question.answer === null && question.end === null;
}

function fromMessage(
  event: { ack_id: string; agent: { id: string }; text: string; at: string },
  callId: string | undefined,
): Question {
  return {
    ackId: event.ack_id,
    agentId: event.agent.id,
    text: event.text,
    askedAt: event.at,
    written: false,
    callIds: new Set(callId === undefined ? [] : [callId]),
    answer: null,
    given: false,
    end: null,
  };
}

function fromPerson(
  { ack_id: ackId, text, at }: { ack_id: string; text: string; at: string },
  agentId: string,
): Question {
  return {
    ackId,
    agentId,
    text,
    askedAt: at,
    written: true,
    callIds: new Set(),
    answer: null,
    given: false,
    end: null,
  };
}
