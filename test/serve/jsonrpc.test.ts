import { describe, expect, it } from 'vitest';
import { WireError } from '../../src/main/protocol/index.js';
import { Unreadable } from '../../src/main/protocol/transport.js';
import { connection } from './support.js';
import { verbatim } from '../../src/messages/index.js';
import { waitFor } from '../support/eventually.js';

const rpc = (id: unknown, method: string, params?: unknown) => ({ jsonrpc: '2.0', id, method, params });

describe('a JSON-RPC connection', () => {
  it('hands the call on, with the id, and answers with its result', async () => {
    const { near, services, nth, answerTo, accepted } = connection();
    await near.send(rpc('a', 'desktop.click', { meta: { requestId: 'r' } }));
    const call = await nth(0);
    expect(call).toMatchObject({ name: 'desktop.click', callId: 'a', arguments: { meta: { requestId: 'r' } } });
    expect(call.caller).toMatchObject({ protocol: 'jsonrpc', peer: { pid: 500 }, agent: { pid: 500, claim: null } });
    call.resolve({ clicked: true });
    expect(await answerTo('a')).toEqual({ jsonrpc: '2.0', id: 'a', result: { clicked: true } });
    expect(services.present).toEqual(['+node · cli.js/jsonrpc']);
    expect(accepted).toHaveBeenCalledTimes(1);
  });

  it('answers out of order', async () => {
    const { near, nth, messages } = connection();
    for (const id of [1, 2, 3]) await near.send(rpc(id, 'desktop.health'));
    for (const at of [2, 0, 1]) {
      (await nth(at)).resolve(at);
      await waitFor(() => expect(messages.at(-1)?.['result']).toBe(at));
    }
    expect(messages.map(({ id }) => id)).toEqual([3, 1, 2]);
  });

  it('gives errors their words, retryable and details', async () => {
    const { near, nth, answerTo } = connection();
    await near.send(rpc('a', 'desktop.click'));
    (await nth(0)).reject(new WireError('DESKTOP_TIMEOUT', verbatim('Too late.'), { timeoutMs: 5 }));
    expect(await answerTo('a')).toMatchObject({
      error: { code: 'DESKTOP_TIMEOUT', message: 'Too late.', retryable: true, details: { timeoutMs: 5 } },
    });
    await near.send(rpc('b', 'desktop.click'));
    (await nth(1)).reject(new TypeError('a bug'));
    expect(await answerTo('b')).toMatchObject({ error: { code: 'DESKTOP_INTERNAL_ERROR' } });
  });

  it.each(['desktop.nothing', 'toString', '__proto__', 'constructor', 'tools/list', 'admin/stop'])(
    'does not know %s',
    async (method) => {
      const { near, services, answerTo } = connection();
      await near.send(rpc('a', method));
      expect(await answerTo('a')).toMatchObject({
        error: { code: 'DESKTOP_INVALID_REQUEST', details: { reason: 'unknown_method' } },
      });
      expect(services.made).toEqual([]);
    },
  );

  it('ignores notifications, and answers what cannot be read with id null', async () => {
    const { near, services, messages } = connection();
    await near.send({ jsonrpc: '2.0', method: 'desktop.click', params: {} });
    await near.send({ jsonrpc: '2.0', id: {}, method: 'desktop.click' });
    await waitFor(() => expect(messages).toHaveLength(1));
    expect(messages[0]).toMatchObject({ id: null, error: { code: 'DESKTOP_INVALID_REQUEST' } });
    expect(services.made).toEqual([]);
  });

  it('takes no second call with an id that is under way, and again once it has ended', async () => {
    const { near, nth, messages, answerTo, services } = connection();
    await near.send(rpc('same', 'desktop.health'));
    await near.send(rpc('same', 'desktop.click'));
    await waitFor(() =>
      expect(messages).toMatchObject([{ id: 'same', error: { details: { reason: 'duplicate_id' } } }]),
    );
    messages.length = 0;
    (await nth(0)).resolve(1);
    await answerTo('same');
    await near.send(rpc('same', 'desktop.health'));
    await nth(1);
    expect(services.made).toHaveLength(2);
  });

  it('has so many under way and no more, but always takes an abort', async () => {
    const { near, nth, answerTo } = connection({ limits: { maxCalls: 2 } });
    for (const id of [1, 2, 3]) await near.send(rpc(id, 'desktop.health'));
    expect(await answerTo(3)).toMatchObject({
      error: { code: 'DESKTOP_HOST_NOT_READY', retryable: true, details: { reason: 'too_many_calls' } },
    });
    await near.send(rpc(4, 'desktop.abort'));
    (await nth(2)).resolve({ aborted: true });
    expect(await answerTo(4)).toMatchObject({ result: { aborted: true } });
  });

  it('detaches every call when the connection ends, and says who has gone', async () => {
    const { near, services, nth, served } = connection();
    await near.send(rpc(1, 'desktop.click'));
    const { options } = await nth(0);
    near.close();
    await served.closed;
    expect(options.signal.reason).toMatchObject({ mode: 'detach' });
    expect(services.present).toEqual(['+node · cli.js/jsonrpc', '-node · cli.js/jsonrpc']);
  });

  it('says so when a result cannot be sent', async () => {
    const { near, nth, answerTo } = connection();
    await near.send(rpc(1, 'desktop.health'));
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    (await nth(0)).resolve(circle);
    expect(await answerTo(1)).toMatchObject({ error: { code: 'DESKTOP_INTERNAL_ERROR' } });
  });
});

describe('the first message', () => {
  it('is answered as JSON-RPC while it is neither, and a third such one ends the connection', async () => {
    const { near, messages, ends, accepted } = connection();
    for (const odd of [{ hello: 1 }, { jsonrpc: '1.0', id: 7, method: 'x' }, [1]]) await near.send(odd);
    await waitFor(() => expect(ends).toHaveLength(1));
    expect(messages.map(({ id }) => id)).toEqual([null, 7, null]);
    expect(accepted).not.toHaveBeenCalled();
  });

  it('may be unreadable and the next be good', async () => {
    const opened: ((message: unknown) => void)[] = [];
    const sent: unknown[] = [];
    const { services } = connection({
      transport: {
        send: async (message) => void sent.push(message),
        onMessage: (listener) => void opened.push(listener),
        onClose: () => undefined,
        close: () => undefined,
      },
    });
    opened[0]?.(new Unreadable(verbatim('cut short')));
    expect(sent).toMatchObject([
      { id: null, error: { code: 'DESKTOP_INVALID_REQUEST', details: { reason: 'unreadable_json' } } },
    ]);
    opened[0]?.(rpc(1, 'desktop.health'));
    await waitFor(() => expect(services.made).toHaveLength(1));
  });

  it('decides for good', async () => {
    const { near, nth, messages } = connection();
    await near.send(rpc(1, 'desktop.health'));
    await nth(0);
    await near.send({ v: 'gabp/1', id: 'x', type: 'request', method: 'session/ping' });
    await waitFor(() =>
      expect(messages).toMatchObject([{ jsonrpc: '2.0', id: 'x', error: { code: 'DESKTOP_INVALID_REQUEST' } }]),
    );
  });

  it('cannot be JSON-RPC where only GABP is spoken', async () => {
    const { near, services, messages } = connection({ protocols: ['gabp'] });
    await near.send(rpc('a', 'desktop.click'));
    await waitFor(() => expect(messages).toMatchObject([{ v: 'gabp/1', error: { code: -32202 } }]));
    expect(services.made).toEqual([]);
  });
});
