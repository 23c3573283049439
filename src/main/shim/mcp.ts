/** The only file that uses the MCP SDK: MCP over stdio comes in, the shim's tools and calls go out. Serves every protocol version the SDK has (2024-10-07 to 2026-07-28). */
import type { Readable, Writable } from 'node:stream';
import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  isJSONRPCRequest,
  parseJSONRPCMessage,
  Server,
  type CallToolResult,
  type JSONRPCMessage,
  type ListToolsResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { createBatches, type Batches, type Id } from './batches.js';
import { isUnknownTool } from './calls.js';
import type { Descriptor } from './descriptors.js';
import { createLineWriter } from './line-writer.js';
import { readableLines } from './lines.js';
import { createObservationBuffer, observationUri, type ObservationBuffer } from './observation-buffer.js';
import { createPlainCalls, type PlainCalls, type Wait } from './plain-calls.js';
import { reportProgress } from './progress.js';
import type { HostToolResult } from './results.js';

export interface McpClientInfo {
  name: string;
  version: string;
}

/** What serves the agent. `client` is the client's own name, null until it has given one. */
export interface McpBackend {
  tools(client: McpClientInfo | null): Promise<Descriptor[]>;
  /** Rejects with WireError `unknown_tool` where there is no such tool. */
  call(name: string, args: unknown, client: McpClientInfo | null, wait: Wait): Promise<HostToolResult>;
  /** The screens for the initialize result; null where they are not available in time. */
  screens(): Promise<unknown[] | null>;
  instructions: string;
}

interface McpOptions {
  input: Readable;
  output: Writable;
  version: string;
  backend: McpBackend;
  /** Between progress notifications of a waiting call. */
  progressIntervalMs: number;
  onError(error: Error): void;
}

interface McpServer {
  toolsChanged(): void;
  /** Sends an event of one of this agent's observations. Does not wait for a client that reads slowly. */
  sendObservation(id: string, event: unknown): void;
  close(): Promise<void>;
}

type Era = 'legacy' | 'modern';
type ObservationSender = (id: string, event: unknown, dropped: number) => Promise<void>;

const OBSERVATIONS = 'chaperone/observation';
/** While more output waits for the client, no observation events are sent. */
const MAX_QUEUED_BYTES = 1024 * 1024;

const clientSchema = z.object({ name: z.string(), version: z.string() });
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Serves until the input ends or `close` is called. */
export function serveMcp(options: McpOptions): McpServer {
  const servers = new Set<Server>();
  const senders = new Map<Server, ObservationSender>();
  const write = (answer: object): void => void options.output.write(`${JSON.stringify(answer)}\n`);
  const batches = createBatches(write);
  /** What the client called itself in `initialize`. */
  let client: McpClientInfo | null = null;
  const plainCalls = createPlainCalls({
    call: (name, args, wait) => options.backend.call(name, args, client, wait),
    write: createLineWriter(options.output),
    isRequest: isJSONRPCRequest,
    handOver: (request) => transport.onmessage?.(parseJSONRPCMessage(request)),
    progressIntervalMs: options.progressIntervalMs,
  });
  const lines = readableLines(options.input, batches, write, plainCalls.take);
  const transport = new StdioServerTransport(lines, options.output);
  sendBatchAnswersTogether(transport, batches);
  onEachAnswer(transport, (id, version) => {
    if (version !== null) batches.setVersion(version);
    for (const server of servers) client = clientOf(server.getClientVersion());
    plainCalls.answered(id, version !== null && !batches.supported);
  });
  onClose(transport, plainCalls.close);
  addScreensToHandshake(transport, () => options.backend.screens());
  const observations = createObservationBuffer({
    send: (...event) => senders.forEach((send) => void send(...event).catch(() => undefined)),
    canSend: () => options.output.writableLength < MAX_QUEUED_BYTES,
  });
  const serving = serveStdio(
    ({ era }) => {
      const server = createServer(options, era, plainCalls);
      servers.add(server);
      senders.set(server, createObservationSender(server, era, observations));
      server.onclose = () => {
        servers.delete(server);
        senders.delete(server);
      };
      return server;
    },
    { transport, onerror: options.onError },
  );
  return {
    toolsChanged: () => {
      for (const server of servers) server.sendToolListChanged().catch(() => undefined);
    },
    sendObservation: observations.add,
    close: () => serving.close(),
  };
}

