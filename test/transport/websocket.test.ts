import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Unreadable } from '../../src/main/protocol/transport.js';
import { listenHttp, type UpgradeInfo } from '../../src/main/transport/http.js';
import { attachWebSocket, type PageTransport, type WebSocketOptions } from '../../src/main/transport/websocket.js';
import { createCleanup, record } from './support.js';
import { waitFor } from '../support/eventually.js';

const cleanup = createCleanup();

async function serve(over: Partial<WebSocketOptions> = {}) {
  const pages: { page: PageTransport; info: UpgradeInfo; seen: ReturnType<typeof record> }[] = [];
  const sockets = attachWebSocket({
    onPage: (page, info) => void pages.push({ page, info, seen: record(page) }),
    ...over,
  });
  const http = cleanup.later(
    await listenHttp({ handler: (_, response) => void response.end(), onUpgrade: sockets.onUpgrade }),
  );
  cleanup.after(() => sockets.close());
  return { ...http, pages, sockets };
}

/** Resolves with the socket once open, rejects with the status otherwise. */
function page(port: number, options: { path?: string; origin?: string; autoPong?: boolean } = {}): Promise<WebSocket> {
  const { path = '/ws', origin = `http://localhost:${port}`, autoPong = true } = options;
  const web = new WebSocket(`ws://localhost:${port}${path}`, { origin, autoPong });
  cleanup.after(() => web.terminate());
  return new Promise((resolve, reject) => {
    web.on('error', () => undefined);
    web.once('unexpected-response', (_, response) => reject(new Error(`status ${response.statusCode}`)));
    web.once('open', () => resolve(web));
  });
}

/** Pings go when the test says so. */
function pings() {
  const running = new Set<() => void>();
  return {
    repeat: (run: () => void) => {
      running.add(run);
      return () => running.delete(run);
    },
    send: () => running.forEach((run) => run()),
  };
}

/** Asks this way and back: what the page sent before has come. */
async function heardFrom(web: WebSocket, seen: { messages: unknown[] }): Promise<void> {
  const mark = { heard: seen.messages.length };
  web.send(JSON.stringify(mark));
  await waitFor(() => expect(seen.messages).toContainEqual(mark));
}

const ended = (web: WebSocket): Promise<{ code: number; reason: string }> =>
  new Promise((resolve) => web.once('close', (code, reason) => resolve({ code, reason: String(reason) })));

const only = <T>(list: T[]): T => {
  const [first] = list;
  if (first === undefined) throw new Error('nothing came');
  return first;
};

describe('a page', () => {
  it('talks both ways, and the host knows where it comes from', async () => {
    const { port, pages } = await serve();
    const web = await page(port);
    const { page: host, info, seen } = only(pages);
    expect(info).toMatchObject({ host: `localhost:${port}`, origin: `http://localhost:${port}`, local: { port } });
    web.send('{"a":"é"}');
    await waitFor(() => expect(seen.messages).toEqual([{ a: 'é' }]));
    const answer = new Promise((resolve) => web.once('message', (data) => resolve(String(data))));
    await host.send({ b: 1 });
    expect(await answer).toBe('{"b":1}');
    web.close(1000);
    await waitFor(() => expect(seen.ends).toEqual([null]));
    await expect(host.send(1)).rejects.toThrow('closed');
  });

  it('is turned away with a foreign Origin, on another path, or when not admitted', async () => {
    const { port } = await serve({ admit: ({ local }) => local.port !== port });
    await expect(page(port)).rejects.toThrow('403');
    const open = await serve();
    await expect(page(open.port, { origin: 'http://evil.example' })).rejects.toThrow('403');
    await expect(page(open.port, { path: '/other' })).rejects.toThrow('404');
    const failing = await serve({
      admit: () => {
        throw new Error('unsure');
      },
    });
    await expect(page(failing.port)).rejects.toThrow('403');
  });

  it('sends what is no JSON, or binary: unreadable, and the connection stays', async () => {
    const { port, pages } = await serve();
    const web = await page(port);
    web.send('{');
    web.send(Buffer.from('{}'));
    web.send('1');
    const { seen } = only(pages);
    await waitFor(() => expect(seen.messages).toHaveLength(3));
    expect(seen.messages.map((each) => each instanceof Unreadable)).toEqual([true, true, false]);
  });
});

