/** Removes the socket file of a host that has ended, never that of a running one. Called by unix before it binds. */
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import type { ProcessIdentity } from '../../native/peer/types.js';
import { message, MessageError } from '../../messages/index.js';
import { assertOurs } from './private-paths.js';
import { socketFd } from '../../base/socket-fd.js';

export class SocketInUseError extends MessageError {
  constructor(
    path: string,
    readonly pid: number | null,
  ) {
    super(message('host.socket_in_use', { known: pid === null ? 'other' : 'yes', pid: pid ?? '', path }));
  }
}

/** Nothing is at `path` afterwards. Throws SocketInUseError when someone listens there, UnsafePathError when it is no socket of ours. */
export async function removeStaleSocket(path: string, peerOf: (fd: number) => ProcessIdentity): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  assertOurs(path, found, 'socket');
  const live = await listenerOf(path, peerOf);
  if (live !== null) throw new SocketInUseError(path, live.pid);
  const movedPath = `${path}.${randomBytes(4).toString('hex')}`;
  renameSync(path, movedPath);
  const moved = lstatSync(movedPath);
  const sameFile = moved.ino === found.ino && moved.mtimeMs === found.mtimeMs;
  const revived = sameFile ? null : await listenerOf(movedPath, peerOf);
  if (revived !== null) {
    restore(movedPath, path);
    throw new SocketInUseError(path, revived.pid);
  }
  rmSync(movedPath, { force: true });
}

/** Another host bound the path between the check and the rename: its socket gets its name back. */
function restore(movedPath: string, path: string): void {
  linkSync(movedPath, path);
  rmSync(movedPath, { force: true });
}

/** Null only when the kernel reports that nobody listens; every other failure counts as a listener. */
function listenerOf(path: string, peerOf: (fd: number) => ProcessIdentity): Promise<{ pid: number | null } | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      resolve({ pid: pidOf(() => peerOf(socketFd(socket)).pid) });
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? null : { pid: null });
    });
  });
}

function pidOf(read: () => number): number | null {
  try {
    return read();
  } catch {
    return null;
  }
}
