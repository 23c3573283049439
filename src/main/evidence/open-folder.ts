/**
 * Opens folders so that a link put into their path later has no effect.
 * Linux: every component is an open directory handle, and names are looked up below it through /proc/self/fd, as openat does.
 * Elsewhere: the path is checked before and after each operation (`openCheckedFolder`), and files are opened with O_NOFOLLOW_ANY on macOS.
 */
import { constants, existsSync, readlinkSync } from 'node:fs';
import { mkdir, open, readdir, rmdir, unlink, type FileHandle, lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { errno } from '../../base/type-guards.js';

export interface OpenFolder {
  readonly path: string;
  /** Throws when it was moved, deleted or exchanged while open. */
  assertUnmoved(): Promise<void>;
  /** Opens the folder `name` in this one; a link is refused with ENOTDIR or ELOOP. */
  open(name: string): Promise<OpenFolder>;
  /** Creates `name` with mode 0700 and opens it. `fresh`: fails if it exists. */
  make(name: string, fresh: boolean): Promise<OpenFolder>;
  /** Creates a file with mode 0600; EEXIST when the name is taken, also by a link. */
  create(name: string): Promise<FileHandle>;
  /** Opens an existing file for reading; a link is refused with ELOOP. */
  openFile(name: string): Promise<FileHandle>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  removeFolder(name: string): Promise<void>;
  /** Call only when no operation is running: the descriptor's number may be reused for another file. */
  close(): Promise<void>;
}

export const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Linux: a write ends when its bytes are on disk, so no sync need follow. Elsewhere 0. */
export const DURABLE_WRITES = process.platform === 'linux' ? constants.O_DSYNC : 0;

/** Never waits, as for a pipe in the place of a file. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** One path component: no separator, no NUL, not `..`. */
function assertFileName(name: string): void {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
    throw new Error(`not a file name: ${JSON.stringify(name)}`);
}

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

/** Folders that call after call needs stay open between calls, until none has used them for a while. Owned by the recorder. */
export interface KeptFolders {
  /**
   * Runs `use` with the folder at `path`, and `open` before it where none is kept. `use` must notice a folder that was moved
   * (`assertUnmoved`): after a failure with a kept one, all is done once more with one that is opened anew.
   */
  use<T>(path: string, open: () => Promise<Opened>, use: (folder: OpenFolder) => Promise<T>): Promise<T>;
  /** Resolves when all are closed that are not in use; the others close after their use. */
  close(): Promise<void>;
}

/** `keep`: as long as the folder is unmoved, `open` would find the same one. */
export interface Opened {
  folder: OpenFolder;
  keep: boolean;
}

interface Entry extends Opened {
  users: number;
  idle: NodeJS.Timeout | null;
  closing: Promise<void> | null;
}

const IDLE_MS = 10_000;
const MAX_KEPT = 32;

export function createKeptFolders(idleMs = IDLE_MS): KeptFolders {
  const kept = new Map<string, Entry>();
  let closed = false;

  function drop(path: string, entry: Entry): Promise<void> {
    if (kept.get(path) === entry) kept.delete(path);
    if (entry.idle !== null) clearTimeout(entry.idle);
    entry.idle = null;
    if (entry.users === 0) entry.closing ??= entry.folder.close();
    return entry.closing ?? Promise.resolve();
  }

  function keep(path: string, entry: Entry): boolean {
    if (closed || !entry.keep) return false;
    const known = kept.get(path);
    if (known === undefined && kept.size >= MAX_KEPT) return false;
    if (known !== undefined && known !== entry) void drop(path, known);
    kept.set(path, entry);
    return true;
  }

  async function lend<T>(path: string, entry: Entry, use: (folder: OpenFolder) => Promise<T>): Promise<T> {
    entry.users += 1;
    let stays = false;
    try {
      const made = await use(entry.folder);
      stays = keep(path, entry);
      return made;
    } finally {
      entry.users -= 1;
      if (!stays) await drop(path, entry);
      else if (entry.idle === null) entry.idle = setTimeout(() => void drop(path, entry), idleMs).unref();
      else entry.idle.refresh();
    }
  }

  return {
    async use(path, open, use) {
      const known = kept.get(path);
      if (known !== undefined) {
        try {
          return await lend(path, known, use);
        } catch {
          // Moved, deleted or exchanged since: what is wrong now is told by a look at the path itself.
        }
      }
      return lend(path, { ...(await open()), users: 0, idle: null, closing: null }, use);
    },
    async close() {
      closed = true;
      await Promise.all([...kept].map(([path, entry]) => drop(path, entry)));
    },
  };
}
