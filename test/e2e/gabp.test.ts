import { CLICK } from '../support/titles.js';
import { existsSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { tokenOf } from '../support/gabp.js';
import { connectAs } from '../support/other.js';
import { openBridge, type Bridge, type Message } from '../support/raw-gabp.js';
import { openPage, type Person } from '../support/person.js';
import { startWorld, type WorldHost } from '../support/world.js';

const MAIL = 'simulated.mail';

let chaperone: WorldHost;
let person: Person;
let opened: { close(): unknown }[];

beforeEach(async () => {
  opened = [];
  chaperone = await startWorld({ tcp: 0 });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  opened.push(person);
});
afterEach(async () => {
  for (const one of opened.reverse()) await one.close();
  await chaperone.close();
});

const DOORS = {
  'the Unix socket that bridge.json names': () => {
    const bridge = readBridge(hostPaths({ CHAPERONE_HOME: chaperone.home }));
    expect(bridge?.transport).toMatchObject({ type: 'pipe', address: chaperone.host.socketPath });
    return { path: bridge?.transport.address ?? '' };
  },
  'TCP on 127.0.0.1': () => ({ port: chaperone.host.tcpPort ?? 0 }),
} as const;

async function knock(door: keyof typeof DOORS): Promise<Bridge> {
  const bridge = await openBridge(DOORS[door]());
  opened.push(bridge);
  return bridge;
}

async function enter(door: keyof typeof DOORS = 'TCP on 127.0.0.1'): Promise<Bridge> {
  const bridge = await knock(door);
  expect(await bridge.hello(tokenOf(chaperone.home))).toHaveProperty('result');
  return bridge;
}

const call = (bridge: Bridge, name: string, args: Message = {}) =>
  bridge.result('tools/call', { name, arguments: args });
const pictures = async (bridge: Bridge) =>
  ((await bridge.result('resources/list'))['resources'] as { uri: string }[]).filter(({ uri }) =>
    uri.includes('/images/'),
  );
const findSend = async (bridge: Bridge): Promise<string> => {
  const found = await call(bridge, 'element/find_elements', { parent: MAIL, role: 'AXButton', title: 'Send' });
  const [first] = found['elements'] as { elementId: string }[];
  return first?.elementId ?? '';
};
const presses = () =>
  chaperone.world.journal().filter(({ control, event }) => control === 'send' && event === 'pressed');

describe.each(['the Unix socket that bridge.json names', 'TCP on 127.0.0.1'] as const)('over %s', (door) => {
  test('[req:GT-3.1-1] [req:GT-3.1-2] [req:GT-3.1-3] [req:GT-3.3-1] nothing is served before a hello with the right token, which is welcomed', async () => {
    const bridge = await knock(door);
    for (const method of ['tools/list', 'session/ping', 'resources/list'])
      expect(await bridge.ask(method)).toMatchObject({ error: { code: -32100 } });
    const token = tokenOf(chaperone.home);
    for (const wrong of ['', 'x', `${token}0`, token.toUpperCase().replace(/[A-F]/, 'g')]) {
      const other = await knock(door);
      expect(await other.hello(wrong)).toMatchObject({ error: { code: -32101 } });
      expect(await other.ask('tools/list')).toMatchObject({ error: { code: -32100 } });
    }
    expect(await bridge.hello(token)).toEqual({
      v: 'gabp/1',
      id: expect.any(String),
      type: 'response',
      result: {
        agentId: 'chaperone',
        app: { name: 'Chaperone', version: expect.any(String) },
        serverInfo: expect.anything(),
        schemaVersion: '1.0',
        capabilities: {
          methods: expect.arrayContaining(['tools/list', 'tools/call', 'resources/read', 'events/subscribe']),
          events: expect.arrayContaining(['call/progress', 'attention/opened']),
          resources: expect.any(Array),
          extensions: { replay: {} },
          limits: { maxMessageSize: 16 * 1024 * 1024, maxConcurrentRequests: expect.any(Number) },
        },
      },
    });
    expect(await bridge.result('session/ping')).toEqual({});
  });

  test('[req:DS-3-7] [req:DS-3-9] [req:GT-4.1-1] [req:GT-4.1-2] the main job: find, press with the person’s approval, told at every step', async () => {
    person.allowLooking();
    const bridge = await enter(door);
    const { tools } = await bridge.result('tools/list');
    const names = (tools as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['element/find_elements', 'element/click_element', 'chat/send_message']),
    );
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_-]*\/[a-z][a-z0-9_-]*$/);
    for (const tool of tools as Message[])
      expect(tool).toMatchObject({ inputSchema: { type: 'object' }, outputSchema: { type: 'object' } });
    expect(await pictures(bridge)).toEqual([]);
    expect(await bridge.result('events/subscribe', { channels: ['call/progress'] })).toEqual({
      subscribed: ['call/progress'],
    });

    const neighbour = await enter(door);
    await neighbour.result('events/subscribe', { channels: ['call/progress'] });

    const element = await findSend(bridge);
    const pressing = bridge.ask(
      'tools/call',
      { name: 'element/click_element', arguments: { element_id: element } },
      'press-1',
    );
    const { payload } = await bridge.event(
      'call/progress',
      (one) => one['state'] === 'awaiting_human' && one['callId'] === 'press-1',
    );
    expect(presses()).toEqual([]);
    const card = await person.answer('allow');
    expect(payload).toEqual({
      callId: 'press-1',
      state: 'awaiting_human',
      approvalId: card.id,
      message: expect.any(String),
    });
    expect(card.subject).toMatchObject({ title: CLICK, target: 'Send' });
    expect((await pressing)['result']).toMatchObject({ clicked: true, effect: 'confirmed' });
    expect(presses()).toHaveLength(1);
    await neighbour.result('session/ping');
    expect(neighbour.events('call/progress')).toEqual([]);
    const seqs = bridge.events('call/progress').map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index));

    const denied = bridge.ask('tools/call', { name: 'element/click_element', parameters: { element_id: element } });
    await person.answer('deny', { message: 'not twice' });
    expect(await denied).toMatchObject({
      error: {
        message: expect.stringContaining('not twice'),
        data: { code: 'DESKTOP_CONFIRM_REQUIRED', details: { reason: 'denied' } },
      },
    });
    expect(presses()).toHaveLength(1);
  });

  test('[req:DS-3-7] [req:GT-7.1-2] a picture travels as an address, and is read from there', async () => {
    person.allowLooking();
    const bridge = await enter(door);
    const response = await bridge.ask('tools/call', { name: 'screen/capture_screenshot' });
    expect(JSON.stringify(response).length).toBeLessThan(2000);
    const { image, images } = response['result'] as { image: { id: string; width: number }; images: { uri: string }[] };
    expect(images).toEqual([{ uri: `gabp://chaperone/images/${image.id}`, mimeType: 'image/png' }]);
    const resources = await pictures(bridge);
    const read = await bridge.result('resources/read', { uri: images[0]?.uri });
    expect(read).toMatchObject({ mimeType: 'image/png', encoding: 'base64' });
    const bytes = Buffer.from(String(read['content']), 'base64');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.readUInt32BE(16)).toBe(image.width);
    expect(resources).toEqual([
      { uri: images[0]?.uri, name: expect.any(String), mimeType: 'image/png', size: bytes.length },
    ]);
    expect(await bridge.ask('resources/read', { uri: 'gabp://chaperone/images/none' })).toMatchObject({
      error: { code: -32300 },
    });
  });
});

