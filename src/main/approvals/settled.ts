import { LRUCache } from 'lru-cache';
import type { Effect } from '../protocol/index.js';
import type { CardEvent } from './events.js';

const MAX = 500;

interface Settled {
  decision: 'allow' | 'deny';
  by: string;
  reason: string | null;
  at: string;
  effect: Effect;
}

/** How the latest cards ended, so that the second of two pages is told who was first. */
export interface SettledCards {
  add(event: Extract<CardEvent, { kind: 'resolved' }>, at: string): void;
  get(id: string): Settled | undefined;
}

export function createSettled(): SettledCards {
  const all = new LRUCache<string, Settled>({ max: MAX });
  return {
    add({ id, decision, by, reason, effect }, at) {
      all.set(id, { decision, by, reason, at, effect });
    },
    get: (id) => all.get(id),
  };
}

const ENDS: ReadonlyMap<string, string> = new Map([
  ['timeout', 'ran out of time'],
  ['withdrawn', 'was taken back by the agent'],
  ['paused', 'ended when agents were paused'],
  ['stopped', 'ended when agents were stopped'],
]);

export function settledWords({ decision, by, reason, at }: Settled): string {
  const ended = ENDS.get(reason ?? '');
  if (ended !== undefined) return `This request ${ended}, at ${at}.`;
  return `Already ${decision === 'allow' ? 'allowed' : 'denied'} from the ${by}, at ${at}.`;
}
