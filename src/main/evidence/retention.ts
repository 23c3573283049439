/** Deletes old evidence folders, oldest first. Each deletion is recorded in the audit log, so that `verify` does not report the folder as missing. */
import type { AuditLog } from './audit-log.js';
import { errno } from '../../base/errno.js';
import { removeExecutionFolder } from './execution-folder.js';
import { inspectFolder } from './inspect-folder.js';
import type { KnownFolder, ExecutionIndex } from './execution-index.js';
import type { Log } from './log.js';
import type { Retention } from '../protocol/index.js';
import { toRecord } from '../../messages/index.js';

const DAY_MS = 86_400_000;

const sizeOf = (folder: KnownFolder) => folder.files.reduce((sum, file) => sum + file.bytes, 0);

/** Pure. Folders to delete now, and why. A folder in use is never selected. */
export function selectExpired(
  folders: Iterable<KnownFolder>,
  settings: Retention,
  now: Date,
): { folder: KnownFolder; reason: 'age' | 'quota' }[] {
  const kept = [...folders].filter((folder) => folder.state !== 'deleted');
  const oldest = now.getTime() - (settings.maxAgeDays ?? Infinity) * DAY_MS;
  let total = kept.reduce((sum, folder) => sum + sizeOf(folder), 0);
  const expired: { folder: KnownFolder; reason: 'age' | 'quota' }[] = [];
  for (const folder of kept) {
    if (folder.state === 'open') continue;
    const old = Date.parse(folder.execution.since) < oldest;
    if (!old && total <= (settings.maxBytes ?? Infinity)) continue;
    total -= sizeOf(folder);
    expired.push({ folder, reason: old ? 'age' : 'quota' });
  }
  return expired;
}

/** Writes the audit line before deleting: after a crash between the two, `removeLeftovers` deletes the folder. Never rejects. */
export async function deleteExpired(
  executions: ExecutionIndex,
  audit: AuditLog,
  settings: Retention,
  now: Date,
  log: Log,
): Promise<void> {
  for (const { folder, reason } of selectExpired(executions.folders(), settings, now)) {
    const { dir } = folder;
    try {
      const damage = (await inspectFolder(folder)).map(({ description }) => toRecord(description));
      const at = now.toISOString();
      await audit.append({
        kind: 'tombstone',
        at,
        executionId: folder.execution.executionId,
        dir,
        reason,
        bytes: sizeOf(folder),
        damage,
      });
      await removeIfPresent(dir, now);
    } catch (error) {
      log.warn(
        { dir, reason: error instanceof Error ? error.message : String(error) },
        'an old evidence folder could not be deleted',
      );
    }
  }
}

/** Deletes folders that are recorded as deleted and still exist, after a crash in {@link deleteExpired}. */
export async function removeLeftovers(executions: ExecutionIndex, now: Date, log: Log): Promise<void> {
  for (const { dir, state } of executions.folders()) {
    if (state !== 'deleted') continue;
    await removeIfPresent(dir, now).catch((error: unknown) => {
      log.warn({ dir, reason: String(error) }, 'an old evidence folder could not be deleted');
    });
  }
}

async function removeIfPresent(dir: string, now: Date): Promise<void> {
  try {
    await removeExecutionFolder(dir, new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10));
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
  }
}
