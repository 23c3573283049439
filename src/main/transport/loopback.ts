/** Owns one port on both loopback addresses, or says which of them is taken. Called by http. */
import type { Server } from 'node:http';
import { message, MessageError } from '../../messages/index.js';

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
