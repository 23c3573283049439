/** Deletes old evidence folders, the oldest first, and leaves a line for each: a deletion on schedule is no missing file. */
import type { Audit } from './audit.js';
import { errno } from './failures.js';
import { removeExecutionFolder } from './folder.js';
import { inspectFolder } from './inspect.js';
import type { KnownFolder, Ledger } from './ledger.js';
import type { Log } from './log.js';
import { toRecord } from '../../messages/index.js';

export interface Retention {
  /** Folders older than this are deleted; left out: none is for its age. */
  maxAgeDays?: number;
  /** Bytes of all evidence files together; left out: no limit. */
  maxBytes?: number;
}

const DAY_MS = 86_400_000;

const sizeOf = (folder: KnownFolder) => folder.files.reduce((sum, file) => sum + file.bytes, 0);

/** Pure: which folders go now, and why. A folder in use never goes. */
export function expired(
  folders: Iterable<KnownFolder>,
  settings: Retention,
  now: Date,
): { folder: KnownFolder; reason: 'age' | 'quota' }[] {
  const kept = [...folders].filter((folder) => folder.state !== 'deleted');
  const oldest = now.getTime() - (settings.maxAgeDays ?? Infinity) * DAY_MS;
  let total = kept.reduce((sum, folder) => sum + sizeOf(folder), 0);
  const going: { folder: KnownFolder; reason: 'age' | 'quota' }[] = [];
  for (const folder of kept) {
    if (folder.state === 'open') continue;
    const old = Date.parse(folder.execution.since) < oldest;
    if (!old && total <= (settings.maxBytes ?? Infinity)) continue;
    total -= sizeOf(folder);
    going.push({ folder, reason: old ? 'age' : 'quota' });
  }
  return going;
}

/** The line comes first: a stop between the two leaves a folder that the next sweep finds. Never rejects. */
export async function sweep(ledger: Ledger, audit: Audit, settings: Retention, now: Date, log: Log): Promise<void> {
  for (const { folder, reason } of expired(ledger.folders(), settings, now)) {
    const { dir } = folder;
    try {
      const damage = (await inspectFolder(folder)).map(({ said }) => toRecord(said));
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
      await removeIfThere(dir, now);
    } catch (error) {
      log.warn(
        { dir, reason: error instanceof Error ? error.message : String(error) },
        'an old evidence folder could not be deleted',
      );
    }
  }
}

/** Folders whose line was written in an earlier life and that are still there. */
export async function removeLeftovers(ledger: Ledger, now: Date, log: Log): Promise<void> {
  for (const { dir, state } of ledger.folders()) {
    if (state !== 'deleted') continue;
    await removeIfThere(dir, now).catch((error: unknown) => {
      log.warn({ dir, reason: String(error) }, 'an old evidence folder could not be deleted');
    });
  }
}

async function removeIfThere(dir: string, now: Date): Promise<void> {
  try {
    await removeExecutionFolder(dir, new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10));
  } catch (error) {
    if (errno(error) !== 'ENOENT') throw error;
  }
}
