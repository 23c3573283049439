/** Interfaces of what the pipeline calls but does not own; `createHost` provides them. A missing or failing approver means a denial. */
import type { Signal } from '../../base/signal.js';
import type { Activity, Agent, Effect, ErrorFacts, Picture, Subject, Verified, WireError } from '../protocol/index.js';
import type { Capture, Rect, ShownDocuments, Window } from '../../native/desktop.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import type { Plan } from './plan.js';
import { type Message } from '../../messages/index.js';

/** Who calls: `agent` is shown on cards and named in grants; `peer` is the process at the other end of the socket (a shim, a script); `early`: another program may have sent this, so nothing that was allowed counts. */
export interface Caller {
  agent: Agent;
  peer: ProcessIdentity;
  /** The process of `agent` as the kernel reports it; left out where that is the peer itself. */
  asking?: ProcessIdentity;
  connectionId: string;
  protocol: 'jsonrpc' | 'gabp' | 'mcp';
  early?: true;
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
  /** The agent may not see where this acts: only a grant or the person lets it, not the policy and not what is remembered. */
  unseen?: true;
  /** Denied where the person would have to be asked; no grant and no kept decision is used up. */
  unasked?: true;
}

export type Decision =
  | {
      kind: 'allowed';
      by: 'policy' | 'grant' | 'person' | 'token' | 'phrase';
      approvalId: string | null;
      grantId: string | null;
      where: string;
      /** The person's key or channel, for the record. */
      who?: string;
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

export type Sight = 'sees' | 'asks' | 'never';
export interface Approver {
  /**
   * Decides by policy, grant or person. `onWaiting` gets the card as soon as a person is asked.
   * When `signal` aborts with {@link WaitEnded} it rejects with that; the card is orphaned or withdrawn accordingly.
   * A decision made while no caller waited is given once to the next identical call, until the card would have expired.
   */
  decide(
    request: ApprovalRequest,
    onWaiting: (card: { approvalId: string; expiresAt: string }) => void,
    signal: Signal,
  ): Promise<Decision>;
  /** The denial of a call with these effects, by the policy alone and before anything is looked at; null where it may be allowed. */
  refused(effects: readonly Effect[]): Extract<Decision, { kind: 'denied' }> | null;
  /** Whether this caller may see now, without anybody being asked, what a disclosure of this plan would show; `never`: the policy refuses it. */
  sight(caller: Caller, shown: Plan): Sight;
  /** Finds out who speaks over the caller's connection, which sight and decision depend on; null where that is known. */
  look(caller: Caller): Promise<void> | null;
  /** Removes the card, or the kept decision, of this execution; false when there is none. */
  withdraw(executionId: string): boolean;
  /** Throws DESKTOP_HOST_NOT_READY (`reason: paused`) while the person has paused agents, or this agent. */
  assertOpen(caller: Caller): void;
  /** True when the decision no longer holds (grant revoked or ended, agents paused); checked before each injected event. */
  revoked(decision: Decision, caller: Caller): boolean;
}

export interface ExecutionStart {
  executionId: string;
  requestId: string;
  callId: string;
  caller: Caller;
  tool: string;
  effect: Effect;
  subject: Subject;
  workspace: string;
  /** SHA-256 of canonical JSON of the exact request. */
  requestDigest: string;
  /** `line`: only the audit line; `folder`: the contract's folder as well. */
  need: 'line' | 'folder';
  at: string;
  /** Whether the caller may see this at the moment it is asked: only then it is written where the caller can read it. */
  isSeen(what: Shown): boolean;
}

/** What a piece of evidence shows: the windows that the call is about, or whatever is on the screen. */
export type Shown = 'call' | 'screen';

export interface ExecutionEnd {
  outcome: Activity['outcome'];
  verified: Verified | null;
  before: unknown;
  after: unknown;
  decision: Decision | null;
  plan: Plan | null;
  result: unknown;
  error: ErrorFacts | null;
  at: string;
}

/** The evidence of one execution, in the workspace or, where the caller may not see what it shows, in Chaperone's own folder. Names are fixed by the contract; a write that fails marks it incomplete and is not thrown. */
export interface EvidenceFolder {
  /** Absolute, or null for `line`. */
  readonly dir: string | null;
  write(
    name: 'before.png' | 'after.png' | 'observe.png' | 'ax.json',
    bytes: Uint8Array | string,
    shows?: Shown,
  ): Promise<void>;
  /** A promised file could not be made: marks the evidence incomplete, with the reason. */
  lost(name: 'before.png' | 'after.png', thrown: unknown): void;
  trace(entry: Record<string, unknown>): void;
  /** Records on disk that the act may have touched the desktop from now on. Rejects when the log cannot be written; the act is then refused. */
  started(): Promise<void>;
  /** Writes result.json and the audit line (of a read or of bookkeeping without a folder: within 50 ms). `unrecorded`: the log cannot be written and has no line of the call, so that what it found must not be told. `kept`: files that the workspace does not have. Never rejects. */
  finish(end: ExecutionEnd): Promise<{ incomplete: boolean; unrecorded: WireError | null; kept: readonly string[] }>;
}

export interface Recorder {
  /** Resolves `workspace` inside WORKSPACE_ROOT without following links; throws DESKTOP_WORKSPACE_FORBIDDEN. `hidden` = below a dot folder (needs approval). */
  workspace(path: string): Promise<{ path: string; hidden: boolean }>;
  /** Rejects (nothing done yet) when folder or log cannot be written. */
  begin(start: ExecutionStart): Promise<EvidenceFolder>;
  /** A call refused before it had an execution: the audit line only. Never rejects. */
  refused(line: { caller: Caller; tool: string; requestId: string; error: ErrorFacts; at: string }): Promise<void>;
  /** A call of an earlier host life that had started and not ended. */
  interrupted(callId: string): Promise<{ executionId: string; startedAt: string } | null>;
}

/** A finished call, for session accounts. In memory only, because the arguments are exact. */
export interface EndedCall {
  executionId: string;
  caller: Caller;
  tool: string;
  effect: Effect;
  arguments: unknown;
  /** As approved; steps that ran as they were right before acting. */
  plan: Plan | null;
  decision: Decision | null;
  outcome: Activity['outcome'];
  /** Indexes of the steps of a sequence that were done. */
  done: readonly number[];
  evidenceDir: string | null;
  at: string;
}

/** Encoding and masking of pictures; implemented above this layer. */
export interface Imaging {
  /** `same`: one with the same pixels, which may be encoded already. */
  png(capture: Capture, same?: Capture): Promise<Uint8Array>;
  mask(capture: Capture, areas: Rect[]): Capture;
  /** A crop for the card, the target kept in view. */
  picture(capture: Capture, target: Rect | null): Promise<Picture>;
  /** The whole capture in full resolution, with the target in it. */
  fullPicture(capture: Capture, target: Rect | null): Promise<Picture>;
  thumbnail(capture: Capture): Promise<Picture>;
  /** Scaled to fit, then enlarged `times`. `marks` (points) are outlined and numbered from 1. */
  encode(
    capture: Capture,
    options: {
      maxWidth: number;
      maxHeight: number;
      format: 'png' | 'jpeg' | 'webp';
      quality: number;
      times?: number;
      marks?: readonly Rect[];
    },
  ): Promise<{ bytes: Uint8Array; mimeType: string; width: number; height: number }>;
}

export interface ChatReply {
  reply: string;
  /** Answered by a paired page. */
  paired: boolean;
  /** Brought by the agent's own client, so that nothing proves that the person gave it. */
  inClient?: true;
  images: { mimeType: string; base64: string }[];
  /** When the person answered; set where the answer was first given to an earlier call of the same question, which may not have received it. */
  givenAt?: string;
}

/** An answer whose call had ended, or may have ended, before it arrived. */
export interface MissedReply {
  callId: string;
  text: string;
  askedAt: string;
  reply: ChatReply;
}

export interface ChatQuestion {
  callId: string;
  agent: Agent;
  text: string;
  quickReplies: string[];
  /** The caller's connection: where it is lost before the agent's next call, the answer counts as not received. */
  connectionId?: string;
}

export interface ChatPort {
  /**
   * Puts the question (or joins the same agent's identical one, by `callId` or by text while its answer has not arrived) and waits for the person.
   * Aborting with `detach` leaves the question open; with `withdraw` the call gives it up. An abort after this resolved and before the agent's next
   * call means that the answer did not arrive: it is kept for the next call. Throws DESKTOP_INVALID_REQUEST (empty, too long) and
   * DESKTOP_HOST_NOT_READY `reason: too_many_questions`.
   */
  ask(question: ChatQuestion, onWaiting: (ackId: string) => void, signal: Signal): Promise<ChatReply>;
  /** Withdraws the agent's question. With `agentId`, only a question of that agent. */
  withdraw(callId: string, agentId?: string): void;
  /** The result of this call was written to the agent’s connection, with any answer in it. */
  resultWritten(agentId: string, callId: string): void;
  /** Whoever made this call has left it: an answer that it has got is kept for the agent's next call. */
  notReceived(agentId: string, callId: string): void;
  /** A later call of this agent proves that earlier answers arrived, except the one of the call that it resumes. */
  confirmDelivery(agentId: string, resumed: string | null): void;
  /**
   * Answers that wait for this agent because their call ended, or other calls came while it seemed to wait. The call that collects them
   * gives them: `signal` and `callId` are its own, and the agent's next call proves their arrival.
   */
  collect(agentId: string, callId: string, signal: Signal): MissedReply[];
}

/** The facts that decide whether a window is protected. */
export interface WindowFacts {
  pid: number;
  title: string;
  documentUrl: string | null;
  documents?: ShownDocuments;
  /** Left out: true. */
  normal?: boolean;
  crowded?: true;
}

export const windowFactsOf = (window: Window): WindowFacts => ({ ...window, pid: window.app.pid });

/** Chaperone's windows and browser windows that show its page: never typed into, never clicked, masked in captures and trees. */
export interface Protection {
  /** null is the bare desktop. */
  isProtected(window: WindowFacts | null): boolean;
  /** The next step where a window is protected only because its browser does not report what it shows; else null. */
  hintFor(window: WindowFacts): string | null;
  /** True for a document of Chaperone in any window; `url` is null where that browser does not report it. */
  hidesDocument(pid: number, url: string | null): boolean;
  /** True while a pairing link is unspent: captures, trees and clipboard reads are refused. */
  isPairingLinkOpen(): boolean;
}
