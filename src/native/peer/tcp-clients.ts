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

interface SocketScan {
  connections: TcpConnection[];
  /** By the socket's inode. */
  holders: Map<string, Set<number>>;
}

/** Links read before others get their turn. */
const LINKS_PER_TURN = 128;

/** Resolves with null where the row is unclear, or where none or several processes hold the socket. Never rejects. */
export function createTcpClientFinder(
  proc: string,
): (local: TcpEndpoint, remote: TcpEndpoint) => Promise<number | null> {
  const nextPass = shareScans(() => scan(proc));
  let turn: Promise<unknown> = Promise.resolve();
  return async (local, remote) => {
    const { connections, holders } = await nextPass();
    // What callers do with the answer takes time too.
    turn = turn.then(() => setImmediate());
    await turn;
    const inode = socketInode(connections, local, remote, process.getuid?.() ?? -1);
    const pids = (inode === null ? undefined : holders.get(inode)) ?? [];
    const [only, other] = [...pids];
    return other === undefined ? (only ?? null) : null;
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
