import type { DesktopBackend } from '../../native/desktop.js';
import type { CallTimes, Effect, Subject, Activity, WireError } from '../protocol/index.js';
import type { AnyAction, BoundAction, Verification } from './action.js';
import type { AgentEdits } from './consequence/agent-edits.js';
import type { CallClock, CallTiming } from './call-clock.js';
import type { Executions } from './executions.js';
import type { Holds } from './holds.js';
import type { KeptPicture, MaskedReader } from './masked.js';
import type { OwnFiles } from './own-files.js';
import type { Locks, Reservation } from './locks.js';
import type { NewWindows } from './compare.js';
import type { OwnChanges } from './verify/own-changes.js';
import type { Plan } from '../approvals/plan.js';
import type { Approver } from '../approvals/index.js';
import type { Caller, Decision } from '../approvals/request.js';
import type { AgentChat } from '../chat/index.js';
import type { Imaging } from '../evidence/imaging.js';
import type { Protection } from './mask-rules.js';
import type { Recorder } from '../evidence/recorder.js';
import { createEmitter, type Emitter } from '../../base/emitter.js';
import type { ChatQuestion } from '../chat/questions.js';
import type { EvidenceFolder, ExecutionEnd, RecordedEnd } from '../evidence/execution.js';

/** Consent that comes with a call: plan and decision of a spent token (compared, not asked again), or a phrase that the policy accepts. */
export interface Consent {
  approved: { plan: Plan; decision: Decision } | null;
  phrase: Decision | null;
}

/** Dependencies of the pipeline; built once by the host. */
export interface PipelineDependencies {
  desktop: DesktopBackend;
  /** Where it is an agent's own, for the record. */
  place?: 'own';
  approver: Approver;
  recorder: Recorder;
  events: Pick<CallEvents, 'emit'>;
  chat: AgentChat;
  imaging: Imaging;
  protection: Protection;
  excludedApps(): ReadonlySet<string>;
  ownFiles: OwnFiles;
  edits: AgentEdits;
  executions: Executions;
  /** A lock per agent: its control calls run one after another. */
  turns: Locks;
  /** Also gives access to the desktop lane. */
  holds: Holds;
  /** Throws while agents may not use the desktop: screen locked, permission lost, person at work. */
  assertClear(offDesktop: boolean): void;
  /** Called right before input is injected. */
  noteInjection(): void;
  ownChanges: OwnChanges;
  newWindows: NewWindows;
  /** Resolves when the person is not about to press Allow; until then nothing may move. */
  waitWhilePressing(signal: AbortSignal): Promise<void>;
  digest(value: unknown): string;
  now(): Date;
}

export interface RunCall {
  callId: string;
  requestId: string;
  /** Ids, besides the execution id, by which the caller may abort it. */
  aliases: readonly string[];
  caller: Caller;
  input: unknown;
  /** What the card shows: the exact arguments without `meta` and `confirm`. */
  arguments: unknown;
  workspace: string;
  timeoutMs: number | null;
  /** The contract's own gate (token or phrase), asked once parameters and workspace are valid; throws DESKTOP_CONFIRM_REQUIRED. */
  gate: ((workspace: string) => Consent) | null;
  /** Refused where the person would have to be asked. */
  unasked?: true;
  /** Called when a person is asked (`true`) and has answered (`false`). */
  onWaiting?(waiting: boolean): void;
  /** Aborted with WaitEnded: `detach` ends only the wait, `withdraw` stops the call. */
  signal: AbortSignal;
}

export interface RunResult {
  executionId: string;
  value: unknown;
  text: string | null;
  effect: Effect;
  verified: Verification | null;
  decision: Decision | null;
  evidenceDir: string | null;
  /** Files of the evidence that the folder does not have: the caller may not see what they show. */
  kept: readonly string[];
  incomplete: boolean;
  /** The agent may not see where it acted: there is nothing in it but the effect. */
  withheld?: true;
  times: CallTimes;
}

/** One call inside the pipeline, with everything that its parts need. */
export interface CallState {
  deps: PipelineDependencies;
  action: AnyAction;
  call: RunCall;
  bound: BoundAction;
  record: CallRecord;
  clock: CallClock;
  timing: CallTiming;
  /** Masked; `deps.desktop` is not. */
  desktop: MaskedReader;
  /** The picture that `desktop` took of a window last. */
  picture: KeptPicture;
  emit(step: CallStep): void;
  executionId: string;
  hiddenWorkspace: boolean;
  consent: Consent;
  /** Its place in the queue of its agent's calls; null for calls that need none. */
  turn: Reservation | null;
}

// Events of a call in the pipeline, in order. Listeners in `calls/`, `agents/` and `sessions/` show, count or pass them on. A listener
// that throws is logged; none can change or delay a decision.

export type CallStep =
  /** The call waits for an earlier one of its agent. */
  | { kind: 'queued' }
  /** The plan is made; policy, grants or a person decide. */
  | { kind: 'deciding'; effect: Effect; subject: Subject; windowId: string | null }
  /** A person is asked, by this card; null: by a question in the chat. `until`: when that ends without an answer; told again where it changes. */
  | {
      kind: 'waiting';
      approvalId: string | null;
      until?: string;
      question?: Pick<ChatQuestion, 'text' | 'quickReplies'>;
    }
  | { kind: 'decided'; decision: Decision }
  /** The handler runs. Sequences also report each step, counted from 1. */
  | { kind: 'acting'; step: { number: number; tool: string } | null }
  /** The last event; the evidence is written by then. */
  | { kind: 'ended'; call: EndedCall };

/** `callId` is chosen by the caller: unique among the running calls of its agent. */
export type CallEvent = { executionId: string; callId: string; caller: Caller } & CallStep;

export type CallEvents = Pick<Emitter<CallEvent>, 'on' | 'emit'>;

export const createCallEvents = (onError: (thrown: unknown) => void): CallEvents => createEmitter<CallEvent>(onError);

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

/** Collects the evidence of one call. Exactly one end is written, however the call ends. */
export interface CallRecord {
  evidence: EvidenceFolder;
  /** Of the tool and its arguments, and those of the steps of a sequence. */
  readonly requestDigest: string;
  setPlan(plan: Plan | null): void;
  setDecision(decision: Decision): void;
  /** A step of a sequence was started, with its fresh plan; and was done. */
  stepReached(index: number, plan: Plan | null): void;
  stepDone(index: number): void;
  end(end: Partial<ExecutionEnd>): Promise<RecordedEnd>;
  fail(error: WireError): Promise<void>;
  /** null until it has ended. */
  ended(): EndedCall | null;
}
