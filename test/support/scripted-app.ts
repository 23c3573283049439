/**
 * A GABP application on a real socket of this process, whose every byte a test decides; it shares no code with the product. What it is
 * sent is held against the protocol's schemas: a request that they forbid fails the test.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createOracle, type Message } from './gabp-oracle.js';

export interface Peer {
  /** Its requests, in order. */
  received: Message[];
  /** Everything that came, as it came. */
  bytes: Buffer[];
  write(bytes: string): void;
  say(message: object): void;
  event(channel: string, seq: number, payload?: unknown, more?: object): void;
  /** After what was written. */
  end(): void;
}

/** Gives the result; undefined where it answers by itself, or not at all. Throws {@link Refusal}. */
type Answer = (params: Message, peer: Peer, request: Message) => unknown;

export class Refusal extends Error {
  constructor(
    readonly code: number,
    text: string,
  ) {
    super(text);
  }
}

export interface ScriptedApp {
  file: string;
  port: number;
  token: string;
  peers: Peer[];
  /** Of the newest connection. */
  peer(): Peer;
  answers: Record<string, Answer>;
  /** How often this tool or method was asked for, on all connections. */
  count(name: string): number;
  writeFile(content: unknown, mode?: number): void;
}

export const frameOf = (message: object): string => {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\nContent-Type: application/json\r\n\r\n${body}`;
};

const METHODS = ['session/hello', 'tools/list', 'tools/call', 'events/subscribe', 'resources/list', 'resources/read'];
export const ATTENTION_METHODS = ['attention/current', 'attention/ack'];

export const welcomeOf = (capabilities: object = {}): Message => ({
  agentId: 'scripted',
  app: { name: 'Scripted', version: '1.0' },
  capabilities: { methods: METHODS, events: ['world/changed'], ...capabilities },
  schemaVersion: '1.0',
});

export const TOOL = { name: 'game/do', title: 'Do', description: 'Does.', inputSchema: { type: 'object' }, outputSchema: {} }; // prettier-ignore

export async function scriptedApp(answers: Record<string, Answer> = {}): Promise<ScriptedApp> {
  const file = join(mkdtempSync(join(tmpdir(), 'gabp-')), 'bridge.json');
  const token = randomBytes(32).toString('hex');
  const sockets = new Set<Socket>();
  const faults: string[] = [];
  const app: ScriptedApp = {
    file,
    token,
    port: 0,
    peers: [],
    peer: () => app.peers.at(-1) ?? never(),
    answers: {
      'session/hello': () => welcomeOf(),
      'tools/list': () => ({ tools: [TOOL] }),
      'events/subscribe': ({ channels }) => ({ subscribed: channels }),
      ...answers,
    },
    count: (name) =>
      app.peers
        .flatMap(({ received }) => received)
        .filter(({ method, params }) => method === name || (params as Message | undefined)?.['name'] === name).length,
    writeFile: (content, mode = 0o600) => writeFileSync(file, JSON.stringify(content), { mode }),
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    app.peers.push(serve(socket, app, faults));
  });
  app.port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
  app.writeFile({ token, transport: { type: 'tcp', address: String(app.port) } });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    expect(faults).toEqual([]);
  });
  return app;
}

function never(): never {
  throw new Error('nobody has connected');
}

function serve(socket: Socket, app: ScriptedApp, faults: string[]): Peer {
  const oracle = createOracle();
  let held = Buffer.alloc(0);
  const peer: Peer = {
    received: [],
    bytes: [],
    write: (bytes) => void socket.write(bytes),
    say: (message) => peer.write(frameOf(message)),
    event: (channel, seq, payload = null, more = {}) =>
      peer.say({ v: 'gabp/1', id: randomUUID(), type: 'event', channel, seq, payload, ...more }),
    end: () => void socket.end(),
  };

  function answer(request: Message): void {
    peer.received.push(request);
    faults.push(...oracle.request(request));
    const reply = (more: object) => peer.say({ v: 'gabp/1', id: request['id'], type: 'response', ...more });
    try {
      const how = app.answers[String(request['method'])];
      if (how === undefined) throw new Refusal(-32601, 'Method not found');
      const result = how((request['params'] ?? {}) as Message, peer, request);
      if (result !== undefined) reply({ result });
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      reply({ error: { code: thrown.code, message: thrown.message } });
    }
  }

  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      peer.bytes.push(chunk);
      held = Buffer.concat([held, chunk]);
      for (;;) {
        const end = held.indexOf('\r\n\r\n');
        const [header = '', length] = /^Content-Length: (\d+)\r\nContent-Type: application\/json$/.exec(held.subarray(0, Math.max(0, end)).toString()) ?? []; // prettier-ignore
        if (end >= 0 && header === '') faults.push(`a header was ${held.subarray(0, end).toString()}`);
        const whole = end + 4 + Number(length);
        if (end < 0 || header === '' || held.length < whole) return;
        const request = JSON.parse(held.subarray(end + 4, whole).toString()) as Message;
        held = held.subarray(whole);
        answer(request);
      }
    });
  return peer;
}
