import type { Message } from '../../messages/index.js';
import type { Card, Effect, GrantChoice, SeenCard } from '../protocol/index.js';
import type { DesktopChoice } from './request.js';
import type { PersonDecision } from './store.js';

/** For pages and popover. `by` is `page`, `popover`, `cli`, `agent`, `policy` or `host`. */
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

/** How a card ends without a decision by the person. */
export interface Ending {
  reason: 'timeout' | 'withdrawn' | 'paused' | 'stopped' | 'policy';
  by: string;
  message: Message | null;
}

/** Where an answer or a change comes from. Only popover and page may allow. `unproven`: not known to be an agent, nor to be the person. */
export type Where = 'popover' | 'page' | 'cli' | 'agent' | 'host' | 'unproven';

export interface PersonAnswer {
  id: string;
  /** Digest of the card as the person saw it. */
  digest: string;
  /** The others that were shown on the same card. */
  with?: readonly SeenCard[] | undefined;
  decision: 'allow' | 'deny';
  /** `once` or absent: this one act. */
  grant?: GrantChoice['kind'];
  /** Which desktop the agent gets, where it asked for one. */
  desktop?: DesktopChoice;
  /** Sent to the agent with a deny. */
  message?: string;
  /** Who, for the record: a pairing's key id, `popover`. */
  by: string;
  where: Where;
  /** The connection of the page or popover; an Allow must end a press that was reported on the same one. */
  connection?: string;
  /** The page is on another display than the agents', so other programs' input there cannot reach it. */
  otherDisplay?: boolean;
  /** The system tells of every press, and saw none of a real device on that page. */
  unseen?: boolean;
  /** Name of a window of another program that covers the card, or covered it when the press began. */
  over?: string;
  /** The page's window came to where it was pressed only as it was pressed, or left it. */
  moved?: boolean;
}

/** Why an answer, a pause or a policy was not taken; `code` and `message` go to the page. */
type RefusalCode =
  | 'unknown_card'
  | 'settled'
  | 'stale'
  | 'too_soon'
  | 'press_again'
  | 'covered'
  | 'moved'
  | 'unseen'
  | 'no_press'
  | 'popover_only'
  | 'not_allowed_here'
  | 'grant_not_offered'
  | 'paused'
  | 'policy'
  | 'agent_ended'
  | 'no_more_time'
  | 'failed';

export type ChangeResult = { ok: true } | { ok: false; code: RefusalCode; message: Message };

export function refusal(code: RefusalCode, message: Message): ChangeResult {
  return { ok: false, code, message };
}
