/** The one file that knows the MCP SDK: stdio comes in, the shim's tools and calls go out. Serves every protocol version the SDK knows (2024-10-07 to 2026-07-28). */
import type { Readable, Writable } from 'node:stream';
import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { CallToolResult, JSONRPCMessage, ListToolsResult, ServerContext } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { createBatches } from './batches.js';
import type { Batches } from './batches.js';
import { isUnknownTool } from './calls.js';
import type { Descriptor } from './descriptors.js';
import { readableLines } from './lines.js';
import { createObservationBuffer, observationUri } from './observed.js';
import type { ObservationBuffer } from './observed.js';
import type { CallState, ToolResult } from './results.js';

export interface Client {
  name: string;
  version: string;
}

interface McpWait {
  signal: AbortSignal;
  onProgress(state: CallState): void;
}

/** What the agent's side may ask for. `client` is what it calls itself, null while it has not said. */
export interface Backend {
  tools(client: Client | null): Promise<Descriptor[]>;
  /** Rejects with WireError `unknown_tool` where there is no such tool. */
  call(name: string, args: unknown, client: Client | null, wait: McpWait): Promise<ToolResult>;
  /** The screens for the initialize result; null where they are not known in time. */
  screens(): Promise<unknown[] | null>;
  instructions: string;
}

export interface McpOptions {
  input: Readable;
  output: Writable;
  version: string;
  backend: Backend;
  /** Milliseconds between progress notifications of a waiting call. */
  progressInterval: number;
  onError(error: Error): void;
}

export interface McpServing {
  toolsChanged(): void;
  /** What an observation of this agent saw. A client that is slow to read is not waited for. */
  observed(id: string, event: unknown): void;
  close(): Promise<void>;
}

type Era = 'legacy' | 'modern';
type ObservationSender = (id: string, event: unknown, dropped: number) => Promise<void>;

const OBSERVATIONS = 'chaperone/observation';
/** Bytes that may wait for the client before it is told of nothing more. */
const MAX_QUEUED_BYTES = 1024 * 1024;

const clientSchema = z.object({ name: z.string(), version: z.string() });
const openingSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.enum(['initialize', 'server/discover']),
});

/** Serves until the input ends or `close` is called. */
export function serveMcp(options: McpOptions): McpServing {
  const servers = new Set<Server>();
  const tellers = new Map<Server, ObservationSender>();
  const write = (answer: object): void => void options.output.write(`${JSON.stringify(answer)}\n`);
  const batches = createBatches(write);
  const wire = new StdioServerTransport(readableLines(options.input, batches, write), options.output);
  joinAnswers(wire, batches);
  addScreensToHandshake(wire, () => options.backend.screens());
  const observed = createObservationBuffer({
    send: (...seen) => tellers.forEach((tell) => void tell(...seen).catch(() => undefined)),
    canSend: () => options.output.writableLength < MAX_QUEUED_BYTES,
  });
  const serving = serveStdio(
    ({ era }) => {
      const server = createServer(options, era);
      servers.add(server);
      tellers.set(server, createObservationSender(server, era, observed));
      server.onclose = () => {
        servers.delete(server);
        tellers.delete(server);
      };
      return server;
    },
    { transport: wire, onerror: options.onError },
  );
  return {
    toolsChanged: () => {
      for (const server of servers) server.sendToolListChanged().catch(() => undefined);
    },
    observed: observed.add,
    close: () => serving.close(),
  };
}

function createServer({ version, backend, progressInterval, onError }: McpOptions, era: Era): Server {
  const info = { name: 'chaperone', title: 'Chaperone', version };
  const server = new Server(info, {
    // What observations see goes out as each era has it: 2025 and older log, 2026-07-28 has resources to subscribe to.
    capabilities: {
      tools: { listChanged: true },
      ...(era === 'modern' ? { resources: { subscribe: true } } : { logging: {} }),
    },
    instructions: backend.instructions,
  });
  server.onerror = onError;

  const clientOf = (context: ServerContext): Client | null => {
    const envelope: Record<string, unknown> = context.mcpReq.envelope ?? {};
    const named = clientSchema.safeParse(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
    return named.success ? named.data : null;
  };

  server.setRequestHandler('tools/list', async ({ params }, context): Promise<ListToolsResult> => {
    refuseCursor(params?.cursor);
    return { tools: await backend.tools(clientOf(context)) };
  });
  server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult> => {
    const { name, arguments: args } = request.params;
    const progress = reportProgress(context, progressInterval);
    try {
      const wait = { signal: context.mcpReq.signal, onProgress: progress.update };
      return asCallToolResult(await backend.call(name, args ?? {}, clientOf(context), wait));
    } catch (error) {
      throw isUnknownTool(error)
        ? new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.message} ${error.next}`)
        : error;
    } finally {
      progress.end();
    }
  });
  server.fallbackRequestHandler = async (request) => {
    if (request.method === 'shutdown') return {};
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${request.method}`);
  };
  return server;
}

