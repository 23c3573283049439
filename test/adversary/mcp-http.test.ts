import { once } from 'node:events';
import { Agent } from 'node:http';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { LOOPBACK_ONLY, listeningAddresses } from '../support/listening.js';
import {
  ACCEPT,
  LIST,
  ask,
  begin,
  callOf,
  doorOf,
  initialize,
  expectServed,
  otherProcesses,
  statusOf,
  type Ask,
  type Json,
} from '../support/mcp-http.js';
import { openPage, type Person } from '../support/person.js';

let started: TestHost;
let person: Person;
const others = otherProcesses(() => started);
const another = others.open;
beforeEach(async () => {
  started = await startHost({ http: 0 });
  person = await openPage(started.host.url, started.host.pairingLink());
});
afterEach(async () => {
  await others.close();
  person.close();
  await started.close();
});

const CLICK = { x: 300, y: 200 };

const status = (asked: Ask, leave?: boolean) => statusOf(started, asked, leave);

const expectAlive = () => expectServed(started);

describe('MCP over HTTP: who may come in [req:MH-6]', () => {
  test('nobody without the token, and nothing of what they send is read', async () => {
    const { token } = doorOf(started);
    const wrong = ['', 'Bearer', 'Bearer ', `Bearer ${token}0`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token];
    for (const authorization of [...wrong, `Bearer ${token}, Bearer ${token}`])
      for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS', 'PUT'])
        expect([authorization, method, await status({ method, headers: { authorization } })]).toEqual(
          [authorization, method, 401], // prettier-ignore
        );
    const session = await initialize(started);
    expect(await status({ headers: { ...session, authorization: '' } })).toBe(401);
    const refused = await ask(started, { headers: { authorization: '', 'content-length': '1000000000' }, bytes: '{' });
    expect([refused.status, refused.headers.connection]).toEqual([401, 'close']);
    expect(refused.headers['www-authenticate']).toContain('Bearer');
  });

  test('the token’s file is closed to others', () => {
    expect(statSync(started.host.mcpHttp?.tokenFile ?? '').mode & 0o777).toBe(0o600);
  });

  test('no website, with the token or without: Host and Origin are exactly ours', async () => {
    const { port } = doorOf(started);
    const own = `localhost:${port}`;
    const session = await initialize(started);
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost', `127.0.0.2:${port}`, `LOCALHOST:${port}`])
      expect([host, await status({ headers: { ...session, host } })]).toEqual([host, 403]);
    const page = new URL(started.host.url).origin;
    for (const origin of ['http://evil.example', 'null', `https://${own}`, `http://127.0.0.1:${port}`, page])
      expect([origin, await status({ headers: { ...session, host: own, origin } })]).toEqual([origin, 403]);
    expect(await status({ headers: { ...session, host: own, origin: `http://${own}` } })).toBe(200);
    expect(await status({ method: 'OPTIONS', headers: { host: own, origin: `http://${own}` } })).toBe(405);
    for (const path of ['/', '/mcp/', '/sse', '/mcp/../mcp', '/.well-known/oauth-authorization-server'])
      expect([path, await status({ path })]).toEqual([path, 404]);
  });

  test('it is on loopback and nowhere else', () => {
    expect(listeningAddresses(doorOf(started).port)).toEqual(LOOPBACK_ONLY);
  });
});

