/**
 * One accepted connection, from its first message to its end. Comes in: a transport and the peer's identity. Goes out: its
 * calls. The first message decides between JSON-RPC, GABP and a shim's MCP where they are allowed. Called by createHost for every listener.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ProcessIdentity, ProcessWatch } from '../../native/peer/types.js';
import type { Caller } from '../approvals/request.js';
import { MAX_BODY_BYTES } from '../protocol/framing.js';
import type { ObservedLaunch } from '../protocol/gabp.js';
import { Refused } from '../protocol/json.js';
import { readRpc, rpcFailure, type RpcResponse, rpcSuccess, type RpcId, type RpcRequest } from '../protocol/jsonrpc.js';
import type { Reply, Transport } from '../protocol/transport.js';
import type { CallerFacts, MakeCaller } from '../agents/caller.js';
import type { IsSame, WatchCaller } from '../agents/same-program.js';
import { callerNow, whileEarly } from './earliness.js';
import type { AgentServices } from './services.js';
import { createConnectionCalls, type ConnectionCalls } from './connection-calls.js';
import type { EventHistory } from './gabp/event-history.js';
import { createGabp } from './gabp/server.js';
import { closestName } from '../protocol/input-errors.js';
import { toWireError, WireError } from '../protocol/index.js';
import { readPipeHello, serveShim, type ServedShim } from './mcp/index.js';
import { createTokenCheck } from './doors.js';
import type { Calls } from '../calls/index.js';
import { message } from '../../messages/index.js';

export interface ServeOptions extends AgentServices {
  transport: Transport;
  /** Called once, after the peer has authenticated, because it may have to search the process table. */
  peer: ProcessIdentity | (() => Promise<ProcessIdentity>);
  makeCaller: MakeCaller;
  isSame: IsSame;
  watchCaller: WatchCaller;
  /** What session/hello must carry. */
  token: string;
  /** All on the Unix socket; only `gabp` on TCP and stdio. */
  protocols: readonly Protocol[];
  app: { name: string; version: string };
  gabp?: GabpRules;
  history: EventHistory;
  /** How this machine calls the command line; errors say it. */
  command?: string | undefined;
  /** Address of the page. */
  url: string;
  limits?: Partial<typeof LIMITS>;
  log?: Logger;
}

export interface GabpRules {
  /** How the bridge calls this host; default: the app's name in lower case. */
  agentId?: string;
  /** Told in the welcome, unless `strict`. */
  observed?: ObservedLaunch;
  /** Refuses what the schemas forbid, even where known peers send it. */
  strict?: boolean;
}

export type ServedConnection = ReturnType<typeof serveConnection>;

type Protocol = 'jsonrpc' | 'gabp' | 'mcp';
type Receive = (message: unknown, reply?: Reply) => void;

const LIMITS = { maxMessage: MAX_BODY_BYTES, maxCalls: 64, maxEvents: 256 };
/** Messages of neither protocol before the connection is closed. */
const MAX_UNKNOWN_MESSAGES = 3;

