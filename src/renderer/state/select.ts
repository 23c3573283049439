/** What components read out of the state. */
import {
  shownAs,
  type Activity,
  type AgentMessage,
  type ChatEvent,
  type UserMessage,
  type CurrentCall,
} from '../../main/protocol/index.js';
import type { ChatGap, PageState, Slot } from './state.js';

export type ChipState = 'connecting' | 'watching' | 'acting' | 'waiting' | 'paused' | 'held' | 'chat_only' | 'lost';

/** All that is shown on one card with this one, oldest first: requests that wait; of any other, only itself. */
export function shownWith(slots: readonly Slot[], slot: Slot): [Slot, ...Slot[]] {
  if (slot.settled !== null) return [slot];
  const [first = slot, ...others] = slots.filter(
    ({ card, settled }) => settled === null && shownAs(card) === shownAs(slot.card),
  );
  return [first, ...others];
}

/** Those that a card of their own begins with: every card once. */
export const cardsOf = (slots: readonly Slot[]): Slot[] => slots.filter((slot) => shownWith(slots, slot)[0] === slot);

export const openSlots = (slots: readonly Slot[]): Slot[] => cardsOf(slots).filter(({ settled }) => settled === null);

/** How many requests and questions wait for the person. */
export function waitingCount({ slots, pending }: Pick<PageState, 'slots' | 'pending'>): number {
  return openSlots(slots).length + pending.length;
}

/** Whether what an action asked of the person is still open: its call may have ended long before. */
export function stillAsked(state: Pick<PageState, 'slots' | 'chat' | 'pending'>): (row: Activity) => boolean {
  const { slots, chat, pending } = state;
  const cards = new Set(slots.filter(({ settled }) => settled === null).map(({ card }) => card.executionId));
  const asking = new Set(
    chat.flatMap((event) => (event.type === 'agentMessage' && pending.includes(event.ack_id) ? [event.agent.id] : [])),
  );
  return ({ executionId, effect, agent }) =>
    cards.has(executionId) || (effect === 'bookkeeping' && asking.has(agent.id));
}

/** In order of precedence: no connection, no pairing, a pause, something that waits, an action that runs. */
export function chipState(state: PageState): ChipState {
  if (state.connection === 'lost') return 'lost';
  if (!state.greeted || (state.role === 'unpaired' && state.identity === 'unsure')) return 'connecting';
  if (state.role === 'unpaired') return 'chat_only';
  if (state.status.state === 'paused') return 'paused';
  if (state.status.attention) return waitingCount(state) > 0 ? 'waiting' : 'held';
  if (waitingCount(state) > 0) return 'waiting';
  return state.status.state === 'acting' ? 'acting' : 'watching';
}

export interface AgentMessageTurn {
  kind: 'agent';
  message: AgentMessage;
  state: 'waiting' | 'answered' | 'withdrawn' | 'told';
}

export interface ReplyTurn {
  kind: 'person';
  message: UserMessage;
  /** Null when the question is no longer in the log. */
  to: AgentMessage['agent'] | null;
  /** It was written to the agent’s connection; only `deliveredAt` says that it arrived. */
  given: boolean;
  deliveredAt: string | null;
  /** Whether it was delivered may have been said in the gap. */
  isUnknown: boolean;
}

export type Turn = AgentMessageTurn | ReplyTurn;

export function turns(chat: ChatEvent[], pending: string[], gap: ChatGap | null): Turn[] {
  const asked = new Map<string, AgentMessage['agent']>();
  const ends = new Map<string, AgentMessageTurn['state']>();
  const given = new Set<string>();
  const delivered = new Map<string, string>();
  for (const event of chat) {
    if (event.type === 'agentMessage') asked.set(event.ack_id, event.agent);
    if (event.type === 'userMessage') ends.set(event.ack_id, 'answered');
    if (event.type === 'withdrawn') ends.set(event.ack_id, 'withdrawn');
    if (event.type === 'given') given.add(event.ack_id);
    if (event.type === 'delivered') delivered.set(event.ack_id, event.at);
  }
  return chat.flatMap((event): Turn[] => {
    if (event.type === 'agentMessage') {
      const state = pending.includes(event.ack_id) ? 'waiting' : (ends.get(event.ack_id) ?? 'told');
      return [{ kind: 'agent', message: event, state }];
    }
    if (event.type !== 'userMessage') return [];
    const id = event.ack_id;
    const [to, deliveredAt] = [event.to ?? asked.get(id) ?? null, delivered.get(id) ?? null];
    const isUnknown = deliveredAt === null && gap !== null && event.seq <= gap.after;
    return [{ kind: 'person', message: event, to, given: given.has(id), deliveredAt, isUnknown }];
  });
}

/** Only a connected, paired page knows which agents there are. */
export function hasLeft({ connection, role, status }: PageState, agentId: string): boolean {
  return connection === 'open' && role === 'paired' && !status.agents.some(({ id }) => id === agentId);
}

/** Agents that act now, or were answered and have neither written nor acted since. */
export function busyAgents(
  state: PageState,
  said: Turn[] = turns(state.chat, state.pending, state.gap),
): AgentMessage['agent'][] {
  return state.status.agents.filter((agent) => {
    if (agent.state !== 'idle') return agent.state === 'acting';
    // What the person wrote first starts nothing: it waits for a call of the agent's.
    const answered = said.filter((turn) => turn.kind === 'agent' || turn.message.to === undefined);
    const last = answered.findLast((turn) => (turn.kind === 'agent' ? turn.message.agent : turn.to)?.id === agent.id);
    return last?.kind === 'person' && !state.activity.some((row) => isWorkSince(row, agent.id, last.message.at));
  });
}

/** The answered question is a bookkeeping row of its own, and does not count. */
function isWorkSince({ agent, at, effect }: PageState['activity'][number], agentId: string, since: string): boolean {
  return agent.id === agentId && effect !== 'bookkeeping' && Date.parse(at) > Date.parse(since);
}

export function isFresh(state: PageState): boolean {
  const { chat, activity, slots, status } = state;
  return chat.length === 0 && activity.length === 0 && slots.length === 0 && status.agents.length === 0;
}

/** What the person wrote to this agent first, and it has not read. */
export const unreadBy = (state: PageState, agentId: string): ReplyTurn[] =>
  turns(state.chat, state.pending, state.gap).filter(
    (turn): turn is ReplyTurn => turn.kind === 'person' && turn.message.to?.id === agentId && turn.deliveredAt === null,
  );

/** Everything that waits for the person: requests and questions in one order, and the calls queued behind them. */
export type Waiting =
  | { kind: 'request'; id: string; at: number; slot: Slot; count: number }
  | { kind: 'question'; id: string; at: number; message: AgentMessage };

/** Oldest first. */
export function waitingFor({ slots, chat, pending }: Pick<PageState, 'slots' | 'chat' | 'pending'>): Waiting[] {
  const requests = openSlots(slots).map((slot): Waiting => {
    const { id, createdAt } = slot.card;
    return { kind: 'request', id, at: Date.parse(createdAt), slot, count: shownWith(slots, slot).length };
  });
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
