/** Which process is at the other end of an HTTP request. Called by the HTTP door. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ProcessIdentity, ProcessTable } from '../../../native/peer/types.js';
import { unknownPeer } from '../../agents/caller.js';
import { endsOf } from '../../transport/tcp.js';

/** What proxies say of themselves. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Asked of the kernel once for each connection. Unknown where the kernel does not tell, and through a proxy or SSH: then it tells the proxy. */
export function createPeers({ tcpClient }: Pick<ProcessTable, 'tcpClient'>) {
  const known = new WeakMap<Socket, Promise<ProcessIdentity>>();
  const unknown = new WeakMap<Socket, ProcessIdentity>();

  function unknownOf(socket: Socket): ProcessIdentity {
    const found = unknown.get(socket) ?? unknownPeer(randomUUID());
    unknown.set(socket, found);
    return found;
  }

  async function lookUp(socket: Socket): Promise<ProcessIdentity> {
    const ends = endsOf(socket);
    const found = ends === null ? null : await tcpClient(ends.remote, ends.local);
    return found === null || found.forwardedBy !== undefined ? unknownOf(socket) : found;
  }

  return async ({ socket, headers }: IncomingMessage): Promise<ProcessIdentity> => {
    if (FORWARDED.some((name) => headers[name] !== undefined)) return unknownOf(socket);
    const found = known.get(socket) ?? lookUp(socket);
    known.set(socket, found);
    return found;
  };
}
