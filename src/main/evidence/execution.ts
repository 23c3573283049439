/** One call as the record takes it: its beginning, its files and its end. */
import { LRUCache } from 'lru-cache';
import type { Caller, Decision } from '../approvals/request.js';
import type { Plan, StepPlan } from '../approvals/plan.js';
import {
  type Activity,
  type Effect,
  type ErrorFacts,
  type Subject,
  type Verified,
  type WireError,
  recordedSubject,
  type RecordedSubject,
} from '../protocol/index.js';
import { sha256 } from '../approvals/digest.js';
import type { Element } from '../../native/desktop.js';
import type { EndedEntry, AuditEntry, ExecutionFacts, RecordedError } from './audit-entries.js';
import type { FileDigest } from './execution-folder.js';
import { formatEnglish, message, toRecord, type RecordedMessage } from '../../messages/index.js';

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

// Pure: builds audit entries and result.json from what the pipeline knows of a call.

function peerOf(caller: Caller) {
  const { pid, startTime, uid, executable, script } = caller.peer;
  return { pid, startTime, uid, executable, script };
}

const MAX_SUBJECTS = 200;

/** The same few subjects come again and again, and their English text takes as long as the rest of the line. */
export function createRecordedSubjects(): (subject: Subject) => RecordedSubject {
  const known = new LRUCache<string, RecordedSubject>({ max: MAX_SUBJECTS });
  return (subject) => {
    const key = JSON.stringify(subject);
    const found = known.get(key);
    if (found !== undefined) return found;
    const recorded = recordedSubject(subject);
    known.set(key, recorded);
    return recorded;
  };
}

export function executionFacts(
  start: Omit<ExecutionStart, 'subject'>,
  subject: RecordedSubject,
  dir: string | null,
): ExecutionFacts {
  const { executionId, callId, requestId, requestDigest, tool, effect, workspace, caller, desktop, at } = start;
  const peer = peerOf(caller);
  return {
    executionId,
    callId,
    requestId,
    requestDigest,
    tool,
    effect,
    subject,
    agent: caller.agent,
    peer,
    protocol: caller.protocol,
    ...(desktop === undefined ? {} : { desktop }),
    workspace,
    dir,
    since: at,
  };
}

/** What a command does is known only once it is planned. */
const effectOf = ({ effect }: Pick<ExecutionFacts, 'effect'>, { plan }: Pick<ExecutionEnd, 'plan'>) =>
  plan?.command?.reads === true ? 'read' : effect;

export function endedEntry(
  execution: ExecutionFacts,
  end: ExecutionEnd,
  files: FileDigest[],
  incomplete: boolean,
): EndedEntry {
  return {
    kind: 'ended',
    at: end.at,
    execution:
      end.plan === null
        ? execution
        : {
            ...execution,
            ...{ effect: effectOf(execution, end), subject: recordedSubject(end.plan.subject) },
            ...(end.plan.plain === undefined ? {} : { plain: end.plan.plain }),
          },
    outcome: end.outcome,
    verified: end.verified,
    decision: recordedDecision(end.decision),
    error: end.error && recordedError(end.error),
    incomplete,
    files,
  };
}

export function refusedEntry(line: {
  caller: Caller;
  tool: string;
  requestId: string;
  error: ErrorFacts;
  at: string;
}): AuditEntry {
  const { caller, tool, requestId, error, at } = line;
  return {
    kind: 'refused',
    at,
    agent: caller.agent,
    peer: peerOf(caller),
    protocol: caller.protocol,
    tool,
    requestId,
    error: recordedError(error),
  };
}

function targetElement(plan: Plan): Element | null {
  return 'element' in plan.target ? plan.target.element : null;
}

type RecordedPlan = Omit<Plan, 'pixels' | 'steps' | 'does' | 'notes' | 'covers' | 'files' | 'replaces'> & {
  notes: RecordedMessage[];
  covers?: RecordedMessage[];
  steps?: unknown[];
};

