import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import type { FramedTransport } from '../../src/main/transport/frames.js';
import { listenTcp } from '../../src/main/transport/tcp.js';
import type { TcpEndpoint } from '../../src/native/peer/types.js';
import { createCleanup, record } from './support.js';
import { waitFor } from '../support/eventually.js';

const cleanup = createCleanup();

async function listen(maxConnections?: number) {
  const arrived: { transport: FramedTransport; ends: { local: TcpEndpoint; remote: TcpEndpoint } }[] = [];
  const listener = await listenTcp({
    port: 0,
    maxConnections,
    onConnection: (transport, ends) => void arrived.push({ transport, ends }),
  });
  return { ...cleanup.later(listener), arrived };
}

function open(port: number, host = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => resolve(socket));
    socket.on('error', reject);
    cleanup.after(() => socket.destroy());
  });
}

it('[req:TP-55] [req:GT-1.2-1] listens on 127.0.0.1 and nowhere else', async () => {
  const { port } = await listen();
  await open(port);
  const others = Object.values(networkInterfaces()).flatMap((each) => each ?? []).map(({ address }) => address).filter((each) => each !== '127.0.0.1' && !each.startsWith('fe80')); // prettier-ignore
  for (const address of [...others, '127.0.0.2']) await expect(open(port, address)).rejects.toThrow();
});

it('gives both ends, small messages only until accepted, and closes what is open', async () => {
  const { port, arrived, close } = await listen();
  const socket = await open(port);
  await waitFor(() => expect(arrived).toHaveLength(1));
  const [first] = arrived;
  expect(first?.ends).toEqual({
    local: { address: '127.0.0.1', port },
    remote: { address: '127.0.0.1', port: socket.localPort },
  });
  const seen = first === undefined ? null : record(first.transport);
  socket.write('Content-Length: 70000\r\n\r\n');
  await waitFor(() => expect(seen?.ends[0]).toMatch(/limit/));
  await close();
});

it('[req:GT-7.2-1] takes as many connections as there is room for, and not one more', async () => {
  const { port, arrived } = await listen(10);
  const sockets: Socket[] = [];
  for (let count = 0; count < 10; count++) sockets.push(await open(port));
  await waitFor(() => expect(arrived).toHaveLength(10));
  for (const { transport } of arrived) transport.accept();
  sockets.push(await open(port));
  await waitFor(() => expect(sockets.filter((each) => each.resume().readableEnded || each.destroyed)).toHaveLength(1));
  expect(arrived).toHaveLength(10);
});

it('[req:PR-9] takes another one in place of the first that has proved nothing yet', async () => {
  const { port, arrived } = await listen(2);
  await open(port);
  await waitFor(() => expect(arrived).toHaveLength(1));
  arrived[0]?.transport.accept();
  const silent = await open(port);
  await waitFor(() => expect(arrived).toHaveLength(2));
  await open(port);
  await waitFor(() => expect(arrived).toHaveLength(3));
  await waitFor(() => expect(silent.resume().readableEnded).toBe(true));
  expect(arrived.map(({ transport }) => transport.accepted())).toEqual([true, false, false]);
});

it('says which port is taken', async () => {
  const { port } = await listen();
  await expect(listenTcp({ port, onConnection: () => undefined })).rejects.toMatchObject({ port, error: 'EADDRINUSE' });
});
