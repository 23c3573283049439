/** Checks that a folder or socket belongs to this user and is closed to others. Called by unix, client and the host's discovery. */
import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';

/** A file, folder or socket that another user could have put there or could read. */
export class UnsafePathError extends Error {}

const OTHERS_MASK = 0o077;

/** The folder exists afterwards, is no link, belongs to us and is 0700. Throws UnsafePathError. */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  assertOurs(path, lstatSync(path), 'folder');
  if (process.platform !== 'win32' && (lstatSync(path).mode & OTHERS_MASK) !== 0) chmodSync(path, 0o700);
  assertPrivate(path, 'folder');
}

/** Throws UnsafePathError unless the path is of that kind, no link, ours and closed to others; ENOENT stays ENOENT. */
export function assertPrivate(path: string, kind: Kind): void {
  const stats = lstatSync(path);
  assertOurs(path, stats, kind);
  if (process.platform !== 'win32' && (stats.mode & OTHERS_MASK) !== 0) {
    throw new UnsafePathError(
      `${path} is open to other users (mode ${(stats.mode & 0o777).toString(8)}); remove it or run chmod go-rwx on it.`,
    );
  }
}

type Kind = 'folder' | 'socket' | 'file';

export function assertOurs(path: string, stats: Stats, kind: Kind): void {
  if (stats.isSymbolicLink())
    throw new UnsafePathError(`${path} is a link; a ${kind} of our own was expected. Remove it.`);
  if (!isKind(stats, kind)) throw new UnsafePathError(`${path} is no ${kind}; remove it.`);
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid)
    throw new UnsafePathError(`${path} belongs to another user (uid ${stats.uid}).`);
}

function isKind(stats: Stats, kind: Kind): boolean {
  if (kind === 'folder') return stats.isDirectory();
  return kind === 'socket' ? stats.isSocket() : stats.isFile();
}
