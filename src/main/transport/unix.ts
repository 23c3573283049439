/** The host's Unix socket. Comes in: a path. Goes out: one transport for each connection, with the process that the kernel reports. Called by host/. */
import { createServer, type Server, type Socket, connect } from 'node:net';
import { dirname } from 'node:path';
import { message, MessageError } from '../../messages/index.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import { frameTransport, type FramedTransport, type FrameLimits } from './frames.js';
import { assertPrivate, ensurePrivateFolder, assertOurs } from './private-paths.js';
import { socketFd } from '../../base/process-stat.js';
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, renameSync, rmSync } from 'node:fs';

export interface UnixOptions {
  /** Absolute and under 104 bytes. */
  path: string;
  /** The process at the other end, as the kernel reports it; throwing refuses the connection. */
  peerOf(socketFd: number): ProcessIdentity;
  onConnection(transport: FramedTransport, peer: ProcessIdentity): void;
  /** A connection was turned away: another user, too many, or an unknown process. */
  onRefused?(reason: string): void;
  limits?: Partial<FrameLimits>;
  /** In all, and from one process, so that one agent cannot lock the others out. */
  maxConnections?: number;
  maxPerProcess?: number;
  /** Sent to a connection for which there is no room. */
  refuseWith?: unknown;
}

export interface Listener {
  /** Ends every connection, then the listening; the socket file goes with it. */
  close(): Promise<void>;
}

/** The user is known before a byte is read, so the first message may be large. */
const FIRST_MESSAGE = { maxBody: 2 * 1024 * 1024, ms: 10_000 };
const PATH_LIMIT = 104;
const MAX_CONNECTIONS = 256;
const MAX_PER_PROCESS = 64;

/** Rejects with UnsafePathError, SocketInUseError or the system's error. Resolves once connections are taken. */
export async function listenUnix(options: UnixOptions): Promise<Listener> {
  const { path } = options;
  if (Buffer.byteLength(path) >= PATH_LIMIT)
    throw new MessageError(
      message('host.socket_path_length', { length: Buffer.byteLength(path), max: PATH_LIMIT, path }),
    );
  ensurePrivateFolder(dirname(path));
  await removeStaleSocket(path, options.peerOf);
  const admission = createAdmission(options);
  const server = createServer((socket) => admission.admit(socket));
  await bind(server, path);
  assertPrivate(path, 'socket');
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      admission.closeAll();
      await closed;
    },
  };
}

/** The umask makes the socket 0600 from its first moment; `listen` binds before it returns. */
function bind(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays: a later failure to accept (too many open files) must not end the host.
    server.on('error', reject);
    const before = process.umask(0o177);
    try {
      server.listen({ path, backlog: 128 }, resolve);
    } finally {
      process.umask(before);
    }
  });
}

function createAdmission(options: UnixOptions) {
  const { maxConnections = MAX_CONNECTIONS, maxPerProcess = MAX_PER_PROCESS } = options;
  const open = new Map<FramedTransport, number>();
  const refuse = createRefusal();

  function noRoom(peer: ProcessIdentity): string | null {
    const own = () => [...open.values()].filter((pid) => pid === peer.pid).length;
    if (own() >= maxPerProcess) closeOldest(unproven().filter(([, pid]) => pid === peer.pid));
    if (open.size >= maxConnections) closeOldest(ofLargestHolder(unproven()));
    if (open.size >= maxConnections) return `there are already ${maxConnections} connections`;
    return own() >= maxPerProcess ? `process ${peer.pid} already holds ${maxPerProcess} connections` : null;
  }

  function unproven(): [FramedTransport, number][] {
    return [...open].filter(([transport]) => !transport.accepted());
  }

  function closeOldest([oldest]: [FramedTransport, number][]): void {
    oldest?.[0].close('it had said nothing yet, and its place was needed');
  }

  function identify(socket: Socket): ProcessIdentity | string {
    try {
      const peer = options.peerOf(socketFd(socket));
      const uid = process.getuid?.();
      const own = uid === undefined || peer.uid === uid;
      return own ? peer : `process ${peer.pid} belongs to another user (uid ${peer.uid})`;
    } catch (error) {
      return `its process cannot be known: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  return {
    admit(socket: Socket): void {
      const peer = identify(socket);
      const reason = typeof peer === 'string' ? peer : noRoom(peer);
      if (reason !== null) options.onRefused?.(reason);
      if (typeof peer === 'string') return refuse(socket, undefined);
      if (reason !== null) return refuse(socket, options.refuseWith);
      const transport = frameTransport(socket, { first: FIRST_MESSAGE, ...options.limits });
      open.set(transport, peer.pid);
      transport.onClose(() => open.delete(transport));
      options.onConnection(transport, peer);
    },
    closeAll(): void {
      for (const transport of [...open.keys()]) transport.close('the host is closing');
    },
  };
}

/** The connections of the process that has most of them, oldest first. */
function ofLargestHolder<T>(connections: readonly [T, number][]): [T, number][] {
  const of = (pid: number) => connections.filter(([, one]) => one === pid);
  const pids = [...new Set(connections.map(([, pid]) => pid))];
  const most = pids.reduce((best, pid) => (of(pid).length > of(best).length ? pid : best), pids[0] ?? 0);
  return of(most);
}

// Removes the socket file of a host that has ended, never that of a running one. Called by unix before it binds.

export class SocketInUseError extends MessageError {
  constructor(
    path: string,
    readonly pid: number | null,
  ) {
    super(message('host.socket_in_use', { known: pid === null ? 'other' : 'yes', pid: pid ?? '', path }));
  }
}

/** Nothing is at `path` afterwards. Throws SocketInUseError when someone listens there, UnsafePathError when it is no socket of ours. */
async function removeStaleSocket(path: string, peerOf: (fd: number) => ProcessIdentity): Promise<void> {
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

/** Refused connections that are still being told so; more are closed at once. */
const MAX_TOLD = 64;

/** Closes connections for which there is no room, and says so in one message where it can. Called by tcp and unix. */
export function createRefusal(): (socket: Socket, answer: unknown) => void {
  let told = 0;
  return (socket, answer) => {
    socket.on('error', () => undefined);
    if (answer === undefined || told >= MAX_TOLD) return void socket.destroy();
    told += 1;
    socket.once('close', () => (told -= 1));
    const transport = frameTransport(socket);
    void transport.send(answer).catch(() => undefined);
    transport.close();
  };
}
