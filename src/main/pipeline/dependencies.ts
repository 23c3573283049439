import type { DesktopBackend, DesktopReader } from '../../native/desktop.js';
import type { Effect } from '../protocol/index.js';
import type { BoundAction, Verification } from './action.js';
import type { CallClock } from './clock.js';
import type { Executions } from './executions.js';
import type { Holds } from './holds.js';
import type { OwnFiles } from './own-files.js';
import type { Locks, Reservation } from './locks.js';
import type { OwnChanges } from './verify/own-changes.js';
import type { Plan } from './plan.js';
import type { CallRecord } from './call-record.js';
import type { CallEvents, CallStep } from './events.js';
import type { Approver, Caller, ChatPort, Decision, Imaging, Protection, Recorder } from './ports.js';

/** Consent a call brings along: a spent token's plan and decision (compared, not asked again), or a phrase the policy accepts. */
export interface Consent {
  approved: { plan: Plan; decision: Decision } | null;
  phrase: Decision | null;
}

/** What the pipeline works with; built once by the host. */
export interface PipelineDependencies {
  desktop: DesktopBackend;
  approver: Approver;
  recorder: Recorder;
  events: Pick<CallEvents, 'emit'>;
  chat: ChatPort;
  imaging: Imaging;
  protection: Protection;
  excludedApps(): ReadonlySet<string>;
  ownFiles: OwnFiles;
  executions: Executions;
  /** One holder per agent: its control calls run one after another. */
  turns: Locks;
  /** Also the way into the desktop's lane. */
  holds: Holds;
  /** Throws while something keeps agents from the desktop: a locked screen, a lost permission, the person at work there. */
  assertClear(offDesktop: boolean): void;
  /** Input is about to be injected. */
  noteInjection(): void;
  ownChanges: OwnChanges;
  /** Resolves when nothing has to stand still for the person, who is pressing Allow. */
  waitWhilePressing(signal: AbortSignal): Promise<void>;
  digest(value: unknown): string;
  now(): Date;
}

export interface RunCall {
  callId: string;
  requestId: string;
  /** Names beside the execution id under which the caller may abort it. */
  aliases: readonly string[];
  caller: Caller;
  input: unknown;
  /** What the card shows: the exact arguments without `meta` and `confirm`. */
  arguments: unknown;
  workspace: string;
  timeoutMs: number | null;
  /** The contract's own gate (token or phrase), asked once parameters and workspace are valid; throws DESKTOP_CONFIRM_REQUIRED. */
  gate: ((workspace: string) => Consent) | null;
  /** A person is being asked (true), or has answered, for a call that waits for this one. */
  onWaiting?(waiting: boolean): void;
  /** WaitEnded: `detach` ends only the waiting, `withdraw` stops the call. */
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
  incomplete: boolean;
}

const CONTROL: ReadonlySet<Effect> = new Set(['pointer', 'input', 'dangerous']);

export const isControl = (effect: Effect): boolean => CONTROL.has(effect);

/** One call inside the pipeline. */
export interface Stage {
  bound: BoundAction;
  record: CallRecord;
  clock: CallClock;
  desktop: DesktopReader;
  emit(step: CallStep): void;
  executionId: string;
  hiddenWorkspace: boolean;
  consent: Consent;
  /** The place among its agent's calls; null for calls that take no turn. */
  turn: Reservation | null;
}
