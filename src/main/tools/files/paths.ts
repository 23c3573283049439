/** Checks of paths in parameters: absolute, normalized, existing. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import * as z from 'zod';
import { invalidRequest } from '../parameters.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';

export const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => isAbsolute(path) && !/\p{Cc}/u.test(path), ruleError('input.absolute_path'));

export async function assertPathsExist(paths: readonly string[]): Promise<void> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => null)));
  const missing = paths.filter((_, index) => found[index] === null);
  if (missing.length > 0)
    throw invalidRequest(message('error.no_such_file', { path: missing.slice(0, 5).join(', ') }), 'no_such_file');
}

export async function assertFile(path: string): Promise<void> {
  await assertPathsExist([path]);
  if (!(await stat(path)).isFile()) throw invalidRequest(message('error.no_file', { path }), 'no_file');
}

/** Throws unless the folder exists and the path is no folder itself. */
export async function assertSavable(path: string): Promise<void> {
  const folder = await stat(dirname(normalize(path))).catch(() => null);
  if (folder === null || !folder.isDirectory())
    throw invalidRequest(message('error.no_such_folder', { path: dirname(path) }), 'no_such_folder');
  const now = await stat(path).catch(() => null);
  // A write would create the file somewhere else.
  if (now === null && (await lstat(path).catch(() => null)) !== null)
    throw invalidRequest(message('error.dangling_link', { path }), 'dangling_link');
  if (now !== null && !now.isFile()) throw invalidRequest(message('error.exists_no_file', { path }), 'no_file');
}

/** Free of links, also for a file that is not there yet. */
export const realPath = (path: string): Promise<string> =>
  realpath(path).catch(async () => join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)));

/** The path for the card, with the target of links. Compared again before the act, like any text. */
export async function shownPath(path: string): Promise<string> {
  const real = await realPath(path);
  return real === normalize(path) ? path : `${path}\n  → ${real}`;
}

export const shownPaths = async (paths: readonly string[]): Promise<string> =>
  (await Promise.all(paths.map(shownPath))).join('\n');
