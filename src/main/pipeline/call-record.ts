import type { Activity, Effect, WireError } from '../protocol/index.js';
import type { Plan } from '../approvals/plan.js';
import type { Caller, Decision } from '../approvals/request.js';
import type { EvidenceFolder, ExecutionEnd, RecordedEnd } from '../evidence/execution.js';

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
