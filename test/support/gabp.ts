/** A GABP client on the host's socket: what the shim is, without MCP in front of it. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { openHostSession } from '../../src/main/shim/session.js';
import { frameTransport } from '../../src/main/transport/frames.js';

export interface ToolAnswer {
  content: { type: string; text?: string; data?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export interface Gabp {
  events: { channel: string; payload: unknown }[];
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** agent/call. */
  tool(name: string, args?: Record<string, unknown>, callId?: string): Promise<ToolAnswer>;
  close(): void;
}

interface GabpPlace {
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
  const session = await openHostSession(frameTransport(socket), { token: tokenOf(place.home), name, version: '1' });
  const events: Gabp['events'] = [];
  session.onEvent((channel, payload) => events.push({ channel, payload }));
  const request = async (method: string, params: Record<string, unknown> = {}) =>
    (await session.request(method, params)) as Record<string, unknown>;
  const gabp: Gabp = {
    events,
    request,
    async tool(tool, args = {}, callId: string = randomUUID()) {
      return (await request('agent/call', { callId, name: tool, arguments: args })) as unknown as ToolAnswer;
    },
    close: () => session.close(),
  };
  return gabp;
}

async function connected(path: string): Promise<Duplex> {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}
