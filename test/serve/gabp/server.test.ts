import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/main/protocol/index.js';
import { GABP_NAME } from '../../../src/main/protocol/gabp.js';
import { connection, error, result, TOKEN } from '../support.js';
import { verbatim } from '../../../src/messages/index.js';
import { waitFor } from '../../support/eventually.js';

describe('session', () => {
  it('[req:DS-3-3] welcomes a hello with the token, and tells methods and limits', async () => {
    const { hello, accepted, services } = connection();
    const welcome = result(await hello({ clientInfo: { name: 'gabs', version: '1.1' } }));
    expect(welcome).toMatchObject({
      agentId: 'chaperone',
      app: { name: 'Chaperone', version: '0.1.0' },
      schemaVersion: '1.0',
    });
    expect(Object.keys(welcome).sort()).toEqual(['agentId', 'app', 'capabilities', 'schemaVersion', 'serverInfo']);
    const capabilities = welcome['capabilities'] as { methods: string[]; events: string[]; limits: object };
    expect(capabilities.methods.every((method) => GABP_NAME.test(method))).toBe(true);
    expect(new Set(capabilities.methods).size).toBe(capabilities.methods.length);
    expect(capabilities.methods).toEqual(
      expect.arrayContaining(['session/hello', 'tools/call', 'attention/current', 'attention/ack']),
    );
    expect(capabilities.events).toContain('call/progress');
    expect(capabilities.limits).toEqual({ maxMessageSize: 16 * 1024 * 1024, maxConcurrentRequests: 64 });
    expect(accepted).toHaveBeenCalled();
    expect(services.present).toEqual(['+node · cli.js/gabp']);
  });

  it.each(['session/ping', 'session/goodbye', 'tools/list', 'tools/call', 'admin/status', 'no/such'])(
    'refuses %s before hello',
    async (method) => {
      const { ask, services, ends } = connection();
      expect(error(await ask(method, { name: 'test/look', callId: 'c' }))).toMatchObject({ code: -32100 });
      expect([services.made, services.admins, services.present, ends]).toEqual([[], [], [], []]);
    },
  );

  it.each([['wrong'], ['f'.repeat(63)], ['f'.repeat(65)], ['F'.repeat(64)], ['']])(
    'refuses the token %j',
    async (token) => {
      const { hello, services, accepted } = connection();
      expect(error(await hello({ token }))).toMatchObject({ code: -32101 });
      expect(services.present).toEqual([]);
      expect(accepted).not.toHaveBeenCalled();
    },
  );

  it('gives three tries, and lets the third be right', async () => {
    const bad = connection();
    for (const token of ['x', undefined, 7]) await bad.hello({ token });
    await waitFor(() => expect(bad.ends).toEqual(['authentication failed']));
    const good = connection();
    await good.hello({ token: 'x' });
    await good.hello({ token: 'y' });
    expect(result(await good.hello())).toBeDefined();
    for (const token of ['x', 'y', 'z']) await good.hello({ token });
    expect(result(await good.ask('session/ping'))).toEqual({});
  });

  it('says hello twice to who asks twice, and is one connection', async () => {
    const { hello, services, listening } = connection();
    await hello();
    expect(result(await hello())).toMatchObject({ agentId: 'chaperone' });
    expect(services.present).toEqual(['+node · cli.js/gabp']);
    expect(listening()).toBe(1);
  });

  it('never puts the token into an answer', async () => {
    const { hello, messages } = connection();
    await hello({ token: `${TOKEN}x` });
    await hello();
    expect(JSON.stringify(messages)).not.toContain(TOKEN);
  });

  it('answers ping, and goodbye before it closes', async () => {
    const { hello, ask, ends, listening } = connection();
    await hello();
    expect(result(await ask('session/ping'))).toEqual({});
    expect(result(await ask('session/goodbye'))).toEqual({});
    await waitFor(() => expect(ends).toEqual([null]));
    expect(listening()).toBe(0);
  });

  it('[req:DS-3-8] takes what real bridges send: no launchId, odd platforms, text for clientInfo, ids without dashes', async () => {
    for (const over of [
      { launchId: undefined, platform: undefined },
      { platform: 'RimWorld' },
      { clientInfo: 'coordinator', extra: 1 },
    ]) {
      expect(result(await connection().hello(over))).toBeDefined();
    }
    const { ask } = connection();
    const id = '0123456789abcdef0123456789abcdef';
    expect(await ask('session/hello', { token: TOKEN }, id)).toMatchObject({ id, type: 'response' });
  });

  it('shows what the client calls itself as its claim only', async () => {
    const { hello, nth, send } = connection();
    await hello({ clientInfo: { name: 'Claude Code', version: '9' } });
    await send('tools/call', { name: 'test/look' });
    expect((await nth(0)).caller.agent).toMatchObject({ name: 'node · cli.js', claim: 'Claude Code 9' });
  });
});

describe('requests', () => {
  it('are refused in the order of their faults, and the connection goes on', async () => {
    const { hello, near, messages, ask } = connection();
    await hello();
    messages.length = 0;
    await near.send({ v: 'gabp/2', id: 'a', type: 'request', method: 'session/ping' });
    await near.send({ v: 'gabp/1', type: 'request', method: 'session/ping' });
    await near.send({ v: 'gabp/1', id: 'b', type: 'event', channel: 'x', seq: 0, payload: 1 });
    await near.send({ v: 'gabp/1', id: 'c', type: 'response', result: 1 });
    await waitFor(() => expect(messages).toHaveLength(2));
    expect(messages.map(({ id }) => id)).toEqual(['a', '00000000-0000-0000-0000-000000000000']);
    expect(error(await ask('no/such'))).toMatchObject({ code: -32601 });
    expect(error(await ask('single'))).toMatchObject({ code: -32600 });
    expect(result(await ask('session/ping'))).toEqual({});
    expect(messages).toHaveLength(5);
  });

  it.each([
    ['attention/ack', {}],
    ['events/subscribe', {}],
    ['events/subscribe', { channels: [] }],
    ['events/subscribe', { channels: 'tools/changed' }],
    ['resources/read', {}],
    ['tools/list', { filter: { tags: 'x' } }],
    ['tools/call', { name: 'inventory.get', arguments: {} }],
  ])('with bad params are -32602: %s %j', async (method, params) => {
    const { hello, ask, services } = connection();
    await hello();
    expect(error(await ask(method, params))).toMatchObject({
      code: -32602,
      message: expect.stringContaining('params'),
    });
    expect(services.made).toEqual([]);
  });
});

describe('admin methods', () => {
  it('reach the host on the Unix socket, after hello', async () => {
    const { ask, services, hello } = connection();
    await hello();
    expect(result(await ask('admin/status'))).toEqual({ pid: 500 });
    expect(services.admins).toEqual(['admin/status']);
  });

  it('do not exist elsewhere', async () => {
    const { ask, services, hello } = connection({ admin: null });
    await hello();
    expect(error(await ask('admin/status'))).toMatchObject({ code: -32601 });
    expect(services.admins).toEqual([]);
  });
});

it('closes the connection, not the host, when the host breaks where it may not', async () => {
  const link = connection();
  link.services.agents.connected = () => {
    throw new WireError('DESKTOP_INTERNAL_ERROR', verbatim('broken'));
  };
  await link.near.send({ jsonrpc: '2.0', id: 1, method: 'desktop.health' });
  await waitFor(() => expect(link.ends).toEqual(['internal error']));
});
