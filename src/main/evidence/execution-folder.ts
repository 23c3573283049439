import { type FileHandle, realpath, stat } from 'node:fs/promises';
import { sha256 } from '../approvals/digest.js';
import { errno } from '../../base/type-guards.js';
import { EVIDENCE_FILE_NAMES } from '../protocol/index.js';
import { storageError, workspaceForbidden } from './sealed-file.js';
import { openFolder, withFolder, type OpenFolder, type KeptFolders, type Opened } from './open-folder.js';
import { message, textOf } from '../../messages/index.js';
import { isAbsolute, resolve } from 'node:path';
import { stepsInside } from '../approvals/files.js';

/** A file as it was written; `verify` compares with this. */
export interface FileDigest {
  name: string;
  sha256: string;
  bytes: number;
  /** In Chaperone's own folder, not in the workspace. */
  kept?: true | undefined;
}

/** Folders below `root`, one in the other, that hold a folder a day and in it one an execution. */
export interface EvidencePlace {
  root: string;
  names: readonly string[];
}

/** Where the contract has the files of a call. */
export const inWorkspace = (workspace: string): EvidencePlace => ({ root: workspace, names: ['artifacts', 'desktop'] });
/** Where those are that the caller may not see. */
export const inState = (stateDir: string): EvidencePlace => ({ root: stateDir, names: ['evidence'] });

export const pathOf = ({ root, names }: EvidencePlace): string => [root, ...names].join('/');

/** The folder of the same execution in Chaperone's own place. */
export const keptDirOf = (stateDir: string, dir: string): string =>
  [pathOf(inState(stateDir)), ...dir.split('/').slice(-2)].join('/');

export const isExecutionId = (name: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name);

/**
 * Makes `<place>/<UTC date>/<executionId>/` without following links, mode 0700, and returns it open.
 * Rejects with a WireError: DESKTOP_WORKSPACE_FORBIDDEN for a link in the path, else the storage error.
 */
export async function makeExecutionFolder(
  kept: KeptFolders,
  place: EvidencePlace,
  at: string,
  executionId: string,
): Promise<OpenFolder> {
  if (!isExecutionId(executionId)) throw new Error(`not an execution id: ${JSON.stringify(executionId)}`);
  const day = new Date(at).toISOString().slice(0, 10);
  const path = pathOf(place);
  try {
    return await kept.use(
      `${path}/${day}`,
      async () => ({ folder: await openDay(place, day), keep: true }),
      (folder) => folder.make(executionId, true),
    );
  } catch (error) {
    throw pathError(error, path) ?? storageError(error, message('error.part_folder'), path);
  }
}

async function openDay({ root, names }: EvidencePlace, day: string): Promise<OpenFolder> {
  let opened = await openFolder(root);
  for (const name of names) opened = await withFolder(opened, (folder) => folder.make(name, false));
  return withFolder(opened, async (folder) => {
    await keepOutOfGit(folder);
    return folder.make(day, false);
  });
}

/** Pictures of a screen must not be committed by accident. */
async function keepOutOfGit(desktop: OpenFolder): Promise<void> {
  try {
    await writeNew(desktop, '.gitignore', '*\n');
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
}

/** Writes a new file completely and syncs it, or leaves no file. */
export async function writeNew(folder: OpenFolder, name: string, content: Uint8Array | string): Promise<FileDigest> {
  const { digest, sync } = await writeUnsynced(folder, name, content);
  try {
    await sync();
  } catch (error) {
    await folder.remove(name);
    throw error;
  }
  return digest;
}

/** Writes a new file completely, or leaves no file. `sync` must follow: it closes the file, in any case. */
export async function writeUnsynced(
  folder: OpenFolder,
  name: string,
  content: Uint8Array | string,
): Promise<{ digest: FileDigest; sync(): Promise<void> }> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const file = await folder.create(name);
  try {
    await file.writeFile(bytes);
  } catch (error) {
    await file.close();
    await folder.remove(name);
    throw error;
  }
  return { digest: { name, sha256: sha256(bytes), bytes: bytes.byteLength }, sync: () => syncAndClose(file) };
}

