/**
 * MCP over HTTP (Streamable HTTP), for clients that start no program. Comes in: requests on loopback with our Host and Origin and
 * the token. Goes out: calls, as from every other door. Opened by host/ where it is asked for.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { ProcessTable } from '../../../native/peer/types.js';
import { createWatchCaller } from '../../agents/same-program.js';
import { appEventsUri } from '../../mcp/resources.js';
import { listenHttp, refuseUpgrade } from '../../transport/http.js';
import { PortUnavailableError } from '../../transport/loopback.js';
import { createTokenCheck, DOORS } from '../doors.js';
import type { AgentServices } from '../services.js';
import { createHttpAgent, type HttpAgentOptions, createSessions, type HttpSessions } from './sessions.js';
import { readClientBody, problem } from './client-body.js';
import { createPeers, type Sender } from './peers.js';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errno } from '../../../base/type-guards.js';
import { message, MessageError } from '../../../messages/index.js';
import { assertPrivate, ensurePrivateFolder } from '../../transport/private-paths.js';
import { finished } from 'node:stream/promises';

// One HTTP exchange between Node and the web's Request and Response, which the MCP SDK takes and gives. Called by the HTTP door.

/** As on the socket's first message of an agent: more than any call needs. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** More than the largest result; a client that leaves so much unread is cut off, and can go on by the last event it got. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024;

/** null where it is too long. Rejects where the client leaves before the end. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Without the token. `signal` fires when the client has left. */
function webRequest(request: IncomingMessage, body: string | null, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct))
    for (const one of name === 'authorization' ? [] : (value ?? [])) headers.append(name, one);
  const { method = 'GET', url = '/' } = request;
  return new Request(new URL(url, `http://${request.headers.host ?? 'localhost'}`), { method, headers, body, signal });
}

/** Resolves with whether all of it was sent. Never rejects. */
async function sendResponse(from: Response, to: ServerResponse): Promise<boolean> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  to.flushHeaders();
  const sent = finished(to).then(
    () => true,
    () => false,
  );
  if (from.body === null) to.end();
  else await copy(from.body.getReader(), to);
  return sent;
}

/** The stream's source does not wait for its reader, so it is read at once, and what waits is bounded here. */
async function copy(reader: ReadableStreamDefaultReader<Uint8Array>, to: ServerResponse): Promise<void> {
  const stop = (): void => void reader.cancel().catch(() => undefined);
  to.once('close', stop);
  try {
    // Looked at each time: a source that always has more would let no event through.
    for (let part = await reader.read(); !part.done && !to.destroyed; part = await reader.read()) {
      to.write(part.value);
      if (to.writableLength > MAX_UNREAD_BYTES) to.destroy();
    }
    if (to.destroyed) stop();
    else to.end();
  } catch {
    to.destroy();
  }
}

// The token of the HTTP door. Kept over restarts, because clients have it in their settings; a new one is made where the file was removed.

const TOKEN = /^[0-9a-f]{64}$/;

/** Throws UnsafePathError for a file that others could read or have put there, MessageError for one that holds no token. */
function readOrMakeToken(stateFolder: string): { file: string; token: string } {
  ensurePrivateFolder(stateFolder);
  const file = join(stateFolder, 'http-token');
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
  assertPrivate(file, 'file');
  const token = readFileSync(file, 'utf8').trim();
  if (!TOKEN.test(token)) throw new MessageError(message('host.no_http_token', { path: file }));
  return { file, token };
}

interface HttpDoorOptions extends Pick<HttpAgentOptions, 'makeCaller' | 'url' | 'callLimitMs'> {
  services: Pick<AgentServices, 'calls' | 'agents' | 'onObservation' | 'onToolsChanged' | 'onAppNews'>;
  processes: ProcessTable;
  /** 0 picks one. */
  port: number;
  /** Where the token is kept. */
  stateFolder: string;
  version: string;
  idleMs?: number;
  /** Until a whole request has come. */
  requestMs?: number;
  log: Logger;
}

export type HttpDoor = Awaited<ReturnType<typeof openHttpDoor>>;

const PATH = '/mcp';
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);
/** Of each address. */
const MAX_CONNECTIONS = 128;

