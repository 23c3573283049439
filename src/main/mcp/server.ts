/**
 * MCP as every door speaks it. Comes in: an MCP transport's requests. Goes out: tools, resources and calls of a backend. Called by
 * the doors for stdio (through a shim) and HTTP, which have the transports.
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
  type Transport,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import { WireError } from '../protocol/index.js';
import type { McpBackend, McpClientInfo, Wait } from './backend.js';
import { observationUri, type ObservationBuffer } from './observation-buffer.js';
import { capabilitiesOf, serverInfo, type Era, isUnknownTool, type HostToolResult } from './results.js';
import { type QuestionForms, askBeside, askBetween, asker, questionOf } from './questions.js';
import { rejectCursor, serveResources, serveSubscriptions, templateUri, whileWaiting } from './resources.js';
import { HookedTransport, screensInOpening, type Hooks } from './transport.js';

export interface McpServerOptions {
  version: string;
  backend: McpBackend;
  observations: Pick<ObservationBuffer, 'list' | 'read'>;
  /** Between progress notifications of a waiting call. */
  progressIntervalMs: number;
  onError(error: Error): void;
  /** Of this client. */
  forms: QuestionForms;
  /** What the door does to messages. */
  hooks?: readonly Hooks[];
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

/** The SDK's server, whatever transport the SDK or a door connects it to. */
class HookedServer extends Server {
  constructor(
    info: ConstructorParameters<typeof Server>[0],
    options: ConstructorParameters<typeof Server>[1],
    private readonly hooks: readonly Hooks[],
  ) {
    super(info, options);
  }

  override connect(transport: Transport): Promise<void> {
    return super.connect(new HookedTransport(transport, this.hooks));
  }
}

/** One server for each connection, session or stateless request. */
export function createMcpServer(options: McpServerOptions, era: Era): McpServer {
  const { version, backend, hooks = [], onError } = options;
  const { instructions, screens } = backend;
  const offers = { capabilities: capabilitiesOf(era), instructions };
  const server = new HookedServer(serverInfo(version), offers, [screensInOpening(screens), ...hooks]);
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
  { backend, progressIntervalMs, forms }: McpServerOptions,
  era: Era,
  clientInfoOf: (context: ServerContext) => McpClientInfo | null,
): void {
  server.setRequestHandler('tools/list', async ({ params }, context): Promise<ListToolsResult> => {
    rejectCursor(params?.cursor);
    return { tools: await backend.tools(clientInfoOf(context)) };
  });
  server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult | InputRequiredResult> => {
    const { name, arguments: args } = request.params;
    const client = clientInfoOf(context);
    try {
      return await whileWaiting(context, progressIntervalMs, async (wait) => {
        const call = (asked: Wait) => backend.call(name, args ?? {}, client, asked);
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

// MCP's prompts, and completions for arguments of prompts and resource templates.

function servePrompts(server: Server, backend: McpBackend): void {
  server.setRequestHandler('prompts/list', async ({ params }) => {
    rejectCursor(params?.cursor);
    const prompts = await backend.prompts();
    return { prompts: prompts.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })) };
  });
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }) => {
    const { description, text } = await backend.prompt(name, given).catch((thrown: unknown) => {
      throw thrown instanceof WireError ? invalid(thrown.message) : thrown;
    });
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
    const names =
      ref.type === 'ref/prompt' ? await promptArguments(backend, ref.name) : await variables(backend, ref.uri);
    if (names === null) throw invalid('There is no such prompt or resource template.');
    const values = names.includes(argument.name) ? await backend.complete(argument.name, argument.value) : [];
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

async function promptArguments(backend: McpBackend, name: string): Promise<string[] | null> {
  const found = (await backend.prompts()).find((prompt) => prompt.name === name);
  return found?.arguments.map((one) => one.name) ?? null;
}

async function variables(backend: McpBackend, uri: string): Promise<string[] | null> {
  const { templates } = await backend.resources();
  const found = templates.find((template) => templateUri(backend, template) === uri);
  return found === undefined ? null : [...found.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

const invalid = (text: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, text);
