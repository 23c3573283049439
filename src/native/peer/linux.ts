/** The process table on Linux, read from /proc. */
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import type { PeerCredentials } from './credentials.js';
import { lineageOf } from './lineage.js';
import { scriptOf } from './script.js';
import { createTcpClientFinder } from './tcp-clients.js';
import type { ProcessIdentity, ProcessTable } from './types.js';

/** proc(5): startcode, startstack and start_data, counted from the state. */
const IMAGE_FIELDS = [23, 25, 42];

/** `proc` is the mount to read; tests give a made-up one. */
export function createLinuxTable(proc: string, credentials: (socketFd: number) => PeerCredentials): ProcessTable {
  const lookup = (pid: number): ProcessIdentity | null => readProcess(proc, pid);
  const tcpClientPid = createTcpClientFinder(proc);
  return {
    peerOf: (socketFd) => peerOf(credentials(socketFd), lookup),
    lookup,
    isSameProcess: (process) => process.pid === 0 || isSameProcess(proc, process),
    lineage: (pid) => lineageOf(pid, lookup),
    async tcpClient(local, remote) {
      const pid = await tcpClientPid(local, remote);
      return pid === null ? null : lookup(pid);
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
    const uid = readUid(proc, pid);
    const script = scriptOf({ executable, argv: readArgv(proc, pid), cwd, resolve: realFile });
    const after = readStat(proc, pid);
    if (
      after?.startTime !== before.startTime ||
      after.image !== before.image ||
      (readLink(`${proc}/${pid}/exe`) ?? '') !== executable
    )
      continue;
    return uid === null
      ? null
      : {
          pid,
          startTime: before.startTime,
          uid,
          executable,
          script,
          cwd,
          parentPid: before.parentPid,
          image: before.image,
        };
  }
  return null;
}

/** An executable that was replaced on disk by an update is still the one that was started. */
function isSameProcess(proc: string, { pid, startTime, executable, image }: ProcessIdentity): boolean {
  const now = readStat(proc, pid);
  if (now?.startTime !== startTime || (image !== undefined && now.image !== image)) return false;
  const program = (path: string) => path.replace(/ \(deleted\)$/, '');
  return program(readLink(`${proc}/${pid}/exe`) ?? '') === program(executable);
}

/**
 * The name in parentheses may hold anything, so fields are counted from the last one. Start time is in clock ticks since boot.
 * Where code, stack and data begin is drawn anew with each exec, and the process itself cannot choose it.
 */
function readStat(proc: string, pid: number): { parentPid: number; startTime: string; image: string } | null {
  const text = readText(`${proc}/${pid}/stat`);
  if (text === null) return null;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [, parent] = fields;
  const startTime = fields[19];
  return parent === undefined || startTime === undefined
    ? null
    : { parentPid: Number(parent), startTime, image: IMAGE_FIELDS.map((at) => fields[at] ?? '').join(':') };
}

/** The effective user. */
function readUid(proc: string, pid: number): number | null {
  const match = /^Uid:\s+\d+\s+(\d+)/m.exec(readText(`${proc}/${pid}/status`) ?? '');
  return match?.[1] === undefined ? null : Number(match[1]);
}

function readArgv(proc: string, pid: number): string[] {
  return (readText(`${proc}/${pid}/cmdline`) ?? '').split('\0').slice(0, -1);
}

function realFile(path: string): string | null {
  return attempt(() => realpathSync(path));
}

function readText(path: string): string | null {
  return attempt(() => readFileSync(path, 'utf8'));
}

function readLink(path: string): string | null {
  return attempt(() => readlinkSync(path));
}

/** Processes end while they are read, and those of others may not be read. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
