/** What waits for a client that does not read is bounded: by the door's own server, with a source that never waits, as the SDK's. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpHandler } from '../../../src/main/serve/http/index.js';
import type { Answer } from '../../../src/main/serve/http/sessions.js';
import { listenHttp, type HttpListener } from '../../../src/main/transport/http.js';
import { unknownPeer } from '../../../src/main/agents/caller.js';
import { eventually } from '../../support/eventually.js';

const MEGABYTE = 1024 * 1024;
const LIMIT = 32 * MEGABYTE;
const LONG = LIMIT - 4 * MEGABYTE;
/** More than what the two sockets take on a loopback connection. */
const KERNEL = 16 * MEGABYTE;
const FILL = 0xff;
const PART = new Uint8Array(64 * 1024).fill(FILL);

let listener: HttpListener;
let sent = 0;
let cancelled = 0;
let delivered: boolean[] = [];
const sockets: Socket[] = [];

type Controller = ReadableStreamDefaultController<Uint8Array>;

function take(controller: Controller): void {
  controller.enqueue(PART);
  sent += PART.length;
}

const source = (parts: UnderlyingDefaultSource<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({ ...parts, cancel: () => void (cancelled += 1) });

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

type Body = ReadableStream<Uint8Array> | string;
const BODIES: ReadonlyMap<string, () => Body> = new Map<string, () => Body>([
  ['always more', () => source({ pull: take })],
  ['more at each turn', () => source({ pull: (controller) => nextTurn().then(() => take(controller)) })],
  [
    'long',
    () =>
      source({
        start(controller) {
          while (sent < LONG) take(controller);
          controller.close();
        },
      }),
  ],
  ['short', () => 'served'],
]);

beforeEach(async () => {
  [sent, cancelled, delivered] = [0, 0, []];
  const answer = async (request: Request): Promise<Answer> => ({
    response: new Response(BODIES.get(request.headers.get('x-body') ?? '')?.() ?? null),
    done: (whole) => void delivered.push(whole),
  });
  const sessions = {
    answer,
    toolsChanged: () => undefined,
    resourceUpdated: () => undefined,
    sendObservation: () => undefined,
    close: async () => undefined,
  };
  listener = await listenHttp({
    handler: createHttpHandler({
      sessions,
      isAllowed: () => true,
      senderOf: async () => ({ peer: unknownPeer('test'), early: true }),
      log: { error: (fault: unknown) => expect.fail(String(fault)) },
    }),
    onUpgrade: (_request, socket) => socket.destroy(),
  });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.close();
});

/** Asks, and reads nothing. */
async function askUnread(body: string): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${listener.port}\r\nX-Body: ${body}\r\nConnection: close\r\n\r\n`);
  return socket;
}

const short = async (): Promise<string> =>
  (await fetch(`http://127.0.0.1:${listener.port}/mcp`, { headers: { 'x-body': 'short' } })).text();

test.each(['always more', 'more at each turn'])(
  'a client that reads nothing is cut off at 32 MiB, its source (%s) is told, and others are served [req:MH-9]',
  async (body) => {
    await askUnread(body);
    await eventually(() => sent).toBeGreaterThan(0);
    expect(await short()).toBe('served');
    await eventually(() => delivered.toSorted()).toEqual([false, true]);
    expect(cancelled).toBe(1);
    expect(sent).toBeGreaterThan(LIMIT);
    expect(sent).toBeLessThan(LIMIT + KERNEL);
    expect(await short()).toBe('served');
  },
);

test('one that reads late gets all of what is less', async () => {
  const socket = await askUnread('long');
  await eventually(() => sent).toBeGreaterThanOrEqual(LONG);
  expect(await short()).toBe('served');
  expect(delivered).toEqual([true]);
  let got = 0;
  socket.on('data', (chunk) => (got += Buffer.from(chunk).filter((byte) => byte === FILL).length)).resume();
  await once(socket, 'end');
  expect(got).toBe(sent);
  await eventually(() => delivered).toEqual([true, true]);
});

test('a client that leaves ends its source', async () => {
  const socket = await askUnread('more at each turn');
  await eventually(() => sent).toBeGreaterThan(0);
  socket.destroy();
  await eventually(() => [cancelled, delivered]).toEqual([1, [false]]);
});
