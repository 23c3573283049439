/** GABP over TCP, on 127.0.0.1 only. Comes in: a port. Goes out: one transport for each connection, not authenticated yet. Called by host/. */
import { createServer, type Server, type Socket } from 'node:net';
import { message, MessageError } from '../../messages/index.js';
import type { TcpEndpoint } from '../../native/peer/types.js';
import { frameTransport, type FramedTransport } from './frames.js';
import { portFault } from './loopback.js';
import { createRefusal, type Listener } from './unix.js';

interface TcpOptions {
  /** 0 picks one. */
  port: number;
  onConnection(transport: FramedTransport, ends: { local: TcpEndpoint; remote: TcpEndpoint }): void;
  maxConnections?: number;
  /** Sent to a connection for which there is no room. */
  refuseWith?: unknown;
}

const LOOPBACK = '127.0.0.1';
const MAX_CONNECTIONS = 64;
const FIRST_MESSAGE = { maxBody: 64 * 1024, ms: 10_000 };

/** Rejects with `PortUnavailableError` where another program has the port. */
export async function listenTcp(options: TcpOptions): Promise<Listener & { port: number }> {
  const { maxConnections = MAX_CONNECTIONS } = options;
  const open = new Set<FramedTransport>();
  const refuse = createRefusal();

  /** Closes the oldest connection that is not accepted yet, to make room for a new one. */
  function hasRoom(): boolean {
    if (open.size >= maxConnections)
      [...open].find((one) => !one.accepted())?.close('it had proved nothing yet, and its place was needed');
    return open.size < maxConnections;
  }

  const server = createServer((socket) => {
    const ends = endsOf(socket);
    if (ends === null) return void socket.destroy();
    if (!hasRoom()) return refuse(socket, options.refuseWith);
    const transport = frameTransport(socket, { first: FIRST_MESSAGE });
    open.add(transport);
    transport.onClose(() => open.delete(transport));
    options.onConnection(transport, ends);
  });
  const port = await bind(server, options.port);
  return {
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const transport of [...open]) transport.close('the host is closing');
      await closed;
    },
  };
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // Stays: a later failure to accept must not end the host.
    server.on('error', (error) => reject(portFault(error, port, LOOPBACK, 'host.tcp_port_unavailable')));
    server.listen({ host: LOOPBACK, port }, () => {
      const bound = server.address();
      if (typeof bound === 'object' && bound?.address === LOOPBACK) return resolve(bound.port);
      server.close(() => reject(new MessageError(message('host.bound_elsewhere', { address: LOOPBACK }))));
    });
  });
}

/** Both ends of a loopback connection; null where the connection is gone already or is no loopback one. */
export function endsOf(socket: Socket): { local: TcpEndpoint; remote: TcpEndpoint } | null {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  if (localAddress === undefined || localPort === undefined || remoteAddress === undefined || remotePort === undefined)
    return null;
  if (!isLoopback(localAddress) || !isLoopback(remoteAddress)) return null;
  return { local: { address: localAddress, port: localPort }, remote: { address: remoteAddress, port: remotePort } };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address);
}
