import { describe, expect, it } from 'vitest';
import { ATTENTION } from '../../support/fake-services.js';
import { connection, result, TOKEN } from '../support.js';
import { waitFor } from '../../support/eventually.js';

describe('events', () => {
  it('[req:DS-3-10] go to who subscribed, with a count of their own, until unsubscribed', async () => {
    const { hello, ask, services, events } = connection();
    await hello();
    services.attend('opened', ATTENTION);
    expect(result(await ask('events/subscribe', { channels: ['tools/changed', 'no/such', 'attention/*'] }))).toEqual({
      subscribed: ['tools/changed', 'attention/opened', 'attention/updated', 'attention/cleared'],
    });
    services.attend('opened', ATTENTION);
    services.attend('cleared', ATTENTION);
    services.attend('opened', ATTENTION);
    await waitFor(() => expect(events('attention/opened')).toHaveLength(2));
    expect(events('attention/opened').map(({ seq }) => seq)).toEqual([1, 2]);
    expect(Object.keys(events('attention/opened')[0] ?? {}).sort()).toEqual([
      'channel',
      'id',
      'payload',
      'seq',
      'type',
      'v',
    ]);
    expect(events('attention/cleared')).toMatchObject([{ seq: 0, payload: ATTENTION }]);
    expect(result(await ask('events/unsubscribe', { channels: ['attention/*'] }))).toEqual({
      unsubscribed: ['attention/opened', 'attention/updated', 'attention/cleared'],
    });
    services.attend('opened', ATTENTION);
    await ask('session/ping');
    expect(events('attention/opened')).toHaveLength(2);
  });

  it('[req:DS-3-9] of a call go to its own connection, when subscribed', async () => {
    const { hello, ask, nth, events, send } = connection();
    await hello();
    const progress = { callId: 'c1', state: 'awaiting_human' as const, approvalId: 'a', message: 'asked' };
    await send('tools/call', { name: 'test/look' }, 'request-1');
    (await nth(0)).options.onProgress(progress);
    await ask('session/ping');
    expect(events('call/progress')).toEqual([]);
    await ask('events/subscribe', { channels: ['call/progress'] });
    (await nth(0)).options.onProgress(progress);
    (await nth(0)).options.onProgress(progress);
    await waitFor(() => expect(events('call/progress').map(({ seq }) => seq)).toEqual([0, 1]));
    expect(events('call/progress')[1]).toMatchObject({ payload: { ...progress, callId: 'request-1' } });
  });

  it('[req:DS-3-11] of an observation go to the agent that made it, where it subscribed to that one or to all', async () => {
    const { hello, ask, services, events, send } = connection();
    await hello();
    await send('tools/call', { name: 'test/look' });
    await waitFor(() => expect(services.made).toHaveLength(1));
    const agentId = services.made[0]?.caller.agent.id ?? '';
    const seen = (observationId: string, sequence: number, whose = agentId) =>
      services.observe({ agentId: whose, observationId, event: { sequence } });
    seen('o1', 0);
    expect(result(await ask('events/subscribe', { channels: ['observation/o1', 'observation/'] }))).toEqual({
      subscribed: ['observation/o1'],
    });
    seen('o1', 1);
    seen('o2', 1);
    seen('o1', 2, 'another agent');
    expect(result(await ask('events/subscribe', { channels: ['observation/*'] }))).toEqual({
      subscribed: ['observation/*'],
    });
    seen('o2', 2);
    await ask('session/ping');
    expect(events('observation/o1')).toMatchObject([{ seq: 1, payload: { sequence: 1 } }]);
    expect(events('observation/o2')).toMatchObject([{ seq: 1, payload: { sequence: 2 } }]);
    expect(result(await ask('events/unsubscribe', { channels: ['observation/*'] }))).toEqual({
      unsubscribed: ['observation/*', 'observation/o1'],
    });
    seen('o1', 3);
    await ask('session/ping');
    expect(events('observation/o1')).toHaveLength(1);
  });

  it('never mix up calls of two connections that count their requests alike', async () => {
    const ids = [];
    for (const link of [connection(), connection()]) {
      await link.hello();
      await link.send('tools/call', { name: 'test/look' }, '1');
      ids.push((await link.nth(0)).callId);
    }
    expect(new Set(ids).size).toBe(2);
  });

  it('[req:TP-34] [req:GT-7.3-2] are dropped, oldest first, for a peer that does not keep up; the gap shows it', async () => {
    const sent: Record<string, unknown>[] = [];
    const held: (() => void)[] = [];
    let receive: (message: unknown) => void = () => undefined;
    const { services } = connection({
      limits: { maxEvents: 3 },
      transport: {
        send: (message) => {
          sent.push(message as Record<string, unknown>);
          return sent.length > 2 ? new Promise((resolve) => held.push(resolve)) : Promise.resolve();
        },
        onMessage: (listener) => (receive = listener),
        onClose: () => undefined,
        close: () => undefined,
      },
    });
    const request = (method: string, params: unknown): void =>
      receive({ v: 'gabp/1', id: method, type: 'request', method, params });
    request('session/hello', { token: TOKEN });
    request('events/subscribe', { channels: ['attention/updated'] });
    await waitFor(() => expect(sent).toHaveLength(2));
    for (let count = 0; count < 10; count++) services.attend('updated', ATTENTION);
    for (let sends = 3; sends <= 6; sends++) {
      await waitFor(() => expect(sent).toHaveLength(sends));
      held.shift()?.();
    }
    expect(sent.slice(2).map(({ seq }) => seq)).toEqual([0, 7, 8, 9]);
  });
});

describe('attention and resources', () => {
  it('[req:TP-36] are told as they are', async () => {
    const { hello, ask } = connection();
    await hello();
    expect(result(await ask('attention/current'))).toEqual({ attention: ATTENTION });
    expect(result(await ask('attention/ack', { attentionId: 'att-1' }))).toEqual({
      acknowledged: false,
      attentionId: 'att-1',
      currentAttention: ATTENTION,
    });
    const uris = async (params?: unknown): Promise<number> =>
      (result(await ask('resources/list', params))['resources'] as unknown[]).length;
    expect(await uris()).toBe(1);
    expect(await uris({ namespace: 'chaperone', pattern: 'gabp://*/images/*' })).toBe(1);
    expect(await uris({ namespace: 'chap' })).toBe(0);
    expect(await uris({ pattern: 'gabp://other/*' })).toBe(0);
  });
});
