/** The process table on Linux, read from /proc. */
import { basename } from 'node:path';
import { readFile, readdir } from 'node:fs/promises';
import { isIPv4, isIPv6 } from 'node:net';
import { closeSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import koffi from 'koffi';
import type { ProcessIdentity, TcpEndpoint, ProcessTable, ProcessWatch } from './types.js';
import {
  hasContent,
  openProgramMemory,
  readArgv,
  readLink,
  readStat,
  readEffectiveUid,
  realPath,
} from './proc-files.js';
import { scriptOf } from './script.js';

/** Servers and clients of SSH, which connect to a socket for programs elsewhere: `ssh -L` by the server, `ssh -R` by the client. */
const SSH_PROGRAMS: ReadonlySet<string> = new Set(['sshd', 'sshd-session', 'ssh', 'dropbear', 'dbclient']);

interface Program {
  /** '' where the kernel will not tell. */
  executable: string;
  uid: number;
  /** What the process calls itself; null where the system does not tell. Any process can choose it. */
  name: string | null;
  /** User of its parent; null where there is none. */
  parentUid: number | null;
}

/**
 * Whether a process forwards what others say. A server of SSH keeps its files from the user it serves, so there its name counts,
 * together with a parent of another user: a program that poses as one is only trusted less.
 */
export function forwarderOf({ executable, uid, name, parentUid }: Program): 'ssh' | undefined {
  const program = executable === '' ? name : basename(executable.replace(/ \(deleted\)$/, ''));
  if (program === null || !SSH_PROGRAMS.has(program)) return undefined;
  return executable !== '' || (parentUid !== null && parentUid !== uid) ? 'ssh' : undefined;
}

const MAX_ANCESTORS = 64;

/** A process and its ancestors as far as they can be read; a pid met twice ends it. */
export function lineageOf(pid: number, lookup: (pid: number) => ProcessIdentity | null): ProcessIdentity[] {
  const chain: ProcessIdentity[] = [];
  const seen = new Set<number>();
  for (let next = pid; next > 0 && !seen.has(next) && chain.length < MAX_ANCESTORS;) {
    seen.add(next);
    const found = lookup(next);
    if (found === null) break;
    chain.push(found);
    next = found.parentPid;
  }
  return chain;
}

// Finds the client end of a loopback TCP connection in /proc/net/tcp and tcp6. Called by the Linux process table.

const ESTABLISHED = '01';
const MAPPED_PREFIX = '0000000000000000FFFF0000';

/**
 * Inode of the client's socket; null unless established rows of our own user with one and the same inode fit. `local` is the
 * client's own address, `remote` is ours. The kernel gives the table in parts: a row stands in two of them where others came meanwhile.
 */
function socketInode(
  rows: readonly TcpConnection[],
  local: TcpEndpoint,
  remote: TcpEndpoint,
  uid: number,
): string | null {
  const from = kernelForms(local);
  const to = kernelForms(remote);
  const fitting = rows.filter(
    (row) => from.includes(row.local) && to.includes(row.remote) && row.state === ESTABLISHED,
  );
  const [row] = fitting;
  if (row === undefined || fitting.some((one) => one.inode !== row.inode || one.uid !== row.uid)) return null;
  return row.uid === String(uid) && /^[1-9]\d*$/.test(row.inode) ? row.inode : null;
}

/** What the client has sent and nobody has read, on either side of the connection; null where a side of it is not told. */
export function waitingBetween(rows: readonly TcpConnection[], local: TcpEndpoint, remote: TcpEndpoint): number | null {
  const [client, host] = [kernelForms(local), kernelForms(remote)];
  const most = (from: string[], to: string[], of: 'in' | 'out'): number =>
    Math.max(...rows.filter((row) => from.includes(row.local) && to.includes(row.remote)).map((row) => row.queued[of]));
  const waiting = most(client, host, 'out') + most(host, client, 'in');
  return Number.isFinite(waiting) ? waiting : null;
}

interface TcpConnection {
  local: string;
  remote: string;
  state: string;
  /** Bytes that wait to be sent, and to be read. */
  queued: { out: number; in: number };
  uid: string;
  inode: string;
}

async function readTcpConnections(proc: string): Promise<TcpConnection[]> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readTable(`${proc}/net/${table}`)));
  return tables.flatMap(rowsOf);
}

