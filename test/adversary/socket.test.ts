import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { frameTransport } from '../../src/main/transport/frames.js';
import { openGabp, tokenOf } from '../support/gabp.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually } from '../support/linux-desktop.js';
import { connectAs } from '../support/other.js';
import { openRpc } from '../support/rpc.js';

let started: TestHost;
const open = new Set<Socket>();
beforeEach(async () => {
  started = await startHost({ tcp: 0 });
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  open.clear();
  await started.close();
});

async function raw(to: 'unix' | 'tcp'): Promise<Socket> {
  const socket = to === 'unix' ? connect(started.host.socketPath) : connect(started.host.tcpPort ?? 0, '127.0.0.1');
  open.add(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** All that came until the other side ended. */
function toEnd(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    socket.on('data', (chunk) => (heard += String(chunk)));
    socket.on('close', () => resolve(heard));
  });
}

const frame = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const hello = (token: unknown) => ({
  v: 'gabp/1',
  id: 'h',
  type: 'request',
  method: 'session/hello',
  params: { token },
});

/** The host still serves somebody else. */
async function expectAlive(): Promise<void> {
  const other = connectAs({ path: started.host.socketPath });
  const rpc = await openRpc(other.stream, started.workspace);
  expect(await rpc.result('desktop.health')).toMatchObject({ bridge: { schemaVersion: 1 } });
  rpc.close();
  await other.close();
}

describe('bytes that are no protocol', () => {
  test('8 KiB of headers and 16 MiB of body are taken, a byte more ends the connection [req:DS-3-3]', async () => {
    const meta = { schemaVersion: 1, requestId: 'r', workspacePath: started.workspace, timeoutMs: 60_000 };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'desktop.health', params: { meta } });
    const block = (bytes: number) => {
      const lines = `Content-Length: ${body.length}\r\nX: \r\n\r\n`;
      return lines.replace('X: ', `X: ${'x'.repeat(bytes - lines.length)}`);
    };
    const bounds: [string, string][] = [
      [block(8192) + body, block(8193) + body],
      [frame(body.padEnd(16 * 1024 * 1024)), frame(body.padEnd(16 * 1024 * 1024 + 1))],
    ];
    for (const [most, more] of bounds) {
      const socket = await raw('unix');
      let heard = '';
      socket.on('data', (chunk) => (heard += String(chunk)));
      // The first message of a connection has a limit of its own.
      for (const bytes of [frame(body), most]) {
        heard = '';
        socket.write(bytes);
        await expect.poll(() => heard).toContain('"schemaVersion":1');
      }
      const ended = toEnd(socket);
      socket.write(more);
      expect(await ended).not.toContain('"result"');
    }
    await expectAlive();
  });

  test.each([
    ['half a header, for ever', 'Content-Len'.repeat(2000)],
    ['a body of 20 MB', `Content-Length: ${20 * 1024 * 1024}\r\n\r\n{`],
    ['a length below nothing', 'Content-Length: -1\r\n\r\n{}'],
    ['a length that is no number', 'Content-Length: 0x10\r\n\r\n0123456789abcdef'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 200\r\n\r\n{}'],
    ['control characters in a header', 'Content-Length: 2\r\nX: \u0000\u0007\u001b[2J\r\n\r\n{}'],
    ['a request of HTTP', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('%s ends the connection and harms nobody [req:DS-3-3] [req:GT-6.1-1]', async (_what, bytes) => {
    for (const to of ['unix', 'tcp'] as const) {
      const socket = await raw(to);
      const ended = toEnd(socket);
      socket.write(bytes);
      expect(await ended).not.toContain('"result"');
    }
    await expectAlive();
  });

  test('what is neither JSON nor a request is answered with what is wrong, three times [req:GT-6.1-2]', async () => {
    const socket = await raw('unix');
    const ended = toEnd(socket);
    for (const body of ['{"jsonrpc":', '"text"', '[[[]]]', 'null']) socket.write(frame(body));
    const heard = await ended;
    expect(heard.match(/DESKTOP_INVALID_REQUEST/g)).toHaveLength(3);
    await expectAlive();
  });

  test('a frame left half written is given up without keeping others', async () => {
    const half = await raw('unix');
    half.write(frame(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'desktop.health' })).slice(0, -5));
    await expectAlive();
    half.destroy();
    await expectAlive();
  });

  test('prototype names and control characters in values are data', async () => {
    const rpc = await openRpc(started.host.socketPath, started.workspace);
    for (const method of ['__proto__', 'constructor', 'desktop.__proto__', 'toString', 'desktop.\u0000health', ''])
      expect(await rpc.error(method)).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST' });
    await rpc.send(
      JSON.parse('{"jsonrpc":"2.0","id":"p","method":"desktop.health","params":{"__proto__":{"polluted":1}}}'),
    );
    expect(await rpc.error('desktop.health', {}, { requestId: '' })).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST' });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(await rpc.result('desktop.health')).toBeDefined();
    rpc.close();
  });
});

