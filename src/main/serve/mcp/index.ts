/**
 * MCP over stdio. Comes in: the connection of a shim after its hello, and the kernel's word on who started that shim. Goes out: the
 * agent's calls, as from every other door. Never trusted: what the shim says of its client is a claim. Called by connection.
 */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { delay } from '../../../base/poll.js';
import type { CallerFacts } from '../../agents/caller.js';
import type { Caller } from '../../approvals/request.js';
import type { McpClientInfo } from '../../mcp/backend.js';
import { callIdOf } from '../../mcp/results.js';
import { createObservationBuffer } from '../../mcp/observation-buffer.js';
import { createQuestionForms, textOf } from '../../mcp/questions.js';
import { appEventsUri } from '../../mcp/resources.js';
import { createMcpServer, type McpServer } from '../../mcp/server.js';
import { parseInput } from '../../pipeline/define.js';
import { claimOf } from '../../protocol/gabp.js';
import { hostLine, type PipeHello } from '../../protocol/pipe.js';
import type { Transport } from '../../protocol/transport.js';
import type { AgentServices } from '../services.js';
import { createMcpAgent, type McpAgent, type McpAgentOptions } from './agent.js';
import { AgentLines } from './lines.js';

const numberSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const lineSchema = z.object({ number: numberSchema, state: z.enum(['new', 'sent', 'answered']) });
/** More than a shim keeps. */
const MAX_LINES = 10_000;

const helloSchema = z.object({
  token: z.string(),
  version: z.string().max(100),
  cwd: z.string().max(4_096),
  desktop: z.enum(['own', 'current']),
  profile: z.enum(['full', 'core']),
  callLimitMs: z.int().min(1).nullable(),
  session: z.string().min(32).max(256),
  /** What that machine calls itself. */
  machine: z.string().max(255).nullable(),
  claim: z.string().max(255).nullable(),
  counts: z.boolean(),
  lines: z.array(lineSchema).max(MAX_LINES),
  next: numberSchema,
});
const helloFrameSchema = z.object({ mcp: helloSchema });

/** Throws WireError. */
export const readPipeHello = (frame: unknown): PipeHello => parseInput(helloFrameSchema, frame, 'mcp').mcp;

export interface ShimOptions extends Pick<
  AgentServices,
  'calls' | 'onObservation' | 'onToolsChanged' | 'onAppNews' | 'admin'
> {
  transport: Transport;
  hello: PipeHello;
  caller(): Caller;
  describe(told: Pick<CallerFacts, 'claim' | 'cwd' | 'session' | 'ownDesktop'>): void;
  version: string;
  /** Address of the page. */
  url: string;
  onError(error: Error): void;
  times?: Partial<typeof STDIO_TIMES> & McpAgentOptions['times'];
}

export const STDIO_TIMES = {
  /** Between progress notifications of a waiting call. */
  progressIntervalMs: 10_000,
  /** Between looks at what waits for the person, while something does. */
  lookMs: 2_000,
};

/** While more output waits for the client, no observation events are sent. */
const MAX_QUEUED_BYTES = 1024 * 1024;

export type ServedShim = ReturnType<typeof serveShim>;

export function serveShim(options: ShimOptions) {
  const { hello } = options;
  const { agent, lines, counts } = agentOf(options);
  const { servers, observed, close } = serveLines(options, agent, lines);
  const stops = listen(options, servers, observed);
  let left = hello.lines.length;
  const isKnown = hello.lines.some(({ state }) => state === 'answered');

  return {
    take(line: string): void {
      lines.take(line);
      left -= 1;
      // The agent may have a list of tools from an earlier host, or none, because none was there.
      if (left === 0 && isKnown) setImmediate(() => servers.forEach((one) => one.listsChanged()));
    },
    /** Ends the waits; cards stay. */
    close(): void {
      for (const stop of stops) stop();
      counts?.close();
      agent.leave();
      close();
    },
  };
}

