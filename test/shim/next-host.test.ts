/** What the next host is told of what an earlier one was asked. */
import { afterEach, expect, it } from 'vitest';
import { createFakeHost, Refusal } from '../support/fake-host.js';
import { clientV1, rawClient, until, wire, type Wired } from './support.js';

const REPLY = { content: [{ type: 'text', text: 'yes' }] };
const OPENING = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
};
const ASK = { method: 'tools/call', params: { name: 'send_message', arguments: { text: 'ok?' } } };
const UNKNOWN = new Refusal('DESKTOP_INVALID_REQUEST', 'unknown', { reason: 'unknown_call' });

let open: Wired[] = [];
afterEach(async () => {
  for (const { shim } of open) await shim.close();
  open = [];
});

function shimFor(options: Parameters<typeof wire>[1] = {}) {
  const host = createFakeHost();
  const wired = wire(host, options);
  open.push(wired);
  return { host, wired, callsOf: (method: string) => host.asked.filter((one) => one.method === method) };
}

it('makes a call again, under its id, that an earlier host answered with a handle', async () => {
  const { host, wired, callsOf } = shimFor({ callLimit: 30, times: { detachTimeoutMs: 1 } });
  host.on('call', () => new Promise(() => undefined));
  const client = await clientV1(wired);
  const { structuredContent: handle } = await client.callTool({ name: 'send_message', arguments: { text: 'ok?' } });
  const callId = String((handle as { callId: unknown }).callId);
  host.on('call', () => REPLY);
  host.on('resume', () => Promise.reject(UNKNOWN));
  host.leave();
  host.arrive();
  await until(() => callsOf('session/hello').length === 2);
  const resumed = await client.callTool({ name: 'resume_call', arguments: { call_id: callId } });
  expect(resumed).toMatchObject(REPLY);
  const [first, second] = callsOf('call');
  expect(second?.params).toEqual(first?.params);
  expect(first?.params['callId']).toBe(callId);
});

it('is not given a call that the client gave up while no host ran', async () => {
  const { host, wired, callsOf } = shimFor();
  host.on('call', () => REPLY);
  const client = rawClient(wired);
  client.send(OPENING);
  await client.answer(1);
  host.leave();
  host.connection.start = () => ({ ended: new Promise(() => undefined) });
  await until(() => host.connections() === 0);
  client.send({ id: 2, ...ASK });
  client.send({ method: 'notifications/cancelled', params: { requestId: 2 } });
  client.send({ id: 3, ...ASK });
  host.arrive();
  await client.answer(3);
  expect(callsOf('call')).toHaveLength(1);
  expect(client.received.map((one) => one['id'])).not.toContain(2);
});

it('is not told of a call that has its answer, and answers nothing twice', async () => {
  const { host, wired, callsOf } = shimFor();
  host.on('call', () => REPLY);
  const client = rawClient(wired);
  client.send(OPENING);
  client.send({ method: 'notifications/initialized' });
  client.send({ id: 2, ...ASK });
  await client.answer(2);
  host.leave();
  host.arrive();
  await until(() => callsOf('session/hello').length === 2);
  client.send({ id: 3, method: 'ping' });
  await client.answer(3);
  expect(callsOf('call')).toHaveLength(1);
  expect(client.received.flatMap((one) => one['id'] ?? [])).toEqual([1, 2, 3]);
});

it('answers a client by itself while no host can be had, and serves it once one runs', async () => {
  const { host, wired } = shimFor({ times: { openingTimeoutMs: 1 } });
  host.leave();
  host.failStart({ code: 1, output: 'no screen' });
  host.on('call', () => REPLY);
  const client = rawClient(wired);
  client.send(OPENING);
  expect((await client.answer(1))['result']).toMatchObject({ serverInfo: { name: 'chaperone' } });
  client.send({ method: 'notifications/initialized' });
  client.send({ id: 2, method: 'ping' });
  expect((await client.answer(2))['result']).toEqual({});
  client.send({ id: 3, method: 'resources/list' });
  expect((await client.answer(3))['error']).toMatchObject({ message: expect.stringContaining('no screen') });
  host.arrive();
  client.send({ id: 4, ...ASK });
  expect((await client.answer(4))['result']).toMatchObject(REPLY);
  expect(client.received.filter((one) => one['id'] === 1)).toHaveLength(1);
});
