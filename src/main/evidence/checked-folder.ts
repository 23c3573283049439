import { lstat, mkdir, open, readdir, realpath, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errno } from '../../base/errno.js';
import { assertFileName, CREATE_FLAGS, READ_FLAGS, type OpenFolder } from './folder-interface.js';

/** macOS: fails if any component of the path is a symbolic link. Other systems ignore the bit. */
const O_NOFOLLOW_ANY = process.platform === 'darwin' ? 0x20000000 : 0;

function linkError(path: string): Error {
  return Object.assign(new Error(`${path} is reached through a link or was exchanged`), { code: 'ELOOP' });
}

/** {@link OpenFolder} for systems without directory handles: checks device and inode before and after each operation. */
export async function openCheckedFolder(path: string): Promise<OpenFolder> {
  const original = await lstat(path);
  if (original.isSymbolicLink()) throw linkError(path);
  if (!original.isDirectory()) throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
  const assertUnmoved = async () => {
    const now = await lstat(path);
    if (now.ino !== original.ino || now.dev !== original.dev || (await realpath(path)) !== path) throw linkError(path);
  };
  const pathOf = (name: string) => {
    assertFileName(name);
    return join(path, name);
  };
  const checkAround = async <T>(step: () => Promise<T>, undo?: (made: T) => Promise<void>): Promise<T> => {
    await assertUnmoved();
    const made = await step();
    try {
      await assertUnmoved();
    } catch (error) {
      await undo?.(made);
      throw error;
    }
    return made;
  };
  const openChild = (name: string) => checkAround(() => openCheckedFolder(pathOf(name)));
  await assertUnmoved();
  return {
    path,
    assertUnmoved,
    open: openChild,
    async make(name, fresh) {
      await checkAround(() =>
        mkdir(pathOf(name), 0o700).catch((error: unknown) => {
          if (fresh || errno(error) !== 'EEXIST') throw error;
        }),
      );
      return openChild(name);
    },
    create: (name) =>
      checkAround(
        () => open(pathOf(name), CREATE_FLAGS | O_NOFOLLOW_ANY, 0o600),
        (file) => file.close(),
      ),
    openFile: (name) =>
      checkAround(
        () => open(pathOf(name), READ_FLAGS | O_NOFOLLOW_ANY),
        (file) => file.close(),
      ),
    list: () => checkAround(() => readdir(path)),
    remove: (name) => checkAround(() => unlink(pathOf(name))),
    removeFolder: (name) => checkAround(() => rmdir(pathOf(name))),
    close: async () => undefined,
  };
}
