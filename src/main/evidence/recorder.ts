import { realpath } from 'node:fs/promises';
import { createEmitter } from '../../base/emitter.js';
import type { Caller } from '../approvals/request.js';
import {
  isControlEffect,
  KEEP_ALL,
  type Activity,
  type ErrorFacts,
  type Habits,
  type Retention,
} from '../protocol/index.js';
import {
  type EvidenceFolder,
  type ExecutionStart,
  createRecordedSubjects,
  executionFacts,
  refusedEntry,
} from './execution.js';
import { createArchive, type Archive } from './archive.js';
import { headState, type HeadKey, type HeadState } from './audit-head.js';
import { Background, removeLeftovers, Sweep, type RetentionParts } from './retention.js';
import type {
  ApplicationRecord,
  AuditEntry,
  DecidedEntry,
  ExecutionFacts,
  PairingRecord,
  RecoveredEntry,
} from './audit-entries.js';
import { notStartedError, storageError, type Logger } from './sealed-file.js';
import {
  inState,
  inWorkspace,
  makeExecutionFolder,
  removeExecutionFolder,
  createWorkspaces,
  type Workspace,
} from './execution-folder.js';
import { endedActivity, MAX_RECENT, habitsOf, habitsSince } from './activities.js';
import { type Integrity, openRecord } from './open-record.js';
import type { LateLog } from './audit-log.js';
import {
  SyncGroup,
  createLineWriter,
  createEvidenceWriter,
  type FinishedExecution,
  type EvidenceWriter,
  type ListedFolder,
} from './evidence-writer.js';
import { createThumbnails } from './imaging.js';
import { createKeptFolders, type KeptFolders } from './open-folder.js';
import { message } from '../../messages/index.js';

export interface RecorderOptions {
  /** Has the audit log; outside every workspace. Serves as workspace for callers that have none. */
  stateDir: string;
  workspaceRoot: string;
  now: () => Date;
  log: Logger;
  /** Without it nothing is deleted. */
  retention?: Retention;
  /** Of the app, which keeps it where nobody else can read it. */
  headKey?: HeadKey;
  /** Of the check of earlier lines that follows the start: for each millisecond of it, as many of rest. Default 3. */
  checkRest?: number;
}

export interface EvidenceRecorder {
  /** Resolves `workspace` inside WORKSPACE_ROOT without following links; throws DESKTOP_WORKSPACE_FORBIDDEN. `hidden` = below a dot folder (needs approval). */
  workspace(path: string): Promise<{ path: string; hidden: boolean }>;
  /** Rejects (nothing done yet) when folder or log cannot be written. */
  begin(start: ExecutionStart): Promise<EvidenceFolder>;
  /** A call refused before it had an execution: the audit line only. Never rejects. */
  refused(line: { caller: Caller; tool: string; requestId: string; error: ErrorFacts; at: string }): Promise<void>;
  /** A call of an earlier host life that had started and not ended. */
  interrupted(callId: string): Promise<{ executionId: string; startedAt: string } | null>;
  /** Newest first, at most 200. Thumbnails only if they are cached. */
  recent(limit: number): Activity[];
  /** The whole record; reads log and folders on demand. */
  readonly archive: Archive;
  /** Statistics of the person's recent decisions. */
  habits(): Promise<Habits>;
  /** Records a person's decision on a request whose call has ended, and emits the changed activity. Never rejects. */
  recordDecision(executionId: string, decision: DecidedEntry['decision']): Promise<void>;
  /** Records a change to the pages that may approve. Rejects with a WireError when it is not on disk. */
  recordPairing(line: PairingRecord): Promise<void>;
  /** Records what became of a GABP application. Rejects with a WireError when it is not on disk. */
  recordApplication(line: ApplicationRecord): Promise<void>;
  /** Applies from now on; deletes at once what exceeds the new limits. */
  setRetention(settings: Retention): void;
  /**
   * Fires for each execution that ended; with a thumbnail where somebody sees it (`isSeen`), so that an act of which nobody is told
   * costs none. Returns a dispose function.
   */
  onRecorded(listener: (activity: Activity) => void, isSeen?: () => boolean): () => void;
  /** Whether the log is as it was written, as far as this host knows. */
  integrity(): Integrity;
  onIntegrity(listener: (integrity: Integrity) => void): () => void;
  /** Whether the log's head is one that this app has written. */
  headState(): Promise<HeadState>;
  /** Damage that was found when the log was opened; null when there was none in what has been read. */
  readonly recovered: RecoveredEntry | null;
  /** Waits for running writes. The next start records calls that are still open as abandoned. */
  close(): Promise<void>;
}