export async function syncAndClose(file: FileHandle): Promise<void> {
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/**
 * Deletes the files of an execution by their known names, and the folder if it is empty then; other files stay.
 * Day folders from `keepDaysFrom` on stay even when empty: an execution may be about to use one.
 */
export async function removeExecutionFolder(dir: string, keepDaysFrom: string): Promise<void> {
  const cut = dir.lastIndexOf('/');
  const name = dir.slice(cut + 1);
  await withFolder(openFolder(dir.slice(0, cut)), async (day) => {
    await withFolder(day.open(name), async (folder) => {
      for (const file of EVIDENCE_FILE_NAMES) await folder.remove(file).catch(ignoreErrno('ENOENT'));
    });
    await day.removeFolder(name).catch(ignoreErrno('ENOTEMPTY'));
  });
  await removeEmptyDay(dir.slice(0, cut), keepDaysFrom);
}

async function removeEmptyDay(dir: string, keepDaysFrom: string): Promise<void> {
  const cut = dir.lastIndexOf('/');
  if (dir.slice(cut + 1) >= keepDaysFrom) return;
  await withFolder(openFolder(dir.slice(0, cut)), (desktop) =>
    desktop.removeFolder(dir.slice(cut + 1)).catch(ignoreErrno('ENOTEMPTY')),
  );
}

function ignoreErrno(code: string): (error: unknown) => void {
  return (error) => {
    if (errno(error) !== code && !(code === 'ENOTEMPTY' && errno(error) === 'EEXIST')) throw error;
  };
}

export interface Workspace {
  /** Absolute and free of links. */
  path: string;
  /** Below a dot folder of the root: the person is asked even if a grant applies. */
  hidden: boolean;
}

interface WorkspacesOptions {
  root: string;
  /** As given, and its real path: a workspace although it is outside the root. */
  stateDir: readonly [string, string];
  kept: KeptFolders;
}

/** {@link resolveWorkspace}, without a walk along the path while the folder is kept open and lies where it lay. */
export function createWorkspaces({ root, stateDir, kept }: WorkspacesOptions): (path: string) => Promise<Workspace> {
  const known = new WeakMap<OpenFolder, Workspace>();

  async function openResolved(path: string): Promise<Opened> {
    const workspace = await resolveWorkspace(root, path);
    const folder = await openFolder(workspace.path);
    known.set(folder, workspace);
    // What a link points to can change while the folder stays where it is.
    return { folder, keep: workspace.path === path && (await realpath(root)) === root };
  }

  async function use(folder: OpenFolder): Promise<Workspace> {
    await folder.assertUnmoved();
    const workspace = known.get(folder);
    if (workspace === undefined) throw new Error(`${folder.path} was not resolved`);
    return workspace;
  }

  return async (path) =>
    stateDir.includes(path) ? { path: stateDir[1], hidden: false } : kept.use(path, () => openResolved(path), use);
}

function assertAbsolutePath(path: unknown): asserts path is string {
  if (typeof path !== 'string' || path === '' || path.length > 4096)
    throw workspaceForbidden('invalid', message('error.workspace_no_path'));
  if (path.includes('\0')) throw workspaceForbidden('invalid', message('error.workspace_nul'));
  if (!isAbsolute(path))
    throw workspaceForbidden('relative', message('error.workspace_relative', { path: JSON.stringify(path) }));
}

async function resolveReal(path: string, root: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // Outside the root the error never tells whether the path exists.
    if (stepsInside(root, resolve(path)) === null) throw outsideError(path, root);
    if (errno(error) === 'ENOENT')
      throw workspaceForbidden('missing', message('error.workspace_wrong', { path, why: 'missing' }));
    if (errno(error) === 'ENOTDIR') throw notAFolder(path);
    if (errno(error) === 'ELOOP')
      throw workspaceForbidden('link', message('error.workspace_wrong', { path, why: 'other' }));
    throw unreadable(path, error);
  }
}

const notAFolder = (path: string) =>
  workspaceForbidden('not_a_folder', message('error.workspace_wrong', { path, why: 'no_folder' }));

const unreadable = (path: string, error: unknown) =>
  workspaceForbidden('unreadable', message('error.workspace_unreadable', { path, why: errno(error) ?? textOf(error) }));

function outsideError(path: string, root: string) {
  return workspaceForbidden('outside', message('error.workspace_outside', { path, root }), {
    workspaceRoot: root,
  });
}

/**
 * Resolves `path` inside `root`. Throws DESKTOP_WORKSPACE_FORBIDDEN with `details.reason` for anything that is not an existing
 * folder there: relative, missing, a file, outside, or reached through a link that leads outside.
 */
export async function resolveWorkspace(root: string, path: unknown): Promise<Workspace> {
  assertAbsolutePath(path);
  const realRoot = await realpath(root).catch(() => {
    throw workspaceForbidden('missing', message('error.no_workspace_root', { root }));
  });
  const found = await resolveReal(path, realRoot);
  const steps = stepsInside(realRoot, found);
  if (steps === null) {
    const looksInside =
      stepsInside(realRoot, resolve(path)) !== null || stepsInside(resolve(root), resolve(path)) !== null;
    if (looksInside)
      throw workspaceForbidden('link', message('error.workspace_link', { path, root: realRoot }), {
        workspaceRoot: realRoot,
      });
    throw outsideError(path, realRoot);
  }
  if (!(await stat(found)).isDirectory()) throw notAFolder(path);
  await assertNoLinks(found);
  return { path: found, hidden: steps.some((step) => step.startsWith('.')) };
}

/** A link may have been put into the path since `realpath`. */
async function assertNoLinks(path: string): Promise<void> {
  try {
    await (await openFolder(path)).close();
  } catch (error) {
    throw workspaceError(error, path);
  }
}

/** Error for a path component below a workspace that could not be opened; null when the cause is the storage, not the path. */
function pathError(error: unknown, path: string): Error | null {
  const code = errno(error);
  if (code === 'ELOOP' || code === 'ENOTDIR')
    return workspaceForbidden('link', message('error.step_is_link', { path }));
  if (code === 'ENOENT') return workspaceForbidden('missing', message('error.step_missing', { path }));
  return null;
}

function workspaceError(error: unknown, path: string): Error {
  return pathError(error, path) ?? unreadable(path, error);
}
