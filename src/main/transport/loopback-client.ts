/** The client's side of TCP on 127.0.0.1. Comes in: a port. Goes out: a transport to a process of this user. Called by the GABP client. */
import { connect, type Socket } from 'node:net';
import { poll } from '../../base/poll.js';
import { message } from '../../messages/index.js';
import type { ProcessTable } from '../../native/peer/types.js';
import { ConnectError } from './client.js';
import { frameTransport, type FramedTransport, type FrameLimits } from './frames.js';

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
