import type { Signal } from '../../base/signal.js';
import type { DesktopBackend } from '../../native/desktop.js';
import type { CallTimes, Effect } from '../protocol/index.js';
import type { AnyAction, BoundAction, Verification } from './action.js';
import type { AgentEdits } from './consequence/agent-edits.js';
import type { CallClock } from './call-clock.js';
import type { CallTiming } from './timing.js';
import type { Executions } from './executions.js';
import type { Holds } from './holds.js';
import type { KeptPicture } from './kept-picture.js';
import type { MaskedReader } from './masked.js';
import type { OwnFiles } from './own-files.js';
import type { Locks, Reservation } from './locks.js';
import type { NewWindows } from './new-windows.js';
import type { OwnChanges } from './verify/own-changes.js';
import type { Plan } from '../approvals/plan.js';
import type { CallRecord } from './call-record.js';
import type { CallEvents, CallStep } from './events.js';
import type { Approver } from '../approvals/index.js';
import type { Caller, Decision } from '../approvals/request.js';
import type { AgentChat } from '../chat/index.js';
import type { Imaging } from '../evidence/imaging.js';
import type { Protection } from './protection.js';
import type { Recorder } from '../evidence/recorder.js';

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
  signal: Signal;
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
