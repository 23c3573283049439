/** The conversation's log: events by sequence number, each once. */
import type { ChatEvent } from '../../main/protocol/index.js';

export function joinChat(known: ChatEvent[], history: ChatEvent[]): ChatEvent[] {
  const [first] = known;
  const last = history.at(-1);
  // Going back in a long conversation: older ones in their order.
  if (first !== undefined && last !== undefined && last.seq < first.seq && isInOrder(history))
    return [...history, ...known];
  const bySeq = new Map([...known, ...history].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}

const isInOrder = (events: ChatEvent[]): boolean =>
  events.every(({ seq }, index) => index === 0 || (events[index - 1]?.seq ?? seq) < seq);

export function addChat(known: ChatEvent[], event: ChatEvent): ChatEvent[] {
  const last = known[known.length - 1];
  return last === undefined || last.seq < event.seq ? [...known, event] : joinChat(known, [event]);
}

/** A question waits from its message until it is answered or withdrawn; a repeated message does not reopen it. */
export function pendingAfter(pending: string[], known: ChatEvent[], event: ChatEvent): string[] {
  if (event.type === 'given' || event.type === 'delivered') return pending;
  if (event.type !== 'agentMessage') return pending.filter((id) => id !== event.ack_id);
  const closed = known.some((one) => one.type !== 'agentMessage' && one.ack_id === event.ack_id);
  return closed || pending.includes(event.ack_id) ? pending : [...pending, event.ack_id];
}
