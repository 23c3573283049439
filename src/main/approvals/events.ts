import type { Message } from '../../messages/index.js';
import type { Card, Effect } from '../protocol/index.js';
import type { PersonDecision } from './store.js';

/** What pages and popover are told of cards. `by` is `page`, `popover`, `cli`, `agent`, `policy` or `host`. */
export type CardEvent =
  | { kind: 'requested' | 'changed'; card: Card }
  | {
      kind: 'resolved';
      id: string;
      executionId: string;
      effect: Effect;
      decision: 'allow' | 'deny';
      by: string;
      reason: 'denied' | 'timeout' | 'withdrawn' | 'paused' | 'stopped' | null;
      message: Message | null;
      /** The whole decision, where no call waited for it any more. */
      late?: PersonDecision;
    };

/** How a card ends without a person's decision on it. */
export interface Ending {
  reason: 'timeout' | 'withdrawn' | 'paused' | 'stopped' | 'policy';
  by: string;
  message: Message | null;
}

/** Where a person, or somebody else, acts. Only the first two can be a person who may allow. */
export type Where = 'popover' | 'page' | 'cli' | 'agent' | 'host';

export interface PersonAnswer {
  id: string;
  /** Digest of the card as the person saw it. */
  digest: string;
  decision: 'allow' | 'deny';
  /** `once` or absent: this one act. */
  grant?: 'once' | 'time' | 'session' | 'always';
  /** Sent to the agent with a deny. */
  message?: string;
  /** Who, for the record: a pairing's key id, `popover`. */
  by: string;
  where: Where;
  /** The page or popover it came over; an Allow ends a press that was reported there. */
  connection?: string;
  /** That page is known to be on another display than the agents': other programs' input there is none on the page. */
  otherDisplay?: boolean;
  /** Another program's window lies, or lay as the press began, over what the person was to read: its name. */
  over?: string;
}

/** Why an answer, a pause or a policy was not taken; `code` and `message` go to the page. */
export type RefusalCode =
  | 'unknown_card'
  | 'settled'
  | 'stale'
  | 'too_soon'
  | 'press_again'
  | 'covered'
  | 'no_press'
  | 'popover_only'
  | 'not_allowed_here'
  | 'grant_not_offered'
  | 'paused'
  | 'policy'
  | 'agent_ended'
  | 'failed';

export type ChangeResult = { ok: true } | { ok: false; code: RefusalCode; message: Message };

export function refusal(code: RefusalCode, message: Message): ChangeResult {
  return { ok: false, code, message };
}