/** Rejects with PortUnavailableError, and where the token's file is not ours alone. */
export async function openHttpDoor(options: HttpDoorOptions) {
  const { services, processes, port, version, log, idleMs, requestMs } = options;
  const { file, token } = readOrMakeToken(options.stateFolder);
  const watchCaller = createWatchCaller(processes);
  const sessions = createSessions({
    version,
    openAgent: (peer, asked) => createHttpAgent({ ...options, ...services, watchCaller }, peer, asked),
    onError: (error) => log.debug({ err: error }, 'mcp over http'),
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  const listener = await listenHttp({
    port,
    maxConnections: MAX_CONNECTIONS,
    ...(requestMs === undefined ? {} : { requestMs }),
    handler: createHttpHandler({ sessions, isAllowed: bearerCheck(token), senderOf: createPeers(processes), log }),
    onUpgrade: (_request, socket) => refuseUpgrade(socket, { status: 404, text: 'Nothing is upgraded here.' }),
  }).catch(async (thrown: unknown) => {
    await sessions.close();
    throw thrown instanceof PortUnavailableError ? ofThisDoor(thrown) : thrown;
  });
  const stops = [
    services.onToolsChanged(sessions.toolsChanged),
    services.onAppNews((app) => sessions.resourceUpdated(appEventsUri(app))),
    services.onObservation(({ agentId, observationId, event }) =>
      sessions.sendObservation(agentId, observationId, event),
    ),
  ];
  return {
    /** What a client is given. */
    url: `${listener.url}${PATH}`,
    tokenFile: file,
    async close(): Promise<void> {
      for (const stop of stops) stop();
      await Promise.all([sessions.close(), listener.close()]);
    },
  };
}

const ofThisDoor = ({ port, address, error }: PortUnavailableError): PortUnavailableError =>
  new PortUnavailableError(port, address, error, 'host.http_port_unavailable');

interface HandlerOptions {
  sessions: HttpSessions;
  isAllowed(request: IncomingMessage): boolean;
  senderOf(request: IncomingMessage): Promise<Sender>;
  log: Pick<Logger, 'error'>;
}

/** Host and Origin were checked before. Nothing of a body is read before the token. */
export function createHttpHandler({ sessions, isAllowed, senderOf, log }: HandlerOptions) {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, isAllowed);
    if (refusal !== null) return refuse(refusal, response);
    const sender = await senderOf(request);
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    if (body === null) return refuse(problem(413, 'Payload Too Large'), response);
    const value = body === undefined ? undefined : readClientBody(body);
    if (value instanceof Response) return refuse(value, response);
    const left = new AbortController();
    response.once('close', () => left.abort());
    const answer = await sessions.answer(webRequest(request, body ?? null, left.signal), value, sender);
    answer.done(await sendResponse(answer.response, response));
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch((error: unknown) => {
      // A client that left in the middle of its request is no fault.
      if (!request.destroyed) log.error({ err: error }, 'a request failed');
      response.destroy();
    });
  };
}

function refusalOf(request: IncomingMessage, isAllowed: HandlerOptions['isAllowed']): Response | null {
  if (request.url?.split('?', 1)[0] !== PATH) return problem(404, `MCP is served at ${PATH}.`);
  if (isAllowed(request)) return METHODS.has(request.method ?? '') ? null : notAllowed();
  const challenge = { 'www-authenticate': 'Bearer realm="chaperone"' };
  return problem(401, 'The token is missing or wrong: Authorization: Bearer <token>.', -32_000, challenge);
}

const notAllowed = (): Response => problem(405, 'Method not allowed.', -32_000, { allow: [...METHODS].join(', ') });

/** The connection ends with it, because what is left of the request is not read. */
async function refuse(refusal: Response, response: ServerResponse): Promise<void> {
  refusal.headers.set('connection', 'close');
  await sendResponse(refusal, response);
}

/** What the rules of this door ask for. */
const PROOFS = {
  bearer: (token: string) => {
    const matches = createTokenCheck(token);
    return ({ headersDistinct }: IncomingMessage): boolean => {
      const [only, other] = headersDistinct['authorization'] ?? [];
      const given = other === undefined ? /^Bearer ([\x21-\x7e]{1,200})$/i.exec(only ?? '')?.[1] : undefined;
      return given !== undefined && matches(given);
    };
  },
};
const bearerCheck = PROOFS[DOORS.http.proof];
