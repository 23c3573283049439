import { LRUCache } from 'lru-cache';
import { message, type Message } from '../../messages/index.js';
import type { Effect } from '../protocol/index.js';
import type { CardEvent } from './events.js';

const MAX_CARDS = 500;

type ResolvedEvent = Extract<CardEvent, { kind: 'resolved' }>;

interface Settled {
  decision: 'allow' | 'deny';
  by: string;
  reason: ResolvedEvent['reason'];
  at: string;
  effect: Effect;
}

/** How the latest cards ended, for an answer that comes after another one. */
export type SettledCards = ReturnType<typeof createSettledCards>;

export function createSettledCards() {
  const all = new LRUCache<string, Settled>({ max: MAX_CARDS });
  return {
    add({ id, decision, by, reason, effect }: ResolvedEvent, at: string): void {
      all.set(id, { decision, by, reason, at, effect });
    },
    get: (id: string): Settled | undefined => all.get(id),
  };
}

export function settledMessage({ decision, by, reason, at }: Settled): Message {
  if (reason !== null && reason !== 'denied')
    return message('answer.ended', { how: reason === 'stopped' ? 'other' : reason, at });
  const where = by === 'page' || by === 'popover' ? by : 'other';
  return message('answer.settled', { decision: decision === 'allow' ? 'allow' : 'other', where, by, at });
}
