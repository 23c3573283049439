import type { WireError } from '../protocol/index.js';
import type { Plan } from './plan.js';
import type { Decision, EndedCall, Evidence, ExecutionEnd } from './ports.js';

/** The evidence of one call as it goes on; whatever way the call ends, exactly one end is written. */
export interface CallRecord {
  evidence: Evidence;
  planned(plan: Plan | null): void;
  decided(decision: Decision): void;
  /** Of a sequence: this step's turn came, with its plan as it is now; and it was done. */
  reached(index: number, plan: Plan | null): void;
  did(index: number): void;
  end(end: Partial<ExecutionEnd>): Promise<{ incomplete: boolean }>;
  fail(error: WireError): Promise<void>;
  /** null until it has ended. */
  ended(): EndedCall | null;
}
