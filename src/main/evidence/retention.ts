/** Deletes old evidence folders, oldest first. Each deletion is recorded in the audit log, so that `verify` does not report the folder as missing. */
import type { LateLog } from './audit-log.js';
import { errno } from '../../base/type-guards.js';
import { keptDirOf, removeExecutionFolder } from './execution-folder.js';
import { inspectFolders } from './folder-check.js';
import type { Leftovers } from './index-state.js';
import { readFolder, type KnownFolder } from './recorded-folder.js';
import type { ActivityRow } from './index-row.js';
import type { RecordIndex } from './record-index.js';
import type { Logger } from './sealed-file.js';
import type { Retention } from '../protocol/index.js';
import { toRecord } from '../../messages/index.js';

const DAY_MS = 86_400_000;

type Reason = 'age' | 'quota';
type Kept = Pick<RecordIndex, 'kept' | 'keptBytes'>;

/** Rows of folders to delete now, and why. Those of calls that have not ended are not among them. */
async function* selectExpired(
  index: Kept,
  { maxAgeDays, maxBytes }: Retention,
  now: Date,
): AsyncGenerator<{ row: ActivityRow; reason: Reason }> {
  if (maxAgeDays === null && maxBytes === null) return;
  const oldest = now.getTime() - (maxAgeDays ?? Infinity) * DAY_MS;
  let total = index.keptBytes();
  for await (const row of index.kept()) {
    const old = row.since < oldest;
    // Later ones are younger.
    if (!old && total <= (maxBytes ?? Infinity)) return;
    total -= row.size;
    yield { row, reason: old ? 'age' : 'quota' };
  }
}

export interface RetentionParts {
  stateDir: string;
  index: Kept;
  leftovers: Leftovers;
  audit: LateLog;
  now: () => Date;
  log: Logger;
}

/** Writes the audit line before deleting: after a crash between the two, `removeLeftovers` deletes the folder. Never rejects. */
async function deleteExpired(parts: RetentionParts, settings: Retention): Promise<void> {
  const now = parts.now();
  for await (const { row, reason } of selectExpired(parts.index, settings, now)) {
    const folder = await readFolder(parts.stateDir, row);
    try {
      if (folder !== null) await deleteFolder(parts, folder, { reason, bytes: row.size, now });
    } catch (error) {
      warn(parts.log, folder?.dir ?? row.executionId, error);
    }
  }
}

async function deleteFolder(
  { stateDir, audit, leftovers }: RetentionParts,
  folder: KnownFolder,
  { reason, bytes, now }: { reason: Reason; bytes: number; now: Date },
): Promise<void> {
  const { dir, execution } = folder;
  const damage = (await inspectFolders(stateDir, folder)).map(({ description }) => toRecord(description));
  const { executionId } = execution;
  await audit.append({ kind: 'tombstone', at: now.toISOString(), executionId, dir, reason, bytes, damage });
  await removeBoth(stateDir, dir, now);
  leftovers.removed(dir);
}

const warn = (log: Logger, dir: string, error: unknown): void =>
  log.warn(
    { dir, reason: error instanceof Error ? error.message : String(error) },
    'an old evidence folder could not be deleted',
  );

/** Deletes folders that are recorded as deleted and still exist, after a crash in {@link deleteExpired}. */
export async function removeLeftovers(
  { stateDir, leftovers, log }: Pick<RetentionParts, 'stateDir' | 'leftovers' | 'log'>,
  now: Date,
): Promise<void> {
  for (const dir of leftovers.list()) {
    await removeBoth(stateDir, dir, now).then(
      () => leftovers.removed(dir),
      (error: unknown) => warn(log, dir, error),
    );
  }
}

/** Chaperone's own folder first: while the one in the workspace is there, the next start tries again. */
async function removeBoth(stateDir: string, dir: string, now: Date): Promise<void> {
  await removeIfPresent(keptDirOf(stateDir, dir), now);
  await removeIfPresent(dir, now);
}

async function removeIfPresent(dir: string, now: Date): Promise<void> {
  try {
    await removeExecutionFolder(dir, new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10));
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
  }
}

export class Background {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly log: Logger) {}

  /** One after another. A step that fails is logged. */
  run(step: () => Promise<void>): void {
    this.last = this.last
      .then(step)
      .catch((error: unknown) => this.log.warn({ reason: String(error) }, 'recording in the background failed'));
  }

  /** Resolves when all steps given so far have ended. Never rejects. */
  idle(): Promise<void> {
    return this.last;
  }
}

export class Sweep {
  private due = false;
  private isStarted = false;

  constructor(
    private readonly background: Background,
    private readonly parts: RetentionParts,
    private retention: Retention,
  ) {}

  setRetention(settings: Retention): void {
    this.retention = settings;
  }

  /** Nothing is deleted before. */
  start(): void {
    this.isStarted = true;
    this.schedule();
  }

  /** Deletes what has expired, soon; nothing where no limit is set. */
  schedule(): void {
    const { maxAgeDays, maxBytes } = this.retention;
    if (!this.isStarted || this.due || (maxAgeDays === null && maxBytes === null)) return;
    this.due = true;
    this.background.run(async () => {
      this.due = false;
      await deleteExpired(this.parts, this.retention);
    });
  }
}
