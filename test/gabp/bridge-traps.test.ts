/** What known bridges send that a server is likely to get wrong: each over TCP, byte for byte, to a whole host. */
import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, test } from 'vitest';
import { eachTcpHost } from '../support/bridges.js';
import { eventually } from '../support/eventually.js';
import { tokenOf } from '../support/gabp.js';
import { startScene } from '../support/world.js';
import { frame, openBridge, type Message } from '../support/raw-gabp.js';

let logged = '';
const { chaperone, knock, enter } = eachTcpHost(() => {
  logged = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  return { log: pino({ level: 'trace' }, stream) };
});
const ping = (id: string): string => JSON.stringify({ v: 'gabp/1', id, type: 'request', method: 'session/ping' });
const UUID = '0b8f6f5e-6d3f-4a43-9d0c-6b1f1c7c2f10';

test.each([
  ['names in small letters', (text: string) => `content-length:${text.length}\r\n\r\n${text}`],
  ['lines with LF alone', (text: string) => `Content-Length: ${text.length}\n\n${text}`],
  ['a character set, another order and more', (text: string) => `X-Bridge: 1\r\ncontent-type: application/json; charset=utf-8\r\nContent-Length: ${text.length}\r\n\r\n${text}`], // prettier-ignore
])('[req:TP-2] a header with %s is read', async (_name, framed) => {
  const bridge = await enter();
  bridge.write(framed(ping(UUID)));
  await eventually(() => bridge.messages.at(-1)).toMatchObject({ id: UUID, result: {} });
});

test.each(['Content-Length: 0', 'Content-Length: -1', 'Content-Length: NaN', 'Content-Length: 2\r\nContent-Length: 2'])(
  '[req:TP-3] %j ends the connection, and what follows is not read',
  async (header) => {
    const bridge = await enter();
    bridge.write(`${header}\r\n\r\n${frame(JSON.parse(ping(UUID)))}`);
    await bridge.ended;
    expect(bridge.messages).toHaveLength(1);
  },
);

test('[req:TP-10] a method with digits, dashes and underscores is one that is not there, not a broken request', async () => {
  const bridge = await enter();
  for (const method of ['minecraft/world/get_blocks', 'a-1/b_2'])
    expect(await bridge.ask(method)).toMatchObject({ error: { code: -32601 } });
});

const BRIDGES: readonly [name: string, hello: Message, id: string | undefined][] = [
  ['a platform by the name its language has for it', { bridgeVersion: '1', platform: 'darwin', launchId: UUID, clientInfo: { name: 'gabs', version: '1.1' } }, undefined], // prettier-ignore
  ['no launch', { bridgeVersion: '1', platform: 'win32', clientInfo: { name: 'a', version: '1', author: 'b' } }, undefined], // prettier-ignore
  ['nothing but its token', {}, undefined],
  ['a game for its platform, text for its name, and an id without dashes', { bridgeVersion: '1', platform: 'RimWorld', launchId: 'own', clientInfo: 'coordinator' }, '0123456789abcdef0123456789abcdef'], // prettier-ignore
];
test.each(BRIDGES)('[req:TP-15] the hello of a bridge that says %s is welcomed', async (_name, params, id) => {
  const bridge = await knock();
  const hello = { ...params, token: tokenOf(chaperone().home) };
  expect(await bridge.ask('session/hello', hello, id)).toHaveProperty('result.agentId');
});

test('[req:TP-16] three wrong tokens end a connection, and each is refused by the registry’s number', async () => {
  const bridge = await knock();
  for (const token of ['x'.repeat(64), '', tokenOf(chaperone().home).slice(1)])
    expect(await bridge.ask('session/hello', { token })).toMatchObject({ error: { code: -32101 } });
  await bridge.ended;
});

test('[req:TP-17] neither a right nor a wrong token is in the log, however much is logged', async () => {
  const bridge = await knock();
  const wrong = `${tokenOf(chaperone().home).slice(0, 32)}${'0'.repeat(32)}`;
  await bridge.hello(wrong);
  await bridge.hello(tokenOf(chaperone().home));
  await bridge.ask('tools/call', { name: 'no/such', arguments: { token: wrong } });
  expect(logged).not.toContain(tokenOf(chaperone().home).slice(0, 32));
  expect(JSON.stringify(bridge.messages)).not.toContain(tokenOf(chaperone().home).slice(0, 32));
});

test('[req:TP-20] what it can do names methods, and no tool', async () => {
  const bridge = await knock();
  const { result } = (await bridge.hello(tokenOf(chaperone().home))) as { result: { capabilities: { methods: string[] } } }; // prettier-ignore
  const { tools } = (await bridge.result('tools/list')) as { tools: { name: string }[] };
  const names = new Set(tools.map(({ name }) => name));
  expect(result.capabilities.methods.filter((method) => names.has(method))).toEqual([]);
  expect(result.capabilities.methods).toContain('tools/call');
});

