import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { eachTcpHost } from '../support/bridges.js';
import { eventually } from '../support/eventually.js';
import { tokenOf } from '../support/gabp.js';
import { frame } from '../support/raw-gabp.js';

const NIL = '00000000-0000-0000-0000-000000000000';

const { chaperone, knock, enter } = eachTcpHost();
const request = (method: string, id: string, params: object = {}) => ({
  v: 'gabp/1',
  id,
  type: 'request',
  method,
  params,
});

describe('frames', () => {
  test('[req:TP-1] [req:GT-2.1-1] [req:GT-2.1-2] [req:GT-2.1-3] carry the length in bytes and the type, and end their lines with CRLF', async () => {
    const bridge = await enter();
    await bridge.ask('session/ping', {}, 'Grüße 你好 🎉');
    expect(bridge.headers).toHaveLength(2);
    bridge.headers.forEach((header, at) => {
      const bytes = Buffer.byteLength(JSON.stringify(bridge.messages[at]));
      expect(header).toBe(`Content-Length: ${bytes}\r\nContent-Type: application/json`);
    });
    expect(bridge.messages[1]).toMatchObject({ id: 'Grüße 你好 🎉', result: {} });
  });

  test('[req:GT-2.3-1] [req:GT-6.2-3] are read in any pieces, and several in one piece', async () => {
    const bridge = await enter();
    for (const byte of Buffer.from(frame(request('session/ping', 'slow 你好')))) bridge.write(Uint8Array.of(byte));
    const many = Array.from({ length: 200 }, (_, at) => frame(request('session/ping', `fast ${at}`))).join('');
    bridge.write(many + frame(request('session/ping', 'split')).slice(0, 30));
    await eventually(() => bridge.messages.length).toBe(202);
    bridge.write(frame(request('session/ping', 'split')).slice(30));
    await eventually(() => bridge.messages.at(-1)?.['id']).toBe('split');
    expect(bridge.messages.slice(1).map(({ id }) => id)).toEqual([
      'slow 你好',
      ...Array.from({ length: 200 }, (_, at) => `fast ${at}`),
      'split',
    ]);
  });

  test('[req:TP-5] [req:TP-42] [req:GT-2.1-4] [req:GT-6.1-2] that are whole but no UTF-8 or no JSON are answered with an error, and the connection goes on', async () => {
    const bridge = await enter();
    bridge.write(
      Buffer.concat([Buffer.from('Content-Length: 4\r\n\r\n"'), Buffer.from([0xc3, 0x28]), Buffer.from('"')]),
    );
    bridge.write('Content-Length: 6\r\n\r\n{"v":}');
    await eventually(() => bridge.messages.length).toBe(3);
    for (const message of bridge.messages.slice(1))
      expect(message).toMatchObject({ v: 'gabp/1', type: 'response', id: NIL, error: { code: -32700 } });
    expect(await bridge.result('session/ping')).toEqual({});
  });

  test.each([
    ['no length', 'Content-Type: application/json\r\n\r\n{}'],
    ['a length that is no number', 'Content-Length: many\r\n\r\n{}'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} '],
    ['HTTP', 'POST / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a length over the limit', `Content-Length: ${16 * 1024 * 1024 + 1}\r\n\r\n`],
  ])('[req:GT-6.1-1] with %s end the connection; what follows is not read', async (_name, bytes) => {
    const bridge = await enter();
    bridge.write(bytes + frame(request('session/ping', 'after')));
    await bridge.ended;
    expect(bridge.messages).toHaveLength(1);
    expect(await (await enter()).result('session/ping')).toEqual({});
  });

  test.each([
    [{ id: 'a', type: 'request', method: 'session/ping' }, -32202],
    [{ v: 'gabp/2', id: 'a', type: 'request', method: 'session/ping' }, -32200],
    [{ v: 'gabp/1', id: 'a', method: 'session/ping' }, -32202],
    [{ v: 'gabp/1', id: 'a', type: 'question', method: 'session/ping' }, -32201],
    [{ v: 'gabp/1', type: 'request', method: 'session/ping' }, -32202],
    [{ v: 'gabp/1', id: 7, type: 'request', method: 'session/ping' }, -32203],
    [{ v: 'gabp/1', id: 'a', type: 'request' }, -32202],
    [{ v: 'gabp/1', id: 'a', type: 'request', method: 'Ping' }, -32600],
    [{ v: 'gabp/1', id: 'a', type: 'request', method: 'session/ping', params: [] }, -32602],
    [['gabp/1'], -32600],
  ])(
    '[req:TP-12] [req:GT-2.3-2] holding no GABP envelope are refused with a code that says why: %j',
    async (message, code) => {
      const bridge = await enter();
      bridge.say(message);
      await eventually(() => bridge.messages.at(1)).toMatchObject({ type: 'response', error: { code } });
      expect(await bridge.result('session/ping')).toEqual({});
    },
  );
});