function createServer(
  { version, backend, progressIntervalMs, onError }: McpOptions,
  era: Era,
  plainCalls: PlainCalls,
): Server {
  const info = { name: 'chaperone', title: 'Chaperone', version };
  const server = new Server(info, {
    // Observation events: log messages up to 2025, resource subscriptions from 2026-07-28 on.
    capabilities: {
      tools: { listChanged: true },
      ...(era === 'modern' ? { resources: { subscribe: true } } : { logging: {} }),
    },
    instructions: backend.instructions,
  });
  server.onerror = onError;

  const clientInfoOf = (context: ServerContext): McpClientInfo | null => {
    const envelope: Record<string, unknown> = context.mcpReq.envelope ?? {};
    return clientOf(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
  };

  server.setRequestHandler('tools/list', async ({ params }, context): Promise<ListToolsResult> => {
    rejectCursor(params?.cursor);
    return { tools: await backend.tools(clientInfoOf(context)) };
  });
  server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult> => {
    const { name, arguments: args } = request.params;
    const { id, signal, _meta, notify } = context.mcpReq;
    const known = plainCalls.begun(id);
    const token = known === null ? _meta?.progressToken : undefined;
    const progress = reportProgress(token, progressIntervalMs, (params) => {
      notify({ method: 'notifications/progress', params }).catch(() => undefined);
    });
    try {
      const wait = { signal, onProgress: progress.update };
      return asCallToolResult(await (known ?? backend.call(name, args ?? {}, clientInfoOf(context), wait)));
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

/** Sends observation events to one client. In the modern era the SDK sends only what the client has subscribed to. */
function createObservationSender(server: Server, era: Era, observations: ObservationBuffer): ObservationSender {
  if (era === 'legacy')
    return (id, event, dropped) =>
      server.sendLoggingMessage({
        level: 'info',
        logger: OBSERVATIONS,
        data: { observation: `observations/${id}`, event, ...(dropped === 0 ? {} : { dropped }) },
      });
  server.setRequestHandler('resources/list', async ({ params }) => {
    rejectCursor(params?.cursor);
    return { resources: observations.list() };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const text = observations.read(uri);
    if (text === null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Nothing was seen under ${uri.slice(0, 200)}.`);
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  });
  return (id) => server.sendResourceUpdated({ uri: observationUri(id) });
}

/** The SDK checks the content blocks itself when it sends them. */
function asCallToolResult(result: HostToolResult): CallToolResult {
  return z.custom<CallToolResult>((value) => value === result).parse(result);
}

/** null where it is no name and version. */
function clientOf(given: unknown): McpClientInfo | null {
  const named = clientSchema.safeParse(given);
  return named.success ? named.data : null;
}

/** Lists are never split into pages, so every cursor is invalid. */
function rejectCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'This cursor is not one of ours: the list comes whole. Ask again without a cursor.',
  );
}

/** Calls the listener with each message before the server gets it. */
function onEachMessage(transport: StdioServerTransport, listener: (message: JSONRPCMessage) => void): void {
  const start = transport.start.bind(transport);
  transport.start = () => {
    const receive = transport.onmessage;
    if (receive !== undefined)
      transport.onmessage = (message) => {
        listener(message);
        receive(message);
      };
    return start();
  };
}

const CANCELLED = 'notifications/cancelled';
const cancelledSchema = z.looseObject({
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
});

/** Holds back the answers to the requests of a batch until all are there. A cancelled request is never answered. */
function sendBatchAnswersTogether(transport: StdioServerTransport, batches: Batches): void {
  onEachMessage(transport, (message) => {
    if (!('method' in message) || message.method !== CANCELLED) return;
    const cancelled = cancelledSchema.safeParse(message);
    if (cancelled.success) batches.forget(cancelled.data.params.requestId);
  });
  const send = transport.send.bind(transport);
  transport.send = async (message: JSONRPCMessage) => {
    if ('method' in message || message.id === undefined) return send(message);
    if (!batches.addAnswer(message.id, message)) await send(message);
  };
}

/** Calls the listener before each answer is sent, with the protocol version where it names one. */
function onEachAnswer(transport: StdioServerTransport, listener: (id: Id, version: string | null) => void): void {
  const send = transport.send.bind(transport);
  transport.send = async (message: JSONRPCMessage) => {
    if (!('method' in message) && message.id !== undefined) {
      const version = 'result' in message ? message.result['protocolVersion'] : null;
      listener(message.id, typeof version === 'string' ? version : null);
    }
    await send(message);
  };
}

function onClose(transport: StdioServerTransport, listener: () => void): void {
  const close = transport.close.bind(transport);
  transport.close = () => {
    listener();
    return close();
  };
}

/** Adds the screens to the answer to the opening request, under both names that clients read. Without them where they are not available in time. */
function addScreensToHandshake(transport: StdioServerTransport, screens: () => Promise<unknown[] | null>): void {
  const openings = new Set<string | number>();
  onEachMessage(transport, (message) => {
    if ('method' in message && 'id' in message && OPENINGS.has(message.method)) openings.add(message.id);
  });
  const send = transport.send.bind(transport);
  transport.send = async (message: JSONRPCMessage) => {
    if (!('result' in message) || message.id === undefined || !openings.delete(message.id)) return send(message);
    const known = await screens();
    if (known === null) return send(message);
    return send({ ...message, result: { ...message.result, screens: known, displayInfo: { screens: known } } });
  };
}
