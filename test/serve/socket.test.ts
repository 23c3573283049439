/** The servers on real sockets, with made-up services behind them. */
import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProcessTable } from '../../src/native/peer/index.js';
import { createIsSame, createWatchCaller } from '../../src/main/agents/same-program.js';
import { createCallers, unknownPeer } from '../../src/main/agents/caller.js';
import { createEventHistory } from '../../src/main/serve/gabp/event-history.js';
import { serveConnection } from '../../src/main/serve/connection.js';
import { createFrameDecoder, frameHeader } from '../../src/main/protocol/framing.js';
import { connectUnix } from '../../src/main/transport/client.js';
import { listenTcp } from '../../src/main/transport/tcp.js';
import { listenUnix } from '../../src/main/transport/unix.js';
import { createFakeServices } from '../support/fake-services.js';
import { createCleanup, record } from '../transport/support.js';
import { TOKEN } from './support.js';
import { waitFor } from '../support/eventually.js';

const cleanup = createCleanup();
const processes = createProcessTable();

async function host() {
  const services = createFakeServices();
  const shared = {
    ...services,
    history: createEventHistory(services, 256),
    makeCaller: createCallers({ processes }),
    isSame: createIsSame(processes),
    watchCaller: createWatchCaller(processes),
    token: TOKEN,
    app: { name: 'Chaperone', version: '0' },
    url: 'http://localhost:1',
  };
  const path = join(cleanup.folder(), 's');
  cleanup.later(
    await listenUnix({
      path,
      peerOf: processes.peerOf,
      onConnection: (transport, peer) =>
        void serveConnection({ ...shared, transport, peer, protocols: ['jsonrpc', 'gabp'] }),
    }),
  );
  const tcp = cleanup.later(
    await listenTcp({
      port: 0,
      onConnection: (transport, { local, remote }) =>
        void serveConnection({
          ...shared,
          admin: null,
          transport,
          peer: async () => (await processes.tcpClient(remote, local)) ?? unknownPeer('x'),
          protocols: ['gabp'],
        }),
    }),
  );
  return { services, path, port: tcp.port };
}

const call = (services: ReturnType<typeof createFakeServices>, at: number) =>
  waitFor(() => {
    const found = services.made[at];
    if (found === undefined) throw new Error(`no call ${at}`);
    return found;
  }); // prettier-ignore

/** A client of raw bytes. */
function raw(target: { path: string } | { port: number }): {
  socket: Socket;
  messages: Record<string, unknown>[];
  say(message: unknown): void;
} {
  const socket = 'path' in target ? connect(target.path) : connect(target.port, '127.0.0.1');
  cleanup.after(() => socket.destroy());
  const decoder = createFrameDecoder();
  const messages: Record<string, unknown>[] = [];
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      for (const body of decoder.push(chunk))
        messages.push(JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>);
    });
  const say = (message: unknown): void => {
    const text = JSON.stringify(message);
    socket.write(frameHeader(Buffer.byteLength(text)) + text);
  };
  return { socket, messages, say };
}

it('[req:DS-3-4] serves JSON-RPC to a script, known by the kernel, also with a megabyte in its first message', async () => {
  const { services, path } = await host();
  const text = 'é'.repeat(600_000);
  const script = `const s = require('net').connect(process.argv[1]);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'desktop.click', params: { text: 'é'.repeat(600000) } });
    s.write('Content-Length: ' + Buffer.byteLength(body) + '\\n\\n' + body);
    s.on('data', (d) => process.stdout.write(d)).on('close', () => process.exit());`;
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanup.after(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (data) => (printed += String(data)));
  const made = await call(services, 0);
  expect(made.arguments).toEqual({ text });
  expect(made.caller.peer.pid).toBe(child.pid);
  made.resolve({ clicked: true });
  await waitFor(() => expect(printed).toContain('"result":{"clicked":true}'));
  expect(printed.startsWith('Content-Length: ')).toBe(true);
  child.kill('SIGKILL');
  await waitFor(() => expect(services.present.filter((each) => each.startsWith('-'))).toHaveLength(1));
});