/** Leaves out pixels, what would tell the content of files, and the text if it goes into a password field. */
export function planForRecord(plan: Plan): RecordedPlan {
  const { pixels: _pixels, does: _does, files: _files, replaces: _replaces, steps, covers, ...own } = plan;
  const notes = plan.notes.map(toRecord);
  const rest = {
    ...own,
    subject: recordedSubject(plan.subject),
    notes,
    ...(covers === undefined ? {} : { covers: covers.map(toRecord) }),
    ...(steps === undefined ? {} : { steps: steps.map(stepForRecord) }),
  };
  if (targetElement(plan)?.states.secure !== true || plan.text === null) return rest;
  return {
    ...rest,
    text: null,
    notes: [...notes, toRecord(message('note.password_not_kept', { length: [...plan.text].length }))],
  };
}

/** Leaves out the arguments: they may hold a password, and the plan has what may be kept of them. */
function stepForRecord({ arguments: _arguments, plan, subject, ...rest }: StepPlan) {
  return { ...rest, subject: recordedSubject(subject), plan: plan && planForRecord(plan) };
}

/** A person's own words stay plain text. */
function recordedDecision(decision: Decision | null) {
  if (decision?.kind !== 'denied' || decision.message === null) return decision && { ...decision };
  const { message: why } = decision;
  return { ...decision, message: why.code === 'verbatim' ? formatEnglish(why) : toRecord(why) };
}

const recordedError = (error: ErrorFacts): RecordedError => ({
  code: error.code,
  message: error.message,
  ...recordedText(error),
});

function recordedText({ text }: ErrorFacts): Pick<RecordedError, 'text'> {
  if (text.code === 'verbatim') return {};
  const { code, params } = toRecord(text);
  return { text: { code, params } };
}

interface Told {
  /** The other files of the folder. */
  files: FileDigest[];
  incomplete: string | null;
  /** Names of those that are not in the workspace. */
  kept?: readonly string[];
}

/** The content of result.json. Throws for values that JSON cannot represent. */
export function resultJson(execution: ExecutionFacts, end: ExecutionEnd, told: Told): string {
  return asJson({
    schemaVersion: 1,
    ...execution,
    endedAt: end.at,
    outcome: end.outcome,
    effect: { class: effectOf(execution, end), verified: end.verified, before: end.before, after: end.after },
    decision: recordedDecision(end.decision),
    plan: end.plan && planForRecord(end.plan),
    result: end.result,
    error: end.error && { ...end.error, text: undefined, ...recordedText(end.error) },
    incomplete: told.incomplete,
    files: told.files,
    ...keptElsewhere(told),
  });
}

/** For an agent that may not see what its call was about: nothing that was read of the desktop, no label and no digest of it. */
export function resultWithoutContent(execution: ExecutionFacts, end: ExecutionEnd, told: Told): string {
  const { subject: _subject, ...facts } = execution;
  return asJson({
    schemaVersion: 1,
    ...facts,
    endedAt: end.at,
    outcome: end.outcome,
    effect: { class: execution.effect, verified: end.verified, before: null, after: null },
    decision: recordedDecision(end.decision),
    plan: null,
    result: null,
    // A denial says what the person or the policy says.
    error: end.error && (end.decision?.kind === 'denied' ? recordedError(end.error) : { code: end.error.code }),
    incomplete: told.incomplete,
    files: told.files,
    ...keptElsewhere(told),
  });
}

const keptElsewhere = ({ kept = [] }: Told) =>
  kept.length === 0 ? {} : { kept: { files: kept, why: formatEnglish(message('record.kept_elsewhere')) } };

const asJson = (record: object): string => `${JSON.stringify(record, replaceUnserializable, 2)}\n`;

/** Replaces bytes by size and digest, and big integers by strings. */
function replaceUnserializable(_name: string, value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: value.byteLength, sha256: sha256(value) };
  return typeof value === 'bigint' ? value.toString() : value;
}
