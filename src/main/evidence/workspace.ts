import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { errno, forbidden } from './failures.js';
import { openFolder } from './handles.js';

export interface Workspace {
  /** Absolute and free of links. */
  path: string;
  /** Below a dot folder of the root: the person is asked even where a grant would do. */
  hidden: boolean;
}

/** The steps from `root` down to `path`, or null when it is not inside. Compares whole names: /a/bc is not inside /a/b. */
export function stepsInside(root: string, path: string): string[] | null {
  const steps = relative(root, path);
  if (steps === '') return [];
  if (isAbsolute(steps)) return null;
  const names = steps.split(sep);
  return names[0] === '..' ? null : names;
}

function assertShape(path: unknown): asserts path is string {
  if (typeof path !== 'string' || path === '' || path.length > 4096)
    throw forbidden('invalid', 'The workspace must be the path of a folder.');
  if (path.includes('\0')) throw forbidden('invalid', 'The workspace path contains a NUL character.');
  if (!isAbsolute(path))
    throw forbidden('relative', `The workspace must be an absolute path, not ${JSON.stringify(path)}.`);
}

async function real(path: string, root: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // What does not exist outside is only called outside: who asks learns nothing of what lies there.
    if (stepsInside(root, resolve(path)) === null) throw outside(path, root);
    if (errno(error) === 'ENOENT') throw forbidden('missing', `The workspace ${path} does not exist.`);
    if (errno(error) === 'ENOTDIR') throw forbidden('not_a_folder', `The workspace ${path} is not a folder.`);
    if (errno(error) === 'ELOOP') throw forbidden('link', `The workspace ${path} is a loop of links.`);
    throw forbidden('unreadable', `The workspace ${path} cannot be opened (${errno(error) ?? 'unknown error'}).`);
  }
}

function outside(path: string, root: string) {
  return forbidden('outside', `The workspace ${path} is outside WORKSPACE_ROOT (${root}).`, { workspaceRoot: root });
}

/**
 * Resolves `path` inside `root`. Throws DESKTOP_WORKSPACE_FORBIDDEN with `details.reason` for anything that is not an existing
 * folder there: relative, missing, a file, outside, or reached through a link that leads outside.
 */
export async function resolveWorkspace(root: string, path: unknown): Promise<Workspace> {
  assertShape(path);
  const realRoot = await realpath(root).catch(() => {
    throw forbidden('missing', `WORKSPACE_ROOT (${root}) does not exist, so no workspace can be inside it.`);
  });
  const found = await real(path, realRoot);
  const steps = stepsInside(realRoot, found);
  if (steps === null) {
    const looksInside =
      stepsInside(realRoot, resolve(path)) !== null || stepsInside(resolve(root), resolve(path)) !== null;
    if (looksInside)
      throw forbidden(
        'link',
        `The workspace ${path} is reached through a link that leads outside WORKSPACE_ROOT (${realRoot}).`,
        { workspaceRoot: realRoot },
      );
    throw outside(path, realRoot);
  }
  if (!(await stat(found)).isDirectory()) throw forbidden('not_a_folder', `The workspace ${path} is not a folder.`);
  await assertNoLinks(found);
  return { path: found, hidden: steps.some((step) => step.startsWith('.')) };
}

/** A real path has no links, unless one was put there since. */
async function assertNoLinks(path: string): Promise<void> {
  try {
    await (await openFolder(path)).close();
  } catch (error) {
    throw workspaceError(error, path);
  }
}

/** A failed step below a workspace as the caller sees it; null when it is about storage and not about the place. */
export function placeError(error: unknown, path: string): Error | null {
  const code = errno(error);
  if (code === 'ELOOP' || code === 'ENOTDIR') return forbidden('link', `A step of ${path} is a link or no folder.`);
  if (code === 'ENOENT') return forbidden('missing', `A step of ${path} is no longer there.`);
  return null;
}

function workspaceError(error: unknown, path: string): Error {
  return (
    placeError(error, path) ??
    forbidden('unreadable', `The workspace ${path} cannot be opened (${errno(error) ?? 'unknown error'}).`)
  );
}
