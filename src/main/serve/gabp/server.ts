/** GABP 1.0 on one connection: hello with the token first, then requests in and answers and events out. Called by connection. */
import { message } from '../../../messages/index.js';
import {
  GABP_ERRORS,
  NIL_UUID,
  GabpFault,
  gabpFailure,
  gabpSuccess,
  readGabp,
  readHello,
  welcome,
  type GabpEvent,
  type GabpRequest,
  type GabpResponse,
  type ObservedLaunch,
} from '../../protocol/gabp.js';
import type { Caller } from '../../approvals/request.js';
import { LISTED } from '../../calls/resources.js';
import type { AgentServices } from '../services.js';
import { createTokenCheck } from '../doors.js';
import type { ConnectionCalls } from '../connection-calls.js';
import { createGabpEvents, type GabpEvents } from './events.js';
import type { EventHistory } from './event-history.js';
import { resourceMethods, resourceUris } from './resource-methods.js';
import { CHANNELS, standardMethods, parseParams } from './standard-methods.js';
import type { GabpIdentity, GabpMethod, MethodDependencies } from './method.js';
import * as z from 'zod';

interface GabpOptions extends Omit<AgentServices, 'agents'> {
  token: string;
  app: { name: string; version: string };
  /** How this host is known to the bridge. */
  agentId: string;
  observed?: ObservedLaunch;
  strict?: boolean;
  connectionCalls: ConnectionCalls;
  history: EventHistory;
  limits: { maxMessage: number; maxCalls: number; maxEvents: number };
  send(message: GabpResponse | GabpEvent, onWritten?: () => void): Promise<void>;
  close(reason?: string): void;
  /** How this machine calls the command line; errors say it. */
  command?: string | undefined;
  identity: GabpIdentity;
}

const MAX_AUTH_FAILURES = 3;

export function createGabp(options: GabpOptions): { receive(message: unknown): void; close(): void } {
  const { identity, admin, strict = false } = options;
  const events = createGabpEvents({ channels: CHANNELS, most: options.limits.maxEvents, send: options.send });
  const { calls, connectionCalls, attention, history } = options;
  const shared = { calls, connectionCalls, attention, history, events, strict, caller: () => identity.current() };
  const methods = new Map<string, GabpMethod>([
    ...standardMethods(shared),
    ...resourceMethods(shared),
    ...promptMethods(shared),
  ]);
  const matchesToken = createTokenCheck(options.token);
  const stops: (() => void)[] = [];
  let failures = 0;
  let greeting: Promise<void> | null = null;
  let greeted = false;
  let closed = false;

  methods.set('session/hello', async (params) => {
    const hello = readHello(params, { strict });
    if (!matchesToken(hello.token)) throw new GabpFault(GABP_ERRORS.authFailed, message('gabp.wrong_token'));
    greeting ??= greet(hello.claim);
    await greeting;
    return welcome(options.agentId, options.app, capabilities(), strict ? undefined : options.observed);
  });

  async function greet(claim: string | null): Promise<void> {
    await identity.greeted(claim);
    if (closed) return;
    greeted = true;
    stops.push(listen(history, shared.caller, events.publish));
  }

  function capabilities() {
    return {
      methods: [...methods.keys()],
      events: [...CHANNELS],
      resources: [...resourceUris(LISTED).map(({ uri }) => uri), 'gabp://chaperone/images'],
      // `from` in events/subscribe, which the protocol does not have.
      extensions: { replay: {} },
      limits: { maxMessageSize: options.limits.maxMessage, maxConcurrentRequests: options.limits.maxCalls },
    };
  }

  async function perform(request: GabpRequest, onWritten: (listener: () => void) => void): Promise<unknown> {
    const { method, params } = request;
    // A peer may send its first request without waiting for the answer to its hello.
    if (!greeted && method !== 'session/hello') await greeting;
    if (!greeted && method !== 'session/hello') {
      throw new GabpFault(GABP_ERRORS.authRequired, message('gabp.hello_first'));
    }
    const known = methods.get(method);
    if (known !== undefined) return known(params, request, onWritten);
    if (admin !== null && method.startsWith('admin/')) return admin(identity.current(), method, params);
    throw new GabpFault(GABP_ERRORS.methodNotFound, message('gabp.no_such_method', { method }));
  }

  async function answer(request: GabpRequest): Promise<void> {
    const words = request.method.startsWith('admin/') ? 'plain' : 'full';
    const written: (() => void)[] = [];
    const reply = await perform(request, (listener) => void written.push(listener)).then(
      (result) => gabpSuccess(request.id, result),
      (error: unknown) => gabpFailure(request.id, error, words, options.command),
    );
    const tell = () => written.forEach((listener) => listener());
    await deliver(reply, 'result' in reply && written.length > 0 ? tell : undefined);
    if (request.method === 'session/goodbye' && greeted) options.close();
    if (request.method === 'session/hello' && 'error' in reply) countAuthFailure();
  }

  /** Closes the connection after too many wrong tokens. */
  function countAuthFailure(): void {
    failures++;
    if (!greeted && failures >= MAX_AUTH_FAILURES) options.close('authentication failed');
  }

  async function deliver(reply: GabpResponse, onWritten?: () => void): Promise<void> {
    try {
      await options.send(reply, onWritten);
    } catch (error) {
      if ('result' in reply) await options.send(gabpFailure(reply.id, error)).catch(() => undefined);
    }
  }

  return {
    receive(message) {
      const incoming = readGabp(message, { strict });
      if (incoming.kind === 'refuse') void deliver(gabpFailure(incoming.id, incoming.fault));
      if (incoming.kind === 'request') void answer(incoming.request);
    },
    close() {
      closed = true;
      for (const stop of stops.splice(0)) stop();
    },
  };
}

/** Events of an observation go to the agent that made it. */
const listen = (history: EventHistory, caller: () => Caller, publish: GabpEvents['publish']) =>
  history.onEvent(({ channel, seq, payload, agentId }) => {
    if (agentId === null || agentId === caller().agent.id) publish(channel, payload, seq);
  });

// Prompts as MCP has them; GABP has none of its own. Called by the GABP server.

const promptSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).nullish() });

const promptMethods = ({ calls }: Pick<MethodDependencies, 'calls'>): Map<string, GabpMethod> =>
  new Map<string, GabpMethod>([
    ['prompts/list', () => ({ prompts: calls.prompts() })],
    [
      'prompts/get',
      (params) => {
        const { name, arguments: given } = parseParams(promptSchema, params);
        return calls.prompt(name, given ?? {});
      },
    ],
  ]);

/** Sent to a connection before it is closed because there are too many. */
export const noRoom = (most: number) =>
  gabpFailure(NIL_UUID, new GabpFault(GABP_ERRORS.busy, message('gabp.no_room', { most })));
