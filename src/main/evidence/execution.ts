/** One call as the record takes it: its beginning, its files and its end. */
import type { Caller, Decision } from '../approvals/request.js';
import type { Plan } from '../approvals/plan.js';
import type { Activity, Effect, ErrorFacts, Subject, Verified, WireError } from '../protocol/index.js';

export interface ExecutionStart {
  executionId: string;
  requestId: string;
  callId: string;
  caller: Caller;
  tool: string;
  effect: Effect;
  subject: Subject;
  workspace: string;
  /** On a desktop of the agent's own. */
  desktop?: 'own';
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

export type RecordedEnd = Awaited<ReturnType<EvidenceFolder['finish']>>;
