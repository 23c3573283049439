import { createHash } from 'node:crypto';
import { errno, storageError } from './failures.js';
import { openFolder, stepInto } from './handles.js';
import type { Folder } from './held-folder.js';
import { placeError } from './workspace.js';

/** Every name the contract has for a file of an execution. */
export const EVIDENCE_NAMES = [
  'before.png',
  'after.png',
  'observe.png',
  'ax.json',
  'trace.jsonl',
  'result.json',
] as const;
export type EvidenceName = (typeof EVIDENCE_NAMES)[number];

/** A file as it was written: what `verify` compares with. */
export interface FileDigest {
  name: string;
  sha256: string;
  bytes: number;
}

export const isExecutionId = (name: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name);

/**
 * Makes `<workspace>/artifacts/desktop/<UTC date>/<executionId>/` through no link, 0700, and holds it open.
 * Rejects with a WireError: DESKTOP_WORKSPACE_FORBIDDEN for a link in the way, else what the disk says.
 */
export async function makeExecutionFolder(workspace: string, at: string, executionId: string): Promise<Folder> {
  if (!isExecutionId(executionId)) throw new Error(`not an execution id: ${JSON.stringify(executionId)}`);
  const day = new Date(at).toISOString().slice(0, 10);
  const place = `${workspace}/artifacts/desktop`;
  try {
    let folder = await openFolder(workspace);
    folder = await stepInto(folder, (up) => up.make('artifacts', false));
    folder = await stepInto(folder, (up) => up.make('desktop', false));
    folder = await stepInto(folder, async (up) => {
      await keepOutOfGit(up);
      return up.make(day, false);
    });
    return await stepInto(folder, (up) => up.make(executionId, true));
  } catch (error) {
    throw placeError(error, place) ?? storageError(error, 'the evidence folder', place);
  }
}

/** Pictures of a screen must not be committed by accident. */
async function keepOutOfGit(desktop: Folder): Promise<void> {
  try {
    await writeNew(desktop, '.gitignore', '*\n');
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
}

/** Writes a new file whole and to the disk, or leaves none. */
export async function writeNew(folder: Folder, name: string, content: Uint8Array | string): Promise<FileDigest> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const file = await folder.create(name);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } catch (error) {
    await file.close();
    await folder.remove(name);
    throw error;
  }
  await file.close();
  return { name, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength };
}

/**
 * Deletes the contract's files of an execution and its folder, nothing else; what a person put there stays.
 * Days from `keepDaysFrom` on stay even when empty: an execution may be about to make its folder in one.
 */
export async function removeExecutionFolder(dir: string, keepDaysFrom: string): Promise<void> {
  const cut = dir.lastIndexOf('/');
  const day = await openFolder(dir.slice(0, cut));
  try {
    const folder = await day.open(dir.slice(cut + 1));
    try {
      for (const name of EVIDENCE_NAMES) await folder.remove(name).catch(onlyIf('ENOENT'));
    } finally {
      await folder.close();
    }
    await day.removeFolder(dir.slice(cut + 1)).catch(onlyIf('ENOTEMPTY'));
  } finally {
    await day.close();
  }
  await removeEmptyDay(dir.slice(0, cut), keepDaysFrom);
}

async function removeEmptyDay(dir: string, keepDaysFrom: string): Promise<void> {
  const cut = dir.lastIndexOf('/');
  if (dir.slice(cut + 1) >= keepDaysFrom) return;
  const desktop = await openFolder(dir.slice(0, cut));
  try {
    await desktop.removeFolder(dir.slice(cut + 1)).catch(onlyIf('ENOTEMPTY'));
  } finally {
    await desktop.close();
  }
}

function onlyIf(code: string): (error: unknown) => void {
  return (error) => {
    if (errno(error) !== code && !(code === 'ENOTEMPTY' && errno(error) === 'EEXIST')) throw error;
  };
}
