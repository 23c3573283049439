/** State, resources and replay over GABP: everything goes through the tools' own approvals. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tokenOf } from '../support/gabp.js';
import { openPage, type Person } from '../support/person.js';
import { openBridge, type Bridge, type Message } from '../support/raw-gabp.js';
import { startWorld, type WorldHost } from '../support/world.js';

let chaperone: WorldHost;
let person: Person;
let bridges: Bridge[];
const signal = new AbortController().signal;

beforeEach(async () => {
  bridges = [];
  chaperone = await startWorld({ tcp: 0, gabp: { maxEvents: 3 } });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
});
afterEach(async () => {
  for (const bridge of bridges) bridge.close();
  person.close();
  await chaperone.close();
});

async function enter(): Promise<Bridge> {
  const bridge = await openBridge({ port: chaperone.host.tcpPort ?? 0 });
  bridges.push(bridge);
  expect(await bridge.hello(tokenOf(chaperone.home))).toHaveProperty('result');
  return bridge;
}

test('[req:GB-5] state and resources say what the tools say, and name what there is', async () => {
  person.allowLooking();
  const bridge = await enter();
  const listed = (await bridge.result('resources/list'))['resources'] as { uri: string; mimeType: string }[];
  expect(listed.map(({ uri }) => uri)).toEqual(
    ['screens', 'applications', 'windows', 'pointer', 'clipboard', 'chat', 'evidence'].map(
      (name) => `gabp://chaperone/${name}`,
    ),
  );
  const windows = await bridge.result('tools/call', { name: 'window/list_windows', arguments: {} });
  expect(windows['windows']).not.toEqual([]);
  expect(await bridge.result('resources/read', { uri: 'gabp://chaperone/windows' })).toEqual({
    content: windows,
    mimeType: 'application/json',
    encoding: 'utf-8',
  });
  const { state, timestamp } = await bridge.result('state/get');
  expect(Object.keys(state as Message)).toEqual(['screens', 'applications', 'windows', 'pointer']);
  expect(state).toMatchObject({ windows });
  expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
  expect(await bridge.ask('state/get', { components: ['windows', 'constructor'] })).toMatchObject({
    error: { code: -32602, message: expect.stringMatching(/constructor.*screens, applications/) },
  });
  expect(await bridge.ask('resources/read', { uri: 'gabp://chaperone/toString' })).toMatchObject({
    error: { code: -32300 },
  });
});

test('[req:GB-5] the clipboard is read and set as the tools do it: asked for, denied, recorded', async () => {
  await chaperone.desktop.writeClipboard({ text: 'from the person' }, signal);
  const bridge = await enter();
  const refused = bridge.ask('resources/read', { uri: 'gabp://chaperone/clipboard' });
  expect((await person.answer('deny')).effect).toBe('disclose');
  expect(await refused).toMatchObject({
    error: { data: { code: 'DESKTOP_CONFIRM_REQUIRED', details: { reason: 'denied' } } },
  });
  const read = bridge.result('state/get', { components: ['clipboard'] });
  await person.answer('allow');
  expect(await read).toMatchObject({ state: { clipboard: { text: 'from the person' } } });

  expect(await bridge.result('state/set', { updates: { clipboard: 'x', windows: [] } })).toMatchObject({
    applied: {},
    errors: [{ field: 'windows', code: 'unknown' }],
  });
  const denied = bridge.result('state/set', { updates: { clipboard: 'from the bridge' } });
  await person.answer('deny', { message: 'keep it' });
  expect(await denied).toMatchObject({
    applied: {},
    errors: [{ field: 'clipboard', code: 'DESKTOP_CONFIRM_REQUIRED', message: expect.stringContaining('keep it') }],
  });
  expect(await chaperone.desktop.readClipboard(signal)).toMatchObject({ text: 'from the person' });
  const set = bridge.result('state/set', { updates: { clipboard: 'from the bridge' } });
  await person.answer('allow');
  expect(await set).toEqual({ applied: { clipboard: expect.objectContaining({ written: true }) } });
  expect(await chaperone.desktop.readClipboard(signal)).toMatchObject({ text: 'from the bridge' });
});

test('[req:GB-6] a bridge that comes back gets what it has missed, by number, as far as it is kept', async () => {
  const first = await enter();
  await first.result('events/subscribe', { channels: ['attention/opened'] });
  const pause = async (on: boolean, watching: Bridge) => {
    person.send({ type: 'pause', on });
    if (on) await watching.event('attention/opened');
  };
  await pause(true, first);
  expect(first.events('attention/opened').map(({ seq }) => seq)).toEqual([0]);
  first.close();

  const other = await enter();
  await other.result('events/subscribe', { channels: ['attention/opened', 'attention/cleared'] });
  for (let round = 1; round <= 4; round += 1) {
    person.send({ type: 'pause', on: false });
    await other.event('attention/cleared', () => other.events('attention/cleared').length === round);
    person.send({ type: 'pause', on: true });
    await other.event('attention/opened', () => other.events('attention/opened').length === round);
  }
  expect(other.events('attention/opened').map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);

  const back = await enter();
  await back.result('events/subscribe', { channels: ['attention/opened'], from: { 'attention/opened': 1 } });
  await back.event('attention/opened', () => back.events('attention/opened').length === 3);
  expect(back.events('attention/opened').map(({ seq, payload }) => [seq, payload])).toEqual(
    other.events('attention/opened').slice(1).map(({ seq, payload }) => [seq, payload]), // prettier-ignore
  );
  const none = await enter();
  await none.result('events/subscribe', { channels: ['attention/cleared'], from: { 'attention/opened': 0 } });
  await none.result('session/ping');
  expect(none.events('attention/opened')).toEqual([]);
});
