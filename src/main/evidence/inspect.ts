/** Compares one evidence folder with what the log says of it. */
import { createHash } from 'node:crypto';
import { errno } from './failures.js';
import { EVIDENCE_NAMES, isExecutionId, type FileDigest } from './folder.js';
import { openFolder } from './handles.js';
import type { Folder } from './held-folder.js';
import type { KnownFolder } from './ledger.js';
import { message, type Message } from '../../messages/index.js';

export interface Fault {
  kind: 'missing' | 'edited' | 'unrecorded';
  path: string;
  said: Message;
}

/** An open or abandoned folder has files that no line vouches for yet; an ended one has none. */
export async function inspectFolder(known: Pick<KnownFolder, 'dir' | 'files' | 'state'>): Promise<Fault[]> {
  let folder: Folder;
  try {
    folder = await openFolder(known.dir);
  } catch (error) {
    const path = known.dir;
    const missing = errno(error) === 'ENOENT';
    const said = missing
      ? message('record.file_missing', { path })
      : message('record.folder_unreadable', { path, why: errno(error) ?? 'error' });
    return [{ kind: 'missing', path, said }];
  }
  try {
    const faults: Fault[] = [];
    for (const file of known.files) {
      const fault = await inspectFile(folder, file);
      if (fault) faults.push(fault);
    }
    if (known.state === 'ended') faults.push(...(await planted(folder, known.files)));
    return faults;
  } finally {
    await folder.close();
  }
}

async function inspectFile(folder: Folder, file: FileDigest): Promise<Fault | null> {
  const path = `${folder.path}/${file.name}`;
  try {
    const handle = await folder.openFile(file.name);
    try {
      if (!(await handle.stat()).isFile())
        return { kind: 'edited', path, said: message('record.not_plain_file', { path }) };
      const hash = createHash('sha256');
      for await (const part of handle.createReadStream({ autoClose: false })) hash.update(part);
      return hash.digest('hex') === file.sha256
        ? null
        : { kind: 'edited', path, said: message('record.file_edited', { path }) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errno(error) === 'ENOENT') return { kind: 'missing', path, said: message('record.file_missing', { path }) };
    if (errno(error) === 'ELOOP') return { kind: 'edited', path, said: message('record.file_link', { path }) };
    return { kind: 'edited', path, said: message('record.file_unreadable', { path, why: errno(error) ?? 'error' }) };
  }
}

/** A file with a name of the contract that was never written by us. */
async function planted(folder: Folder, files: readonly FileDigest[]): Promise<Fault[]> {
  const ours = new Set(files.map((file) => file.name));
  const names: readonly string[] = EVIDENCE_NAMES;
  const extra = (await folder.list()).filter((name) => names.includes(name) && !ours.has(name));
  return extra
    .map((name) => `${folder.path}/${name}`)
    .map((path) => ({ kind: 'unrecorded', path, said: message('record.file_foreign', { path }) }));
}

/**
 * Execution folders below a workspace that the log does not know. An empty one claims nothing: it is what a stop between
 * folder and line leaves.
 */
export async function strangers(workspace: string, known: ReadonlySet<string>): Promise<Fault[]> {
  const faults: Fault[] = [];
  await eachFolder(`${workspace}/artifacts/desktop`, async (day) => {
    if (!/\/\d{4}-\d{2}-\d{2}$/.test(day)) return;
    await eachFolder(day, async (dir) => {
      if (known.has(dir) || !isExecutionId(dir.slice(day.length + 1)) || !(await claimsEvidence(dir))) return;
      faults.push({ kind: 'unrecorded', path: dir, said: message('record.not_in_log', { path: dir }) });
    });
  });
  return faults;
}

/** Also true for what cannot be looked into, such as a link. */
async function claimsEvidence(dir: string): Promise<boolean> {
  const names: readonly string[] = EVIDENCE_NAMES;
  try {
    const folder = await openFolder(dir);
    try {
      return (await folder.list()).some((name) => names.includes(name));
    } finally {
      await folder.close();
    }
  } catch (error) {
    return errno(error) !== 'ENOENT';
  }
}

async function eachFolder(path: string, visit: (path: string) => Promise<void>): Promise<void> {
  let names: string[];
  try {
    const folder = await openFolder(path);
    try {
      names = await folder.list();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR' || errno(error) === 'ELOOP') return;
    throw error;
  }
  for (const name of names.sort()) if (!name.startsWith('.')) await visit(`${path}/${name}`);
}