function rowsOf(table: string): TcpConnection[] {
  return table
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, local, remote, state, queues = '', , , uid, , inode] = line.trim().split(/\s+/);
      if (local === undefined || remote === undefined || state === undefined) return [];
      const [out = NaN, into = NaN] = queues.split(':').map((count) => parseInt(count, 16));
      const queued = { out, in: into };
      return uid === undefined || inode === undefined ? [] : [{ local, remote, state, queued, uid, inode }];
    });
}

function readTable(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

/** How the kernel may print an endpoint: an IPv4 address also stands mapped in the IPv6 table. */
function kernelForms({ address, port }: TcpEndpoint): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (isIPv4(plain)) return [ipv4Hex(plain), MAPPED_PREFIX + ipv4Hex(plain)].map((form) => form + suffix);
  return isIPv6(plain) ? [ipv6Hex(plain) + suffix] : [];
}

function ipv4Hex(address: string): string {
  return hex(address.split('.').map(Number).reverse());
}

/** Each 32-bit word in host order, which is little-endian on everything this runs on. */
function ipv6Hex(address: string): string {
  const [head = '', tail = ''] = address.split('::');
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const before = groups(head);
  const after = groups(tail);
  const middle = address.includes('::') ? Array<number>(8 - before.length - after.length).fill(0) : [];
  const bytes = [...before, ...middle, ...after].flatMap((group) => [group >> 8, group & 0xff]);
  return [0, 4, 8, 12].map((at) => hex(bytes.slice(at, at + 4).reverse())).join('');
}

function hex(bytes: number[]): string {
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}

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

// SO_PEERCRED, SO_PEERPIDFD and FIONREAD through koffi. Called by the Linux process table only.

interface PeerCredentials {
  pid: number;
  uid: number;
  /** False once the process that connected is known to have ended, so that its pid may be another's. */
  alive(): boolean;
  release(): void;
}

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
const SO_PEERPIDFD = 77;
const FIONREAD = 0x541b;

/** Throws when the descriptor is no connected Unix socket. */
export function loadPeerCredentials(): (socketFd: number) => PeerCredentials {
  const libc = koffi.load(null);
  const getsockopt = libc.func(
    'int getsockopt(int fd, int level, int name, _Out_ uint8_t *value, _Inout_ uint32_t *length)',
  );

  function readOption(fd: number, name: number, bytes: number): Buffer | null {
    const value = Buffer.alloc(bytes);
    const length = [bytes];
    const failed: unknown = getsockopt(fd, SOL_SOCKET, name, value, length);
    return failed === 0 && length[0] === bytes ? value : null;
  }

  return (socketFd) => {
    const ucred = readOption(socketFd, SO_PEERCRED, 12);
    const pid = ucred?.readInt32LE(0) ?? 0;
    if (ucred === null || pid <= 0) throw new Error('the kernel names no process for this socket');
    const pidFd = readOption(socketFd, SO_PEERPIDFD, 4)?.readInt32LE(0) ?? null;
    return {
      pid,
      uid: ucred.readUInt32LE(4),
      alive: () => pidFd === null || /^Pid:\s*[1-9]/m.test(readFileSync(`/proc/self/fdinfo/${pidFd}`, 'utf8')),
      release: () => {
        if (pidFd !== null) closeSync(pidFd);
      },
    };
  };
}

/** How many bytes a socket holds that were not read yet; null where the kernel does not tell. */
export function loadWaitingBytes(): (socketFd: number) => number | null {
  const ioctl = koffi.load(null).func('int ioctl(int fd, unsigned long request, ...)');
  return (socketFd) => {
    const count = Buffer.alloc(4);
    const failed: unknown = ioctl(socketFd, FIONREAD, 'void *', count);
    return failed === 0 ? count.readInt32LE(0) : null;
  };
}
