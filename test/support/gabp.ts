/** A program that speaks GABP on the host's socket, and calls tools as bridges do. The kernel names it: it speaks for nobody else. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { openHostSession } from '../../src/main/cli/host-client.js';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { WireError } from '../../src/main/protocol/index.js';
import type { Transport } from '../../src/main/protocol/transport.js';
import { frameTransport } from '../../src/main/transport/frames.js';

/** As MCP gives it. */
export interface ToolAnswer {
  content: { type: string; text?: string; data?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export interface ToolListed {
  name: string;
  description: string;
  inputSchema: { properties?: object };
  outputSchema: object;
}

export interface Gabp {
  /** Those of the channels that it subscribed to. */
  events: { channel: string; payload: unknown }[];
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Under the names that MCP gives them. */
  tools(): Promise<ToolListed[]>;
  /** Under the name that MCP gives the tool. Rejects where the connection ends, or there is no such tool. */
  tool(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): void;
}

export interface GabpPlace {
  home: string;
  host: { socketPath: string };
}

export function tokenOf(home: string): string {
  const bridge = readBridge(hostPaths({ CHAPERONE_HOME: home }));
  if (bridge === null) throw new Error(`no host runs in ${home}`);
  return bridge.token;
}

/** `name` is what it calls itself; `stream` stands in for a connection of this process. */
export async function openGabp(place: GabpPlace, { name = 'test', stream }: { name?: string; stream?: Duplex } = {}) {
  const socket = stream ?? (await connected(place.host.socketPath));
  const events: Gabp['events'] = [];
  const transport = noting(frameTransport(socket), events);
  const session = await openHostSession(transport, { token: tokenOf(place.home), name, version: '1' });
  const request = async (method: string, params: Record<string, unknown> = {}) =>
    (await session.request(method, params)) as Record<string, unknown>;
  const gabp: Gabp = {
    events,
    request,
    tools: async () => (await listed(request)).map((tool) => ({ ...tool, name: tool.name.replace(/^.*\//, '') })),
    tool: (tool, args = {}) => callTool(request, tool, args),
    close: () => session.close(),
  };
  return gabp;
}

function noting(transport: Transport, events: Gabp['events']): Transport {
  const onMessage: Transport['onMessage'] = (listener) =>
    transport.onMessage((message, ...more) => {
      const { type, channel, payload } = message as { type?: unknown; channel?: unknown; payload?: unknown };
      if (type === 'event') events.push({ channel: String(channel), payload });
      listener(message, ...more);
    });
  return { ...transport, onMessage };
}

const listed = async (request: Gabp['request']) => (await request('tools/list'))['tools'] as ToolListed[];

async function callTool(request: Gabp['request'], name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const gabpName = (await listed(request)).find((tool) => tool.name.endsWith(`/${name}`))?.name ?? name;
  try {
    const value = await request('tools/call', { name: gabpName, parameters: args });
    const pictures = (value['images'] ?? []) as { uri: string; mimeType: string }[];
    const images = await Promise.all(pictures.map(({ uri }) => picture(request, uri)));
    return { content: [{ type: 'text', text: JSON.stringify(value) }, ...images], structuredContent: value };
  } catch (error) {
    if (!(error instanceof WireError) || error.message.startsWith('Tool not found')) throw error;
    const _meta = { 'dev.chaperone/error': error.toJSON() };
    const text = `${error.message}\nDetails: ${JSON.stringify(error.details)}`;
    return { content: [{ type: 'text', text }], isError: true, _meta };
  }
}

/** Those that the host keeps are read from it; others are in the address. */
async function picture(request: Gabp['request'], uri: string): Promise<ToolAnswer['content'][number]> {
  const [, inline] = /^data:[^,]*,(.*)$/.exec(uri) ?? [];
  const data = inline ?? String((await request('resources/read', { uri }))['content']);
  return { type: 'image', data };
}

export async function connected(path: string): Promise<Duplex> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}
