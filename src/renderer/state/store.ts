/** Holds the state and notifies listeners of changes. */
import { createEmitter } from '../../base/emitter.js';
import { initialState, type PageState, type Identity, type Settled, type Slot } from './state.js';
import { say } from '../strings.js';
import type { ToPage, ChatEvent, Card, Role } from '../../main/protocol/index.js';
import { addChat, pendingAfter, bounded, greetedWith, withEarlier, withLater, withoutGap } from './chat-window.js';
import type { Message } from '../../messages/index.js';

export type PageStore = ReturnType<typeof createPageStore>;

export function createPageStore() {
  let state = initialState;
  const after = createEmitter<void>();
  const before = createEmitter<void>();
  return {
    get: (): PageState => state,
    dispatch: (event: PageEvent): void => {
      const next = reduce(state, event);
      if (next === state) return;
      before.emit();
      state = next;
      after.emit();
    },
    subscribe: after.on,
    /** Called before each change, while the old state is still rendered. */
    beforeChange: before.on,
  };
}

// The reducer of the page's state. Pure.

const ACTIVITY_KEPT = 200;

export type PageEvent =
  | { type: 'host'; message: ToPage }
  | { type: 'connectionLost'; retryAt: number }
  | { type: 'reconnecting' }
  | { type: 'identityChecked'; identity: Identity; refusal: string | null }
  | { type: 'decisionSent'; id: string; decision: 'allow' | 'deny' }
  | { type: 'replySent'; id: string }
  | { type: 'answeredCleared' }
  /** `before` and `after`: what was asked for; no longer wanted where the window has changed since. */
  | { type: 'earlierLoaded'; before: number; events: ChatEvent[]; since: number }
  | { type: 'laterLoaded'; after: number; events: ChatEvent[]; upTo: number }
  | { type: 'gapClosed' }
  | { type: 'noticeShown'; code: string; message: string }
  | { type: 'noticeDismissed' };

export function reduce(state: PageState, event: PageEvent): PageState {
  switch (event.type) {
    case 'host':
      return reduceHostMessage(state, event.message);
    case 'connectionLost':
      return {
        ...state,
        connection: 'lost',
        confirmedIn: null,
        retryAt: event.retryAt,
        replying: {},
        slots: state.slots.map((slot) => (slot.settled === null ? { ...slot, sent: null } : slot)),
      };
    case 'reconnecting':
      return { ...state, retryAt: null };
    case 'identityChecked':
      return { ...state, identity: event.identity, refusal: event.refusal, confirmedIn: null };
    case 'decisionSent':
      return { ...state, slots: decide(state.slots, event.id, event.decision) };
    case 'replySent':
      return {
        ...state,
        replying: { ...state.replying, [event.id]: true },
        replyProblems: without(state.replyProblems, event.id),
      };
    case 'answeredCleared':
      return { ...state, slots: state.slots.filter((slot) => slot.settled === null) };
    case 'earlierLoaded':
      if (event.before !== state.since + 1) return state;
      return { ...state, ...withEarlier(state, event.events, Math.min(state.since, event.since)) };
    case 'laterLoaded':
      return event.after === state.gap?.after ? { ...state, ...withLater(state, event.events, event.upTo) } : state;
    case 'gapClosed':
      return { ...state, ...withoutGap(state) };
    case 'noticeShown':
      return { ...state, notice: { code: event.code, message: event.message } };
    case 'noticeDismissed':
      return { ...state, notice: null };
  }
}

function reduceHostMessage(state: PageState, message: ToPage): PageState {
  // Answers are handled by host-questions.ts, frames by live-frames.ts.
  if ('request' in message || message.type === 'frame') return state;
  switch (message.type) {
    case 'connected':
      return applyGreeting(state, message);
    case 'agentMessage':
    case 'userMessage':
    case 'given':
    case 'delivered':
    case 'withdrawn':
      return addChatEvent(state, message);
    case 'approvalRequested':
      return { ...state, slots: requestCard(state.slots, message.approval) };
    case 'approvalChanged':
      return { ...state, slots: changeCard(state.slots, message.approval) };
    case 'approvalResolved':
      return { ...state, slots: settleCard(state.slots, message) };
    case 'activity':
      return { ...state, activity: addActivity(state.activity, message.activity) };
    case 'status':
    case 'names':
    case 'grants':
    case 'policy':
    case 'health':
    case 'commands':
    case 'gabpApps':
      return replacePart(state, message);
    case 'pairings':
      return { ...state, pairings: message.pairings, pairingNews: message.news ?? [] };
    case 'pairingWaits':
      return { ...state, confirmedIn: message.where, identity: 'none', refusal: null };
    case 'paired':
      return state;
    case 'error':
      return applyError(state, message);
  }
}

type Replacement = Extract<
  ToPage,
  { type: 'status' | 'names' | 'grants' | 'policy' | 'health' | 'commands' | 'gabpApps' }
>;

/** What the host always sends whole. */
function replacePart(state: PageState, message: Replacement): PageState {
  switch (message.type) {
    case 'status':
      return { ...state, status: message.status };
    case 'names':
      return { ...state, names: message.names };
    case 'grants':
      return { ...state, grants: message.grants };
    case 'policy':
      return { ...state, policy: message.policy };
    case 'health':
      return { ...state, health: message.health };
    case 'commands':
      return { ...state, commands: message.commands };
    case 'gabpApps':
      return { ...state, gabpApps: { apps: message.apps, fault: message.fault } };
  }
}