/** What the pipeline calls. */
export type Recorder = Pick<EvidenceRecorder, 'workspace' | 'begin' | 'refused' | 'interrupted'>;

/** Rejects with a WireError when the state folder or the log in it cannot be used. */
export async function createRecorder(options: RecorderOptions): Promise<EvidenceRecorder> {
  const { workspaceRoot, now, log } = options;
  const record = await openRecord(options);
  const { index, recent, audit, opened, integrity } = record;
  const stateDir = await realpath(options.stateDir);
  const recorded = createRecordedEvents(log);
  const thumbnails = createThumbnails(log);
  const kept = createKeptFolders();
  const workspace = createWorkspaces({ root: workspaceRoot, stateDir: [options.stateDir, stateDir], kept });
  const deletion = { stateDir, index, leftovers: index.leftovers, audit, now, log };
  const { background, sweep } = startDeleting(deletion, record.whole, options.retention ?? KEEP_ALL);

  function announceEnd({ seq, entry, picture }: FinishedExecution): void {
    background.run(async () => {
      const shown = recorded.areSeen() ? picture : null;
      const thumbnail = shown && (await thumbnails.make(entry.execution.executionId, shown));
      const activity = { ...endedActivity(entry, seq ?? 0), thumbnail };
      recorded.emit(activity);
    });
    sweep.schedule();
  }

  const writers = createWriters({ stateDir, kept, workspace, audit, opened, log, now, announceEnd });

  return {
    get recovered() {
      return record.recovered();
    },
    ...{ integrity: integrity.now, onIntegrity: integrity.on },
    headState: () => headState(options.stateDir, options.headKey),
    workspace,
    begin: writers.begin,
    async refused(line) {
      await audit
        .append(refusedEntry(line))
        .catch((error: unknown) =>
          log.warn({ tool: line.tool, reason: String(error) }, 'a refusal could not be recorded'),
        );
    },
    async recordDecision(executionId, decision) {
      const at = now().toISOString();
      await audit
        .append({ kind: 'decided', at, executionId, decision })
        .catch((error: unknown) =>
          log.warn({ executionId, reason: String(error) }, 'a decision could not be recorded'),
        );
      const activity = recent.list(MAX_RECENT).find((one) => one.executionId === executionId);
      if (activity !== undefined) recorded.emit({ ...activity, thumbnail: thumbnails.get(executionId) });
    },
    async recordPairing(line) {
      await audit.append({ kind: 'pairing', at: now().toISOString(), ...line });
    },
    async recordApplication({ askedBy: { pid, startTime, uid, executable, script }, ...line }) {
      const askedBy = { pid, startTime, uid, executable, script };
      await audit.append({ kind: 'application', at: now().toISOString(), ...line, askedBy });
    },
    async interrupted(callId) {
      await opened;
      return index.calls.interrupted(callId);
    },
    recent: (limit) =>
      recent.list(limit).map((activity) => ({ ...activity, thumbnail: thumbnails.get(activity.executionId) })),
    async habits() {
      await record.whole;
      return habitsOf(await index.decisions(habitsSince(now())), now());
    },
    setRetention(settings) {
      sweep.setRetention(settings);
      sweep.schedule();
    },
    archive: createArchive({ stateDir, index, opened, thumbnails, now }),
    onRecorded: recorded.on,
    async close() {
      await record.stopReading();
      const released = await writers.release();
      await audit.finish();
      await Promise.all(released);
      await background.idle();
      await record.close();
    },
  };
}

function createRecordedEvents(log: Logger) {
  const emitter = createEmitter<Activity>((thrown) => log.warn({ reason: String(thrown) }, 'a listener failed'));
  const watching = new Set<() => boolean>();
  const on: EvidenceRecorder['onRecorded'] = (listener, isSeen = () => true) => {
    const own = () => isSeen();
    const remove = emitter.on(listener);
    watching.add(own);
    return () => {
      watching.delete(own);
      remove();
    };
  };
  return { on, emit: emitter.emit, areSeen: () => [...watching].some((isSeen) => isSeen()) };
}

