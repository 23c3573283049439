/** What applications send that a bridge is likely to get wrong: each from an application whose bytes the test decides, through a whole host. */
import { expect, test } from 'vitest';
import { ask, attach, attachAnyway, call, logOf, resultOf, textOf } from '../support/attached-app.js';
import { eventually } from '../support/eventually.js';
import { ATTENTION_METHODS, Refusal, scriptedApp, TOOL, welcomeOf } from '../support/scripted-app.js';

test('[req:TP-1] [req:TP-8] [req:TP-23] what is sent to an application begins with the length, is ASCII, and has arguments by their name', async () => {
  const app = await scriptedApp({ 'tools/call': (params) => params });
  const given = { text: 'Straße 你好 😀' };
  expect(resultOf(await call(await attach(app), given))).toEqual({ name: 'game/do', arguments: given });
  const bytes = Buffer.concat(app.peer().bytes);
  expect(bytes.every((byte) => byte < 0x80)).toBe(true);
  expect(bytes.toString()).toMatch(/^Content-Length: \d+\r\nContent-Type: application\/json\r\n\r\n\{/);
});

const body = (id: unknown): string => JSON.stringify({ v: 'gabp/1', id, type: 'response', result: 'read' });
test.each([
  ['names in small letters', (text: string) => `content-length:${text.length}\r\n\r\n${text}`],
  ['lines with LF alone', (text: string) => `Content-Length: ${text.length}\n\n${text}`],
  ['another order, a character set and more', (text: string) => `X-Game: 1\r\nContent-Type: application/json; charset=utf-8\r\nCONTENT-LENGTH:   ${text.length}\r\n\r\n${text}`], // prettier-ignore
])('[req:TP-2] a header with %s is read', async (_name, framed) => {
  const app = await scriptedApp({ 'tools/call': (_params, peer, { id }) => peer.write(framed(body(id))) });
  expect(resultOf(await call(await attach(app)))).toBe('read');
});

test.each(['Content-Length: 0', 'Content-Length: -5', 'Content-Length: 2\r\nContent-Length: 2', 'Content-Length: x'])(
  '[req:TP-3] [req:TP-4] after %j nothing more is read of that connection, and a new one is made',
  async (header) => {
    const broken = (_params: unknown, peer: { write(bytes: string): void }, { id }: { id?: unknown }) => {
      app.answers['tools/call'] = () => 'from the next connection';
      const text = body(id);
      peer.write(`${header}\r\n\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    };
    const app = await scriptedApp({ 'tools/call': broken });
    const running = await attach(app);
    expect(textOf(await call(running))).toContain('outcome_unknown');
    await eventually(() => logOf(running)).toContain('framing error');
    await eventually(() => app.count('tools/list')).toBe(2);
    await eventually(() => running.state('game')).toBe('connected');
    expect(resultOf(await call(running))).toBe('from the next connection');
    expect(app.peers).toHaveLength(2);
  },
);

test('[req:TP-5] a whole frame that is no JSON is passed over, and the answer after it is taken', async () => {
  const app = await scriptedApp({
    'tools/call': (_params, peer, { id }) => peer.write(`Content-Length: 5\r\n\r\n{"v":${`Content-Length: ${body(id).length}\r\n\r\n${body(id)}`}`), // prettier-ignore
  });
  expect(resultOf(await call(await attach(app)))).toBe('read');
  expect(app.peers).toHaveLength(1);
});

test('[req:TP-11] [req:TP-33] events with a time, in channels of any name and with any payload, are kept', async () => {
  const app = await scriptedApp({ 'session/hello': () => welcomeOf({ events: ['World Ended!', 'a'] }) });
  const running = await attach(app);
  await eventually(() => app.count('events/subscribe')).toBe(1);
  app.peer().event('World Ended!', 3, ['x', null], { timestamp: '2026-11-25T10:00:00Z' });
  app.peer().event('a', 0, false);
  const read = async () => (await ask(running, 'game_events')).structuredContent?.['events'];
  await eventually(read).toMatchObject([
    { channel: 'World Ended!', payload: ['x', null] },
    { channel: 'a', payload: false },
  ]);
});

test('[req:TP-12] an application of another version gets no session and is not called', async () => {
  const app = await scriptedApp({
    'session/hello': (_params, peer, { id }) => peer.say({ v: 'gabp/2', id, type: 'response', result: welcomeOf() }),
  });
  const running = await attachAnyway(app);
  await eventually(() => app.count('session/hello')).toBeGreaterThan(0);
  expect(app.count('tools/list')).toBe(0);
  expect(await running.state('game')).not.toBe('connected');
});

test.each([[null], [0], [false], [''], [{ success: false, why: 'no room' }]])(
  '[req:TP-14] [req:TP-25] the result %j is a result, and given as it is',
  async (result) => {
    const app = await scriptedApp({ 'tools/call': () => result });
    const answer = await call(await attach(app));
    expect(answer.isError).toBeUndefined();
    expect(resultOf(answer)).toEqual(result);
  },
);

test('[req:TP-19] one that says nothing of what it can do, and knows no method but its tool’s, is called all the same', async () => {
  const app = await scriptedApp({
    'session/hello': () => ({ agentId: 'a', app: { name: 'Bare', version: '0' }, schemaVersion: '1.0' }),
    'tools/call': () => 'done',
  });
  expect(resultOf(await call(await attach(app)))).toBe('done');
  expect(new Set(app.peer().received.map(({ method }) => method))).toEqual(new Set(['session/hello', 'tools/list', 'tools/call'])); // prettier-ignore
});

test('[req:TP-19] one without tools is connected, for its events', async () => {
  const app = await scriptedApp({ 'tools/list': () => { throw new Refusal(-32601, 'Method not found'); } }); // prettier-ignore
  const running = await attach(app);
  expect((await running.toolNames()).filter((name) => name.startsWith('game_'))).toEqual(['game_events']);
});

test.each(['tools/changed', 'tools/list_changed', 'system/capabilities_changed'])(
  '[req:TP-21] after an event in %s the tools are listed anew',
  async (channel) => {
    const app = await scriptedApp({ 'session/hello': () => welcomeOf({ events: [channel] }) });
    const running = await attach(app);
    app.answers['tools/list'] = () => ({ tools: [{ ...TOOL, name: 'game/other' }] });
    app.peer().event(channel, 0);
    await eventually(running.toolNames).toContain('game_game_other');
  },
);

test('[req:TP-22] of an application that takes one request at a time no more is asked', async () => {
  const held: (() => void)[] = [];
  const app = await scriptedApp({
    'session/hello': () => welcomeOf({ events: [], limits: { maxConcurrentRequests: 1 } }),
    'tools/call': (_params, peer, { id }) => void held.push(() => peer.say(JSON.parse(body(id)) as object)),
  });
  const running = await attach(app);
  const first = call(running, { n: 1 });
  await eventually(() => held.length).toBe(1);
  expect(textOf(await call(running, { n: 2 }))).toMatch(/DESKTOP_HOST_NOT_READY: .*\b1\b/);
  held[0]?.();
  expect(resultOf(await first)).toBe('read');
  expect(app.count('tools/call')).toBe(1);
});

test('[req:TP-22] a request larger than an application takes is refused before it is sent, in bytes and with the reason', async () => {
  const app = await scriptedApp({
    'session/hello': () => welcomeOf({ limits: { maxMessageSize: 2048 } }),
    'tools/call': () => 'done',
  });
  const running = await attach(app);
  // A letter of three bytes is sent as six.
  for (const text of ['x'.repeat(2048), '你'.repeat(400)]) {
    const refused = textOf(await call(running, { text }));
    expect(refused).toMatch(/^DESKTOP_INVALID_REQUEST: .*over the limit of 2048/);
    expect(refused).toContain('request_too_large');
  }
  expect(resultOf(await call(running, { text: 'x'.repeat(1500) }))).toBe('done');
  expect(app.count('tools/call')).toBe(1);
  expect(app.peers).toHaveLength(1);
});

test('[req:TP-22] the time that an application gives itself for an answer shortens the wait for it', async () => {
  const app = await scriptedApp({
    'session/hello': () => welcomeOf({ limits: { requestTimeout: 1 } }),
    'tools/call': () => undefined,
  });
  expect(textOf(await call(await attach(app, { timeout: 3600 })))).toMatch(/did not answer within 3 s.*outcome_unknown/s);
}); // prettier-ignore

test.each([{ maxMessageSize: 10 }, { requestTimeout: 0 }, { requestTimeout: '1' }, { maxMessageSize: null }])(
  '[req:TP-22] a limit that the protocol forbids, as %j, is none',
  async (limits) => {
    const app = await scriptedApp({ 'session/hello': () => welcomeOf({ limits }), 'tools/call': () => 'done' });
    expect(resultOf(await call(await attach(app), { text: 'x'.repeat(5000) }))).toBe('done');
  },
);

test('[req:TP-27] [req:TP-28] a tool with no more than a name is published, and its result needs no schema of its own', async () => {
  const tools = [{ name: 'game/do' }, { name: 'game/scalar', outputSchema: { type: 'number' } }];
  const app = await scriptedApp({ 'tools/list': () => ({ tools }), 'tools/call': () => 7 });
  const running = await attach(app);
  const own = (await running.agent.tools()).filter(({ name }) => /^game_game_/.test(name));
  expect(own.map(({ name }) => name)).toEqual(['game_game_do', 'game_game_scalar']);
  for (const { outputSchema } of own)
    expect(outputSchema).toMatchObject({ type: 'object', properties: { result: {} } });
  expect(resultOf(await call(running))).toBe(7);
});

test('[req:TP-30] channels that an application announced and did not subscribe are in its log', async () => {
  const app = await scriptedApp({
    'session/hello': () => welcomeOf({ events: ['world/changed', 'world/ended'] }),
    'events/subscribe': () => ({ subscribed: ['world/changed'] }),
  });
  const running = await attach(app);
  await eventually(() => logOf(running)).toContain('tells nothing of world/ended');
});

test('[req:TP-31] [req:GT-4.3-2] a count may begin anywhere; what is missing in it is told as lost, what comes twice is kept once, and a restart loses nothing', async () => {
  const app = await scriptedApp();
  const running = await attach(app);
  const subscribed = (times: number) => eventually(() => app.count('events/subscribe')).toBe(times);
  const read = async () => (await ask(running, 'game_events')).structuredContent;
  const payloads = async () => ((await read())?.['events'] as { payload: unknown }[]).map(({ payload }) => payload);
  await subscribed(1);
  for (const seq of [5, 6, 6, 9]) app.peer().event('world/changed', seq, seq);
  await eventually(payloads).toEqual([5, 6, 9]);
  expect((await read())?.['lost']).toBe(2);
  app.peer().end();
  await subscribed(2);
  for (const seq of [0, 1]) app.peer().event('world/changed', seq, `again ${seq}`);
  await eventually(payloads).toEqual([5, 6, 9, 'again 0', 'again 1']);
  expect((await read())?.['lost']).toBe(2);
});

test('[req:TP-32] events before the answer to the subscription, and between a call and its answer, are kept', async () => {
  const app = await scriptedApp({
    'events/subscribe': ({ channels }, peer) => {
      peer.event('world/changed', 0, 'early');
      return { subscribed: channels };
    },
    'tools/call': (_params, peer) => {
      peer.event('world/changed', 1, 'during');
      return 'done';
    },
  });
  const running = await attach(app);
  expect(resultOf(await call(running))).toBe('done');
  const read = async () => (await ask(running, 'game_events')).structuredContent?.['events'];
  await eventually(read).toMatchObject([{ payload: 'early' }, { payload: 'during' }]);
});

const ALARM = { attentionId: 'a-1', state: 'open', severity: 'error', blocking: true, stateInvalidated: true, summary: 'Fire.', openedAtSequence: 1, latestSequence: 1, totalUrgentEntries: 1 }; // prettier-ignore
const withAttention = () =>
  welcomeOf({ methods: [...(welcomeOf()['capabilities'] as { methods: string[] }).methods, ...ATTENTION_METHODS] });

test('[req:TP-37] [req:TP-38] while something must be seen nothing is sent, reads too, also after the connection was made anew', async () => {
  let attention: object | null = null;
  const app = await scriptedApp({
    'session/hello': withAttention,
    'attention/current': () => ({ attention }),
    'attention/ack': ({ attentionId }) => ({ acknowledged: true, attentionId, currentAttention: (attention = null) }),
    'tools/call': () => 'done',
    'resources/read': () => ({ content: 'text' }),
  });
  const running = await attach(app);
  attention = ALARM;
  expect(textOf(await call(running))).toMatch(/app_attention|Fire\./);
  const uri = `gabp://chaperone/apps/game/resources/${encodeURIComponent('game://x')}`;
  await expect(running.agent.request('resources/read', { uri })).rejects.toThrow('Fire.');
  app.peer().end();
  await eventually(() => app.count('events/subscribe')).toBe(2);
  await running.scene.person.next('gabpApps', ({ apps }) => apps.some(({ attention: told }) => told?.id === 'a-1'));
  expect((await call(running)).isError).toBe(true);
  expect([app.count('tools/call'), app.count('resources/read')]).toEqual([0, 0]);
  await running.agent.tool('game_acknowledge', { attention_id: 'a-1' });
  expect(resultOf(await call(running))).toBe('done');
});

test.each([-32400, -31002, -32601])('[req:TP-40] the refusal %d says that there is no such tool', async (code) => {
  const app = await scriptedApp({ 'tools/call': () => { throw new Refusal(code, 'Unknown'); } }); // prettier-ignore
  const { _meta } = await call(await attach(app));
  expect(_meta?.['dev.chaperone/error']).toMatchObject({
    code: 'DESKTOP_APP_FAILED',
    details: { app_code: code, reason: 'unknown_tool' },
  });
});

test.each([-32100, -31001])('[req:TP-40] after the refusal %d a session is opened anew', async (code) => {
  const app = await scriptedApp({ 'tools/call': () => { throw new Refusal(code, 'Who are you?'); } }); // prettier-ignore
  const running = await attach(app);
  expect(textOf(await call(running))).toContain('DESKTOP_HOST_NOT_READY');
  app.answers['tools/call'] = () => 'done';
  await eventually(() => app.count('session/hello')).toBe(2);
  await eventually(() => running.state('game')).toBe('connected');
  expect(resultOf(await call(running))).toBe('done');
});

test('[req:TP-58] a call that is not answered in time is not made again', async () => {
  const app = await scriptedApp({ 'tools/call': () => undefined });
  expect(textOf(await call(await attach(app, { timeout: 0.2 })))).toContain('outcome_unknown');
  expect(app.count('tools/call')).toBe(1);
});

test('[req:TP-59] an answer that came before the connection ended counts', async () => {
  const app = await scriptedApp({
    'tools/call': (_params, peer, { id }) => {
      peer.say(JSON.parse(body(id)) as object);
      peer.end();
    },
  });
  expect(resultOf(await call(await attach(app)))).toBe('read');
});

test('[req:TP-60] an answer of several megabytes is taken', async () => {
  const app = await scriptedApp({ 'tools/call': () => ({ text: 'é'.repeat(1_500_000) }) });
  const answer = await call(await attach(app));
  expect(answer.isError).toBeUndefined();
  expect(JSON.stringify(answer)).toContain('éééé');
});
