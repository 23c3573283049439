/** An open folder, whatever the system offers to keep it open (`open-folder.ts`, `checked-folder.ts`). */
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

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
export function assertFileName(name: string): void {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
    throw new Error(`not a file name: ${JSON.stringify(name)}`);
}
