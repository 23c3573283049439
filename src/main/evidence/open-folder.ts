/**
 * Opens folders so that a link put into their path later has no effect.
 * Linux: every component is an open directory handle, and names are looked up below it through /proc/self/fd, as openat does.
 * Elsewhere: the path is checked before and after each operation (`checked-folder.ts`), and files are opened with O_NOFOLLOW_ANY on macOS.
 */
import { constants, existsSync, readlinkSync } from 'node:fs';
import { mkdir, open, readdir, rmdir, unlink, type FileHandle, lstat, realpath } from 'node:fs/promises';
import { errno } from '../../base/errno.js';
import { assertFileName, CREATE_FLAGS, READ_FLAGS, type OpenFolder } from './folder-interface.js';
import { join } from 'node:path';

/** Linux O_PATH (not in node:fs): a handle for lookups that needs no read permission on folders such as a 0711 /home. */
const LOOKUP_FLAGS = 0o10000000 | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function openByHandle(handle: FileHandle, path: string): Promise<OpenFolder> {
  const pathOf = (name: string) => {
    assertFileName(name);
    return `/proc/self/fd/${handle.fd}/${name}`;
  };
  /** Files written to a moved folder would end up elsewhere. The kernel answers from memory: no disk can hold this up. */
  const assertUnmoved = () => {
    const now = readlinkSync(`/proc/self/fd/${handle.fd}`);
    if (now !== path) throw Object.assign(new Error(`${path} was moved or deleted`), { code: 'ENOENT' });
  };
  const openChild = async (name: string) =>
    openByHandle(await open(pathOf(name), LOOKUP_FLAGS), path === '/' ? `/${name}` : `${path}/${name}`);
  try {
    assertUnmoved();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    path,
    async assertUnmoved() {
      assertUnmoved();
    },
    open: openChild,
    async make(name, fresh) {
      assertUnmoved();
      await mkdir(pathOf(name), 0o700).catch((error: unknown) => {
        if (fresh || errno(error) !== 'EEXIST') throw error;
      });
      return openChild(name);
    },
    async create(name) {
      assertUnmoved();
      return open(pathOf(name), CREATE_FLAGS, 0o600);
    },
    openFile: (name) => open(pathOf(name), READ_FLAGS),
    list: () => readdir(`/proc/self/fd/${handle.fd}`),
    remove: (name) => unlink(pathOf(name)),
    removeFolder: (name) => rmdir(pathOf(name)),
    close: () => handle.close(),
  };
}

type FolderAccess = 'handles' | 'checked';

/** `checked` on systems where names cannot be looked up below a directory handle. */
function supportedAccess(): FolderAccess {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'handles' : 'checked';
}

/** Opens an absolute path component by component, without following links. Rejects with the errno of the component that failed. */
export async function openFolder(path: string, access: FolderAccess = supportedAccess()): Promise<OpenFolder> {
  if (access === 'checked') return openCheckedFolder(path);
  let folder = await openByHandle(await open('/', LOOKUP_FLAGS), '/');
  for (const name of path.split('/').filter((step) => step !== ''))
    folder = await withFolder(folder, (at) => at.open(name));
  return folder;
}

/** Runs `use` and closes the folder, also on failure. Rejects with what opening the folder or `use` rejects with. */
export async function withFolder<T>(
  opening: OpenFolder | Promise<OpenFolder>,
  use: (folder: OpenFolder) => Promise<T>,
): Promise<T> {
  const folder = await opening;
  try {
    return await use(folder);
  } finally {
    await folder.close();
  }
}

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
