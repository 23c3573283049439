/** Everything that waits for the person: requests and questions in one order, and the calls queued behind them. */
import type { AgentMessage, CurrentCall } from '../../main/protocol/index.js';
import type { PageState, Slot } from './state.js';

export type Waiting =
  | { kind: 'request'; id: string; at: number; slot: Slot }
  | { kind: 'question'; id: string; at: number; message: AgentMessage };

/** Oldest first. */
export function waitingFor({ slots, chat, pending }: Pick<PageState, 'slots' | 'chat' | 'pending'>): Waiting[] {
  const requests = slots
    .filter(({ settled }) => settled === null)
    .map((slot): Waiting => ({ kind: 'request', id: slot.card.id, at: Date.parse(slot.card.createdAt), slot }));
  const questions = chat.flatMap((event): Waiting[] =>
    event.type === 'agentMessage' && pending.includes(event.ack_id)
      ? [{ kind: 'question', id: event.ack_id, at: Date.parse(event.at), message: event }]
      : [],
  );
  return [...requests, ...questions].sort((one, other) => one.at - other.at);
}

export interface AgentQueue {
  agentId: string;
  name: string;
  calls: CurrentCall[];
}

/** Calls that are shown only once an earlier request of the same agent is answered. */
export function queuedBehind(agents: PageState['status']['agents']): AgentQueue[] {
  return agents.flatMap(({ id, name, currentCalls = [] }) => {
    const calls = currentCalls.filter(({ queued }) => queued === true);
    return calls.length === 0 ? [] : [{ agentId: id, name, calls }];
  });
}

/** How many requests the person answered, and how many ended in another way. */
export function countEnded(slots: readonly Slot[]): { answered: number; unanswered: number } {
  const ended = slots.flatMap(({ settled }) => (settled === null ? [] : [settled]));
  const answered = ended.filter(({ reason }) => reason === null || reason === 'denied').length;
  return { answered, unanswered: ended.length - answered };
}
