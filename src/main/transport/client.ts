/** The client's side of the Unix socket. Comes in: a path and the pid that should listen there. Goes out: a transport to exactly that process. Called by shim, cli and gabp. */
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { ProcessIdentity } from '../../native/peer/types.js';
import { assertPrivate, UnsafePathError } from './private-paths.js';
import { socketFd } from './fd.js';
import { frameTransport, type FramedTransport } from './frames.js';

interface SocketClientOptions {
  path: string;
  /** The process that must be listening, as the kernel reports it. */
  expectPid?: number;
  processes: { peerOf(socketFd: number): ProcessIdentity };
  signal?: AbortSignal;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** `absent`: nobody listens. `unsafe`: the folder or socket is not ours alone. `impostor`: someone else listens. `failed`: anything else. */
export class ConnectError extends Error {
  constructor(
    readonly reason: 'absent' | 'unsafe' | 'impostor' | 'failed',
    message: string,
  ) {
    super(message);
    this.name = 'ConnectError';
  }
}

/** Nothing is sent before folder, socket and listener have been checked. Rejects with ConnectError, or the signal's reason. */
export async function connectUnix(
  options: SocketClientOptions,
): Promise<{ transport: FramedTransport; peer: ProcessIdentity }> {
  options.signal?.throwIfAborted();
  checkPath(options.path);
  const socket = await open(options);
  try {
    const peer = verify(socket, options);
    return { transport: frameTransport(socket), peer };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function checkPath(path: string): void {
  try {
    assertPrivate(dirname(path), 'folder');
    assertPrivate(path, 'socket');
  } catch (error) {
    if (error instanceof UnsafePathError) throw new ConnectError('unsafe', error.message);
    throw asConnectError(path, error);
  }
}

function open(options: SocketClientOptions): Promise<Socket> {
  const limit = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  return new Promise((resolve, reject) => {
    const socket = connect({ path: options.path });
    const settle = (act: () => void): void => {
      signal.removeEventListener('abort', aborted);
      socket.off('error', failed);
      act();
    };
    const failed = (error: Error): void => settle(() => reject(asConnectError(options.path, error)));
    const aborted = (): void => {
      settle(() =>
        reject(
          options.signal?.aborted === true
            ? toError(options.signal.reason)
            : new ConnectError('failed', `${options.path} did not answer in time.`),
        ),
      );
      socket.on('error', () => undefined).destroy();
    };
    socket.once('error', failed);
    socket.once('connect', () => settle(() => resolve(socket)));
    signal.addEventListener('abort', aborted, { once: true });
  });
}

function verify(socket: Socket, options: SocketClientOptions): ProcessIdentity {
  const peer = listener(socket, options);
  const uid = process.getuid?.();
  if (uid !== undefined && peer.uid !== uid) {
    throw new ConnectError(
      'impostor',
      `Another user (uid ${peer.uid}) listens on ${options.path}. Nothing was sent. Remove that socket and start the host again.`,
    );
  }
  if (options.expectPid !== undefined && peer.pid !== options.expectPid) {
    throw new ConnectError(
      'impostor',
      `Process ${peer.pid} (${peer.executable || 'unknown program'}) listens on ${options.path} in place of the host (pid ${options.expectPid}). Nothing was sent. Stop that process, then start the host again.`,
    );
  }
  return peer;
}

function listener(socket: Socket, options: SocketClientOptions): ProcessIdentity {
  try {
    return options.processes.peerOf(socketFd(socket));
  } catch (error) {
    throw new ConnectError(
      'impostor',
      `Who listens on ${options.path} cannot be known: ${toError(error).message}. Nothing was sent.`,
    );
  }
}

function asConnectError(path: string, error: unknown): ConnectError {
  const { message } = toError(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const absent = code === 'ENOENT' || code === 'ECONNREFUSED';
  return new ConnectError(absent ? 'absent' : 'failed', absent ? `No host listens on ${path}.` : `${path}: ${message}`);
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