/** A way to tell one client of what was seen. In the newer era the SDK passes on only what the client has subscribed to. */
function createObservationSender(server: Server, era: Era, observed: ObservationBuffer): ObservationSender {
  if (era === 'legacy')
    return (id, event, dropped) =>
      server.sendLoggingMessage({
        level: 'info',
        logger: OBSERVATIONS,
        data: { observation: `observations/${id}`, event, ...(dropped === 0 ? {} : { dropped }) },
      });
  server.setRequestHandler('resources/list', async ({ params }) => {
    refuseCursor(params?.cursor);
    return { resources: observed.list() };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const text = observed.read(uri);
    if (text === null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Nothing was seen under ${uri.slice(0, 200)}.`);
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  });
  return (id) => server.sendResourceUpdated({ uri: observationUri(id) });
}

/** The SDK checks the content blocks itself when it sends them; here only our outline is widened to its type. */
function asCallToolResult(result: ToolResult): CallToolResult {
  return z.custom<CallToolResult>((value) => value === result).parse(result);
}

/** MCP progress: only where the client gave a token, each number above the last, at every change and at every interval. */
function reportProgress(context: ServerContext, interval: number): { update(state: CallState): void; end(): void } {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { update: () => undefined, end: () => undefined };
  let progress = 0;
  let message = 'waiting for Chaperone';
  const send = (): void => {
    progress += 1;
    context.mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined);
  };
  const timer = setInterval(send, interval);
  return {
    update: (state) => {
      message = `${state.state}: ${state.message}`;
      send();
    },
    end: () => clearInterval(timer),
  };
}

/** Lists come whole, so no cursor is ever given out. */
function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'This cursor is not one of ours: the list comes whole. Ask again without a cursor.',
  );
}

/** Sees each message before the server does. */
function onEachMessage(wire: StdioServerTransport, see: (message: JSONRPCMessage) => void): void {
  const start = wire.start.bind(wire);
  wire.start = () => {
    const receive = wire.onmessage;
    if (receive !== undefined)
      wire.onmessage = (message) => {
        see(message);
        receive(message);
      };
    return start();
  };
}

const cancelledSchema = z.looseObject({
  method: z.literal('notifications/cancelled'),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
});
const agreedSchema = z.looseObject({ protocolVersion: z.string() });

/** Answers to the requests of a batch go out together. A cancelled request is never answered. */
function joinAnswers(wire: StdioServerTransport, batches: Batches): void {
  onEachMessage(wire, (message) => {
    const cancelled = cancelledSchema.safeParse(message);
    if (cancelled.success) batches.forget(cancelled.data.params.requestId);
  });
  const send = wire.send.bind(wire);
  wire.send = async (message: JSONRPCMessage) => {
    if ('method' in message || message.id === undefined) return send(message);
    const agreed = agreedSchema.safeParse('result' in message ? message.result : null);
    if (agreed.success) batches.setVersion(agreed.data.protocolVersion);
    if (!batches.addAnswer(message.id, message)) await send(message);
  };
}

/** Adds the screens to the answer to the opening request, both ways clients look for them. Where they come too late the answer goes out without. */
function addScreensToHandshake(wire: StdioServerTransport, screens: () => Promise<unknown[] | null>): void {
  const openings = new Set<string | number>();
  onEachMessage(wire, (message) => {
    const opening = openingSchema.safeParse(message);
    if (opening.success) openings.add(opening.data.id);
  });
  const send = wire.send.bind(wire);
  wire.send = async (message: JSONRPCMessage) => {
    if (!('result' in message) || message.id === undefined || !openings.delete(message.id)) return send(message);
    const known = await screens();
    if (known === null) return send(message);
    return send({ ...message, result: { ...message.result, screens: known, displayInfo: { screens: known } } });
  };
}
