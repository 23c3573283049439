import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { errno } from '../../base/type-guards.js';
import { stepsInside } from '../approvals/files.js';
import { workspaceForbidden } from './sealed-file.js';
import { type OpenFolder, type KeptFolders, type Opened, openFolder } from './open-folder.js';
import { message, textOf } from '../../messages/index.js';

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
export function pathError(error: unknown, path: string): Error | null {
  const code = errno(error);
  if (code === 'ELOOP' || code === 'ENOTDIR')
    return workspaceForbidden('link', message('error.step_is_link', { path }));
  if (code === 'ENOENT') return workspaceForbidden('missing', message('error.step_missing', { path }));
  return null;
}

function workspaceError(error: unknown, path: string): Error {
  return pathError(error, path) ?? unreadable(path, error);
}
