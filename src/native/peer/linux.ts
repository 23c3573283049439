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
import { readTcpConnections, waitingBetween, socketInode, type TcpConnection } from './proc-net.js';
import { scriptOf } from './script.js';
import type { ProcessIdentity, ProcessTable, ProcessWatch, TcpEndpoint } from './types.js';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

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
    // An ended process stays in the table until its parent asks for it, which some never do.
    if (before === null || 'ZX'.includes(before.state)) return null;
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

// Which process holds the client end of a loopback TCP connection. Comes in: both ends. Goes out: a pid. Called by the Linux
// process table. The kernel has no index for this, so every process's files are read: one pass serves all callers that wait for
// it, and it yields often, so that many connections at once do not block the host.

export interface SocketScan {
  connections: TcpConnection[];
  /** By the socket's inode. */
  holders: Map<string, Set<number>>;
}

interface TcpClient {
  pid: number;
  /** The inode of its socket. */
  socket: string;
}

/** Links read before others get their turn. */
const LINKS_PER_TURN = 128;

/** A row may be missing from a table that changes while it is read, and a process that is being started holds its parent's sockets for a moment. */
const PASSES = 3;

/** Resolves with null where the row is unclear, or where none or several processes hold the socket, three times. Never rejects. */
export function createTcpClientFinder(
  proc: string,
  read: () => Promise<SocketScan> = () => scan(proc),
): (local: TcpEndpoint, remote: TcpEndpoint) => Promise<TcpClient | null> {
  const nextPass = shareScans(read);
  let turn: Promise<unknown> = Promise.resolve();

  async function look(local: TcpEndpoint, remote: TcpEndpoint): Promise<TcpClient | null> {
    const { connections, holders } = await nextPass();
    // What callers do with the answer takes time too.
    turn = turn.then(() => setImmediate());
    await turn;
    const inode = socketInode(connections, local, remote, process.getuid?.() ?? -1);
    const pids = (inode === null ? undefined : holders.get(inode)) ?? [];
    const [only, other] = [...pids];
    return inode === null || only === undefined || other !== undefined ? null : { pid: only, socket: inode };
  }

  return async (local, remote) => {
    for (let pass = 1; pass < PASSES; pass += 1) {
      const found = await look(local, remote);
      if (found !== null) return found;
    }
    return look(local, remote);
  };
}

/** One pass at a time; all calls before the next one begins share it. */
export function shareScans<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const pass = read();
      running = pass.catch(() => undefined);
      return pass;
    });
    return next;
  };
}

async function scan(proc: string): Promise<SocketScan> {
  const connections = await readTcpConnections(proc);
  const holders = new Map<string, Set<number>>();
  for (const name of await listing(proc)) if (/^\d+$/.test(name)) await addSockets(holders, proc, Number(name));
  return { connections, holders };
}

async function addSockets(holders: SocketScan['holders'], proc: string, pid: number): Promise<void> {
  const files = await listing(`${proc}/${pid}/fd`);
  for (const [at, file] of files.entries()) {
    if (at % LINKS_PER_TURN === LINKS_PER_TURN - 1) await setImmediate();
    const inode = /^socket:\[(\d+)\]$/.exec(readLink(`${proc}/${pid}/fd/${file}`) ?? '')?.[1];
    if (inode !== undefined) holders.set(inode, (holders.get(inode) ?? new Set()).add(pid));
  }
}

/** Processes end while they are read, and those of others may not be read. */
function listing(path: string): Promise<string[]> {
  return readdir(path).catch(() => []);
}