function addChatEvent(state: PageState, message: ChatEvent): PageState {
  const { since, gap } = state;
  const pending = pendingAfter(state.pending, state.chat, message);
  return {
    ...state,
    ...bounded({ chat: addChat(state.chat, message), since, gap, pending }),
    cursor: Math.max(state.cursor, message.seq),
    replying: message.type === 'agentMessage' ? state.replying : without(state.replying, message.ack_id),
  };
}

function applyGreeting(state: PageState, message: Extract<ToPage, { type: 'connected' }>): PageState {
  return {
    ...state,
    connection: 'open',
    retryAt: null,
    greeted: true,
    role: message.role,
    popover: message.popover ?? 'none',
    command: message.command ?? 'chaperone',
    identity: message.role === 'paired' ? 'known' : state.identity,
    mayRead: message.mayRead !== false,
    confirmedIn: message.role === 'paired' ? null : state.confirmedIn,
    cursor: message.cursor,
    ...greetedWith(state, message),
    replying: {},
    slots: syncSlots(state.slots, message.approvals, message.role),
    activity: message.activity,
    grants: message.grants,
    policy: message.policy,
    health: message.health,
    names: message.names ?? [],
    status: message.status,
  };
}

/** One row an execution: later news of it replaces the row in place. Newest first. */
function addActivity(list: PageState['activity'], one: PageState['activity'][number]): PageState['activity'] {
  if (list.some((row) => row.executionId === one.executionId)) {
    return list.map((row) => (row.executionId === one.executionId ? one : row));
  }
  return [one, ...list].slice(0, ACTIVITY_KEPT);
}

/** Shows an error beside the card or question it is about, else as a notice. */
function applyError(state: PageState, error: Extract<ToPage, { type: 'error' }>): PageState {
  const { about } = error;
  if (about === undefined && state.confirmedIn !== null)
    return { ...state, confirmedIn: null, identity: 'refused', refusal: say(error.message) };
  if (about !== undefined && state.slots.some((slot) => slot.card.id === about && slot.settled === null)) {
    return { ...state, slots: refuse(state.slots, about, say(error.message)) };
  }
  if (about !== undefined && state.pending.includes(about)) {
    return {
      ...state,
      replying: without(state.replying, about),
      replyProblems: { ...state.replyProblems, [about]: say(error.message) },
    };
  }
  return { ...state, notice: { code: error.code, message: say(error.message) } };
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== key));
}

const ENDED_UNSEEN: Settled = { decision: 'deny', by: 'host', reason: 'gone', message: null };

/** The requests on the home page: oldest first, new ones below. They never change their order. */
function requestCard(slots: Slot[], card: Card): Slot[] {
  if (slots.some((slot) => slot.card.id === card.id)) return changeCard(slots, card);
  return [...slots, { card, changed: false, sent: null, problem: null, settled: null }];
}

/** A new digest is a new question, so a decision that was sent no longer counts. */
function changeCard(slots: Slot[], card: Card): Slot[] {
  return slots.map((slot) => {
    if (slot.card.id !== card.id || slot.settled !== null) return slot;
    if (slot.card.digest === card.digest) return { ...slot, card };
    const changed = slot.changed || !isOnlyEdited(slot.card, card);
    return { card, changed, sent: null, problem: null, settled: null };
  });
}

/** Whether the person has changed what an Allow gives, and nothing else is different. */
function isOnlyEdited(before: Card, now: Card): boolean {
  const restOf = ({ digest: _, covers: __, task, ...rest }: Card) => {
    return JSON.stringify([rest, task?.purpose, task?.asked, task?.replaces]);
  };
  return now.task !== undefined && restOf(before) === restOf(now);
}

interface Resolution {
  id: string;
  decision: 'allow' | 'deny';
  by: string;
  reason?: 'denied' | 'timeout' | 'withdrawn' | 'paused' | 'stopped' | undefined;
  message?: Message | undefined;
}

function settleCard(slots: Slot[], end: Resolution): Slot[] {
  const settled = {
    decision: end.decision,
    by: end.by,
    reason: end.reason ?? null,
    message: end.message ? say(end.message) : null,
  };
  return update(slots, end.id, (slot) => ({ ...slot, settled, problem: null }));
}

function decide(slots: Slot[], id: string, decision: 'allow' | 'deny'): Slot[] {
  return update(slots, id, (slot) => ({ ...slot, sent: decision, problem: null }));
}

function refuse(slots: Slot[], id: string, problem: string): Slot[] {
  return update(slots, id, (slot) => ({ ...slot, sent: null, problem }));
}

/** After a (re)connect: known cards keep their place, missing ones have ended, new ones come last. Unpaired pages hold none. */
function syncSlots(slots: Slot[], cards: Card[], role: Role): Slot[] {
  if (role === 'unpaired') return [];
  const kept = slots.map((slot) => {
    if (slot.settled !== null || cards.some((card) => card.id === slot.card.id)) return { ...slot, sent: null };
    return { ...slot, sent: null, settled: ENDED_UNSEEN };
  });
  return cards.reduce(requestCard, kept);
}

function update(slots: Slot[], id: string, change: (slot: Slot) => Slot): Slot[] {
  return slots.map((slot) => (slot.card.id === id && slot.settled === null ? change(slot) : slot));
}