test('[req:TP-23] arguments are taken under either name, and under the protocol’s where there are both', async () => {
  const bridge = await enter();
  const say = async (params: Message) => {
    const { error } = await bridge.ask('tools/call', { name: 'window/get_window', ...params });
    return (error as { message: string }).message;
  };
  expect(await say({ parameters: { name: 'windows/first' } })).toContain('windows/first');
  expect(await say({ arguments: { name: 'windows/second' } })).toContain('windows/second');
  expect(await say({ parameters: { name: 'windows/first' }, arguments: { name: 'windows/second' } })).not.toContain('first'); // prettier-ignore
});

test('[req:TP-24] [req:TP-41] an error’s message alone says what happened and what to do, and that a tool was not found', async () => {
  const bridge = await enter();
  const { error } = await bridge.ask('tools/call', { name: 'window/get_window', arguments: { name: 'windows/none' } });
  const { message, data } = error as { message: string; data: { code: string; details: { next?: string } } };
  expect(message).toContain(data.code);
  expect(message.length).toBeGreaterThan(data.code.length + 20);
  const none = await bridge.ask('tools/call', { name: 'no/such', arguments: {} });
  expect(none).toMatchObject({ error: { code: -32400, message: expect.stringMatching(/tool.*not found/i) } });
});

test('[req:TP-29] channels that are not there are left out without an error, and a pattern gives the channels it stands for', async () => {
  const bridge = await enter();
  expect(await bridge.result('events/subscribe', { channels: ['no/such', 'attention/*', 'player/*'] })).toEqual({
    subscribed: ['attention/opened', 'attention/updated', 'attention/cleared'],
  });
  expect(await bridge.result('events/unsubscribe', { channels: ['no/such'] })).toEqual({ unsubscribed: [] });
});

/** Calls that a known bridge lets through while something must be seen: those with one of these tags, or words in the name. */
const PASS_TAGS = ['attention-bypass', 'diagnostic', 'diagnostics', 'health', 'lifecycle', 'observation', 'read-only', 'status', 'telemetry']; // prettier-ignore
const PASS_WORDS = ['attention', 'diagnostic', 'diagnostics', 'health', 'idle', 'journal', 'log', 'logs', 'operation', 'operations', 'ping', 'ready', 'status', 'telemetry']; // prettier-ignore

test('[req:TP-39] what only reads passes a bridge that waits for a person, and nothing else does by its name or tags', async () => {
  const bridge = await enter();
  const { tools } = (await bridge.result('tools/list')) as { tools: { name: string; tags: string[] }[] };
  const passes = tools.filter(
    ({ name, tags }) =>
      tags.some((tag) => PASS_TAGS.includes(tag.replaceAll('_', '-'))) ||
      name.split(/[/._: -]/).some((word) => PASS_WORDS.includes(word)),
  );
  expect(passes.filter(({ tags }) => !tags.includes('read-only'))).toEqual([]);
  expect(passes.map(({ name }) => name)).toEqual(expect.arrayContaining(['screen/capture_screenshot', 'window/list_windows'])); // prettier-ignore
});

test('[req:TP-44] answers and events that a bridge sends are passed over', async () => {
  const bridge = await enter();
  bridge.say({ v: 'gabp/1', id: UUID, type: 'response', result: { agentId: 'x' } });
  bridge.say({ v: 'gabp/1', id: UUID, type: 'event', channel: 'a/b', seq: 0, payload: null });
  await bridge.result('session/ping');
  expect(bridge.messages).toHaveLength(2);
});

test('[req:TP-35] what must be seen is one item, and the same one when it changes', async () => {
  const scene = await startScene({ tcp: 0 });
  const bridge = await openBridge({ port: scene.host.tcpPort ?? 0 });
  await bridge.hello(tokenOf(scene.home));
  await bridge.result('events/subscribe', { channels: ['attention/*'] });
  const told = async (permission: 'accessibility' | 'screenRecording', state: 'missing' | 'granted') => {
    scene.world.setPermission(permission, state);
    const request = randomUUID();
    scene.person.send({ type: 'check', request, record: false });
    await scene.person.match((one) => 'request' in one && one.request === request);
    return bridge.result('attention/current');
  };
  const { attention: first } = (await told('accessibility', 'missing')) as { attention: Message };
  const { attention: second } = (await told('screenRecording', 'missing')) as { attention: Message };
  expect(second).toMatchObject({ attentionId: first['attentionId'], openedAtSequence: first['openedAtSequence'] });
  expect(second['summary']).not.toBe(first['summary']);
  await told('accessibility', 'granted');
  expect(await told('screenRecording', 'granted')).toEqual({ attention: null });
  const events = bridge.messages.filter(({ type }) => type === 'event');
  expect(events.map(({ channel, payload }) => [channel, (payload as Message)['attentionId']])).toEqual(
    ['opened', 'updated', 'updated', 'cleared'].map((event) => [`attention/${event}`, first['attentionId']]),
  );
  bridge.close();
  await scene.close();
});
