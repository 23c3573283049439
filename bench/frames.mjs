/** Framed JSON over a Unix socket, one way: our transport and vscode-jsonrpc's reader and writer. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { frameTransport } from '../dist/main/transport/frames.js';
import { inRounds, line } from './rounds.mjs';

export const smallFrames = (bench) => framing(bench, { what: 'small messages (200 B)', bytes: 200, count: 20_000 });
export const largeFrames = (bench) => framing(bench, { what: 'large messages (100 kB)', bytes: 100_000, count: 400 });

async function framing({ folder, own }, { what, bytes, count }) {
  const ours = ourSide(await pair(join(folder, 'ours.sock'), own));
  const peer = peerSide(await pair(join(folder, 'peer.sock'), own));
  const message = { jsonrpc: '2.0', id: 1, method: 'bench', params: { text: 'x'.repeat(bytes - 70) } };
  const taken = await inRounds({ ours: () => ours(message, count) }, { peer: () => peer(message, count) });
  const of = (ms) => (count / ms) * 1000;
  const sides = { ours: (ms) => ms.ours, peer: (ms) => ms.peer, of };
  return [line({ what, unit: 'frames/s', beside: 'vscode-jsonrpc', taken, ...sides })];
}

async function pair(path, own) {
  const server = createServer();
  server.listen(path);
  await once(server, 'listening');
  const [[far], near] = await Promise.all([once(server, 'connection'), connected(path)]);
  own(() => (near.destroy(), far.destroy(), new Promise((resolve) => server.close(resolve))));
  return { near, far };
}

async function connected(path) {
  const socket = connect(path);
  await once(socket, 'connect');
  return socket;
}

function ourSide({ near, far }) {
  const from = frameTransport(near, { maxQueued: Number.MAX_SAFE_INTEGER });
  const counter = arrivals((listener) => frameTransport(far).onMessage(listener));
  return (message, count) => stream(counter, count, () => from.send(message));
}

function peerSide({ near, far }) {
  const writer = new StreamMessageWriter(near);
  const counter = arrivals((listener) => new StreamMessageReader(far).listen(listener));
  return (message, count) => stream(counter, count, () => writer.write(message));
}

function arrivals(listen) {
  let left = 0;
  let done = () => undefined;
  listen(() => {
    left -= 1;
    if (left === 0) done();
  });
  return (count) =>
    new Promise((resolve) => {
      left = count;
      done = resolve;
    });
}

/** Sixty-four sends at a time, as many as a connection may have calls under way. */
async function stream(counter, count, send) {
  const all = counter(count);
  for (let sent = 0; sent < count; sent += 64)
    await Promise.all(Array.from({ length: Math.min(64, count - sent) }, send));
  await all;
}
