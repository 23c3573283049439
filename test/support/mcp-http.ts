/** An HTTP client of the MCP door that shares no code with the product: what goes over the wire is what a test says. */
import { readFileSync } from 'node:fs';
import { request, type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { expect } from 'vitest';
import type { TestHost } from './host.js';
import { connectAs, type Other } from './other.js';

export type Json = Record<string, unknown>;

export interface SentEvent {
  id: string | null;
  message: Json | null;
}

export interface Exchange {
  status: number;
  headers: IncomingMessage['headers'];
  /** Everything, once it has ended. */
  text: Promise<string>;
  events: SentEvent[];
  /** The first event that fits. */
  event(fits: (event: SentEvent) => boolean): Promise<SentEvent>;
  /** Leaves without a word. */
  drop(): void;
}

export interface Ask {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Bytes as they are, instead of a body. */
  bytes?: string;
  /** The connection; absent: one of this process. */
  over?: Duplex;
  /** Keeps connections of this process. */
  kept?: Agent;
}

export const doorOf = ({ host }: TestHost): { url: string; port: number; token: string } => {
  if (host.mcpHttp === null) throw new Error('MCP over HTTP is not open');
  const { url, tokenFile } = host.mcpHttp;
  return { url, port: Number(new URL(url).port), token: readFileSync(tokenFile, 'utf8').trim() };
};

export const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export function begin(started: TestHost, ask: Ask): ClientRequest {
  const { port, token } = doorOf(started);
  const headers = { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}`, ...ACCEPT, ...ask.headers };
  const { over } = ask;
  return request({
    host: '127.0.0.1',
    port,
    path: ask.path ?? '/mcp',
    method: ask.method ?? 'POST',
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
    setHost: false,
    ...(over === undefined ? { agent: ask.kept ?? false } : { createConnection: () => over }),
  });
}

/** Resolves with the head of the answer. */
export async function ask(started: TestHost, asked: Ask): Promise<Exchange> {
  const sent = begin(started, asked);
  const answer = new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject));
  sent.end(asked.bytes ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body)));
  return read(await answer);
}

function read(response: IncomingMessage): Exchange {
  const events: SentEvent[] = [];
  const waiters = new Set<() => void>();
  let all = '';
  let rest = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    all += chunk;
    const parts = `${rest}${chunk}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (!part.startsWith(':')) events.push(parse(part));
    for (const waiter of waiters) waiter();
  });
  const text = new Promise<string>((resolve) => response.on('close', () => resolve(all)).on('error', () => undefined));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    events,
    event: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = events.find(fits);
          if (found !== undefined) resolve(found);
        };
        waiters.add(look);
        void text.then(() => reject(new Error(`the stream ended: ${all}`)));
        look();
      }),
    drop: () => response.destroy(),
  };
}

function parse(part: string): SentEvent {
  const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(part)?.[1] ?? null;
  const data = field('data');
  return { id: field('id'), message: data === null || data === '' ? null : (JSON.parse(data) as Json) };
}

const VERSION = '2025-11-25';

/** Opens a session; resolves with the headers that its requests carry. */
export async function initialize(started: TestHost, more: Ask = {}): Promise<Record<string, string>> {
  const params = { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'raw-http', version: '1' } };
  const opened = await ask(started, { ...more, body: { jsonrpc: '2.0', id: 0, method: 'initialize', params } });
  const text = await opened.text;
  if (opened.status !== 200) throw new Error(`${opened.status}: ${text}`);
  return { 'mcp-session-id': String(opened.headers['mcp-session-id']), 'mcp-protocol-version': VERSION };
}

export const callOf = (id: number, name: string, args: Json = {}, meta: Json = {}): Json => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: meta },
});

export const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Of a request that is left once the head of its answer is there, unless `leave` is false. */
export async function statusOf(started: TestHost, asked: Ask, leave = true): Promise<number> {
  const answer = await ask(started, (asked.method ?? 'POST') === 'POST' ? { body: LIST, ...asked } : asked);
  if (leave) answer.drop();
  return answer.status;
}

/** A client that comes now is served. */
export async function expectServed(started: TestHost): Promise<void> {
  const session = await initialize(started);
  expect(await (await ask(started, { headers: session, body: LIST })).text).toContain('list_windows');
  expect(await statusOf(started, { method: 'DELETE', headers: session })).toBe(200);
}

/** Other processes, through which the bytes of a test go. */
export function otherProcesses(started: () => TestHost) {
  const others: Other[] = [];
  return {
    open(options: { uid?: number } = {}): Other {
      const other = connectAs({ host: '127.0.0.1', port: doorOf(started()).port }, options);
      others.push(other);
      return other;
    },
    async close() {
      for (const other of others.splice(0)) await other.close();
    },
  };
}
