/** GABP 1.0 on one connection: hello with the token first, then requests in and answers and events out. Called by connection. */
import { message } from '../../../messages/index.js';
import {
  GABP_ERRORS,
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
  claimOf,
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
import { type GabpIdentity, type GabpMethod, type MethodDependencies, PROGRESS } from './method.js';
import * as z from 'zod';
import { mcpDescriptor } from '../../calls/descriptors.js';
import type { CallOptions, CallToolResult } from '../../calls/types.js';
import { withProgress } from './call-progress.js';

// Methods of our own, for the shim: the same tools, with MCP's descriptors and results word for word. Called by the GABP server.

const describeSchema = z.object({
  client: z.unknown().optional(),
  cwd: z.string().nullish(),
  /** Only of a shim on another machine. */
  session: z.string().min(32).max(256).nullish(),
  /** `own`: calls act on a desktop of this agent's own, which the person is asked for. */
  desktop: z.enum(['own', 'current']).nullish(),
  /** What that machine calls itself. */
  machine: z.string().max(255).nullish(),
});
const toolsSchema = z.object({ profile: z.enum(['full', 'core']).default('full') });
const callId = z.string().min(1).max(256);
const callSchema = z.object({ callId, name: z.string(), arguments: z.unknown().optional() });
const resumeSchema = z.object({ callId });
const pathSchema = z.object({ path: z.string() });
const completeSchema = z.object({ argument: z.string().max(100), value: z.string().max(1_000) });
const answerSchema = z.object({ callId, text: z.string().min(1) });
/** `left`: whoever called reads no result any more, also where it was written already. */
const cancelSchema = z.object({ callId, mode: z.enum(['detach', 'abort']), left: z.boolean().default(false) });

function agentMethods(options: MethodDependencies & { identity: GabpIdentity; url: string }): Map<string, GabpMethod> {
  const { calls, connectionCalls, events, caller, identity, url } = options;
  const run = (id: string, label: string, call: (options: CallOptions) => Promise<CallToolResult>) =>
    connectionCalls.run({ id, label }, (signal) =>
      withProgress(
        (progress) => events.send(PROGRESS, progress),
        (onProgress) => call({ signal, onProgress }),
      ),
    );

  return new Map<string, GabpMethod>([
    [
      'agent/describe',
      (params) => {
        const { client, cwd, session, machine, desktop } = parseParams(describeSchema, params);
        const claim = [claimOf(client), machine].filter((part) => part != null && part !== '').join(' @ ') || null;
        identity.describe({ claim, cwd: cwd ?? null, session: session ?? null, ownDesktop: desktop === 'own' });
        const { id, name } = caller().agent;
        return { agent: { id, name }, url };
      },
    ],
    ['agent/tools', (params) => ({ tools: calls.tools(parseParams(toolsSchema, params).profile).map(mcpDescriptor) })],
    [
      'agent/call',
      (params, { id }, onWritten) => {
        const call = parseParams(callSchema, params);
        onWritten(() => calls.resultWritten(caller(), call.callId));
        const made = { callId: call.callId, name: call.name, arguments: call.arguments ?? {} };
        return run(id, call.callId, (options) => calls.callTool(caller(), made, options));
      },
    ],
    [
      'agent/resume',
      (params, { id }, onWritten) => {
        const call = parseParams(resumeSchema, params);
        onWritten(() => calls.resultWritten(caller(), call.callId));
        return run(id, call.callId, (options) => calls.resume(caller(), call.callId, options));
      },
    ],
    [
      'agent/cancel',
      (params) => {
        const { callId: label, mode, left } = parseParams(cancelSchema, params);
        if (left) calls.notReceived(caller(), label);
        const known = calls.cancel(caller(), label, mode);
        const waited = connectionCalls.abandon(label, mode === 'abort' ? 'withdraw' : 'detach');
        return { cancelled: known || waited };
      },
    ],
    ['agent/resources', () => ({ resources: calls.resources(caller()), templates: calls.resourceTemplates() })],
    ['agent/resource', (params) => ({ target: calls.resource(caller(), parseParams(pathSchema, params).path) })],
    [
      'agent/answer',
      (params) => {
        const { callId: label, text } = parseParams(answerSchema, params);
        return { answered: calls.answer(caller(), label, text) };
      },
    ],
    [
      'agent/complete',
      async (params) => {
        const { argument, value } = parseParams(completeSchema, params);
        return { values: await calls.complete(caller(), argument, value) };
      },
    ],
    ['agent/screens', async () => ({ screens: await calls.screens(caller()) })],
  ]);
}

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
  /** Address of the page. */
  url: string;
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
    ...agentMethods({ ...shared, identity, url: options.url }),
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
    const words = /^(?:agent|admin)\//.test(request.method) ? 'plain' : 'full';
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
