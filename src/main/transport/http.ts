/**
 * The HTTP server of the page. Comes in: a preferred port. Goes out: one port bound on 127.0.0.1 and on ::1, and only requests
 * whose Host and Origin are exactly ours. The caller (host/) decides routes and roles.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { bindLoopback, PortUnavailableError } from './loopback.js';
import type { TcpEndpoint } from '../../native/peer/types.js';
import { endsOf } from './tcp.js';

/** The request of an upgrade; `origin` is exactly `http://` + `host`. */
export interface UpgradeInfo {
  origin: string;
  host: string;
  local: TcpEndpoint;
  remote: TcpEndpoint;
}

export interface HttpOptions {
  /** Must be free on both addresses, or listening fails. 0 or absent: any free port. */
  port?: number;
  /** Tried first where no port is fixed. */
  preferPort?: number;
  handler: RequestListener;
  /** Reached only with a matching Host and a present, matching Origin. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, info: UpgradeInfo): void;
  /** Per address. */
  maxConnections?: number;
  /** Until a whole request has come; tests shorten it. */
  requestMs?: number;
}

export interface HttpListener {
  port: number;
  /** `http://localhost:<port>` */
  url: string;
  /** False where this machine has no IPv6 loopback: then only 127.0.0.1 is served. */
  ipv6: boolean;
  close(): Promise<void>;
}

const HEADER_BYTES = 16 * 1024;
/** Of each address. */
const MAX_CONNECTIONS = 512;
const REQUEST_MS = 30_000;
const HEADERS_MS = 10_000;
const CHECK_MS = 5_000;
const PORT_TRIES = 20;

/** Rejects with PortUnavailableError naming the address that is taken. */
export async function listenHttp(options: HttpOptions): Promise<HttpListener> {
  const closers = new Map<Server, () => Promise<void>>();
  const create = (): Server => {
    const server = createGuarded(options);
    closers.set(server, createCloser(server, options.maxConnections ?? MAX_CONNECTIONS));
    return server;
  };
  const bound = await choosePort(create, options);
  return {
    port: bound.port,
    url: `http://localhost${bound.port === 80 ? '' : `:${bound.port}`}`,
    ipv6: bound.servers.length === 2,
    async close() {
      await Promise.all(bound.servers.map((server) => closers.get(server)?.()));
    },
  };
}

async function choosePort(create: () => Server, options: HttpOptions): Promise<{ port: number; servers: Server[] }> {
  if (options.port) return bindLoopback(create, options.port);
  const ports = [options.preferPort ?? 0, ...Array<number>(PORT_TRIES).fill(0)];
  let last: unknown = new Error('no port was tried');
  for (const port of ports) {
    try {
      return await bindLoopback(create, port);
    } catch (error) {
      if (!(error instanceof PortUnavailableError)) throw error;
      last = error;
    }
  }
  throw last;
}

/**
 * Closes upgraded connections too, which the server itself does not track. Over the limit, the oldest connection that is no page
 * is closed, so that idle connections cannot keep others out.
 */
function createCloser(server: Server, most: number): () => Promise<void> {
  const open = new Set<Duplex>();
  const pages = new WeakSet<Duplex>();
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => pages.add(socket));
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // A connection whose upgrade was refused is no page.
    if (open.size > most) [...open].find((one) => !pages.has(one) || one.writableEnded)?.destroy();
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
}

function createGuarded(options: HttpOptions): Server {
  const { requestMs = REQUEST_MS } = options;
  const limits = {
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: Math.min(HEADERS_MS, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: Math.min(CHECK_MS, requestMs),
  };
  const server = createServer(limits, (request, response) => {
    const fault = hostAndOriginFault(request, false);
    if (fault === null) return options.handler(request, response);
    const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
    response.writeHead(fault.status, headers).end(`${fault.text}\n`);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const fault = hostAndOriginFault(request, true);
    const ends = socket instanceof Socket ? endsOf(socket) : null;
    if (fault !== null || ends === null) {
      return refuseUpgrade(socket, fault ?? { status: 403, text: 'Not a loopback connection.' });
    }
    const host = request.headers.host ?? '';
    options.onUpgrade(request, socket, head, { origin: `http://${host}`, host, ...ends });
  });
  return server;
}

export function refuseUpgrade(socket: Duplex, fault: { status: number; text: string }): void {
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${fault.status} Refused\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(fault.text)}\r\n\r\n${fault.text}`,
  );
}

// Which Host and Origin a request may name. Without this a website could use the page's address from the person's browser.

interface Fault {
  status: 400 | 403;
  text: string;
}

/** Host must be one of our names with our port; Origin, which an upgrade must have, must be that very host. */
function hostAndOriginFault(request: IncomingMessage, needsOrigin: boolean): Fault | null {
  if (request.url?.startsWith('/') !== true) return { status: 400, text: 'Only paths are served.' };
  const host = single(request, 'host');
  if (host === null || !ourHosts(request.socket.localPort ?? 0).includes(host))
    return { status: 403, text: 'Forbidden: wrong Host.' };
  const origins = all(request, 'origin');
  if (origins.length === 0) return needsOrigin ? { status: 403, text: 'Forbidden: Origin is required.' } : null;
  return origins.length === 1 && origins[0] === `http://${host}`
    ? null
    : { status: 403, text: 'Forbidden: wrong Origin.' };
}

function ourHosts(port: number): string[] {
  return ['localhost', '127.0.0.1', '[::1]'].map((name) => (port === 80 ? name : `${name}:${port}`));
}

/** Every value as sent: the parsed headers keep only the first Host. */
function all(request: IncomingMessage, name: string): string[] {
  const raw = request.rawHeaders;
  return raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === name);
}

function single(request: IncomingMessage, name: string): string | null {
  const values = all(request, name);
  return values.length === 1 ? (values[0] ?? null) : null;
}
