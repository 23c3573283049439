import { describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { createAssets } from '../../../src/main/serve/page/index.js';
import { toPageSchema, type ToPage } from '../../../src/main/protocol/index.js';
import { listenHttp } from '../../../src/main/transport/http.js';
import { attachWebSocket } from '../../../src/main/transport/websocket.js';
import { ask } from '../../chat/support.js';
import { createPageKey } from '../../host/support.js';
import { browser, startPages } from './support.js';

/** The hub behind the real server, as the host puts them together. */
async function serve() {
  const parts = await startPages();
  const sockets = attachWebSocket({
    onPage: (page, { origin, host }) =>
      parts.pages.accept(page, { origin, host, client: browser, isPersons: () => true }),
  });
  const http = await listenHttp({ handler: createAssets('/nowhere'), onUpgrade: sockets.onUpgrade });
  onTestFinished(async () => {
    sockets.close();
    await http.close();
  });
  return { ...parts, url: http.url };
}

async function browse(url: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { origin: url });
  const got: ToPage[] = [];
  const waiting = new Set<() => void>();
  let closed = false;
  const changed = () => waiting.forEach((check) => check());
  socket.on('message', (data: Buffer) => {
    got.push(toPageSchema.parse(JSON.parse(data.toString())));
    changed();
  });
  socket.on('close', () => {
    closed = true;
    changed();
  });
  onTestFinished(() => socket.terminate());
  return {
    got,
    say: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    /** Resolves once it holds. */
    until: (holds: (got: ToPage[], closed: boolean) => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!holds(got, closed)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}

const has =
  (type: ToPage['type'], count = 1) =>
  (got: ToPage[]) =>
    got.filter((each) => each.type === type).length >= count;

describe('the hub behind the real WebSocket', () => {
  it('greets, takes an answer, pairs and signs in', async () => {
    const { chat, pairing, url } = await serve();
    const asked = await ask(chat, 'a', 'c1', 'Which?');
    const page = await browse(url);
    await page.until(has('connected'));
    page.say({ type: 'ack', id: asked.ackId, message: 'left' });
    expect(await asked.reply).toMatchObject({ reply: 'left', paired: false });

    const key = await createPageKey();
    page.say({ type: 'pair', code: pairing.issue('terminal').code, publicKey: key.publicKey });
    await page.until(has('connected', 2));
    expect(page.got.findLast(({ type }) => type === 'connected')).toMatchObject({ role: 'paired' });

    const next = await browse(url);
    await next.until(has('connected'));
    const first = next.got[0];
    const nonce = first?.type === 'connected' ? first.nonce : '';
    const keyId = pairing.list()[0]?.keyId ?? '';
    next.say({ type: 'authenticate', keyId, signature: await key.sign(url, url.replace('http://', ''), nonce) });
    await next.until(has('connected', 2));
    expect(next.got.find((each, index) => index > 0 && each.type === 'connected')).toMatchObject({ role: 'paired' });
  });

  it('lets an unpaired page send the longest reply, and cuts one off that sends megabytes', async () => {
    const { chat, url } = await serve();
    const asked = await ask(chat, 'a', 'c1', 'Tell me all');
    const page = await browse(url);
    await page.until(has('connected'));
    const long = '\u0001'.repeat(100_000);
    page.say({ type: 'ack', id: asked.ackId, message: long });
    expect((await asked.reply).reply).toBe(long);
    page.say({ type: 'ack', id: asked.ackId, message: 'x'.repeat(5_000_000) });
    await page.until((_got, closed) => closed);
  });

  it('refuses what is no JSON and goes on', async () => {
    const { url } = await serve();
    const page = await browse(url);
    await page.until(has('connected'));
    page.say('{"type":');
    await page.until(has('error'));
    expect(page.got.at(-1)).toMatchObject({ type: 'error', code: 'malformed' });
  });
});