export function serveConnection(options: ServeOptions) {
  const { transport, calls } = options;
  const limits = { ...LIMITS, ...options.limits };
  const id = randomUUID();
  const connectionCalls = createConnectionCalls(limits.maxCalls);
  const identity = createIdentity(options, id);
  const closers: (() => void)[] = [];
  let receive: Receive | null = null;
  let unknownMessages = 0;
  /** Holds for what arrived with it: no time passes between them. */
  let checked = false;

  function speakGabp(): Receive {
    const { app, gabp: rules = {} } = options;
    const agentId = rules.agentId ?? app.name.toLowerCase();
    const send = transport.send.bind(transport);
    const close = transport.close.bind(transport);
    const gabp = createGabp({ ...options, ...rules, agentId, connectionCalls, limits, identity, send, close });
    closers.push(gabp.close);
    return gabp.receive;
  }

  function speakJsonRpc(): Receive {
    identity.become({ claim: null, viaShim: false, protocol: 'jsonrpc' });
    transport.accept?.();
    const send = (message: RpcResponse) => transport.send(message);
    return createJsonRpc({ calls, caller: identity.current, connectionCalls, command: options.command, send });
  }

  function speakMcp(): Receive {
    const served = shimOf(options, identity);
    closers.push(served.close);
    return served.receive;
  }

  const speak: Record<Protocol, () => Receive> = { gabp: speakGabp, jsonrpc: speakJsonRpc, mcp: speakMcp };

  function chooseProtocol(message: unknown): Receive | null {
    const [only, other] = options.protocols;
    const protocol = other === undefined ? only : protocolOf(message);
    return protocol !== undefined && options.protocols.includes(protocol) ? speak[protocol]() : null;
  }

  /** Answered as JSON-RPC, which defines an answer to unreadable requests. */
  function rejectUnknown(message: unknown): void {
    const incoming = readRpc(message);
    if (incoming.kind === 'refuse') void transport.send(rpcFailure(incoming.id, incoming.error)).catch(() => undefined);
    if (++unknownMessages >= MAX_UNKNOWN_MESSAGES) transport.close('neither JSON-RPC nor GABP was spoken');
  }

  if (typeof options.peer !== 'function') transport.drawLine?.(options.peer.waiting ?? null);
  transport.onMessage((message, reply, early = false) => {
    try {
      if (!checked && !identity.isSame())
        return transport.close('the program at the other end has ended or was replaced');
      if (!checked) queueMicrotask(() => (checked = false));
      checked = true;
      const taken = (receive ??= chooseProtocol(message));
      if (taken === null) rejectUnknown(message);
      else whileEarly(early, () => taken(message, reply));
    } catch (error) {
      options.log?.error({ err: error, connection: id }, 'a connection failed');
      transport.close('internal error');
    }
  });

  const closed = new Promise<void>((resolve) => {
    transport.onClose((reason) => {
      options.log?.debug({ connection: id, pid: identity.pid(), reason }, 'connection ended');
      connectionCalls.detachAll();
      for (const close of closers) close();
      identity.leave();
      resolve();
    });
  });

  return {
    id,
    /** Resolves once the connection has ended and its calls were detached. Never rejects. */
    closed,
    close: (reason?: string): void => transport.close(reason),
  };
}

/** What a first message speaks; undefined when it is neither. */
function protocolOf(given: unknown): Protocol | undefined {
  const message = given instanceof Refused ? given.received : given;
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return undefined;
  if ('jsonrpc' in message) return message.jsonrpc === '2.0' ? 'jsonrpc' : undefined;
  if ('v' in message) return 'gabp';
  return 'mcp' in message ? 'mcp' : undefined;
}

/** A shim: first its hello, then the agent's lines. */
function shimOf(options: ServeOptions, identity: ReturnType<typeof createIdentity>) {
  const { transport, token, app, url, log } = options;
  const matchesToken = createTokenCheck(token);
  let shim: ServedShim | null = null;

  function greet(frame: unknown): ServedShim {
    const hello = readPipeHello(frame);
    if (!matchesToken(hello.token)) throw new WireError('DESKTOP_HOST_NOT_READY', message('gabp.wrong_token'));
    transport.accept?.();
    transport.send({ mcp: { url } }).catch(() => undefined);
    transport.speakLines?.();
    return serveShim({
      ...options,
      hello,
      caller: identity.current,
      describe: identity.describe,
      version: app.version,
      onError: (error) => log?.debug({ err: error }, 'mcp'),
    });
  }

  return {
    receive(message: unknown): void {
      if (shim !== null && typeof message === 'string') return shim.take(message);
      try {
        shim = greet(message);
      } catch (thrown) {
        transport.send({ mcp: { error: toWireError(thrown) } }).catch(() => undefined);
        transport.close('no hello of a shim');
      }
    },
    close: (): void => shim?.close(),
  };
}

