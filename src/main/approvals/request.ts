/** What is asked and what is decided: who calls, what a person is asked about, and the answer. */
import type { Agent, Effect, Picture, Subject, TaskScope } from '../protocol/index.js';
import type { Capture, Rect } from '../../native/desktop.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import type { Message } from '../../messages/index.js';
import type { AskReason, Plan } from './plan.js';

/** Who calls: `agent` is shown on cards and named in grants; `peer` is the process at the other end of the socket (a shim, a script); `early`: another program may have sent this, so nothing that was allowed counts. */
export interface Caller {
  agent: Agent;
  peer: ProcessIdentity;
  /** The process of `agent` as the kernel reports it; left out where that is the peer itself. */
  asking?: ProcessIdentity;
  connectionId: string;
  protocol: 'jsonrpc' | 'gabp' | 'mcp';
  early?: true;
  /** It asked for a desktop of its own, and acts on no other unless the person gave it theirs. */
  ownDesktop?: true;
}

/** Same peer process: same pid and start time; of another machine: the same connection, for one process may forward for several. Tokens are bound to it. */
export function peerKey({ agent: { via }, peer, connectionId }: Caller): string {
  return via === undefined ? `${peer.pid}:${peer.startTime}` : `${via}:${connectionId}`;
}

/** Why a wait ended without a decision: `detach` leaves the card open (the caller may return), `withdraw` removes it. */
export class WaitEnded extends Error {
  constructor(readonly mode: 'detach' | 'withdraw') {
    super(`wait ended: ${mode}`);
    this.name = 'WaitEnded';
  }
}

export interface FullView {
  /** The full capture behind a card's picture; null once a holder disposed of it. `target` in points. */
  read(): { capture: Capture; target: Rect | null } | null;
  dispose(): void;
}

export interface CardPicture {
  picture: Picture | null;
  fullView: FullView | null;
}

export interface ApprovalRequest {
  executionId: string;
  /** Agent, workspace, and digest of action and arguments: identical calls join one card. */
  callKey: string;
  caller: Caller;
  action: { name: string; title: string; effect: Effect };
  /** Exact arguments without `meta` and `confirm`. */
  arguments: unknown;
  subject: Subject;
  plan: Plan | null;
  picture: Picture | null;
  /** Makes `picture` and `fullView`, once a person has to be asked, and the plan with its pixels; left out where they are made already. */
  drawPicture?: () => Promise<CardPicture & Pick<ApprovalRequest, 'plan'>>;
  fullView?: FullView | null;
  notes?: readonly Message[];
  workspace: string;
  /** Ask the person even where a grant would cover it (launcher chords, newlines and control characters in text, hidden workspace folder). */
  alwaysAsk: boolean;
  /** Why, where that is not in the plan. */
  asksFor?: AskReason;
  /** The agent may not see where this acts: only a grant or the person lets it, not the policy and not what is remembered. */
  unseen?: true;
  /** On a desktop of the agent's own, and only in applications that it started there: the person allowed this when they gave it that desktop. */
  own?: true;
  /** Denied where the person would have to be asked; no grant and no kept decision is used up. */
  unasked?: true;
}

/** A desktop of the agent's own, or the one that the host shows. */
export type DesktopChoice = 'own' | 'shared';

export type Decision =
  | {
      kind: 'allowed';
      by: 'policy' | 'grant' | 'person' | 'token' | 'phrase';
      approvalId: string | null;
      grantId: string | null;
      where: string;
      /** Which desktop the agent gets, where it asked for one. */
      desktop?: DesktopChoice;
      /** The person's key or channel, for the record. */
      who?: string;
      /** Of a request for a task: what the person allowed, as edited. */
      task?: TaskScope | undefined;
      at: string;
      waitedMs: number;
    }
  | {
      kind: 'denied';
      reason: 'denied' | 'timeout' | 'policy' | 'paused' | 'stopped';
      by: string;
      who?: string;
      approvalId: string | null;
      /** The person's own words are verbatim. */
      message: Message | null;
      at: string;
      waitedMs: number;
    };

/** Whether an agent sees something now, once somebody was asked, or never. */
export type Sight = 'sees' | 'asks' | 'never';
