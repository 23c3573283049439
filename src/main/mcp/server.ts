/**
 * MCP as every door speaks it. Comes in: an MCP transport's requests. Goes out: tools, resources and calls of a backend. Called by
 * the shim (stdio) and by the HTTP door, which have the transports.
 */
import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type InputRequiredResult,
  type ListToolsResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { McpBackend, McpClientInfo, Wait } from './backend.js';
import { rejectCursor } from './cursor.js';
import { observationUri, type ObservationBuffer } from './observation-buffer.js';
import { servePrompts } from './prompts.js';
import type { QuestionForms } from './question-forms.js';
import { askBeside, askBetween, asker, questionOf } from './questions.js';
import { serveResources, serveSubscriptions } from './resources.js';
import { isUnknownTool, type HostToolResult } from './results.js';
import { whileWaiting } from './waiting.js';

/** `legacy`: up to 2025-11-25, opened with `initialize`; `modern`: from 2026-07-28 on. */
export type Era = 'legacy' | 'modern';

export interface McpServerOptions {
  version: string;
  backend: McpBackend;
  observations: Pick<ObservationBuffer, 'list' | 'read'>;
  /** Between progress notifications of a waiting call. */
  progressIntervalMs: number;
  onError(error: Error): void;
  /** Of this client. */
  forms: QuestionForms;
  /** The outcome of a call that was made already; null where the backend has to be called. */
  begun?(id: string | number): Promise<HostToolResult> | null;
}

export interface McpServer {
  server: Server;
  /** Tools, and with them resources, are others now. */
  listsChanged(): void;
  /** Where the client has subscribed to it. */
  resourceUpdated(uri: string): void;
  sendObservation(id: string, event: unknown, dropped: number): void;
}

const OBSERVATIONS = 'chaperone/observation';
const clientSchema = z.object({ name: z.string(), version: z.string() });

/** One server for each connection, session or stateless request. */
export function createMcpServer(options: McpServerOptions, era: Era): McpServer {
  const { version, backend, onError } = options;
  const info = { name: 'chaperone', title: 'Chaperone', version };
  const server = new Server(info, {
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: {},
      completions: {},
      ...(era === 'legacy' ? { logging: {} } : {}),
    },
    instructions: backend.instructions,
  });
  server.onerror = onError;

  const clientInfoOf = (context: ServerContext): McpClientInfo | null => {
    const envelope: Record<string, unknown> = context.mcpReq.envelope ?? {};
    return clientOf(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
  };
  const resources = { ...options, clientOf: clientInfoOf };
  serveTools(server, options, era, clientInfoOf);
  serveResources(server, resources);
  servePrompts(server, backend);
  // Later versions subscribe by a request that the SDK answers, and it sends only what was subscribed to.
  const subscribed = era === 'legacy' ? serveSubscriptions(server, resources) : null;
  server.fallbackRequestHandler = async (request) => {
    if (request.method === 'shutdown') return {};
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${request.method}`);
  };
  return { server, ...createNotifications(server, era, (uri) => subscribed?.has(uri) ?? true) };
}

function serveTools(
  server: Server,
  { backend, progressIntervalMs, forms, begun = () => null }: McpServerOptions,
  era: Era,
  clientInfoOf: (context: ServerContext) => McpClientInfo | null,
): void {
  server.setRequestHandler('tools/list', async ({ params }, context): Promise<ListToolsResult> => {
    rejectCursor(params?.cursor);
    return { tools: await backend.tools(clientInfoOf(context)) };
  });
  server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult | InputRequiredResult> => {
    const { name, arguments: args } = request.params;
    const known = begun(context.mcpReq.id);
    const client = clientInfoOf(context);
    try {
      return await whileWaiting(context, { progressIntervalMs, quiet: known !== null }, async (wait) => {
        const call = (asked: Wait) => known ?? backend.call(name, args ?? {}, client, asked);
        if (era === 'modern') return asToolResult(await askBetween(context, { wait, backend, client, forms }, call));
        const asking = { wait, answer: backend.answer, forms, of: questionOf(name, args) };
        return asToolResult(await askBeside(asker(server, context), asking, call));
      });
    } catch (error) {
      throw isUnknownTool(error)
        ? new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.message} ${error.next}`)
        : error;
    }
  });
}

/** What a client is told without asking. None waits for one that reads slowly or is gone. */
function createNotifications(server: Server, era: Era, wants: (uri: string) => boolean): Omit<McpServer, 'server'> {
  const send = (sent: Promise<void>): void => void sent.catch(() => undefined);
  const resourceUpdated = (uri: string): void => {
    if (wants(uri)) send(server.sendResourceUpdated({ uri }));
  };
  return {
    resourceUpdated,
    listsChanged() {
      send(server.sendToolListChanged());
      send(server.sendResourceListChanged());
    },
    sendObservation(id, event, dropped) {
      resourceUpdated(observationUri(id));
      if (era === 'modern') return;
      const data = { observation: `observations/${id}`, event, ...(dropped === 0 ? {} : { dropped }) };
      send(server.sendLoggingMessage({ level: 'info', logger: OBSERVATIONS, data }));
    },
  };
}

/** The SDK checks the content blocks itself when it sends them. */
function asToolResult(result: HostToolResult | InputRequiredResult): CallToolResult | InputRequiredResult {
  return z.custom<CallToolResult | InputRequiredResult>((value) => value === result).parse(result);
}

/** null where it is no name and version. */
export function clientOf(given: unknown): McpClientInfo | null {
  const named = clientSchema.safeParse(given);
  return named.success ? named.data : null;
}
