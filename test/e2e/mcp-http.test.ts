/** MCP over HTTP, by the clients of both SDKs and by hand: the same tools, cards and record as over stdio. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { openClient, type Door, type DoorOptions } from '../support/mcp-doors.js';
import { ask, callOf, doorOf, initialize, type Exchange } from '../support/mcp-http.js';
import { openPage, type Person } from '../support/person.js';
import { startWorld } from '../support/world.js';

let started: TestHost;
let person: Person;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  started = await startHost({ http: 0 });
  person = await openPage(started.host.url, started.host.pairingLink());
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  person.close();
  await started.close();
});

type Client = Pick<ClientV2, 'listTools' | 'callTool'>;

async function connect(kind: string): Promise<Client> {
  const { url, token } = doorOf(started);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  if (kind === 'SDK 1') {
    const client = new ClientV1({ name: 'sdk-1', version: '1.0.0' });
    const transport = new HttpV1(new URL(url), { requestInit });
    // Its type lets `sessionId` be undefined, which this project's settings tell apart from absent.
    await client.connect(transport as Parameters<ClientV1['connect']>[0]);
    closers.push(() => client.close());
    return client as unknown as Client;
  }
  const modern = kind === 'SDK 2, 2026-07-28';
  const client = new ClientV2(
    { name: 'sdk-2', version: '2.0.0' },
    modern ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  await client.connect(new HttpV2(new URL(url), { requestInit }));
  expect(client.getNegotiatedProtocolVersion()).toBe(modern ? '2026-07-28' : '2025-11-25');
  closers.push(() => client.close());
  return client;
}

/** The stream is another's until the host has seen that its client left. */
async function resume(session: Record<string, string>, lastEvent: string): Promise<Exchange> {
  const again = await ask(started, { method: 'GET', headers: { ...session, 'last-event-id': lastEvent } });
  if (again.status !== 409) return again;
  await again.text;
  return resume(session, lastEvent);
}

describe.each(['SDK 1', 'SDK 2, 2025-11-25', 'SDK 2, 2026-07-28'])('%s', (kind) => {
  test('lists the tools of stdio, and its acts are asked for and judged as any [req:MH-1]', async () => {
    const client = await connect(kind);
    const agent = await startAgent(started.home, { cwd: started.workspace });
    closers.push(agent.close);
    expect((await client.listTools()).tools).toEqual((await agent.client.listTools()).tools);

    const args = { x: 300, y: 200 };
    const called = client.callTool({ name: 'click', arguments: args });
    const card = await person.answer('allow');
    expect(card.agent.pid).toBe(process.pid);
    expect((await called).structuredContent).toHaveProperty('effect');

    const refused = client.callTool({ name: 'click', arguments: args });
    await person.answer('deny', { message: 'not there' });
    expect(await refused).toMatchObject({ isError: true });
    const unknown = client.callTool({ name: 'no_such_tool', arguments: {} });
    await expect(unknown).rejects.toThrow('no_such_tool');
  });
});

test('the small profile is that of stdio, by the address; another is refused [req:MH-10]', async () => {
  const names = async (door: Door, how: DoorOptions): Promise<string[]> => {
    const client = await openClient(started, door, how);
    closers.push(() => client.close());
    return (await client.listTools()).tools.map(({ name }) => name);
  };
  const core = await names('stdio, 2025-11-25', { args: ['--profile', 'core'] });
  expect(core.length).toBeLessThan(30);
  for (const door of ['HTTP, 2025-11-25', 'HTTP, 2026-07-28'] as const) {
    expect(await names(door, { query: '?profile=core' })).toEqual(core);
    expect((await names(door, { query: '?profile=full' })).length).toBeGreaterThan(core.length);
  }
  await expect(initialize(started, { path: '/mcp?profile=none' })).rejects.toThrow(/^400: .*profile/);
});

