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
import { DOORS } from '../doors.js';
import type { AgentServices } from '../services.js';
import { createTokenCheck } from '../token-check.js';
import { createHttpAgent, type HttpAgentOptions } from './agent.js';
import { readBody, sendResponse, webRequest } from './exchange.js';
import { readClientBody } from './client-body.js';
import { createPeers, type Sender } from './peers.js';
import { problem } from './problem.js';
import { createSessions, type HttpSessions } from './sessions.js';
import { readOrMakeToken } from './token.js';

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

export interface HttpDoor {
  /** What a client is given. */
  url: string;
  tokenFile: string;
  close(): Promise<void>;
}

const PATH = '/mcp';
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE']);
/** Of each address. */
const MAX_CONNECTIONS = 128;

/** Rejects with PortUnavailableError, and where the token's file is not ours alone. */
export async function openHttpDoor(options: HttpDoorOptions): Promise<HttpDoor> {
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
    url: `${listener.url}${PATH}`,
    tokenFile: file,
    async close() {
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
