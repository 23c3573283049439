/**
 * A GABP bridge that shares no code with the product: bytes out, bytes in, read by the letter of the specification. A message that the
 * protocol's schemas forbid fails the test, whatever else it is about.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { createOracle, type Message } from './gabp-oracle.js';

export type { Message } from './gabp-oracle.js';

export interface Bridge {
  /** Everything that came, in order. */
  messages: Message[];
  /** Header blocks as they came, without the empty line. */
  headers: string[];
  write(bytes: string | Uint8Array): void;
  say(message: unknown): void;
  /** Sends a request and resolves with the whole response. */
  ask(method: string, params?: Message, id?: string): Promise<Message>;
  /** Resolves with the result. Rejects with the error's words. */
  result(method: string, params?: Message): Promise<Message>;
  hello(token: string): Promise<Message>;
  /** The first event in the channel that fits. */
  event(channel: string, fits?: (payload: Message) => boolean): Promise<Message>;
  events(channel: string): Message[];
  /** Resolves once the host has ended the connection. */
  ended: Promise<void>;
  close(): void;
}

type Target = { path: string } | { port: number } | { in: Readable; out: Writable };

export function frame(message: unknown): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\nContent-Type: application/json\r\n\r\n${body}`;
}

export async function openBridge(target: Target): Promise<Bridge> {
  const streams = 'in' in target ? target : await dial(target);
  const messages: Message[] = [];
  const headers: string[] = [];
  const waiters = new Set<() => void>();
  const oracle = createOracle();
  const faults: string[] = [];
  onTestFinished(() => expect(faults).toEqual([]));
  const read = createReader((header, body) => {
    headers.push(header);
    const message = JSON.parse(body) as Message;
    messages.push(message);
    if (!HEADER.test(header)) faults.push(header);
    // On the Unix socket the first message may have been JSON-RPC.
    if (!('jsonrpc' in message)) faults.push(...oracle.answer(withoutObserved(message)));
    for (const waiter of [...waiters]) waiter();
  });
  const ended = new Promise<void>((resolve) => {
    streams.in.once('end', resolve);
    streams.in.once('close', resolve);
  });
  streams.in.on('data', read).on('error', () => undefined);
  streams.out.on('error', () => undefined);

  const find = (fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = messages.find(fits);
        if (found === undefined) return;
        waiters.delete(look);
        resolve(found);
      };
      waiters.add(look);
      void ended.then(() => reject(new Error('the connection ended while waiting')));
      look();
    });

  const bridge: Bridge = {
    messages,
    headers,
    ended,
    write: (bytes) => void streams.out.write(bytes),
    say(message) {
      oracle.request(message);
      bridge.write(frame(message));
    },
    ask(method, params, id = randomUUID()) {
      bridge.say({ v: 'gabp/1', id, type: 'request', method, ...(params === undefined ? {} : { params }) });
      return find((message) => message['type'] === 'response' && message['id'] === id);
    },
    async result(method, params) {
      const response = await bridge.ask(method, params);
      if (response['error'] !== undefined) throw new Error(JSON.stringify(response['error']));
      return response['result'] as Message;
    },
    hello: (token) =>
      bridge.ask('session/hello', { token, bridgeVersion: '1.0.0', platform: 'linux', launchId: randomUUID() }),
    event: (channel, fits = () => true) =>
      find((message) => message['channel'] === channel && fits(message['payload'] as Message)),
    events: (channel) => messages.filter((message) => message['channel'] === channel),
    close() {
      streams.out.end();
      streams.in.destroy();
    },
  };
  return bridge;
}

const HEADER = /^Content-Length: [1-9]\d*\r\nContent-Type: application\/json$/;

/** Known bridges ask for it; the schemas forbid it. */
function withoutObserved(message: Message): Message {
  const { result } = message;
  if (typeof result !== 'object' || result === null || !('observed' in result)) return message;
  const { observed: _observed, ...rest } = result;
  return { ...message, result: rest };
}

async function dial(target: { path: string } | { port: number }): Promise<{ in: Readable; out: Writable }> {
  const socket = 'path' in target ? connect(target.path) : connect(target.port, '127.0.0.1');
  await once(socket, 'connect');
  return { in: socket, out: socket };
}

function createReader(onFrame: (header: string, body: string) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = 0;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    while (held > wanted) {
      const all = Buffer.concat(chunks);
      chunks = [all];
      const end = all.indexOf('\r\n\r\n');
      if (end < 0) return;
      const header = all.subarray(0, end).toString();
      const whole = end + 4 + Number(/^Content-Length: (\d+)$/m.exec(header)?.[1]);
      wanted = whole - 1;
      if (held <= wanted) return;
      onFrame(header, all.subarray(end + 4, whole).toString());
      chunks = [all.subarray(whole)];
      held -= whole;
      wanted = 0;
    }
  };
}