describe('limits', () => {
  it('[req:DS-7-20] keeps a page to small messages until its limit is raised', async () => {
    const { port, pages } = await serve();
    const web = await page(port);
    web.send(JSON.stringify('x'.repeat(64 * 1024 - 2)));
    await waitFor(() => expect(only(pages).seen.messages).toHaveLength(1));
    web.send(JSON.stringify('x'.repeat(64 * 1024)));
    expect(await ended(web)).toEqual({ code: 1009, reason: 'a message is over the size limit' });
    expect(only(pages).seen.messages).toHaveLength(1);
    const trusted = await page(port);
    const last = pages[1];
    last?.page.setLimit(20 * 1024 * 1024);
    trusted.send(JSON.stringify('x'.repeat(5_000_000)));
    await waitFor(() => expect(last?.seen.messages).toHaveLength(1));
  });

  it('does not read on after the limit, though the message is not whole', async () => {
    const { port, pages } = await serve();
    const web = await page(port);
    web.send('x'.repeat(100_000), { fin: false });
    web.send('x'.repeat(100_000), { fin: false });
    await waitFor(() => expect(only(pages).seen.ends).toEqual(['a message is over the size limit']));
  });

  it('never lets a page be raised above the largest message', async () => {
    const { port, pages } = await serve({ maxMessage: 100_000 });
    const web = await page(port);
    only(pages).page.setLimit(Number.MAX_SAFE_INTEGER);
    web.send('x'.repeat(100_001));
    expect((await ended(web)).code).toBe(1009);
  });

  it('takes so many pages and no more, and again when one has gone', async () => {
    const { port, pages } = await serve({ maxPages: 2 });
    const first = await page(port);
    await page(port);
    await expect(page(port)).rejects.toThrow('503');
    first.close();
    await waitFor(() => expect(pages[0]?.seen.ends).toHaveLength(1));
    await page(port);
  });

  it('gets texts of any length whole, as every other page, between pings and answers', async () => {
    const { repeat, send } = pings();
    const { port, pages } = await serve({ repeat });
    const webs = [await page(port), await page(port)];
    const got = webs.map((web) => {
      const texts: string[] = [];
      web.on('message', (data, isBinary) => void texts.push(`${isBinary} ${String(data)}`));
      return texts;
    });
    const texts = [0, 1, 125, 126, 65_535, 65_536, 300_000].flatMap((length) => [
      'x'.repeat(length),
      'é'.repeat(length),
    ]);
    for (const text of texts) {
      send();
      const answered = webs.map((web) => new Promise((resolve) => web.once('ping', resolve)));
      await Promise.all(pages.map(({ page: host }) => host.sendText(text)));
      await Promise.all(answered);
      await Promise.all(webs.map((web, index) => heardFrom(web, only(pages.slice(index)).seen)));
    }
    await waitFor(() => expect(got.map((all) => all.length)).toEqual([texts.length, texts.length]));
    for (const all of got) expect(all.every((one, index) => one === `false ${texts[index] ?? ''}`)).toBe(true);
  });

  it('that is closing its connection is sent nothing', async () => {
    const { port, pages } = await serve();
    const web = await page(port);
    const { page: host, seen } = only(pages);
    web.close(1000);
    await waitFor(() => expect(seen.ends).toEqual([null]));
    await expect(host.sendText('"late"')).rejects.toThrow('closed');
  });

  it('closes a page that reads too slowly', async () => {
    const { port, pages } = await serve({ maxQueued: 4 * 1024 * 1024 });
    const web = await page(port);
    web.pause();
    const { page: host, seen } = only(pages);
    const text = JSON.stringify('x'.repeat(1024 * 1024));
    const sends = Array.from({ length: 64 }, () => host.sendText(text));
    const results = await Promise.allSettled(sends);
    expect(seen.ends).toEqual(['the page reads too slowly']);
    expect(results.at(-1)?.status).toBe('rejected');
  });

  it('gives up a page that does not answer pings, and keeps one that does', async () => {
    const { repeat, send } = pings();
    const { port, pages } = await serve({ repeat });
    const silent = await page(port, { autoPong: false });
    const alive = await page(port);
    const gone = ended(silent);
    for (let count = 0; count < 4; count += 1) {
      const pinged = new Promise((resolve) => alive.once('ping', resolve));
      send();
      await pinged;
      await heardFrom(alive, only(pages.slice(1)).seen);
    }
    await gone;
    expect(pages.map(({ seen }) => seen.ends)).toEqual([['the page does not answer'], []]);
  });
});

it('closes every page when it closes, and takes no more', async () => {
  const { port, sockets, pages } = await serve();
  const web = await page(port);
  sockets.close();
  expect(await ended(web)).toEqual({ code: 1001, reason: 'the host is closing' });
  expect(only(pages).seen.ends).toEqual(['the host is closing']);
  await expect(page(port)).rejects.toThrow('503');
});
