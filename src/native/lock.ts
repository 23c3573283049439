/** A file lock that the kernel releases when its holder ends in any way. Called by the host's discovery. */
import { closeSync, constants, openSync } from 'node:fs';
import koffi from 'koffi';

export interface FileLock {
  /** Open for reading and writing while the lock is held. */
  fd: number;
  release(): void;
}

const LOCK_EXCLUSIVE_NONBLOCKING = 2 | 4;

/** Null when another open file holds the lock. The file is never removed: two processes could then lock two files of that name. */
export function lockFile(path: string): FileLock | null {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const flock = koffi.load(null).func('int flock(int fd, int operation)');
  const failed: unknown = flock(fd, LOCK_EXCLUSIVE_NONBLOCKING);
  if (failed !== 0) {
    closeSync(fd);
    return null;
  }
  return { fd, release: () => closeSync(fd) };
}