test('a card open while the client leaves: the answer waits, and comes once, after the last event it had [req:MH-2]', async () => {
  const session = await initialize(started);
  const call = callOf(7, 'click', { x: 300, y: 200 }, { progressToken: 'p' });
  const waiting = await ask(started, { headers: session, body: call });
  const { id } = await waiting.event(({ message }) => message?.['method'] === 'notifications/progress');
  waiting.drop();
  await waiting.text;

  await person.answer('allow');
  await person.next('activity');
  const resumed = await resume(session, id ?? '');
  const answer = await resumed.event(({ message }) => message?.['id'] === 7);
  expect(answer.message).toMatchObject({ result: { structuredContent: { effect: expect.any(String) } } });
  await resumed.text;
  expect(resumed.events.filter(({ message }) => message?.['id'] === 7)).toHaveLength(1);
});

test('near the client’s time limit a handle comes, by which the call is waited for again [req:MH-3]', async () => {
  await started.restart({ http: 0, httpLimits: { callLimitMs: 1500 } });
  person.close();
  person = await openPage(started.host.url, started.host.pairingLink());
  const client = await connect('SDK 2, 2026-07-28');
  const handle = await client.callTool({ name: 'click', arguments: { x: 300, y: 200 } });
  expect(handle.structuredContent).toMatchObject({ status: 'awaiting_human' });
  const resumed = async () => {
    const callId = (handle.structuredContent as { callId: string }).callId;
    return (await client.callTool({ name: 'resume_call', arguments: { call_id: callId } })).structuredContent;
  };
  await expect.poll(resumed, { timeout: 50_000 }).toMatchObject({ status: 'awaiting_human', state: 'awaiting_human' });
  const isWaitedFor = (one: (typeof person.seen)[number]) =>
    one.type === 'approvalChanged' && one.approval.orphaned === false;
  await expect.poll(async () => (await resumed()) && person.seen.some(isWaitedFor), { timeout: 50_000 }).toBe(true);
  // The card that the person has read all along takes the Allow, though the call came back over another connection.
  await person.answer('allow');
  await expect.poll(resumed).toHaveProperty('effect');
});

test('events of an observation come on the session’s own stream [req:MH-4]', async () => {
  const world = await startWorld({ http: 0 });
  const page = await openPage(world.host.url, world.host.pairingLink());
  page.allowLooking();
  closers.push(world.close, async () => page.close());
  const session = await initialize(world);
  const stream = await ask(world, { method: 'GET', headers: session });
  const call = callOf(1, 'create_observation', { type: 'window' });
  expect(await (await ask(world, { headers: session, body: call })).text).toContain('observations/');
  const windows = await world.desktop.windows(new AbortController().signal);
  world.world.moveWindow(windows.find(({ title }) => title === 'Shopping')?.id ?? '', { x: 300, y: 200 });
  const seen = await stream.event(({ message }) => message?.['method'] === 'notifications/message');
  expect(seen.message).toMatchObject({
    params: { logger: 'chaperone/observation', data: { event: { event: 'moved' } } },
  });
  stream.drop();
});

test('the door is told by doctor and health; the token stays over a restart, and is made anew where its file is gone [req:MH-5]', async () => {
  const { token } = doorOf(started);
  await started.restart({ http: 0 });
  expect(doorOf(started).token).toBe(token);
  const file = join(started.home, 'state', 'http-token');
  expect(readFileSync(started.host.mcpHttp?.tokenFile ?? '', 'utf8').trim()).toBe(token);
  await started.host.close();
  rmSync(started.host.mcpHttp?.tokenFile ?? file);
  await started.restart({ http: 0 });
  expect(doorOf(started).token).toMatch(/^[0-9a-f]{64}$/);
  expect(doorOf(started).token).not.toBe(token);
  expect(started.host.menubar.health()).toMatchObject({
    doors: [{ code: 'health.http_door', params: { url: doorOf(started).url } }],
  });
  await started.host.close();
  writeFileSync(started.host.mcpHttp?.tokenFile ?? file, 'short');
  await expect(started.restart({ http: 0 })).rejects.toThrow('holds no token');
  await started.restart({ http: undefined });
  expect(started.host.mcpHttp).toBeNull();
});
