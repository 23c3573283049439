/**
 * MCP as every door speaks it. Comes in: an MCP transport's requests. Goes out: tools and calls of a backend. Called by the shim
 * (stdio) and by the HTTP door, which have the transports.
 */
import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ListToolsResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { McpBackend, McpClientInfo } from './backend.js';
import { observationUri, type ObservationBuffer } from './observation-buffer.js';
import { reportProgress } from './progress.js';
import { isUnknownTool, type HostToolResult } from './results.js';

/** `legacy`: up to 2025-11-25, opened with `initialize`; `modern`: from 2026-07-28 on. */
export type Era = 'legacy' | 'modern';

export interface McpServerOptions {
  version: string;
  backend: McpBackend;
  /** Between progress notifications of a waiting call. */
  progressIntervalMs: number;
  onError(error: Error): void;
  /** The outcome of a call that was made already; null where the backend has to be called. */
  begun?(id: string | number): Promise<HostToolResult> | null;
}

export type ObservationSender = (id: string, event: unknown, dropped: number) => Promise<void>;

const OBSERVATIONS = 'chaperone/observation';
const clientSchema = z.object({ name: z.string(), version: z.string() });

/** One server for each connection, session or stateless request. */
export function createMcpServer(options: McpServerOptions, era: Era): Server {
  const { version, backend, progressIntervalMs, onError, begun = () => null } = options;
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
    const known = begun(id);
    const token = known === null ? _meta?.progressToken : undefined;
    const progress = reportProgress(token, progressIntervalMs, (params) => {
      notify({ method: 'notifications/progress', params }).catch(() => undefined);
    });
    try {
      const wait = { signal, onProgress: progress.update, ...requestOf(context) };
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

const requestOf = ({ http }: ServerContext): { request?: Request } =>
  http?.req === undefined ? {} : { request: http.req };

/** Sends observation events to one client. In the modern era the SDK sends only what the client has subscribed to. */
export function createObservationSender(server: Server, era: Era, observations: ObservationBuffer): ObservationSender {
  if (era === 'legacy')
    return (id, event, dropped) =>
      server.sendLoggingMessage({
        level: 'info',
        logger: OBSERVATIONS,
        data: { observation: `observations/${id}`, event, ...(dropped === 0 ? {} : { dropped }) },
      });
  serveObservations(server, observations);
  return (id) => server.sendResourceUpdated({ uri: observationUri(id) });
}

/** Observations as resources. */
export function serveObservations(server: Server, observations: Pick<ObservationBuffer, 'list' | 'read'>): void {
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
}

/** The SDK checks the content blocks itself when it sends them. */
function asCallToolResult(result: HostToolResult): CallToolResult {
  return z.custom<CallToolResult>((value) => value === result).parse(result);
}

/** null where it is no name and version. */
export function clientOf(given: unknown): McpClientInfo | null {
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
