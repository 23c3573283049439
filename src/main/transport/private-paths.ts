/** Checks that a folder or socket belongs to this user and is closed to others. Called by unix, client and the host's discovery. */
import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { message, MessageError } from '../../messages/index.js';

/** A file, folder or socket that another user could have put there or could read. */
export class UnsafePathError extends MessageError {}

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
    const mode = (stats.mode & 0o777).toString(8);
    throw new UnsafePathError(message('host.path_open', { path, mode }));
  }
}

type Kind = 'folder' | 'socket' | 'file';

const inMessage = (kind: Kind) => (kind === 'file' ? 'other' : kind);

export function assertOurs(path: string, stats: Stats, kind: Kind): void {
  if (stats.isSymbolicLink()) throw new UnsafePathError(message('host.path_link', { path, kind: inMessage(kind) }));
  if (!isKind(stats, kind)) throw new UnsafePathError(message('host.path_kind', { path, kind: inMessage(kind) }));
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid)
    throw new UnsafePathError(message('host.path_owner', { path, uid: stats.uid }));
}

function isKind(stats: Stats, kind: Kind): boolean {
  if (kind === 'folder') return stats.isDirectory();
  return kind === 'socket' ? stats.isSocket() : stats.isFile();
}
