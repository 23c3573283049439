/** The process table on Linux, read from /proc. */
import { closeSync } from 'node:fs';
import type { PeerCredentials } from './credentials.js';
import { forwarderOf } from './forwarder.js';
import { lineageOf } from './lineage.js';
import {
  hasContent,
  openProgramMemory,
  readArgv,
  readLink,
  readStat,
  readEffectiveUid,
  realPath,
} from './proc-files.js';
import { readTcpConnections, waitingBetween } from './proc-net.js';
import { scriptOf } from './script.js';
import { createTcpClientFinder } from './tcp-clients.js';
import type { ProcessIdentity, ProcessTable, ProcessWatch } from './types.js';

/** `proc` is the mount to read; tests give a made-up one. */
export function createLinuxTable(
  proc: string,
  credentials: (socketFd: number) => PeerCredentials,
  peerEnd: (socketFd: number) => string | null = () => null,
  waitingBytes: (socketFd: number) => number | null = () => null,
): ProcessTable {
  const lookup = (pid: number): ProcessIdentity | null => readProcess(proc, pid);
  const findTcpClient = createTcpClientFinder(proc);
  return {
    // Counted last: what was sent before the process ran this program is among it.
    peerOf: (socketFd) => ({
      ...peerOf(credentials(socketFd), lookup),
      socket: peerEnd(socketFd),
      waiting: waitingBytes(socketFd),
    }),
    lookup,
    isSameProcess: (process) => process.pid === 0 || isSameProcess(proc, process),
    watch: (process) => watchProcess(proc, process),
    lineage: (pid) => lineageOf(pid, lookup),
    async tcpClient(local, remote) {
      const client = await findTcpClient(local, remote);
      const found = client === null ? null : lookup(client.pid);
      if (client === null || found === null) return null;
      const waiting = waitingBetween(await readTcpConnections(proc), local, remote);
      return { ...found, socket: client.socket, waiting };
    },
  };
}

function peerOf(peer: PeerCredentials, lookup: (pid: number) => ProcessIdentity | null): ProcessIdentity {
  try {
    const identity = lookup(peer.pid);
    if (identity === null || !peer.alive()) throw new Error(`process ${peer.pid} has already ended`);
    return { ...identity, uid: peer.uid };
  } finally {
    peer.release();
  }
}

/** Read twice and believed only when nothing moved in between, so that one process's name never goes with another's start. */
function readProcess(proc: string, pid: number): ProcessIdentity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  for (let attempt = 0; attempt < 3; attempt++) {
    const before = readStat(proc, pid);
    if (before === null) return null;
    const executable = readLink(`${proc}/${pid}/exe`) ?? '';
    const cwd = readLink(`${proc}/${pid}/cwd`);
    const uid = readEffectiveUid(proc, pid);
    const script = scriptOf({ executable, argv: readArgv(proc, pid), cwd, resolve: realPath });
    const after = readStat(proc, pid);
    if (
      after?.startTicks !== before.startTicks ||
      after.image !== before.image ||
      (readLink(`${proc}/${pid}/exe`) ?? '') !== executable
    )
      continue;
    if (uid === null) return null;
    const parentUid = executable === '' ? readEffectiveUid(proc, before.parentPid) : null;
    const forwardedBy = forwarderOf({ executable, uid, name: before.name, parentUid });
    return {
      pid,
      startTime: String(before.startTicks),
      uid,
      executable,
      script,
      cwd,
      parentPid: before.parentPid,
      image: before.image,
      ...(forwardedBy === undefined ? {} : { forwardedBy }),
    };
  }
  return null;
}

/** An executable that was replaced on disk by an update is still the one that was started. */
function isSameProcess(proc: string, { pid, startTime, executable, image }: ProcessIdentity): boolean {
  const now = readStat(proc, pid);
  if (now === null || String(now.startTicks) !== startTime) return false;
  if (image !== undefined && now.image !== image) return false;
  const program = (path: string) => path.replace(/ \(deleted\)$/, '');
  return program(readLink(`${proc}/${pid}/exe`) ?? '') === program(executable);
}

/**
 * Reads one byte of the memory that the process had when the watch began, which only its own program has. Where that fails, and
 * where it never could be read, the process is looked up.
 */
function watchProcess(proc: string, process: ProcessIdentity): ProcessWatch {
  const isSame = () => process.pid === 0 || isSameProcess(proc, process);
  const memory = process.pid === 0 ? null : openProgramMemory(proc, process.pid);
  // Compared after opening: a program that has taken the place since the identity was read would be watched in its stead.
  const isWatched = memory !== null && isSame();
  return {
    isSame: () => (isWatched && hasContent(memory)) || isSame(),
    close: () => {
      if (memory !== null) closeSync(memory);
    },
  };
}
