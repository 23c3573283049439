/** Which process is at the other end of an HTTP request. Called by the HTTP door. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ProcessIdentity, ProcessTable } from '../../../native/peer/types.js';
import { unknownPeer } from '../../agents/caller.js';
import { endsOf } from '../../transport/tcp.js';

/** What proxies say of themselves. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Who sent a request. `early`: another program may have sent it, before the kernel told which one is at the other end. */
export interface Sender {
  peer: ProcessIdentity;
  early: boolean;
}

interface Known {
  peer: ProcessIdentity;
  /** How many bytes had been read, or waited to be read, when the kernel told. */
  line: number;
}

/** Asked of the kernel once for each connection. Unknown where the kernel does not tell, and through a proxy or SSH: then it tells the proxy. */
export function createPeers({ tcpClient }: Pick<ProcessTable, 'tcpClient'>) {
  const known = new WeakMap<Socket, Promise<Known>>();
  const unknown = new WeakMap<Socket, ProcessIdentity>();

  function unknownOf(socket: Socket): ProcessIdentity {
    const found = unknown.get(socket) ?? unknownPeer(randomUUID());
    unknown.set(socket, found);
    return found;
  }

  async function lookUp(socket: Socket): Promise<Known> {
    const ends = endsOf(socket);
    const found = ends === null ? null : await tcpClient(ends.remote, ends.local);
    const peer = found === null || found.forwardedBy !== undefined ? unknownOf(socket) : found;
    return { peer, line: socket.bytesRead + (peer.waiting ?? Infinity) };
  }

  /** To be called when a request begins. */
  return async ({ socket, headers }: IncomingMessage): Promise<Sender> => {
    const read = socket.bytesRead;
    if (FORWARDED.some((name) => headers[name] !== undefined)) return { peer: unknownOf(socket), early: true };
    const found = known.get(socket) ?? lookUp(socket);
    known.set(socket, found);
    const { peer, line } = await found;
    return { peer, early: read <= line };
  };
}
