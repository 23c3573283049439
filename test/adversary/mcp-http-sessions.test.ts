/** Sessions of MCP over HTTP: whose they are, how they end, how many there may be, and what is sent again. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startHost, type TestHost } from '../support/host.js';
import { ask, callOf, initialize, expectServed, otherProcesses, statusOf, type Ask } from '../support/mcp-http.js';
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

describe('MCP over HTTP: sessions [req:MH-7]', () => {
  test('another process cannot use a session, nor end it, by its id and the token', async () => {
    const session = await initialize(started);
    for (const method of ['POST', 'GET', 'DELETE'])
      expect([method, await status({ method, headers: session, over: another().stream })]).toEqual([method, 404]);
    expect(await status({ headers: session })).toBe(200);
    const theirs = await initialize(started, { over: another().stream });
    expect(await status({ headers: theirs })).toBe(404);
    expect(await status({ headers: { ...session, 'mcp-session-id': 'x' } })).toBe(404);
    expect(await status({ headers: {} })).toBe(400);
  });

  /** Neither of the two may take longer than a session without a stream lasts. */
  async function withStream(): Promise<Record<string, string>> {
    const session = await initialize(started);
    return (await status({ method: 'GET', headers: session }, false)) === 200 ? session : withStream();
  }

  test('it ends by DELETE, by time, and with its process', async () => {
    const session = await initialize(started);
    expect(await status({ method: 'DELETE', headers: session })).toBe(200);
    expect(await status({ headers: session })).toBe(404);

    await started.restart({ http: 0, httpLimits: { idleMs: 100 } });
    const held = await withStream();
    const idle = another();
    await initialize(started, { over: idle.stream });
    const agents = () => started.host.menubar.status().agents.map(({ pid }) => pid);
    await eventually(agents).toEqual([process.pid]);
    expect(await status({ headers: held })).toBe(200);

    await started.restart({ http: 0 });
    const other = another();
    await initialize(started, { over: other.stream });
    await other.close();
    await expectAlive();
    await eventually(agents).not.toContain(other.pid);
  });

  async function openEight(): Promise<Record<string, string>[]> {
    const sessions = [];
    for (let count = 1; count <= 8; count++) sessions.push(await initialize(started));
    return sessions;
  }

  test('a process has eight at most: its oldest idle one makes room, and another process has its own', async () => {
    const first = await initialize(started);
    const theirs = another();
    await initialize(started, { over: theirs.stream });
    const [held] = await openEight();
    expect(await status({ headers: first })).toBe(404);
    expect(await status({ headers: held ?? {} })).toBe(200);
  });

  test('streams left open shut nobody out: the session that was used longest ago is ended, and its client told so', async () => {
    const held = await openEight();
    const streams = await Promise.all(held.map((headers) => ask(started, { method: 'GET', headers })));
    expect(streams.map((stream) => stream.status)).toEqual(held.map(() => 200));
    expect(await status({ headers: held[0] ?? {} })).toBe(200);

    await initialize(started);
    expect(await streams[1]?.text).toBe('');
    expect(await status({ headers: held[1] ?? {} })).toBe(404);
    expect(await status({ headers: held[0] ?? {} })).toBe(200);
    for (const stream of streams) stream.drop();
  });

  test('a session whose call waits for the person is never ended for another', async () => {
    const held = await openEight();
    const calls = await Promise.all(
      held.map((headers, id) => ask(started, { headers, body: callOf(id, 'send_message', { text: 'Well?' }) })),
    );
    expect(calls.map(({ status: answered }) => answered)).toEqual(held.map(() => 200));
    await expect(initialize(started)).rejects.toThrow('503');
    await initialize(started, { over: another().stream });
    for (const call of calls) call.drop();
  });

  test('a second stream of a session takes the place of its first, which ends', async () => {
    const session = await initialize(started);
    const first = await ask(started, { method: 'GET', headers: session });
    const second = await ask(started, { method: 'GET', headers: session });
    expect(second.status).toBe(200);
    expect(await first.text).toBe('');
    expect(await status({ method: 'GET', headers: { ...session, accept: 'text/html' } })).toBe(406);
    expect(await status({ headers: session })).toBe(200);
    const third = await ask(started, { method: 'GET', headers: session });
    expect(await second.text).toBe('');
    third.drop();
  });

  test('a session resumes no event that it never had or keeps no longer, says which, and lives on', async () => {
    const session = await initialize(started);
    const waiting = await ask(started, { headers: session, body: callOf(1, 'click', CLICK, { progressToken: 'p' }) });
    const { id } = await waiting.event(({ message }) => message?.['method'] === 'notifications/progress');
    waiting.drop();
    const ping = async (id: string) =>
      (await ask(started, { headers: session, body: { jsonrpc: '2.0', id, method: 'ping' } })).text;
    for (let count = 1; count <= 30; count++)
      await Promise.all(Array.from({ length: 10 }, (_, index) => ping(`ping ${count}-${index}`)));
    const resumed = async (last: string) => {
      const answer = await ask(started, { method: 'GET', headers: { ...session, 'last-event-id': last } });
      return { status: answer.status, text: await answer.text };
    };
    expect(await resumed(id ?? '')).toEqual({ status: 400, text: expect.stringContaining('is no longer kept') });
    for (const last of ['9999', '0', '-1', '1.5', 'x', ' '])
      expect([last, await resumed(last)]).toEqual([
        last,
        { status: 400, text: expect.stringContaining('never sent that event') },
      ]);
    expect(await status({ method: 'GET', headers: session })).toBe(200);
  });
});