describe('limits', () => {
  test('[req:TP-60] [req:GT-7.1-1] messages of several megabytes pass; one over the advertised limit is refused', async () => {
    const bridge = await enter();
    const text = 'é'.repeat(1_500_000);
    expect(
      await bridge.ask('tools/call', { name: 'element/find_elements', arguments: { parent: text } }),
    ).toMatchObject({ error: { data: { code: 'DESKTOP_INVALID_REQUEST' } } });
    bridge.write(`Content-Length: ${16 * 1024 * 1024 + 1}\r\n\r\n`);
    await bridge.ended;
  });

  test('[req:GT-7.2-1] ten bridges are served at once, and an eleventh is turned away until one leaves', async () => {
    await chaperone().restart({ gabp: { maxConnections: 10 } });
    const bridges = [];
    for (let count = 0; count < 10; count++) bridges.push(await enter());
    for (const bridge of bridges) expect(await bridge.result('session/ping')).toEqual({});
    const eleventh = await knock();
    await eleventh.ended;
    expect(eleventh.messages).toMatchObject([{ error: { code: -32000, message: expect.stringContaining('10') } }]);
    bridges[0]?.close();
    await eventually(async () => {
      const next = await knock();
      return next.hello(tokenOf(chaperone().home)).catch(() => null);
    }).toHaveProperty('result');
  });

  test('[req:GT-7.2-2] a client with as many calls as it may have, and a flood of requests, does not keep another from being served', async () => {
    const [busy, other] = [await enter(), await enter()];
    const waiting = {
      name: 'element/wait_element',
      arguments: { parent: 'simulated.mail', title: 'Never', timeout: 600 },
    };
    for (let count = 0; count < 64; count++) busy.say(request('tools/call', `wait ${count}`, waiting));
    expect(await busy.ask('tools/call', waiting)).toMatchObject({
      error: { data: { details: { reason: 'too_many_calls' } } },
    });
    let served = 0;
    let flooding = true;
    const flood = async () => {
      for (; flooding; served++) await busy.ask('tools/list');
    };
    const floods = Array.from({ length: 30 }, flood);
    await eventually(() => served).toBeGreaterThan(30);
    const found = await other.result('tools/call', {
      name: 'element/find_elements',
      arguments: { parent: 'simulated.mail', role: 'AXButton', title: 'Send' },
    });
    expect(found['total']).toBe(1);
    expect(await other.result('tools/list')).toHaveProperty('tools');
    flooding = false;
    await Promise.all(floods);
    expect(busy.messages.filter(({ id }) => String(id).startsWith('wait'))).toEqual([]);
  });

  test('[req:GT-7.3-1] a client that does not read is cut off, without harm to others', async () => {
    const other = await enter();
    const { length } = JSON.stringify(await other.ask('tools/list'));
    const count = Math.ceil((100 * 1024 * 1024) / length);
    const socket = connect(chaperone().host.tcpPort ?? 0, '127.0.0.1').pause();
    const failed = new Promise<Error>((resolve) => socket.once('error', resolve));
    socket.write(frame(request('session/hello', 'h', { token: tokenOf(chaperone().home) })));
    socket.write(Array.from({ length: count }, (_, at) => frame(request('tools/list', `list ${at}`))).join(''));
    await eventually(async () => {
      socket.write(frame(request('session/ping', 'still there?')));
      expect(await other.result('session/ping')).toEqual({});
      return socket.destroyed;
    }).toBe(true);
    expect(await failed).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
    expect(await other.result('tools/list')).toHaveProperty('tools');
  });
});