test('[req:DS-3-14] attention: while the person pauses agents calls are refused, and seeing it lifts nothing', async () => {
  const bridge = await enter();
  await bridge.result('events/subscribe', { channels: ['attention/*'] });
  expect(await bridge.result('attention/current')).toEqual({ attention: null });
  person.send({ type: 'pause', on: true });
  const { payload } = await bridge.event('attention/opened');
  const { attentionId } = payload as { attentionId: string };
  expect(payload).toMatchObject({ state: 'open', blocking: true, summary: expect.stringContaining('paused') });
  expect(await bridge.result('attention/ack', { attentionId })).toMatchObject({ acknowledged: false, attentionId });
  expect(await bridge.ask('tools/call', { name: 'input/press_key', arguments: { key: 'a' } })).toMatchObject({
    error: { data: { code: 'DESKTOP_HOST_NOT_READY', details: { reason: 'paused' } } },
  });
  person.send({ type: 'pause', on: false });
  expect(await bridge.event('attention/cleared')).toMatchObject({ payload: { attentionId, state: 'cleared' } });
  expect(await bridge.result('attention/ack', { attentionId })).toMatchObject({ acknowledged: true });
  expect(chaperone.world.journal()).toEqual([]);
});

test('a picture of one agent is not told to another', async () => {
  person.allowLooking();
  const bridge = await enter();
  const { images } = (await call(bridge, 'screen/capture_screenshot')) as { images: [{ uri: string }] };
  const other = connectAs({ host: '127.0.0.1', port: chaperone.host.tcpPort ?? 0 });
  opened.push(other);
  const stranger = await openBridge({ in: other.stream, out: other.stream });
  await stranger.hello(tokenOf(chaperone.home));
  expect(await pictures(stranger)).toEqual([]);
  expect(await stranger.ask('resources/read', { uri: images[0].uri })).toMatchObject({ error: { code: -32300 } });
  expect(await bridge.result('resources/read', { uri: images[0].uri })).toHaveProperty('content');
});

