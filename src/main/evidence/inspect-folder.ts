/** Compares evidence folders with the audit log. Reads only. */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { errno } from '../../base/errno.js';
import { EVIDENCE_FILE_NAMES } from '../protocol/index.js';
import { isExecutionId, pathOf, type EvidencePlace, type FileDigest } from './execution-folder.js';
import { openFolder, withFolder } from './open-folder.js';
import type { OpenFolder } from './folder-interface.js';
import { partsOf, type KnownFolder } from './recorded-folder.js';
import { message, messageSchema, type Message } from '../../messages/index.js';

export const evidenceProblemSchema = z.object({
  kind: z.enum(['missing', 'edited', 'unrecorded']),
  path: z.string(),
  description: messageSchema,
});
export type EvidenceProblem = z.infer<typeof evidenceProblemSchema>;

/** What is wrong with the files of an execution, in both places. */
export async function inspectFolders(
  stateDir: string,
  known: Pick<KnownFolder, 'dir' | 'files' | 'state'>,
): Promise<EvidenceProblem[]> {
  const found = [];
  for (const part of partsOf(stateDir, known)) found.push(...(await inspectFolder({ ...known, ...part })));
  return found;
}

/** Unrecorded files are a problem only in folders of ended executions: the others have files that no line lists yet. */
async function inspectFolder(known: Pick<KnownFolder, 'dir' | 'files' | 'state'>): Promise<EvidenceProblem[]> {
  let folder: OpenFolder;
  try {
    folder = await openFolder(known.dir);
  } catch (error) {
    const path = known.dir;
    const description =
      errno(error) === 'ENOENT'
        ? message('record.file_missing', { path })
        : message('record.folder_unreadable', { path, why: errno(error) ?? 'error' });
    return [{ kind: 'missing', path, description }];
  }
  try {
    const faults: EvidenceProblem[] = [];
    for (const file of known.files) {
      const fault = await inspectFile(folder, file);
      if (fault) faults.push(fault);
    }
    if (known.state === 'ended') faults.push(...(await findForeignFiles(folder, known.files)));
    return faults;
  } finally {
    await folder.close();
  }
}

async function inspectFile(folder: OpenFolder, file: FileDigest): Promise<EvidenceProblem | null> {
  const path = `${folder.path}/${file.name}`;
  const edited = (description: Message): EvidenceProblem => ({ kind: 'edited', path, description });
  try {
    const handle = await folder.openFile(file.name);
    try {
      if (!(await handle.stat()).isFile()) return edited(message('record.not_plain_file', { path }));
      const hash = createHash('sha256');
      for await (const part of handle.createReadStream({ autoClose: false })) hash.update(part);
      return hash.digest('hex') === file.sha256 ? null : edited(message('record.file_edited', { path }));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errno(error) === 'ENOENT')
      return { kind: 'missing', path, description: message('record.file_missing', { path }) };
    if (errno(error) === 'ELOOP') return edited(message('record.file_link', { path }));
    return edited(message('record.file_unreadable', { path, why: errno(error) ?? 'error' }));
  }
}

/** Files with a name of ours that the log does not list. */
async function findForeignFiles(folder: OpenFolder, files: readonly FileDigest[]): Promise<EvidenceProblem[]> {
  const ours = new Set(files.map((file) => file.name));
  const names: readonly string[] = EVIDENCE_FILE_NAMES;
  const extra = (await folder.list()).filter((name) => names.includes(name) && !ours.has(name));
  return extra
    .map((name) => `${folder.path}/${name}`)
    .map((path) => ({ kind: 'unrecorded', path, description: message('record.file_foreign', { path }) }));
}

/** Execution folders, empty ones too. */
export async function listExecutionFolders(place: EvidencePlace): Promise<string[]> {
  const found: string[] = [];
  await visitFolders(pathOf(place), async (day) => {
    if (!/\/\d{4}-\d{2}-\d{2}$/.test(day)) return;
    await visitFolders(day, async (dir) => {
      if (isExecutionId(dir.slice(day.length + 1))) found.push(dir);
    });
  });
  return found;
}

/** For a folder that is not in the log. An empty one does not count: a crash between creating it and writing its line leaves one. */
export async function inspectUnrecorded(path: string): Promise<EvidenceProblem[]> {
  if (!(await hasEvidenceFiles(path))) return [];
  return [{ kind: 'unrecorded', path, description: message('record.not_in_log', { path }) }];
}

/** Also true for a folder that cannot be opened, such as a link. */
async function hasEvidenceFiles(dir: string): Promise<boolean> {
  const names: readonly string[] = EVIDENCE_FILE_NAMES;
  return withFolder(openFolder(dir), async (folder) =>
    (await folder.list()).some((name) => names.includes(name)),
  ).catch((error: unknown) => errno(error) !== 'ENOENT');
}

async function visitFolders(path: string, visit: (path: string) => Promise<void>): Promise<void> {
  let names: string[];
  try {
    names = await withFolder(openFolder(path), (folder) => folder.list());
  } catch (error) {
    if (errno(error) === 'ENOENT' || errno(error) === 'ENOTDIR' || errno(error) === 'ELOOP') return;
    throw error;
  }
  for (const name of names.sort()) if (!name.startsWith('.')) await visit(`${path}/${name}`);
}
