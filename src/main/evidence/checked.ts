import { lstat, mkdir, open, readdir, realpath, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errno } from './failures.js';
import { assertName } from './held-folder.js';
import { READ } from './held-folder.js';
import { CREATE } from './held-folder.js';
import type { Folder } from './held-folder.js';

/** macOS: no link in any step of the path. Other systems ignore the bit. */
const NO_LINKS = process.platform === 'darwin' ? 0x20000000 : 0;

function linked(path: string): Error {
  return Object.assign(new Error(`${path} is reached through a link or was exchanged`), { code: 'ELOOP' });
}

/** The {@link Folder} for systems without directory handles: same folder, by device and number, before and after each step. */
export async function checkedFolder(path: string): Promise<Folder> {
  const first = await lstat(path);
  if (first.isSymbolicLink()) throw linked(path);
  if (!first.isDirectory()) throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
  const still = async () => {
    const now = await lstat(path);
    if (now.ino !== first.ino || now.dev !== first.dev || (await realpath(path)) !== path) throw linked(path);
  };
  const at = (name: string) => {
    assertName(name);
    return join(path, name);
  };
  const around = async <T>(step: () => Promise<T>, undo?: (made: T) => Promise<void>): Promise<T> => {
    await still();
    const made = await step();
    try {
      await still();
    } catch (error) {
      await undo?.(made);
      throw error;
    }
    return made;
  };
  const child = (name: string) => around(() => checkedFolder(at(name)));
  await still();
  return {
    path,
    open: child,
    async make(name, fresh) {
      await around(() =>
        mkdir(at(name), 0o700).catch((error: unknown) => {
          if (fresh || errno(error) !== 'EEXIST') throw error;
        }),
      );
      return child(name);
    },
    create: (name) =>
      around(
        () => open(at(name), CREATE | NO_LINKS, 0o600),
        (file) => file.close(),
      ),
    openFile: (name) =>
      around(
        () => open(at(name), READ | NO_LINKS),
        (file) => file.close(),
      ),
    list: () => around(() => readdir(path)),
    remove: (name) => around(() => unlink(at(name))),
    removeFolder: (name) => around(() => rmdir(at(name))),
    close: async () => undefined,
  };
}
