/** Paths of the host's files, discovery of a running host, and the lock against a second one. Called by createHost, shim and cli. */
import { createHash } from 'node:crypto';
import { fsyncSync, ftruncateSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { message, MessageError } from '../../messages/index.js';
import { lockFile, type FileLock } from '../../native/lock.js';
import { ensurePrivateFolder } from '../transport/private-paths.js';
import { userName, type HostPaths } from './paths.js';

export { hostPaths } from './paths.js';
export { newBridge, readBridge, readBridgeAt, removeBridge, writeBridge } from './bridge-file.js';

const SOCKET_PATH_LIMIT = 104;

/** In the state folder, else in the runtime folder, else in one made for this state folder under the system's temporary ones. Throws when even that is too long. */
export function socketPathFor(paths: HostPaths): string {
  const own = `chaperone-${userName()}-${createHash('sha256').update(paths.state).digest('hex').slice(0, 8)}`;
  const folders = [paths.state, paths.runtime, join(tmpdir(), own), join('/tmp', own)];
  const found = folders.map((folder) => join(folder, 'host.sock')).find(fits);
  if (found === undefined) throw new MessageError(message('host.no_socket_folder'));
  return found;
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) < SOCKET_PATH_LIMIT;
}

export class HostRunningError extends MessageError {
  constructor(
    readonly pid: number | null,
    folder: string,
  ) {
    super(message('host.runs_already', { known: pid === null ? 'other' : 'yes', pid: pid ?? '', folder }));
    this.name = 'HostRunningError';
  }
}

/** Locks the state folder; the kernel releases the lock when the process ends. Rejects with HostRunningError. */
export async function claimHost(paths: HostPaths): Promise<{ release(): void }> {
  ensurePrivateFolder(paths.state);
  const path = join(paths.state, 'host.lock');
  const lock = lockFile(path);
  if (lock === null) throw new HostRunningError(await holderOf(path), paths.state);
  write(lock, String(process.pid));
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      write(lock, '');
      lock.release();
    },
  };
}

function write(lock: FileLock, text: string): void {
  ftruncateSync(lock.fd, 0);
  writeSync(lock.fd, text, 0);
  fsyncSync(lock.fd);
}

/** The pid of the lock holder, who writes it right after locking; null when it does not within a second. */
async function holderOf(path: string): Promise<number | null> {
  for (let tries = 0; tries < 40; tries++) {
    const pid = Number(readFileSync(path, 'utf8'));
    if (Number.isSafeInteger(pid) && pid > 0) return pid;
    await delay(25);
  }
  return null;
}
