/** One message to many pages: our WebSocket transport, and bare `ws`. Senders and receivers are in one process. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { listenHttp } from '../dist/main/transport/http.js';
import { attachWebSocket } from '../dist/main/transport/websocket.js';
import { inRounds, line } from './rounds.mjs';

/** In one turn, over all pages. */
const DELIVERIES = 2_000;
const TEXT = JSON.stringify({
  type: 'status',
  agents: Array.from({ length: 10 }, (_, id) => ({ id, name: 'x'.repeat(150) })),
});

export async function fanOut({ own }) {
  const lines = [];
  for (const pages of [100, 1_000]) {
    const [ours, bare] = [await ourServer(own), await bareServer(own)];
    const taken = await inRounds({ ours: await sender(ours, pages, own) }, { bare: await sender(bare, pages, own) });
    lines.push(
      line({
        what: `one message to ${pages} pages`,
        beside: 'bare ws',
        taken,
        ours: (ms) => ms.ours,
        peer: (ms) => ms.bare,
      }),
    );
  }
  return lines;
}

async function ourServer(own) {
  const pages = [];
  const sockets = attachWebSocket({ maxPages: 1_000, onPage: (page) => void pages.push(page) });
  const handler = (_request, response) => response.end();
  const http = await listenHttp({ handler, onUpgrade: sockets.onUpgrade, maxConnections: 2_000 });
  own(() => (sockets.close(), http.close()));
  return { url: http.url, send: () => pages.forEach((page) => void page.sendText(TEXT)) };
}

async function bareServer(own) {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  own(() => (server.clients.forEach((client) => client.terminate()), http.close()));
  const url = `http://127.0.0.1:${http.address().port}`;
  return { url, send: () => server.clients.forEach((client) => client.send(TEXT)) };
}

/** Resolves with what sends the messages one after another, each when all pages have the one before; gives milliseconds a message. */
async function sender({ url, send }, count, own) {
  let left = 0;
  let done = () => undefined;
  const got = () => {
    left -= 1;
    if (left === 0) done();
  };
  for (let page = 0; page < count; page += 1) {
    const client = new WebSocket(`${url.replace('http', 'ws')}/ws`, { origin: url, perMessageDeflate: false });
    own(() => client.terminate());
    await once(client, 'open');
    client.on('message', got);
  }
  return async () => {
    const [start, events] = [performance.now(), DELIVERIES / count];
    for (let event = 0; event < events; event += 1) {
      const all = new Promise((resolve) => (done = resolve));
      left = count;
      send();
      await all;
    }
    return (performance.now() - start) / events;
  };
}