it('takes from a killed client its waits, not its connection’s neighbours', async () => {
  const { services, path } = await host();
  const [doomed, other] = [raw({ path }), raw({ path })];
  doomed.say({ jsonrpc: '2.0', id: 1, method: 'desktop.click' });
  const first = await call(services, 0);
  other.say({ jsonrpc: '2.0', id: 1, method: 'desktop.click' });
  const second = await call(services, 1);
  doomed.socket.destroy();
  await waitFor(() => expect(first.options.signal.reason).toMatchObject({ mode: 'detach' }));
  expect(second.options.signal.aborted).toBe(false);
  second.resolve(2);
  await waitFor(() => expect(other.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: 2 }]));
});

it('[req:DS-3-4] serves GABP on the same socket to a client that checks it, pictures of megabytes included', async () => {
  const { services, path } = await host();
  const { transport } = await connectUnix({ path, expectPid: process.pid, processes });
  cleanup.after(() => transport.close());
  const seen = record(transport);
  await transport.send({
    v: 'gabp/1',
    id: randomUUID(),
    type: 'request',
    method: 'session/hello',
    params: { token: TOKEN },
  });
  await transport.send({
    v: 'gabp/1',
    id: 'c',
    type: 'request',
    method: 'tools/call',
    params: { name: 'test/look', arguments: { text: 'x'.repeat(3_000_000) } },
  });
  const made = await call(services, 0);
  const data = 'A'.repeat(8_000_000);
  made.resolve({ content: [{ type: 'image', data, mimeType: 'image/png' }] });
  await waitFor(() => expect(seen.messages).toHaveLength(2));
  expect(seen.messages[1]).toMatchObject({ id: 'c', result: { images: [{ uri: `data:image/png;base64,${data}` }] } });
});

it('says so, and goes on, when a result is too large to send', async () => {
  const { services, path } = await host();
  const client = raw({ path });
  client.say({ jsonrpc: '2.0', id: 1, method: 'desktop.health' });
  (await call(services, 0)).resolve('x'.repeat(17 * 1024 * 1024));
  await waitFor(() =>
    expect(client.messages).toMatchObject([
      { id: 1, error: { code: 'DESKTOP_INTERNAL_ERROR', message: expect.stringContaining('limit') } },
    ]),
  );
  client.say({ jsonrpc: '2.0', id: 2, method: 'desktop.nothing' });
  await waitFor(() => expect(client.messages).toHaveLength(2));
});

it('answers unreadable JSON in a whole frame and goes on, but ends on a broken frame', async () => {
  const { path } = await host();
  const client = raw({ path });
  client.socket.write('Content-Length: 3\r\n\r\n{"a');
  await waitFor(() =>
    expect(client.messages).toMatchObject([{ id: null, error: { code: 'DESKTOP_INVALID_REQUEST' } }]),
  );
  client.say({ v: 'gabp/1', id: 'h', type: 'request', method: 'session/hello', params: { token: TOKEN } });
  await waitFor(() => expect(client.messages).toHaveLength(2));
  client.socket.write('Content-Length: 3\r\n\r\n{"a');
  await waitFor(() =>
    expect(client.messages[2]).toMatchObject({ error: { code: -32700 }, id: '00000000-0000-0000-0000-000000000000' }),
  );
  client.socket.write('nonsense\r\n\r\n');
  await waitFor(() => expect(client.socket.destroyed).toBe(true));
});

it('speaks only GABP on TCP, small until hello, to a process the kernel knows', async () => {
  const { services, port } = await host();
  const rpc = raw({ port });
  rpc.say({ jsonrpc: '2.0', id: 1, method: 'desktop.click', params: {} });
  await waitFor(() => expect(rpc.messages).toMatchObject([{ v: 'gabp/1', error: { code: -32202 } }]));
  const large = raw({ port });
  large.say({ v: 'gabp/1', id: 'x', type: 'request', method: 'session/hello', params: { token: 'x'.repeat(70_000) } });
  await waitFor(() => expect(large.socket.destroyed).toBe(true));
  expect(large.messages).toEqual([]);
  const good = raw({ port });
  good.say({ v: 'gabp/1', id: 'h', type: 'request', method: 'session/hello', params: { token: TOKEN } });
  good.say({
    v: 'gabp/1',
    id: 'c',
    type: 'request',
    method: 'tools/call',
    params: { name: 'test/look', parameters: { text: 'x'.repeat(70_000) } },
  });
  expect((await call(services, 0)).caller.agent.pid).toBe(process.pid);
  good.say({ v: 'gabp/1', id: 'a', type: 'request', method: 'admin/status' });
  await waitFor(() => expect(good.messages.at(-1)).toMatchObject({ id: 'a', error: { code: -32601 } }));
});