test('values nested 100,000 deep are refused, and kill nothing', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const meta = { schemaVersion: 1, requestId: 'deep', workspacePath: started.workspace, timeoutMs: 5000 };
  const method = 'desktop.click';
  const envelope = JSON.stringify({ jsonrpc: '2.0', id: 'deep', method, params: { meta, target: 'HERE' } });
  const socket = await raw('unix');
  socket.write(frame(envelope.replace('"HERE"', deep)));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(String(answer)).toContain('"error"');
  expect(String(answer)).toContain('DESKTOP_INVALID_REQUEST');
  await expectAlive();
});

describe('who has no token', () => {
  test.each(['unix', 'tcp'] as const)(
    'gets nothing but a refusal over %s, and three wrong ones end it [req:GT-3.1-2] [req:GT-3.1-3]',
    async (to) => {
      const token = tokenOf(started.home);
      const socket = await raw(to);
      const ended = toEnd(socket);
      const transport = frameTransport(socket);
      const ask = (message: object) => transport.send(message);
      for (const method of ['tools/list', 'tools/call', 'admin/pair', 'admin/status', 'attention/current'])
        await ask({ v: 'gabp/1', id: method, type: 'request', method, params: {} });
      for (const wrong of [token.slice(0, -1), token.toUpperCase(), `${token} `]) await ask(hello(wrong));
      const heard = await ended;
      expect(heard).not.toContain('"result"');
      expect(heard.match(/-32100/g)).toHaveLength(5);
      expect(heard.match(/-32101/g)).toHaveLength(3);
      expect(heard).not.toContain(token);
      await expectAlive();
    },
  );

  test('over TCP cannot speak JSON-RPC, and with the token gets no admin there [req:DS-3-4]', async () => {
    const socket = await raw('tcp');
    const ended = toEnd(socket);
    let answers = 0;
    socket.on('data', (chunk) => (answers += String(chunk).split('"error"').length - 1));
    for (let times = 0; times < 3; times += 1)
      socket.write(frame(JSON.stringify({ jsonrpc: '2.0', id: times, method: 'desktop.health', params: {} })));
    await expect.poll(() => answers).toBe(3);
    socket.end();
    const heard = await ended;
    expect(heard.match(/"error"/g)).toHaveLength(3);
    expect(heard).not.toContain('hostVersion');
    const gabp = await openGabp(started, { stream: await raw('tcp') });
    await expect(gabp.request('admin/stop', {})).rejects.toThrow(/not found/);
    gabp.close();
  });
});

describe('a crowd', () => {
  test('1,000 connections of one process leave room for another [req:GT-7.2-1] [req:GT-7.2-2]', async () => {
    const sockets = Array.from({ length: 1000 }, () => connect(started.host.socketPath));
    let closed = 0;
    for (const socket of sockets) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => (closed += 1));
    }
    while (closed < 900) await new Promise((resolve) => setTimeout(resolve, 20));
    await expectAlive();
  });

  test('[req:RA-6] 300 connections over TCP with half frames and wrong tokens: who has the token is served, and keeps its place', async () => {
    const bytes = [
      frame(JSON.stringify(hello('x'.repeat(64)))),
      frame(JSON.stringify(hello(tokenOf(started.home)))).slice(0, -9),
      'Content-Length: 12',
    ];
    const flood = (at: number) => {
      const socket = connect(started.host.tcpPort ?? 0, '127.0.0.1').on('error', () => undefined);
      open.add(socket.on('connect', () => socket.write(bytes[at % bytes.length] ?? '')));
    };
    for (let at = 0; at < 150; at += 1) flood(at);
    const agent = await eventually(async () => openGabp(started, { stream: await raw('tcp') }));
    for (let at = 0; at < 150; at += 1) flood(at);
    expect(await agent.request('session/ping')).toEqual({});
    expect((await agent.tool('list_displays')).isError).not.toBe(true);
    expect(await agent.request('session/ping')).toEqual({});
    await expectAlive();
    agent.close();
  });

  test('[req:LI-1] 150 WebSocket upgrades at once keep nobody waiting: an agent is served, and a page that comes last is greeted', async () => {
    const port = Number(new URL(started.host.url).port);
    const agent = await openGabp(started);
    let answered = 0;
    const upgrade = [
      `GET /ws HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\nConnection: Upgrade\r\n`,
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    ].join('');
    for (let at = 0; at < 150; at += 1) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      open.add(socket.on('connect', () => socket.write(upgrade)).once('data', () => (answered += 1)));
    }
    expect((await agent.tool('list_displays')).isError).not.toBe(true);
    const page = new WebSocket(`ws://localhost:${port}/ws`, { origin: `http://localhost:${port}` });
    const [greeting] = (await once(page, 'message')) as [Buffer];
    expect(JSON.parse(String(greeting))).toMatchObject({ type: 'connected', role: 'unpaired' });
    while (answered < 150) expect(await agent.request('session/ping')).toEqual({});
    page.terminate();
    agent.close();
  });

  test('of calls on one connection is bounded, and the others are told so', async () => {
    const agent = await openGabp(started);
    const ask = (at: number) =>
      agent.request('tools/call', { name: 'chat/send_message', arguments: { text: `Question ${at}?` } });
    const calls = Array.from({ length: 100 }, (_, at) => ask(at));
    const refusals: string[] = [];
    for (const call of calls) call.catch((error: Error) => refusals.push(error.message));
    while (refusals.length < 36) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(refusals[0]).toContain('calls under way');
    await expectAlive();
    agent.close();
  });
});