/** Once all lines are indexed: which folders are there is not known before. */
function startDeleting(parts: RetentionParts, whole: Promise<unknown>, retention: Retention) {
  const background = new Background(parts.log);
  const sweep = new Sweep(background, parts, retention);
  const start = () => {
    background.run(() => removeLeftovers(parts, parts.now()));
    sweep.start();
  };
  whole.then(start, () => undefined);
  return { background, sweep };
}

interface WritersOptions extends Pick<RecorderOptions, 'stateDir' | 'now' | 'log'> {
  workspace(path: string): Promise<Workspace>;
  kept: KeptFolders;
  audit: LateLog;
  /** Resolves when the log has been read. */
  opened: Promise<void>;
  announceEnd(ending: FinishedExecution): void;
}

/** The executions that have begun and not ended. */
function createWriters({ stateDir, kept, workspace, audit, opened, log, now, announceEnd }: WritersOptions) {
  const open = new Set<EvidenceWriter>();
  const beginning = new Set<Promise<EvidenceWriter>>();
  const syncs = new SyncGroup(log);
  const subjects = createRecordedSubjects();
  let closing = false;

  async function make(given: ExecutionStart): Promise<EvidenceWriter> {
    if (closing)
      throwNotStarted(storageError(new Error('the recorder is closed'), message('error.part_evidence'), stateDir));
    // Only then is it known which calls an earlier host had not ended.
    await opened.catch(throwNotStarted);
    const start: ExecutionStart = { ...given, workspace: (await workspace(given.workspace)).path };
    const facts = executionFacts(start, subjects(start.subject), null);
    const made = start.need === 'folder' ? await makeFolder({ kept, audit, log }, facts).catch(throwNotStarted) : null;
    const onEnd = (ending: FinishedExecution) => {
      open.delete(evidence);
      announceEnd(ending);
    };
    const evidence =
      made === null
        ? createLineWriter({ execution: facts, audit, now, log, onEnd })
        : createEvidenceWriter({
            ...{ ...made, audit, syncs, now, log, onEnd },
            isSeen: (what) => start.isSeen(what),
            openKept: () => makeExecutionFolder(kept, inState(stateDir), facts.since, facts.executionId),
          });
    open.add(evidence);
    return evidence;
  }

  return {
    begin(given: ExecutionStart): Promise<EvidenceWriter> {
      const begun = make(given);
      beginning.add(begun);
      const forget = () => void beginning.delete(begun);
      begun.then(forget, forget);
      return begun;
    },
    /** No other begins; a folder that is being made is closed with the others. */
    async release(): Promise<Promise<void>[]> {
      closing = true;
      await Promise.allSettled(beginning);
      return [...[...open].map((evidence) => evidence.release()), kept.close(), syncs.close()];
    },
  };
}

function throwNotStarted(error: unknown): never {
  throw notStartedError(error);
}

/**
 * Creates the folder and records it, or does neither. The line of a call that does not act is on disk within 50 ms, or with the
 * line of its end: while the log cannot be written, that call is refused here like any other.
 */
async function makeFolder(
  { kept, audit, log }: Pick<WritersOptions, 'kept' | 'audit' | 'log'>,
  facts: ExecutionFacts,
): Promise<ListedFolder> {
  const folder = await makeExecutionFolder(kept, inWorkspace(facts.workspace), facts.since, facts.executionId);
  const execution = { ...facts, dir: folder.path };
  const begun: AuditEntry = { kind: 'begun', at: facts.since, execution };
  let listed = false;
  if (!isControlEffect(facts.effect) && audit.isWritable()) {
    audit.appendDeferred(begun).then(
      () => (listed = true),
      (error: unknown) => log.warn({ dir: folder.path, reason: String(error) }, 'an evidence folder is not in the log'),
    );
    return { folder, execution, isListed: () => listed };
  }
  try {
    await audit.append(begun);
  } catch (error) {
    await folder.close();
    await removeExecutionFolder(folder.path, '').catch((left: unknown) =>
      log.warn({ dir: folder.path, reason: String(left) }, 'an empty evidence folder is left'),
    );
    throw error;
  }
  return { folder, execution, isListed: () => true };
}