describe('MCP over HTTP: identity [req:MH-8]', () => {
  async function cardOf(asked: Ask) {
    const headers = await initialize(started, asked);
    const call = await ask(started, { headers: { ...asked.headers, ...headers }, body: callOf(1, 'click', CLICK) });
    const card = await person.answer('allow');
    expect(await call.text).toContain('effect');
    return { card, headers: { ...asked.headers, ...headers } };
  }

  test('the card names the process that the kernel names', async () => {
    expect((await cardOf({})).card.agent).toMatchObject({ pid: process.pid, claim: 'raw-http 1' });
  });

  test.each(['via', 'forwarded', 'x-forwarded-for'])(
    'through a proxy (%s) it is nobody: asked each time, also to look, and no grant',
    async (name) => {
      const { card, headers } = await cardOf({ headers: { [name]: '1.1 proxy' } });
      expect(card.agent).toMatchObject({ pid: 0, executable: '' });
      expect(card.grants.map(({ kind }) => kind)).toEqual(['once']);
      for (const id of [2, 3]) {
        const look = await ask(started, { headers, body: callOf(id, 'list_windows') });
        expect((await person.answer('allow')).grants.map(({ kind }) => kind)).toEqual(['once']);
        await look.text;
      }
      // Of no use to a process that is known, nor is that one's to it.
      expect(await status({ headers: { ...headers, [name]: '' } })).toBe(404);
    },
  );

  test.skipIf(process.getuid?.() !== 0)('another user’s process with the token is nobody too', async () => {
    const { stream } = another({ uid: 65534 });
    const opened = begin(started, { headers: modernHeaders('click'), over: stream }).on('error', () => undefined);
    opened.end(JSON.stringify(modern(1, 'click', CLICK)));
    const card = await person.next('approvalRequested');
    expect(card.approval.agent).toMatchObject({ pid: 0, executable: '' });
    opened.destroy();
  });

  test('without sessions (2026-07-28) each request is its process’s own', async () => {
    const other = another();
    const call = ask(started, {
      headers: modernHeaders('click'),
      body: modern(1, 'click', CLICK),
      over: other.stream,
    });
    const { agent } = await person.answer('allow');
    expect(agent).toMatchObject({ claim: 'modern 1' });
    expect(agent.pid).toBe(other.pid);
    expect(await (await call).text).toContain('effect');
  });

  test('[req:ID-5] without sessions, what may have been sent before the kernel told by whom uses nothing that was allowed', async () => {
    const box = { parent: 'simulated.mail', role: 'checkbox', title: 'Sender gets a copy' };
    const [kept, other] = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
    const press = async (over: Agent | undefined) =>
      (await ask(started, { headers: modernHeaders('click_element'), body: modern(1, 'click_element', box), ...(over && { kept: over }) })).text; // prettier-ignore
    const early = expect.objectContaining({ code: 'grant.early' }) as unknown;
    for (const over of [kept, other]) {
      const first = press(over);
      const { grants, notes } = await person.answer('allow');
      expect([grants.map(({ kind }) => kind), notes]).toEqual([['once'], expect.arrayContaining([early])]);
      expect(await first).toContain('effect');
      if (over === other) break;
      const second = press(over);
      expect((await person.answer('allow', { grant: 'session' })).notes).not.toContainEqual(early);
      expect(await second).toContain('effect');
      expect(await press(over)).toContain('effect');
    }
    expect(await press(other)).toContain('effect');
    for (const one of [kept, other]) one?.destroy();
  });
});

const modernHeaders = (name: string): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});

const modern = (id: number, name: string, args: Json): Json =>
  callOf(id, name, args, {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  });

describe('MCP over HTTP: what is too much [req:MH-9]', () => {
  test('megabytes are refused, told or not, and so is what is no JSON or too deep', async () => {
    const session = await initialize(started);
    const long = JSON.stringify({ ...LIST, params: { more: 'x'.repeat(5 * 1024 * 1024) } });
    expect(await status({ headers: { ...session, 'content-length': String(long.length) }, bytes: '' })).toBe(413);
    expect(await status({ headers: { ...session, 'transfer-encoding': 'chunked' }, bytes: long })).toBe(413);
    for (const bytes of ['{', '', 'null', '[]', '['.repeat(100_000), `{"jsonrpc":"2.0","id":1,"method":7}`])
      expect([bytes.slice(0, 10), await status({ headers: session, bytes })]).toEqual([bytes.slice(0, 10), 400]);
    expect(await status({ headers: { ...session, 'content-type': 'text/plain' } })).toBe(415);
    expect(await status({ headers: { ...session, accept: 'text/html' } })).toBe(406);
    await expectAlive();
  });

  test('half a request, and a client that leaves in its middle, harm nobody', async () => {
    const { port, token } = doorOf(started);
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    for (const bytes of ['POST /mcp', head, `${head}Content-Length: 500\r\n\r\n{"jsonrpc":`]) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      await new Promise((resolve) => socket.write(bytes, resolve));
      await expectAlive();
      socket.destroy();
    }
    await expectAlive();
  });

  test('half a request is ended after its time, and a call that waits longer is not', async () => {
    await started.restart({ http: 0, httpLimits: { requestMs: 500 } });
    person.close();
    person = await openPage(started.host.url, started.host.pairingLink());
    const session = await initialize(started);
    const waiting = await ask(started, { headers: session, body: callOf(1, 'click', CLICK) });
    const { port, token } = doorOf(started);
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    for (const bytes of ['POST /mcp', head, `${head}Content-Length: 500\r\n\r\n{"jsonrpc":`]) {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      let answer = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
      socket.write(bytes);
      await once(socket, 'close');
      expect([bytes, answer]).toEqual([bytes, expect.stringMatching(/^HTTP\/1\.1 408 /)]);
    }
    await person.answer('allow');
    expect(await waiting.text).toContain('effect');
  });

  test('hundreds of idle connections keep nobody out', async () => {
    const { port } = doorOf(started);
    const idle = Array.from({ length: 400 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    await expectAlive();
    for (const socket of idle) socket.destroy();
  });
});

test('the page’s port speaks no MCP, and this one has no page and no WebSocket [req:MH-6]', async () => {
  const { token, port } = doorOf(started);
  const answer = await fetch(`${started.host.url}/mcp`, {
    method: 'POST',
    headers: { ...ACCEPT, authorization: `Bearer ${token}` },
    body: JSON.stringify(LIST),
  });
  expect(answer.status).toBe(405);
  await expect(openPage(`http://localhost:${port}`)).rejects.toThrow('404');
});
