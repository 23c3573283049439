/** A host that exists only in memory: serves the shim as the real one does, records what its calls are asked, and can go away and come back. */
import type { Caller } from '../../src/main/approvals/request.js';
import type { Calls } from '../../src/main/calls/index.js';
import type { CallOptions, CallToolResult, Progress, ToolDescriptor } from '../../src/main/calls/types.js';
import { toolResultSchema } from '../../src/main/mcp/results.js';
import { ERRORS, toWireError, WireError, type ErrorCode } from '../../src/main/protocol/index.js';
import type { Transport } from '../../src/main/protocol/transport.js';
import { readPipeHello, serveShim, type ServedShim, type ShimOptions } from '../../src/main/serve/mcp/index.js';
import type { ConnectOptions } from '../../src/main/shim/connect.js';
import { verbatim } from '../../src/messages/index.js';
import { createFakeServices } from './fake-services.js';
import { linkedPair } from './linked-pair.js';

interface Asked {
  method: string;
  params: Record<string, unknown>;
}

type Answer = (params: Record<string, unknown>) => unknown;

/** Thrown by an answer. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly details: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

export interface FakeHost {
  /** What `createShim` takes as `host`. */
  connection: ConnectOptions;
  /** Of what it serves from now on. */
  times: ShimOptions['times'];
  asked: Asked[];
  /** Methods by name; `on` replaces one. */
  on(method: string, answer: Answer): void;
  emit(channel: string, payload: unknown): void;
  /** Connections end and nobody listens. */
  leave(): void;
  arrive(): void;
  starts(): number;
  connections(): number;
  /** How the next start ends; null lets the host come up. */
  failStart(end: { code: number; output: string } | null): void;
}

const TOKEN = 'a'.repeat(64);

export const SCREENS = [{ id: 'main', width: 1280, height: 800, pixel_density: 1, origin_x: 0, origin_y: 0 }];

export function createFakeHost({ running = true } = {}): FakeHost {
  const asked: Asked[] = [];
  const open = new Set<Transport>();
  let listening = running;
  let starts = 0;
  let startEnd: { code: number; output: string } | null = null;
  const answers = new Map<string, Answer>([
    ['tools', () => ({ tools: [] })],
    ['screens', () => ({ screens: SCREENS })],
  ]);
  const ask: Ask = async (method, params) => {
    asked.push({ method, params });
    return answers.get(method)?.(params);
  };
  const calls = fakeCalls(ask, (method, params) => {
    asked.push({ method, params });
    return answers.get(method)?.(params);
  });
  const listeners = new Map<string, Set<() => void>>();
  const services = createFakeServices();

  const serve = (transport: Transport): void => {
    let served: ServedShim | null = null;
    open.add(transport);
    transport.onClose(() => {
      open.delete(transport);
      served?.close();
    });
    transport.onMessage((message) => {
      if (served !== null) return served.take(String(message));
      const hello = readPipeHello(message);
      asked.push({ method: 'session/hello', params: {} });
      if (hello.token !== TOKEN) {
        const refusal = new WireError('DESKTOP_HOST_NOT_READY', verbatim('wrong token'));
        void transport.send({ mcp: { error: refusal } });
        return transport.close();
      }
      void transport.send({ mcp: { url: 'http://localhost:4321' } });
      served = serveShim({
        ...services,
        calls: calls.all,
        onToolsChanged: listenerOf(listeners, 'tools/changed'),
        transport,
        hello,
        caller: () => CALLER,
        describe: ({ claim, cwd }) => {
          const [name, version] = claim?.split(' ') ?? [];
          asked.push({ method: 'describe', params: { client: claim === null ? null : { name, version }, cwd } });
        },
        version: '0.0.0',
        url: 'http://localhost:4321',
        onError: () => undefined,
        times: host.times,
      });
    });
  };

  const host: FakeHost = {
    times: {},
    connection: {
      name: 'test',
      version: '0.0.0',
      startTimeoutMs: 10_000,
      find: () =>
        Promise.resolve(
          listening
            ? {
                token: TOKEN,
                open: () => {
                  const [ours, theirs] = linkedPair();
                  serve(theirs);
                  return Promise.resolve(ours);
                },
              }
            : null,
        ),
      start: () => {
        starts += 1;
        if (startEnd !== null) return { ended: Promise.resolve(startEnd) };
        listening = true;
        return { ended: new Promise(() => undefined) };
      },
    },
    asked,
    on: (method, answer) => void answers.set(method, answer),
    emit: (channel, payload) => {
      if (channel === 'call/progress') calls.progress(payload as Progress);
      for (const listener of listeners.get(channel) ?? []) listener();
      const [kind, observationId = ''] = channel.split('/');
      if (kind === 'observation')
        services.observe({ agentId: CALLER.agent.id, observationId, event: payload as object });
    },
    leave: () => {
      listening = false;
      for (const transport of open) transport.close('the host ended');
    },
    arrive: () => {
      listening = true;
    },
    starts: () => starts,
    connections: () => open.size,
    failStart: (end) => {
      startEnd = end;
    },
  };
  return host;
}

