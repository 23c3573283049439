/** What the page keeps of a long conversation: the part that is read, and the newest one. What lies between is left to the host, and asked for again. */
import type { ChatEvent, ToPage } from '../../main/protocol/index.js';
import type { ChatGap, PageState } from './state.js';

export type ChatWindow = Pick<PageState, 'chat' | 'since' | 'gap' | 'pending'>;

/** Numbers of one section on the page. The window is cut between sections, so that none changes under who reads it. */
export const SECTION_NUMBERS = 60;
/** Weights. When the part that is read outgrows the first, it is cut to the second. */
const MAX_READ = 3_000;
const KEPT_READ = 2_000;
const KEPT_NEWEST = 1_000;
/** A message of this many characters weighs as much as two short ones. */
const CHARACTERS_PER_WEIGHT = 5_000;

/** Older events, as they were asked for before the oldest kept one. */
export function withEarlier(kept: ChatWindow, events: ChatEvent[], since: number): ChatWindow {
  const chat = joinChat(kept.chat, events);
  const { gap } = kept;
  const read = readIn({ ...kept, chat, since });
  if (weightOf(read) <= (gap === null ? MAX_READ + KEPT_NEWEST : MAX_READ)) return { ...kept, chat, since };
  const after = endOfSectionBefore(lastWithin(read, KEPT_READ));
  const upTo = gap?.upTo ?? endOfSectionBefore(lastWithin(read.toReversed(), KEPT_NEWEST));
  return after >= upTo ? { ...kept, chat, since } : cut({ ...kept, chat, since, gap: { after, upTo } });
}

/** The events up to that number, as they were asked for after the gap began. */
export function withLater(kept: ChatWindow, events: ChatEvent[], upTo: number): ChatWindow {
  if (kept.gap === null) return kept;
  const gap = upTo >= kept.gap.upTo ? null : { ...kept.gap, after: upTo };
  return withoutOldest({ ...kept, chat: joinChat(kept.chat, events), gap });
}

/** Only the newest part stays. */
export function withoutGap(kept: ChatWindow): ChatWindow {
  return kept.gap === null ? kept : cut({ ...kept, since: kept.gap.upTo, gap: null });
}

/** After new events. */
export function bounded(kept: ChatWindow): ChatWindow {
  if (kept.gap === null) return withoutOldest(kept);
  const { upTo } = kept.gap;
  const newest = kept.chat.filter(({ seq }) => seq > upTo);
  if (weightOf(newest) <= 2 * KEPT_NEWEST) return kept;
  const from = endOfSectionBefore(lastWithin(newest.toReversed(), KEPT_NEWEST));
  return cut({ ...kept, gap: { ...kept.gap, upTo: Math.max(upTo, from) } });
}

export function isInGap(gap: ChatGap | null, seq: number): boolean {
  return gap !== null && seq > gap.after && seq <= gap.upTo;
}

/** Anew where the host has forgotten what the page knows. */
export function greetedWith(kept: ChatWindow & Pick<PageState, 'cursor'>, greeting: Greeting): ChatWindow {
  const { history, cursor, since = 0, pendingAckIds: pending } = greeting;
  if (kept.chat.length === 0 || cursor < kept.cursor) return { chat: joinChat([], history), since, gap: null, pending };
  const chat = joinChat(kept.chat, history);
  const isMissing = since > kept.cursor;
  if (kept.gap !== null)
    return cut({ chat, since: kept.since, gap: isMissing ? { ...kept.gap, upTo: since } : kept.gap, pending });
  return cut({ chat, since: isMissing ? since : Math.min(kept.since, since), gap: null, pending });
}

type Greeting = Pick<Extract<ToPage, { type: 'connected' }>, 'history' | 'cursor' | 'since' | 'pendingAckIds'>;

function withoutOldest(kept: ChatWindow): ChatWindow {
  const read = readIn(kept);
  const newest = kept.gap === null ? KEPT_NEWEST : 0;
  if (weightOf(read) <= MAX_READ + 2 * newest) return kept;
  const since = endOfSectionBefore(lastWithin(read.toReversed(), KEPT_READ + newest));
  return cut({ ...kept, since: Math.max(kept.since, since) });
}

/** Before the gap; all where there is none. */
function readIn({ chat, since, gap }: Omit<ChatWindow, 'pending'>): ChatEvent[] {
  return chat.filter(({ seq }) => seq > since && (gap === null || seq <= gap.after));
}

/** Drops what is not in the window, but open questions and what became of messages that are. */
function cut(kept: ChatWindow): ChatWindow {
  const { since, gap } = kept;
  const waiting = new Set(kept.pending);
  const read = new Set(readIn(kept).map((event) => event.ack_id));
  const isKept = (event: ChatEvent): boolean => {
    if (event.seq > since && !isInGap(gap, event.seq)) return true;
    if (event.type === 'agentMessage') return waiting.has(event.ack_id);
    return event.type !== 'userMessage' && event.seq > since && read.has(event.ack_id);
  };
  return { ...kept, chat: kept.chat.filter(isKept) };
}

const endOfSectionBefore = (seq: number): number => Math.floor(seq / SECTION_NUMBERS) * SECTION_NUMBERS - 1;

/** The number of the last event that fits with those before it. */
function lastWithin(events: ChatEvent[], most: number): number {
  let weight = 0;
  const beyond = events.findIndex((event) => (weight += weightOf([event])) > most);
  return events.at(beyond === -1 ? -1 : Math.max(0, beyond - 1))?.seq ?? 0;
}

function weightOf(events: ChatEvent[]): number {
  return events.reduce((sum, event) => sum + 1 + charactersOf(event) / CHARACTERS_PER_WEIGHT, 0);
}

function charactersOf(event: ChatEvent): number {
  if (event.type === 'agentMessage') return event.text.length;
  if (event.type !== 'userMessage') return 0;
  return (event.images ?? []).reduce((sum, { base64 }) => sum + base64.length, event.text.length);
}

/** The conversation's log: events by sequence number, each once. */
function joinChat(known: ChatEvent[], history: ChatEvent[]): ChatEvent[] {
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