describe('leaving', () => {
  const agents = () => person.seen.findLast((one) => one.type === 'status')?.status.agents.length;

  test('[req:TP-18] [req:GT-4.1-3] [req:GT-6.2-2] gives up what the session held, and the next one is taken', async () => {
    person.allowLooking();
    const bridge = await enter();
    const element = await findSend(bridge);
    bridge
      .ask('tools/call', { name: 'element/click_element', arguments: { element_id: element } })
      .catch(() => undefined);
    const { approval } = await person.next('approvalRequested', (one) => one.approval.effect !== 'disclose');
    bridge.close();
    await eventually(agents).toBe(0);
    await eventually(() =>
      person.seen.findLast((one) => one.type === 'approvalChanged' && one.approval.id === approval.id),
    ).toMatchObject({ approval: { orphaned: true } });
    const next = await enter();
    expect(await next.result('session/ping')).toEqual({});
    expect(await next.result('session/goodbye')).toEqual({});
    await next.ended;
    await eventually(agents).toBe(0);
    expect(presses()).toEqual([]);
    for (let count = 0; count < 30; count++) (await enter()).close();
  });

  test('a closed host takes its socket and bridge.json away and ends its connections', async () => {
    const bridge = await enter('the Unix socket that bridge.json names');
    const file = `${hostPaths({ CHAPERONE_HOME: chaperone.home }).state}/bridge.json`;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await chaperone.host.close();
    await bridge.ended;
    expect([existsSync(file), existsSync(chaperone.host.socketPath)]).toEqual([false, false]);
  });

  test('[req:DS-3-17] [req:DS-3-17] [req:GT-5.4-3] a new start has a new token, and the old one opens nothing', async () => {
    const old = tokenOf(chaperone.home);
    await chaperone.restart();
    expect(tokenOf(chaperone.home)).not.toBe(old);
    expect(tokenOf(chaperone.home)).toMatch(/^[0-9a-f]{64}$/);
    const bridge = await knock('TCP on 127.0.0.1');
    expect(await bridge.hello(old)).toMatchObject({ error: { code: -32101 } });
  });
});
