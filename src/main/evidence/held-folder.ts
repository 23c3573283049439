/** What both ways to hold a folder open have in common. */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

export interface Folder {
  readonly path: string;
  /** Opens the folder `name` in this one; a link is refused with ENOTDIR or ELOOP. */
  open(name: string): Promise<Folder>;
  /** Makes `name` 0700 (`fresh`: it must not be there yet) and opens it. */
  make(name: string, fresh: boolean): Promise<Folder>;
  /** A new file, 0600; EEXIST when anything, link or not, has that name. */
  create(name: string): Promise<FileHandle>;
  /** An existing file to read; a link is refused with ELOOP. */
  openFile(name: string): Promise<FileHandle>;
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
  removeFolder(name: string): Promise<void>;
  /** Only when nothing is under way any more: the handle's number may be another file's afterwards. */
  close(): Promise<void>;
}

export const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

export const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** One step of a path: no separator, no NUL, not a step up. */
export function assertName(name: string): void {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
    throw new Error(`not a file name: ${JSON.stringify(name)}`);
}
