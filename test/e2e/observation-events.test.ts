import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAgent } from '../support/agent.js';
import { eventually } from '../support/eventually.js';
import { openGabp, tokenOf } from '../support/gabp.js';
import { connectAs } from '../support/other.js';
import { openPage, type Person } from '../support/person.js';
import { openBridge, type Bridge, type Message } from '../support/raw-gabp.js';
import { startWorld, type WorldHost } from '../support/world.js';

let chaperone: WorldHost;
let person: Person;
let opened: { close(): unknown }[];
let windowId: string;

beforeEach(async () => {
  opened = [];
  chaperone = await startWorld();
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  person.allowLooking();
  const windows = await chaperone.desktop.windows(new AbortController().signal);
  windowId = windows.find(({ title }) => title === 'Shopping')?.id ?? '';
});
afterEach(async () => {
  for (const one of opened.reverse()) await one.close();
  person.close();
  await chaperone.close();
});

async function enter(bridge: Bridge): Promise<Bridge> {
  opened.push(bridge);
  expect(await bridge.hello(tokenOf(chaperone.home))).toHaveProperty('result');
  return bridge;
}

const observation = (bridge: Bridge, name: string, args: Message) =>
  bridge.result('tools/call', { name: `observation/${name}`, arguments: args });
const watch = async (bridge: Bridge): Promise<string> =>
  String((await observation(bridge, 'create_observation', { type: 'window' }))['name']).replace('observations/', '');
const payloads = (bridge: Bridge): Message[] =>
  bridge.messages
    .filter(({ channel }) => String(channel).startsWith('observation/'))
    .map(({ channel, payload }) => ({ channel, ...(payload as Message) }));

test('[req:MT-T-stream_observations] [req:DS-3-11] a GABP client that subscribes to observation/* gets the events of its own observations, numbered, and of nobody else’s', async () => {
  const mine = await enter(await openBridge({ path: chaperone.host.socketPath }));
  const relay = connectAs({ path: chaperone.host.socketPath });
  opened.push(relay);
  const other = await enter(await openBridge({ in: relay.stream, out: relay.stream }));
  const silent = await enter(await openBridge({ path: chaperone.host.socketPath }));
  for (const bridge of [mine, other])
    expect(await bridge.result('events/subscribe', { channels: ['observation/*'] })).toEqual({
      subscribed: ['observation/*'],
    });
  const [own, theirs] = [await watch(mine), await watch(other)];

  chaperone.world.moveWindow(windowId, { x: 300, y: 200 });
  await mine.event(`observation/${own}`, ({ event }) => event === 'moved');
  await other.event(`observation/${theirs}`, ({ event }) => event === 'moved');
  chaperone.world.retitleWindow(windowId, 'Groceries');
  await mine.event(`observation/${own}`, ({ event }) => event === 'title_changed');
  await other.event(`observation/${theirs}`, ({ event }) => event === 'title_changed');
  expect(payloads(mine)).toMatchObject([
    {
      channel: `observation/${own}`,
      observation: `observations/${own}`,
      sequence: 1,
      kind: 'window_event',
      event: 'moved',
    },
    { channel: `observation/${own}`, sequence: 2, event: 'title_changed', title: 'Groceries' },
  ]);
  expect(new Set(payloads(other).map(({ channel }) => channel))).toEqual(new Set([`observation/${theirs}`]));

  await expect(observation(other, 'cancel_observation', { name: `observations/${own}` })).rejects.toThrow(
    /unknown_observation/,
  );
  await observation(mine, 'cancel_observation', { name: `observations/${own}` });
  await mine.event(`observation/${own}`, ({ kind, state }) => kind === 'observation_ended' && state === 'CANCELLED');
  chaperone.world.moveWindow(windowId, { x: 310 });
  await other.event(`observation/${theirs}`, ({ sequence }) => sequence === 3);
  expect(payloads(mine)).toHaveLength(3);
  expect(payloads(silent)).toEqual([]);
});

test('nothing is told while the person has paused agents, and the difference once they may go on', async () => {
  const bridge = await enter(await openBridge({ path: chaperone.host.socketPath }));
  await bridge.result('events/subscribe', { channels: ['observation/*', 'attention/*'] });
  const id = await watch(bridge);
  person.send({ type: 'pause', on: true });
  await bridge.event('attention/opened');
  chaperone.world.moveWindow(windowId, { x: 301 });
  const during = await observation(bridge, 'poll_observation', { name: `observations/${id}`, timeout: 0.5 });
  expect(during).toMatchObject({ state: 'ACTIVE', events: [], notes: [expect.stringContaining('paused')] });
  chaperone.world.moveWindow(windowId, { x: 302 });
  person.send({ type: 'pause', on: false });
  await bridge.event('attention/cleared');
  const { payload } = await bridge.event(`observation/${id}`);
  expect(payload).toMatchObject({ sequence: 1, event: 'moved', changes: [{ after: { x: 302 } }] });
  expect(payloads(bridge)).toHaveLength(1);
});

test('an MCP client is notified through the real shim', async () => {
  const agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  opened.push(agent);
  const notes: unknown[] = [];
  agent.client.setNotificationHandler('notifications/message', ({ params }) => void notes.push(params));
  const made = await agent.call('create_observation', { type: 'window' });
  expect(made.text).toMatch(/^observations\/\w+ window_changes of everything: ACTIVE/);
  chaperone.world.moveWindow(windowId, { x: 333 });
  await eventually(() => JSON.stringify(notes)).toContain('"x":333');
  expect(notes).toMatchObject([{ data: { observation: made.value['name'], event: { event: 'moved', sequence: 1 } } }]);
});

test('[req:DS-1-3] a background host does not leave while something is watched', async () => {
  // Connected as it starts: it may not leave before.
  const start = async () => {
    const host = await startWorld({ background: true, idleMs: 2_500 });
    opened.push(host);
    return { host, client: await openGabp(host) };
  };
  const started = await Promise.all([start(), start()]);
  const [{ host: watched }, { host: idle }] = started;
  for (const { host, client } of started) {
    const page = await openPage(host.host.url, host.host.pairingLink());
    page.allowLooking();
    const made =
      host === watched
        ? await client.tool('create_observation', { type: 'window' })
        : await client.tool('list_windows');
    expect(made.isError).not.toBe(true);
    client.close();
    page.close();
    await page.ended;
  }
  let ended = false;
  void watched.host.ended.then(() => (ended = true));
  expect(await idle.host.ended).toEqual({ code: 'host.idle', params: {} });
  expect(ended).toBe(false);
});
