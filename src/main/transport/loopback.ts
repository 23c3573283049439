/** Owns one port on both loopback addresses, or says which of them is taken. Called by http. */
import type { Server } from 'node:http';
import { message, MessageError } from '../../messages/index.js';
import { connect, type Socket } from 'node:net';
import { poll } from '../../base/poll.js';
import type { ProcessTable } from '../../native/peer/types.js';
import { ConnectError } from './client.js';
import { frameTransport, type FramedTransport, type FrameLimits } from './frames.js';

type PortCode = 'host.port_unavailable' | 'host.http_port_unavailable' | 'host.tcp_port_unavailable';

export class PortUnavailableError extends MessageError {
  constructor(
    readonly port: number,
    readonly address: string,
    readonly error: string,
    code: PortCode = 'host.port_unavailable',
  ) {
    const why = error === 'EADDRINUSE' ? 'taken' : 'other';
    super(message(code, { port, address, error, why }));
    this.name = 'PortUnavailableError';
  }
}

/** Both addresses are owned when it resolves: a page on `localhost` may reach either. One server where the machine has no ::1. */
export async function bindLoopback(create: () => Server, wanted: number): Promise<{ port: number; servers: Server[] }> {
  const first = create();
  const port = await bind(first, '127.0.0.1', wanted);
  const second = create();
  try {
    await bind(second, '::1', port);
    return { port, servers: [first, second] };
  } catch (error) {
    if (error instanceof NoSuchAddress) return { port, servers: [first] };
    await new Promise((resolve) => first.close(resolve));
    throw error;
  }
}

class NoSuchAddress extends Error {}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // Stays: a later failure to accept must not end the host.
    server.on('error', (error: NodeJS.ErrnoException) => reject(asFault(error, host, port)));
    server.listen({ host, port, ipv6Only: host.includes(':'), exclusive: true }, () => {
      const bound = server.address();
      if (typeof bound === 'object' && bound?.address === host) return resolve(bound.port);
      server.close(() => reject(new MessageError(message('host.bound_elsewhere', { address: host }))));
    });
  });
}

function asFault(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (host === '::1' && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT'))
    return new NoSuchAddress(host);
  return portFault(error, port, host);
}

/** The error of a listener on that port, with the next step where the port cannot be had. */
export function portFault(error: NodeJS.ErrnoException, port: number, address: string, code?: PortCode): Error {
  const { code: cause } = error;
  if (cause !== 'EADDRINUSE' && cause !== 'EACCES') return error;
  return new PortUnavailableError(port, address, cause, code);
}

// The client's side of TCP on 127.0.0.1.

interface LoopbackOptions {
  port: number;
  processes: Pick<ProcessTable, 'tcpClient'>;
  limits: Partial<FrameLimits>;
  signal: AbortSignal;
}

const LOOPBACK = '127.0.0.1';
const CONNECT_TIMEOUT_MS = 5_000;
/** How long a listener may take to accept the connection, before which its process cannot be known. */
const OWNER_TIMEOUT_MS = 2_000;

/** On Linux nothing is sent before it is known that a process of this user listens. Rejects with ConnectError, or the signal's reason. */
export async function connectLoopback({ port, processes, limits, signal }: LoopbackOptions): Promise<FramedTransport> {
  const socket = await open(port, signal);
  try {
    if (process.platform === 'linux') await assertOwn(socket, port, processes, signal);
    return frameTransport(socket, limits);
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

/** A process of another user is never found here, so the wait ends without one. */
async function assertOwn(
  { localPort = 0 }: Socket,
  port: number,
  processes: LoopbackOptions['processes'],
  signal: AbortSignal,
): Promise<void> {
  const [far, near] = [port, localPort].map((one) => ({ address: LOOPBACK, port: one }));
  if (far === undefined || near === undefined) return;
  const owner = await poll(() => processes.tcpClient(far, near), OWNER_TIMEOUT_MS, signal, 50);
  if (owner === null) throw new ConnectError('impostor', message('connection.port_not_ours', { port }));
}

function open(port: number, signal: AbortSignal): Promise<Socket> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_TIMEOUT_MS)]);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: LOOPBACK, port });
    const failed = (): void => {
      settle();
      socket.on('error', () => undefined).destroy();
      reject(signal.aborted ? signal.reason : new ConnectError('absent', message('connection.no_port', { port })));
    };
    const connected = (): void => {
      settle();
      resolve(socket);
    };
    const settle = (): void => {
      limit.removeEventListener('abort', failed);
      socket.off('error', failed).off('connect', connected);
    };
    socket.once('error', failed).once('connect', connected);
    limit.addEventListener('abort', failed, { once: true });
    if (limit.aborted) failed();
  });
}
