import { realpath } from 'node:fs/promises';
import { createEmitter } from '../../base/emitter.js';
import type { ExecutionStart, Recorder } from '../pipeline/ports.js';
import type { Activity, Habits } from '../protocol/index.js';
import { createArchive, type Archive } from './archive.js';
import { openAudit } from './audit.js';
import type { Decided, PairingLine, Recovered } from './entries.js';
import { nothingDone } from './failures.js';
import { makeExecutionFolder, removeExecutionFolder } from './folder.js';
import type { Folder } from './held-folder.js';
import { createHabits } from './habits.js';
import { createLedger, endedActivity } from './ledger.js';
import type { Log } from './log.js';
import { factsOf, refusedEntry } from './record.js';
import { removeLeftovers, sweep, type Retention } from './retention.js';
import { createThumbnails } from './thumbnails.js';
import { createTimeline } from './timeline.js';
import { resolveWorkspace, type Workspace } from './workspace.js';
import { createEvidence, type Ending, type OwnedEvidence } from './writer.js';

export interface RecorderOptions {
  /** Holds the audit log; outside every workspace. Also a workspace of its own, for callers that have none. */
  stateDir: string;
  workspaceRoot: string;
  now: () => Date;
  log: Log;
  /** Left out: nothing is ever deleted. */
  retention?: Retention;
}

export interface OwnedRecorder extends Recorder {
  /** Newest first, at most 200. Pictures only where one is at hand. */
  recent(limit: number): Activity[];
  /** All of it, read from the log and the folders when asked for. */
  readonly archive: Archive;
  /** How the person decided lately. */
  habits(): Habits;
  /** A person's answer to a request whose call has ended: one line, and its row says so. Never rejects. */
  decided(executionId: string, decision: Decided['decision']): Promise<void>;
  /** One line about the pages that may approve. Rejects with a WireError when it is not on disk. */
  pairing(line: PairingLine): Promise<void>;
  /** From now on; what is too old or too much then is deleted at once. */
  retain(settings: Retention): void;
  /** Told of each execution that ended. Returns the way to stop listening. */
  onRecorded(listener: (activity: Activity) => void): () => void;
  /** What was wrong with the log when it was opened, and was marked there; null when nothing. */
  readonly recovered: Recovered | null;
  /** Waits for what is being written. Calls still open are found abandoned by the next life. */
  close(): Promise<void>;
}

const KEPT = 200;

/** Rejects with a WireError when the state folder or the log in it cannot be used. */
export async function createRecorder(options: RecorderOptions): Promise<OwnedRecorder> {
  const { workspaceRoot, now, log } = options;
  let retention = options.retention ?? {};
  const ledger = createLedger();
  const habits = createHabits();
  const timeline = createTimeline();
  const audit = await openAudit({
    stateDir: options.stateDir,
    now,
    onEntry(entry, seq, place) {
      ledger.apply(entry, seq);
      habits.apply(entry);
      timeline.apply(entry, seq, place);
    },
  });
  const stateDir = await realpath(options.stateDir);
  const open = new Set<OwnedEvidence>();
  const recorded = createEmitter<Activity>((thrown) => log.warn({ reason: String(thrown) }, 'a listener failed'));
  const thumbnails = createThumbnails(log);
  let background: Promise<void> = Promise.resolve();
  if (audit.recovered) log.warn({ found: audit.recovered }, 'the audit log was not as it was left');

  const later = (step: () => Promise<void>) => {
    background = background
      .then(step)
      .catch((error: unknown) => log.warn({ reason: String(error) }, 'recording in the background failed'));
  };
  let sweepDue = false;
  const tidy = () => {
    if (Object.keys(retention).length === 0 || sweepDue) return;
    sweepDue = true;
    later(async () => {
      sweepDue = false;
      await sweep(ledger, audit, retention, now(), log);
    });
  };

  for (const { execution, started } of ledger.unended()) {
    await audit.append({ kind: 'abandoned', at: now().toISOString(), execution, started });
  }
  later(() => removeLeftovers(ledger, now(), log));
  tidy();

  /** The state folder serves callers that have no workspace of their own. */
  async function workspace(path: string): Promise<Workspace> {
    if (path === options.stateDir || path === stateDir) return { path: stateDir, hidden: false };
    return resolveWorkspace(workspaceRoot, path);
  }

  /** The folder and the line that makes it known, or neither. */
  async function makeFolder(start: ExecutionStart): Promise<Folder> {
    const folder = await makeExecutionFolder(start.workspace, start.at, start.executionId);
    try {
      await audit.append({ kind: 'begun', at: start.at, execution: factsOf(start, folder.path) });
    } catch (error) {
      await folder.close();
      await removeExecutionFolder(folder.path, '').catch((left: unknown) =>
        log.warn({ dir: folder.path, reason: String(left) }, 'an empty evidence folder is left'),
      );
      throw error;
    }
    return folder;
  }

  function ended({ seq, entry, picture }: Ending): void {
    later(async () => {
      const thumbnail = picture && (await thumbnails.make(entry.execution.executionId, picture));
      const activity = { ...endedActivity(entry, seq ?? 0), thumbnail };
      recorded.emit(activity);
    });
    tidy();
  }

  return {
    recovered: audit.recovered,
    workspace,
    async begin(given) {
      const start: ExecutionStart = { ...given, workspace: (await workspace(given.workspace)).path };
      const folder = start.need === 'folder' ? await makeFolder(start).catch(refuse) : null;
      const onEnd = (ending: Ending) => {
        open.delete(evidence);
        ended(ending);
      };
      const evidence = createEvidence({ start, folder, audit, now, log, onEnd });
      open.add(evidence);
      return evidence;
    },
    async refused(line) {
      await audit
        .append(refusedEntry(line))
        .catch((error: unknown) =>
          log.warn({ tool: line.tool, reason: String(error) }, 'a refusal could not be recorded'),
        );
    },
    async decided(executionId, decision) {
      const at = now().toISOString();
      await audit
        .append({ kind: 'decided', at, executionId, decision })
        .catch((error: unknown) =>
          log.warn({ executionId, reason: String(error) }, 'a decision could not be recorded'),
        );
      const activity = ledger.recent(KEPT).find((one) => one.executionId === executionId);
      if (activity !== undefined) recorded.emit({ ...activity, thumbnail: thumbnails.get(executionId) });
    },
    async pairing(line) {
      await audit.append({ kind: 'pairing', at: now().toISOString(), ...line });
    },
    interrupted: ledger.interrupted,
    recent: (limit) =>
      ledger.recent(limit).map((activity) => ({ ...activity, thumbnail: thumbnails.get(activity.executionId) })),
    habits: () => habits.read(now()),
    retain(settings) {
      retention = { ...settings };
      tidy();
    },
    archive: createArchive({ stateDir, ledger, timeline, thumbnails, now }),
    onRecorded: recorded.on,
    async close() {
      await Promise.all([...open].map((evidence) => evidence.release()));
      open.clear();
      await background;
      await audit.close();
    },
  };
}

function refuse(error: unknown): never {
  throw nothingDone(error);
}
