import type { DesktopActor } from '../../native/desktop.js';
import type { AgentEdits } from './consequence/agent-edits.js';
import type { Baseline } from './verify/changes.js';
import type { OwnChanges } from './verify/own-changes.js';
import type { HidingReader, MaskedReader } from './masked.js';
import type { Caller, Decision } from '../approvals/request.js';
import type { AgentChat } from '../chat/index.js';
import type { Imaging } from '../evidence/imaging.js';
import type { Plan } from '../approvals/plan.js';
import type { CallTiming } from './call-clock.js';

/** What a plan may use. The desktop is read-only and masked. */
export interface PlanContext {
  desktop: HidingReader;
  caller: Caller;
  workspace: string;
  edits: Pick<AgentEdits, 'removedMuchIn'>;
  /** Keys that earlier calls of this agent hold down. */
  held: readonly string[];
  /** The plan as it was approved, when it is resolved again right before the act. */
  approved?: Plan;
}

/** Whether an approval still holds: `paused` can become `open` again, `revoked` cannot. */
export type ApprovalState = 'open' | 'paused' | 'revoked';

/** What a handler that only reads may use. Captures, trees and values are masked. */
export interface ReadContext extends PlanContext {
  desktop: MaskedReader;
  executionId: string;
  callId: string;
  decision: Decision;
  /** The approved plan, freshly compared with the desktop; null for actions without one. */
  plan: Plan | null;
  chat: AgentChat;
  imaging: Pick<Imaging, 'png' | 'encode'>;
  ownChanges: OwnChanges;
  /** For work that continues after the call. Evaluated at every call, and valid as long as the host runs. */
  approvalState(): ApprovalState;
  /** Aborts with WaitEnded when the caller disconnects while a person is being asked. */
  waitSignal: AbortSignal;
  timing: Pick<CallTiming, 'stage'>;
  /** Appends a line to trace.jsonl. */
  trace(entry: Record<string, unknown>): void;
  /** Writes a file of the evidence; does nothing where the call has none. */
  saveEvidence(name: 'observe.png' | 'ax.json', bytes: Uint8Array | string): Promise<void>;
  evidenceDir: string | null;
  /** A person is being asked (`true`) or has answered (`false`). Meanwhile the call's time limit ends the wait, not the call. */
  setWaiting(on: boolean): void;
}

/** What a handler that acts may use. Every injected event is checked before it is sent. */
export interface RunContext extends ReadContext {
  desktop: DesktopActor & MaskedReader;
  /** What is done next depends on whether nothing changed. Only the whole time tells that: "nothing so far" is no answer. */
  mustKnow: boolean;
  /** The application as it was read after the comparison, for the first act of the handler; null from the second on, or where it was not read. */
  takeBaseline?(): Promise<Baseline> | null;
}

/** Of one act; a handler that only reads does not get the acts of the desktop. */
export interface RunContexts {
  reading(): ReadContext;
  acting(): RunContext;
}
