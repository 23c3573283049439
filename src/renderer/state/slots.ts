/** The requests on the home page: oldest first, new ones below. They never change their order. */
import type { Message } from '../../messages/index.js';
import { say } from '../strings.js';
import type { Card, Role } from '../../main/protocol/index.js';
import type { Settled, Slot } from './state.js';

const ENDED_UNSEEN: Settled = { decision: 'deny', by: 'host', reason: 'gone', message: null };

export function requestCard(slots: Slot[], card: Card): Slot[] {
  if (slots.some((slot) => slot.card.id === card.id)) return changeCard(slots, card);
  return [...slots, { card, changed: false, sent: null, problem: null, settled: null }];
}

/** A new digest is a new question, so a decision that was sent no longer counts. */
export function changeCard(slots: Slot[], card: Card): Slot[] {
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

export function settleCard(slots: Slot[], end: Resolution): Slot[] {
  const settled = {
    decision: end.decision,
    by: end.by,
    reason: end.reason ?? null,
    message: end.message ? say(end.message) : null,
  };
  return update(slots, end.id, (slot) => ({ ...slot, settled, problem: null }));
}

export function decide(slots: Slot[], id: string, decision: 'allow' | 'deny'): Slot[] {
  return update(slots, id, (slot) => ({ ...slot, sent: decision, problem: null }));
}

export function refuse(slots: Slot[], id: string, problem: string): Slot[] {
  return update(slots, id, (slot) => ({ ...slot, sent: null, problem }));
}

/** After a (re)connect: known cards keep their place, missing ones have ended, new ones come last. Unpaired pages hold none. */
export function syncSlots(slots: Slot[], cards: Card[], role: Role): Slot[] {
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
