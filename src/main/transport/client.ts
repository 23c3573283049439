/** The client's side of the Unix socket. Comes in: a path and the pid that should listen there. Goes out: a transport to exactly that process. Called by shim, cli and gabp. */
import { lstatSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { message, MessageError, textOf, type Message } from '../../messages/index.js';
import type { ProcessIdentity } from '../../native/peer/types.js';
import { assertOurs, assertPrivate, UnsafePathError } from './private-paths.js';
import { socketFd } from '../../base/process-stat.js';
import { frameTransport, type FramedTransport, type FrameLimits } from './frames.js';

interface SocketClientOptions {
  path: string;
  /** The process that must be listening, as the kernel reports it. */
  expectPid?: number;
  processes: { peerOf(socketFd: number): ProcessIdentity };
  signal?: AbortSignal;
  /** The folder may be one that others can write, such as /tmp: the listener's user is what counts. */
  anyFolder?: boolean;
  limits?: Partial<FrameLimits>;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** `absent`: nobody listens. `unsafe`: the folder or socket is not ours alone. `impostor`: someone else listens. `failed`: anything else. */
export class ConnectError extends MessageError {
  constructor(
    readonly reason: 'absent' | 'unsafe' | 'impostor' | 'failed',
    text: Message,
  ) {
    super(text);
    this.name = 'ConnectError';
  }
}

/** Nothing is sent before folder, socket and listener have been checked. Rejects with ConnectError, or the signal's reason. */
export async function connectUnix(
  options: SocketClientOptions,
): Promise<{ transport: FramedTransport; peer: ProcessIdentity }> {
  options.signal?.throwIfAborted();
  checkPath(options);
  const socket = await open(options);
  try {
    const peer = verify(socket, options);
    return { transport: frameTransport(socket, options.limits), peer };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function checkPath({ path, anyFolder = false }: SocketClientOptions): void {
  try {
    if (anyFolder) return assertOurs(path, lstatSync(path), 'socket');
    assertPrivate(dirname(path), 'folder');
    assertPrivate(path, 'socket');
  } catch (error) {
    if (error instanceof UnsafePathError) throw new ConnectError('unsafe', error.text);
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
            : new ConnectError('failed', message('connection.no_answer', { path: options.path })),
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
    throw new ConnectError('impostor', message('connection.other_user', { uid: peer.uid, path: options.path }));
  }
  if (options.expectPid !== undefined && peer.pid !== options.expectPid) {
    throw new ConnectError('impostor', otherProcess(peer, options.path, options.expectPid));
  }
  return peer;
}

function otherProcess({ pid, executable }: ProcessIdentity, path: string, expected: number): Message {
  return message('connection.other_process', {
    pid,
    known: executable === '' ? 'other' : 'yes',
    program: executable,
    path,
    expected,
  });
}

function listener(socket: Socket, options: SocketClientOptions): ProcessIdentity {
  try {
    return options.processes.peerOf(socketFd(socket));
  } catch (error) {
    throw new ConnectError(
      'impostor',
      message('connection.unknown_process', { path: options.path, why: textOf(error) }),
    );
  }
}

function asConnectError(path: string, error: unknown): ConnectError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const absent = code === 'ENOENT' || code === 'ECONNREFUSED';
  return absent
    ? new ConnectError('absent', message('connection.no_host', { path }))
    : new ConnectError('failed', message('error.at', { where: path, what: textOf(error) }));
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