const CALLER = { agent: { id: 'the-agent' } } as Caller;

type Ask = (method: string, params: Record<string, unknown>) => Promise<unknown>;

function listenerOf(listeners: Map<string, Set<() => void>>, channel: string) {
  return (listener: () => void) => {
    const all = listeners.get(channel) ?? new Set();
    listeners.set(channel, all.add(listener));
    return () => void all.delete(listener);
  };
}

/** Each call is asked for by `ask`; that nobody waits for it any more, by `cancel`. */
function fakeCalls(ask: Ask, askNow: (method: string, params: Record<string, unknown>) => unknown) {
  const waiting = new Map<string, Set<CallOptions>>();
  const left = new Set<string>();

  const cancel = (callId: string): void =>
    void askNow('cancel', { callId, mode: 'detach', ...(left.delete(callId) ? { left: true } : {}) });

  async function run(method: string, params: Record<string, unknown> & { callId: string }, options: CallOptions) {
    const { callId } = params;
    const all = waiting.get(callId) ?? new Set();
    waiting.set(callId, all.add(options));
    const leave = () => {
      if (all.delete(options) && all.size === 0) cancel(callId);
    };
    options.signal.addEventListener('abort', leave, { once: true });
    try {
      return toolResultSchema.parse(await ask(method, params)) as unknown as CallToolResult;
    } catch (error) {
      throw asWireError(error);
    } finally {
      options.signal.removeEventListener('abort', leave);
      all.delete(options);
    }
  }

  const all: Calls = {
    ...createFakeServices().calls,
    resources: () => [],
    callTool: (_, { callId, name, arguments: args }, options) =>
      run('call', { callId, name, arguments: args }, options),
    resume: (_, callId, options) => run('resume', { callId }, options),
    notReceived(_, callId) {
      left.add(callId);
      if ((waiting.get(callId)?.size ?? 0) === 0) cancel(callId);
    },
    resultWritten: () => undefined,
    tools(profile) {
      const { tools } = askNow('tools', { profile }) as { tools: ToolDescriptor[] };
      return tools.map((tool) => ({ ...tool, annotations: tool.annotations ?? {} }));
    },
    screens: async () => ((await ask('screens', {})) as { screens: Awaited<ReturnType<Calls['screens']>> }).screens,
  };
  return {
    all,
    progress(progress: Progress): void {
      for (const { onProgress } of waiting.get(progress.callId) ?? []) onProgress(progress);
    },
  };
}

function asWireError(error: unknown): WireError {
  if (!(error instanceof Refusal)) return toWireError(error);
  const known = Object.hasOwn(ERRORS, error.code);
  return new WireError(
    known ? (error.code as ErrorCode) : 'DESKTOP_INTERNAL_ERROR',
    verbatim(error.message),
    error.details,
  );
}
