/**
 * Folders held open, so that a link put in their path later changes nothing.
 * Linux: every step is an open directory handle and names are looked up below it through /proc/self/fd, which is what openat does.
 * Elsewhere: the path is checked before and after each step (`checked.ts`), and files are opened with O_NOFOLLOW_ANY on macOS.
 */
import { constants, existsSync } from 'node:fs';
import { mkdir, open, readdir, readlink, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { checkedFolder } from './checked.js';
import { errno } from './failures.js';
import { assertName, CREATE, READ, type Folder } from './held-folder.js';

/** Linux O_PATH (not in node:fs): a handle for lookups that needs no read permission on folders such as a 0711 /home. */
const LOOKUP = 0o10000000 | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function handleFolder(handle: FileHandle, path: string): Promise<Folder> {
  const at = (name: string) => {
    assertName(name);
    return `/proc/self/fd/${handle.fd}/${name}`;
  };
  /** A folder moved away while it was held would take what is written along; refused. */
  const still = async () => {
    const now = await readlink(`/proc/self/fd/${handle.fd}`);
    if (now !== path) throw Object.assign(new Error(`${path} was moved or deleted`), { code: 'ENOENT' });
  };
  const child = async (name: string) =>
    handleFolder(await open(at(name), LOOKUP), path === '/' ? `/${name}` : `${path}/${name}`);
  try {
    await still();
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    path,
    open: child,
    async make(name, fresh) {
      await still();
      await mkdir(at(name), 0o700).catch((error: unknown) => {
        if (fresh || errno(error) !== 'EEXIST') throw error;
      });
      return child(name);
    },
    async create(name) {
      await still();
      return open(at(name), CREATE, 0o600);
    },
    openFile: (name) => open(at(name), READ),
    list: () => readdir(`/proc/self/fd/${handle.fd}`),
    remove: (name) => unlink(at(name)),
    removeFolder: (name) => rmdir(at(name)),
    close: () => handle.close(),
  };
}

export type FolderStyle = 'handles' | 'checked';

/** What this machine can do; `checked` where there are no directory handles to look names up below. */
function bestStyle(): FolderStyle {
  return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'handles' : 'checked';
}

/** Opens an absolute path step by step from the root, through no link. Rejects with the errno of the step that failed. */
export async function openFolder(path: string, style: FolderStyle = bestStyle()): Promise<Folder> {
  if (style === 'checked') return checkedFolder(path);
  let folder = await handleFolder(await open('/', LOOKUP), '/');
  for (const name of path.split('/').filter((step) => step !== ''))
    folder = await stepInto(folder, (at) => at.open(name));
  return folder;
}

/** Goes from a folder to one below it and lets go of the first, whatever happens. */
export async function stepInto(folder: Folder, step: (folder: Folder) => Promise<Folder>): Promise<Folder> {
  try {
    return await step(folder);
  } finally {
    await folder.close();
  }
}