/** Reports connected and disconnected callers. A changed caller connects before the old one disconnects, so the agent is never absent. */
function createIdentity(
  { transport, agents, peer: given, makeCaller, isSame, watchCaller }: ServeOptions,
  connectionId: string,
) {
  let peer = typeof given === 'function' ? null : given;
  let caller: Caller | null = null;
  let watch: ProcessWatch | null = null;
  let over = false;

  function become(facts: Omit<CallerFacts, 'connectionId'>): Caller {
    const before = caller;
    if (peer === null) throw new Error('the connection has not proved itself');
    const next = makeCaller(peer, { ...facts, connectionId });
    if (over) return next;
    caller = next;
    watch?.close();
    watch = watchCaller(next);
    agents.connected(next);
    if (before !== null) agents.disconnected(before);
    return next;
  }

  return {
    become,
    /** A peer that has not authenticated was not looked up, so there is nothing to compare with. */
    isSame: () => (watch !== null ? watch.isSame() : peer === null || isSame({ peer })),
    pid: () => peer?.pid,
    current(): Caller {
      if (caller === null) throw new Error('the connection has no caller yet');
      return callerNow(caller);
    },
    /** The connection counts as accepted from now on, also while its process is looked up. */
    async greeted(claim: string | null): Promise<void> {
      transport.accept?.();
      if (typeof given === 'function' && peer === null) {
        peer = await given();
        transport.drawLine?.(peer.waiting ?? null);
      }
      become({ claim, viaShim: false, protocol: 'gabp' });
    },
    describe(told: Pick<CallerFacts, 'claim' | 'cwd' | 'session' | 'ownDesktop'>): void {
      become({ ...told, viaShim: true, protocol: 'mcp' });
    },
    leave(): void {
      over = true;
      watch?.close();
      watch = null;
      if (caller !== null) agents.disconnected(caller);
    },
  };
}

// JSON-RPC 2.0 on one connection: desktop.* requests in, answers out in whatever order they end. Called by connection.

interface JsonRpcOptions {
  calls: Calls;
  /** Asked for each request. */
  caller(): Caller;
  connectionCalls: ConnectionCalls;
  /** How this machine calls the command line; errors say it. */
  command?: string | undefined;
  send: Send;
}

type Send = (message: RpcResponse) => Promise<void>;

/** Takes each message of the connection. Never throws. A message with a `reply` of its own is always answered. */
function createJsonRpc(options: JsonRpcOptions): (message: unknown, reply?: Reply) => void {
  const methods = new Set(options.calls.methods);

  async function perform({ id, method, params }: RpcRequest): Promise<unknown> {
    if (!methods.has(method)) throw unknownMethod(method, [...methods]);
    const call = { id: keyOf(id), always: method === 'desktop.abort' };
    return options.connectionCalls.run(call, (signal) =>
      options.calls.callMethod(options.caller(), { id: String(id), method, params }, signal),
    );
  }

  async function answer(request: RpcRequest, send: Send): Promise<void> {
    const { id } = request;
    const response = await perform(request).then(
      (result) => rpcSuccess(id, result),
      (error: unknown) => rpcFailure(id, error, options.command),
    );
    await deliver(response, send);
  }

  /** A result that cannot be sent (too large, not JSON) becomes an error; a closed connection gets no answer. */
  async function deliver(response: RpcResponse, send: Send): Promise<void> {
    try {
      await send(response);
    } catch (error) {
      if ('result' in response) await send(rpcFailure(response.id, error, options.command)).catch(() => undefined);
    }
  }

  return (message, reply) => {
    const send = reply ?? options.send;
    const incoming = readRpc(message);
    if (incoming.kind === 'refuse') void deliver(rpcFailure(incoming.id, incoming.error), send);
    if (incoming.kind === 'request') void answer(incoming.request, send);
    if (incoming.kind === 'ignore' && reply !== undefined) void deliver(rpcFailure(null, needsId()), reply);
  };
}

/** `1` and `"1"` are two ids; several requests with the id null may run at once. */
function keyOf(id: RpcId): string {
  return id === null ? `null:${randomUUID()}` : `${typeof id}:${id}`;
}

function needsId(): WireError {
  return new WireError('DESKTOP_INVALID_REQUEST', message('error.rpc_no_id'), { reason: 'no_id' });
}

function unknownMethod(method: string, known: string[]): WireError {
  const near = closestName(method, known);
  const problem = message('error.no_such_method', { method: JSON.stringify(method) });
  const text = near === null ? problem : message('error.did_you_mean', { problem, name: near });
  return new WireError('DESKTOP_INVALID_REQUEST', text, {
    reason: 'unknown_method',
    methods: known,
    next: `Use one of: ${known.join(', ')}.`,
  });
}
