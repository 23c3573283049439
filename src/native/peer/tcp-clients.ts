/**
 * Which process holds the client end of a loopback TCP connection. Comes in: both ends. Goes out: a pid. Called by the Linux
 * process table. The kernel has no index for this, so every process's files are read: one pass serves all callers that wait for
 * it, and it yields often, so that many connections at once do not block the host.
 */
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { readLink } from './proc-files.js';
import { readTcpConnections, socketInode, type TcpConnection } from './proc-net.js';
import type { TcpEndpoint } from './types.js';

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
