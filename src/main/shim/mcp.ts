/** The one file that knows the MCP SDK: stdio comes in, the shim's tools and calls go out. Serves every protocol version the SDK knows (2024-10-07 to 2026-07-28). */
import type { Readable, Writable } from 'node:stream';
import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { CallToolResult, JSONRPCMessage, ListToolsResult, ServerContext } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import type { Descriptor } from './descriptors.js';
import type { CallState, ToolResult } from './results.js';

export interface Client {
  name: string;
  version: string;
}

export interface McpWait {
  signal: AbortSignal;
  onProgress(state: CallState): void;
}

/** What the agent's side may ask for. `client` is what it calls itself, null while it has not said. */
export interface Backend {
  tools(client: Client | null): Promise<Descriptor[]>;
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
  close(): Promise<void>;
}

const clientSchema = z.object({ name: z.string(), version: z.string() });
const openingSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.enum(['initialize', 'server/discover']),
});

/** Serves until the input ends or `close` is called. */
export function serveMcp(options: McpOptions): McpServing {
  const servers = new Set<Server>();
  const wire = new StdioServerTransport(options.input, options.output);
  groundOpening(wire, () => options.backend.screens());
  const serving = serveStdio(
    () => {
      const server = createServer(options);
      servers.add(server);
      server.onclose = () => servers.delete(server);
      return server;
    },
    { transport: wire, onerror: options.onError },
  );
  return {
    toolsChanged: () => {
      for (const server of servers) server.sendToolListChanged().catch(() => undefined);
    },
    close: () => serving.close(),
  };
}

function createServer({ version, backend, progressInterval, onError }: McpOptions): Server {
  const info = { name: 'chaperone', title: 'Chaperone', version };
  const server = new Server(info, {
    capabilities: { tools: { listChanged: true } },
    instructions: backend.instructions,
  });
  server.onerror = onError;

  const clientOf = (context: ServerContext): Client | null => {
    const envelope: Record<string, unknown> = context.mcpReq.envelope ?? {};
    const named = clientSchema.safeParse(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
    return named.success ? named.data : null;
  };

  server.setRequestHandler('tools/list', async (_request, context): Promise<ListToolsResult> => {
    return { tools: await backend.tools(clientOf(context)) };
  });
  server.setRequestHandler('tools/call', async (request, context): Promise<CallToolResult> => {
    const { name, arguments: args } = request.params;
    const progress = reportProgress(context, progressInterval);
    try {
      const wait = { signal: context.mcpReq.signal, onProgress: progress.update };
      return asCallToolResult(await backend.call(name, args ?? {}, clientOf(context), wait));
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

/** Adds the screens to the answer to the opening request, both ways clients look for them. Where they come too late the answer goes out without. */
function groundOpening(wire: StdioServerTransport, screens: () => Promise<unknown[] | null>): void {
  const openings = new Set<string | number>();
  const send = wire.send.bind(wire);
  const listen = (receive: StdioServerTransport['onmessage']): StdioServerTransport['onmessage'] =>
    receive === undefined
      ? undefined
      : (message) => {
          const opening = openingSchema.safeParse(message);
          if (opening.success) openings.add(opening.data.id);
          receive(message);
        };
  const start = wire.start.bind(wire);
  wire.start = () => {
    wire.onmessage = listen(wire.onmessage);
    return start();
  };
  wire.send = async (message: JSONRPCMessage) => {
    if (!('result' in message) || message.id === undefined || !openings.delete(message.id)) return send(message);
    const known = await screens();
    if (known === null) return send(message);
    return send({ ...message, result: { ...message.result, screens: known, displayInfo: { screens: known } } });
  };
}
