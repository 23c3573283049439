import type { WireError } from '../protocol/index.js';
import type { Plan } from './plan.js';
import type { Decision, EndedCall, EvidenceFolder, ExecutionEnd } from './ports.js';

export type RecordedEnd = Awaited<ReturnType<EvidenceFolder['finish']>>;

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