/** The agent and its lines, which ask each other. */
function agentOf(options: ShimOptions) {
  const { transport, hello, calls, url, admin } = options;
  const madeBefore = new Map<string, { name: string; arguments: unknown }>();
  const counts = hello.counts ? createCounts(options, options.times?.lookMs ?? STDIO_TIMES.lookMs) : null;
  const agent = createMcpAgent({
    calls,
    caller: options.caller,
    profile: hello.profile,
    url,
    callLimitMs: hello.callLimitMs ?? undefined,
    onClient: clientTeller(options),
    callOf: (id) => lines.callOf(id),
    madeBefore: (callId) => madeBefore.get(callId) ?? null,
    onEnded: (callId) => lines.ended(callId),
    onWaiting: ({ state }) => state === 'awaiting_human' && counts?.look(),
    times: options.times,
  });
  const lines = new AgentLines({
    transport,
    earlier: hello.lines,
    next: hello.next,
    onHandle: (callId, { name, arguments: args }) =>
      typeof name === 'string' && madeBefore.set(callId, { name, arguments: args ?? {} }),
    callIdOf: (line, id) => callIdOf(hello.session, line, id),
    onWritten: agent.written,
    onLeft: agent.left,
    onLateReply(callId, { result }) {
      const text = textOf(result);
      if (text !== null) void agent.backend.answer(callId, text).catch(() => undefined);
    },
    onElsewhere: (told) =>
      void admin?.(options.caller(), 'admin/elsewhere', { ...told, url: null }).catch(() => undefined),
  });
  return { agent, lines, counts };
}

function serveLines({ transport, version, onError, times }: ShimOptions, { backend }: McpAgent, lines: AgentLines) {
  const { progressIntervalMs } = { ...STDIO_TIMES, ...times };
  const servers = new Set<McpServer>();
  const observations = createObservationBuffer({
    send: (...event) => servers.forEach((server) => server.sendObservation(...event)),
    canSend: () => (transport.queued?.() ?? 0) < MAX_QUEUED_BYTES,
  });
  const forms = createQuestionForms(onError);
  const serving = serveStdio(
    ({ era }) => {
      const opened = createMcpServer({ version, backend, observations, forms, onError, progressIntervalMs }, era);
      servers.add(opened);
      opened.server.onclose = () => void servers.delete(opened);
      return opened.server;
    },
    { transport: lines, onerror: onError },
  );
  return { servers, observed: observations.add, close: () => void serving.close() };
}

function listen(
  { onObservation, onToolsChanged, onAppNews, caller }: ShimOptions,
  servers: ReadonlySet<McpServer>,
  observed: (id: string, event: unknown) => void,
) {
  return [
    onToolsChanged(() => servers.forEach((server) => server.listsChanged())),
    onAppNews((app) => servers.forEach((server) => server.resourceUpdated(appEventsUri(app)))),
    onObservation(({ agentId, observationId, event }) => {
      if (agentId === caller().agent.id) observed(observationId, event);
    }),
  ];
}

/** A client gives its name only after the connection was made. */
function clientTeller({ describe, hello }: ShimOptions): (client: McpClientInfo | null) => void {
  let told: string | null = null;
  const tell = (client: McpClientInfo | null): void => {
    const claim =
      [claimOf(client) ?? hello.claim, hello.machine].filter((part) => part !== null && part !== '').join(' @ ') ||
      null;
    describe({ claim, cwd: hello.cwd, session: hello.session, ownDesktop: hello.desktop === 'own' });
  };
  tell(null);
  return (client) => {
    if (client === null || client.name === told) return;
    told = client.name;
    tell(client);
  };
}

const pendingSchema = z.looseObject({
  pendingApprovals: z.number().int().default(0),
  pendingQuestions: z.number().int().default(0),
});

/** Tells the shim how much waits for the person here, as long as something does. Its own machine shows that. */
function createCounts({ admin, caller, transport }: ShimOptions, lookMs: number) {
  const closed = new AbortController();
  let running = false;
  let asked = false;

  async function count(): Promise<number> {
    const { pendingApprovals, pendingQuestions } = pendingSchema.parse(await admin?.(caller(), 'admin/status', {}));
    return pendingApprovals + pendingQuestions;
  }

  async function follow(): Promise<void> {
    while (!closed.signal.aborted) {
      asked = false;
      const waiting = await count();
      if (waiting > 0 || !asked) await transport.send(hostLine('#', waiting));
      if (waiting === 0 && !asked) return;
      await delay(lookMs, closed.signal);
    }
  }

  return {
    /** Something may wait now. */
    look(): void {
      asked = true;
      if (running || closed.signal.aborted) return;
      running = true;
      follow()
        .catch(() => undefined)
        .finally(() => (running = false));
    },
    close: (): void => closed.abort(new Error('closed')),
  };
}
