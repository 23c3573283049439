/**
 * Serving: each protocol in front of the calls. Comes in: connections of agents and scripts (JSON-RPC, GABP) and of pages (`page/`, after
 * `pairing/`). Goes out: calls, and their answers. Built by `host/`. No tool is known here, and nothing is decided.
 */
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import { listenTcp } from '../transport/tcp.js';
import { listenUnix } from '../transport/unix.js';
import { stdioTransport } from '../transport/stdio.js';
import type { Transport } from '../protocol/transport.js';
import { type ProcessIdentity, type ProcessTable, type TcpEndpoint, identityOfToken } from '../../native/peer/types.js';
import { unknownPeer, type MakeCaller } from '../agents/caller.js';
import { createIsSame, createWatchCaller } from '../agents/same-program.js';
import { serveConnection, type GabpRules, type ServedConnection, type ServeOptions } from './connection.js';
import { createEventHistory } from './gabp/event-history.js';
import { noRoom } from './gabp/server.js';
import type { BridgeService } from './bridge-service.js';
import { DOORS, type Door } from './doors.js';
import type { AgentServices } from './services.js';

interface SocketsOptions {
  services: AgentServices;
  processes: ProcessTable;
  makeCaller: MakeCaller;
  service: BridgeService;
  token: string;
  version: string;
  command?: string | undefined;
  url: string;
  socketPath: string;
  stdio: { input: Readable; output: Writable } | undefined;
  tcp: number | undefined;
  gabp: GabpRules & { maxConnections?: number; maxEvents?: number };
  /** Whoever spawned this process closed its streams. */
  onStdioEnd(): void;
  log: Logger;
}

const MAX_CONNECTIONS = 64;
const MAX_ON_SOCKET = 256;
/** Kept of each channel, and waiting for each connection. */
const MAX_EVENTS = 256;

type Serve = (transport: Transport, peer: ServeOptions['peer'], door: Exclude<Door, 'http'>) => ServedConnection;

/** Everything agents and programs can reach: the Unix socket with both envelopes, the Mach service with JSON-RPC, TCP and stdio with GABP only. */
export async function openSockets(options: SocketsOptions) {
  const { services, processes, makeCaller, token, log } = options;
  const { maxConnections = MAX_CONNECTIONS, maxEvents = MAX_EVENTS, ...gabp } = options.gabp;
  const history = createEventHistory(services, maxEvents);
  const room = { maxConnections, refuseWith: noRoom(maxConnections) };
  const [isSame, watchCaller] = [createIsSame(processes), createWatchCaller(processes)];
  const app = { name: 'Chaperone', version: options.version };
  const serve: Serve = (transport, peer, door) => {
    return serveConnection({
      ...services,
      admin: DOORS[door].admin ? services.admin : null,
      transport,
      peer,
      makeCaller,
      isSame,
      watchCaller,
      token,
      protocols: DOORS[door].spoken,
      app,
      gabp,
      history,
      limits: { maxEvents },
      command: options.command,
      url: options.url,
      log,
    });
  };

  const unix = await listenUnix({
    path: options.socketPath,
    peerOf: processes.peerOf,
    maxConnections: Math.max(maxConnections, MAX_ON_SOCKET),
    maxPerProcess: maxConnections,
    refuseWith: room.refuseWith,
    onConnection: (transport, peer) => serve(transport, peer, 'unix'),
    onRefused: (reason) => log.warn({ reason }, 'a connection was refused'),
  });
  const tcp = await listenWhereAsked(options, room, serve).catch(async (thrown: unknown) => {
    await unix.close();
    throw thrown;
  });
  const service = options.service.open({
    peerOf: (token, still) => identityOfToken(token, processes.lookup, still),
    onConnection: (transport, peer) => serve(transport, peer, 'service'),
    onRefused: (reason) => log.warn({ reason }, 'a connection to the bridge service was refused'),
  });
  if (options.stdio !== undefined) {
    const served = serve(stdioTransport(options.stdio.input, options.stdio.output), parent(processes), 'stdio');
    void served.closed.then(options.onStdioEnd);
  }

  return {
    tcpPort: tcp?.port ?? null,
    async close(): Promise<void> {
      history.close();
      await Promise.all([unix.close(), tcp?.close(), service?.close()]);
    },
  };
}

/** GABP over TCP; null where no port was asked for. */
async function listenWhereAsked(
  { tcp, processes }: Pick<SocketsOptions, 'tcp' | 'processes'>,
  room: { maxConnections: number; refuseWith: unknown },
  serve: Serve,
) {
  if (tcp === undefined) return null;
  const clientOf = async (ends: { local: TcpEndpoint; remote: TcpEndpoint }) =>
    (await processes.tcpClient(ends.remote, ends.local)) ?? unknownPeer(randomUUID());
  return listenTcp({
    port: tcp,
    ...room,
    onConnection: (transport, ends) => void serve(transport, () => clientOf(ends), 'tcp'),
  });
}

/** Whoever started this process holds the other ends of its streams. */
function parent(processes: ProcessTable): ProcessIdentity {
  return processes.lookup(process.ppid) ?? unknownPeer(randomUUID());
}
