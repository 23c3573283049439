/** The product between a bridge and an application that were written from the specification alone: all three as processes of their own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import type { Message } from '../support/gabp-oracle.js';
import { openPage, type Person } from '../support/person.js';
import * as peers from '../support/peers.js';

type Bridge = peers.BridgeProcess;

async function pageAt(link: string): Promise<Person> {
  const page = await openPage(new URL(link).origin, link);
  onTestFinished(() => page.close());
  return page;
}
const welcomed = (bridge: Bridge, times: number) => eventually(() => bridge.welcomes().length).toBe(times);
const call = (bridge: Bridge, name: string, args: Message = {}) =>
  bridge.request('tools/call', { name, arguments: args });

/** Reads, acts, and is told: what any bridge does with any application. */
async function wholeSession(bridge: Bridge, person: Person): Promise<void> {
  const { tools } = (await bridge.request('tools/list')) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toContain('element/click_element');
  const found = await call(bridge, 'element/find_elements', { parent: 'simulated.mail', title: 'Send' });
  const [{ elementId }] = found['elements'] as [{ elementId: string }];
  expect(await call(bridge, 'element/click_element', { element_id: elementId })).toMatchObject({ clicked: true });
  const { images } = (await call(bridge, 'screen/capture_screenshot')) as { images: [{ uri: string }] };
  const { resources } = (await bridge.request('resources/list')) as { resources: { uri: string }[] };
  expect(resources.map(({ uri }) => uri)).toContain(images[0].uri);
  expect(await bridge.request('resources/read', { uri: images[0].uri })).toMatchObject({ encoding: 'base64' });
  expect(await bridge.request('state/get')).toMatchObject({ state: { windows: expect.anything() } });
  await pauses(bridge, person, 1);
  expect(await bridge.request('attention/current')).toEqual({ attention: null });
  await expect(call(bridge, 'no/such')).rejects.toThrow('-32400');
}

/** Agents are paused and go on, so often. */
async function pauses(bridge: Bridge, person: Person, times: number): Promise<void> {
  const before = bridge.events('attention/cleared').length;
  await bridge.request('events/subscribe', { channels: ['attention/opened', 'attention/cleared'] });
  for (let time = 1; time <= times; time += 1) {
    person.send({ type: 'pause', on: true });
    await eventually(() => bridge.events('attention/opened').length).toBe(before + time);
    await expect(call(bridge, 'input/press_key', { key: 'a' })).rejects.toThrow('paused');
    person.send({ type: 'pause', on: false });
    await eventually(() => bridge.events('attention/cleared').length).toBe(before + time);
  }
}

test('[req:GB-8] a bridge launches the host, uses all of it, and comes back to the next one with its new token', async () => {
  const place = peers.newPlace();
  const bridge = peers.startBridge(place, { how: 'launch', name: 'desk', command: peers.hostCommand(place) });
  await welcomed(bridge, 1);
  expect(bridge.welcomes()[0]).toMatchObject({ agentId: 'desk', observed: { envValues: { GABS_GAME_ID: 'desk' } } });
  await wholeSession(bridge, await pageAt(await peers.linkIn(bridge.said)));
  await bridge.order('hold');
  await bridge.order('kill', { signal: 'SIGKILL' });
  await bridge.order('enter');
  // It is told to enter before the new host listens, so it comes back by its own waits.
  await welcomed(bridge, 2);
  expect(await bridge.request('tools/list')).toHaveProperty('tools');
  expect(peers.faultsOf(bridge)).toEqual([]);
});

test('[req:GB-8] [req:TP-53] a bridge starts the host over standard input and output, with the token in the environment', async () => {
  const place = peers.newPlace();
  const command = peers.hostCommand(place, '--stdio');
  const bridge = peers.startBridge(place, { how: 'stdio', name: 'desk', command });
  await welcomed(bridge, 1);
  await wholeSession(bridge, await pageAt(await peers.linkIn(bridge.said)));
  expect(peers.faultsOf(bridge)).toEqual([]);
});

test('[req:GB-8] [req:GB-6] [req:TP-47] a bridge finds the host by its file, and after a new start gets what it missed there', async () => {
  const place = peers.newPlace();
  const first = peers.startHostProcess(place, '--tcp', '0');
  const link = await first.link();
  const file = join(place.home, peers.STANDARD);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ transport: { type: 'tcp' } });
  const bridge = peers.startBridge(place, { how: 'find' });
  await welcomed(bridge, 1);
  const person = await pageAt(link);
  await wholeSession(bridge, person);
  await pauses(bridge, person, 2);
  expect(bridge.events('attention/opened').map(({ seq }) => seq)).toEqual([0, 1, 2]);

  await bridge.order('hold');
  await first.kill('SIGTERM');
  expect(existsSync(file)).toBe(false);
  const second = peers.startHostProcess(place, '--tcp', '0', '--reset-pairings');
  const next = await pageAt(await second.link());
  next.send({ type: 'pause', on: true });
  await next.next('status', ({ status }) => status.state === 'paused');
  await bridge.order('enter');
  await welcomed(bridge, 2);
  // The new host counts anew: the bridge asked for number 3 and on, and gets all that is kept.
  await eventually(() => bridge.events('attention/opened').map(({ seq }) => seq)).toEqual([0, 1, 2, 0]);
  expect(peers.faultsOf(bridge)).toEqual([]);
});

const entries = (place: peers.Place, apps: object): void => {
  const folder = join(place.home, 'elsewhere', 'chaperone');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'gabp-apps.json'), JSON.stringify({ version: 1, apps }), { mode: 0o600 });
};

async function startApplication(person: Person, name: string): Promise<void> {
  person.send({ type: 'startApp', name });
  await person.answer('allow');
  await connected(person, name);
}
const connected = (person: Person, name: string) =>
  person.next('gabpApps', ({ apps }) => apps.some((app) => app.name === name && app.state === 'connected'));

test('[req:GC-11] [req:TP-51] an application that the host launches is used by a bridge that launched the host', async () => {
  const place = peers.newPlace();
  const record = join(place.home, 'record');
  const launch = {
    command: [process.execPath, peers.APP],
    folder: place.home,
    env: { RECORD: record },
    transport: 'tcp',
  };
  entries(place, { world: { launch } });
  const bridge = peers.startBridge(place, { how: 'launch', name: 'desk', command: peers.hostCommand(place) });
  await welcomed(bridge, 1);
  const person = await pageAt(await peers.linkIn(bridge.said));
  await startApplication(person, 'world');
  await useWorld(bridge);
  const { result } = (await call(bridge, 'world/world_world_surroundings')) as { result: { env: Record<string, string> } }; // prettier-ignore
  const own = await call(bridge, 'scripting/execute_shell_command', { command: 'env', shell: true });
  expect(own['stdout']).not.toMatch(/GAB[PS]_/);
  expect(result.env).toMatchObject({ GABS_GAME_ID: 'world', GABP_TOKEN: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(Object.keys(result.env).filter((name) => /FORWARD|CHAPERONE_HOME/.test(name))).toEqual([]);
  expect(peers.faultsInRecord(record)).toEqual([]);
  expect(peers.faultsOf(bridge)).toEqual([]);
});

async function useWorld(bridge: Bridge): Promise<void> {
  await bridge.request('events/subscribe', { channels: ['application/*'] });
  expect(await call(bridge, 'world/world_world_paint', { x: 1, colour: 'rød' })).toMatchObject({
    result: { painted: 1 },
  });
  await expect(call(bridge, 'world/world_world_paint', { x: 'one' })).rejects.toThrow('x must be a whole number');
  await eventually(() => bridge.events('application/world').length).toBeGreaterThan(0);
  expect(await call(bridge, 'world/world_events')).toMatchObject({
    events: [{ channel: 'world/painted', payload: { x: 1, colour: 'rød' } }],
  });
  const uri = `gabp://chaperone/apps/world/resources/${encodeURIComponent('gabp://game/map')}`;
  expect(JSON.stringify(await bridge.request('resources/read', { uri }))).toContain('rød');
  await call(bridge, 'world/world_world_ignite');
  await expect(call(bridge, 'world/world_world_look')).rejects.toThrow('The world is on fire.');
  await expect(bridge.request('resources/read', { uri })).rejects.toThrow('The world is on fire.');
  expect(await call(bridge, 'world/world_acknowledge', { attention_id: 'fire-1' })).toEqual({ acknowledged: true });
  expect(await call(bridge, 'world/world_world_look')).toMatchObject({ result: { places: { 1: 'rød' } } });
}

test('[req:GC-11] [req:GT-4.3-1] [req:GT-4.3-2] an application that runs by itself is attached to, also by the next host and after its own restart', async () => {
  const place = peers.newPlace();
  const [record, file] = [join(place.home, 'record'), join(place.home, 'own-bridge.json')];
  const env = { ...place, env: { ...place.env, RECORD: record } };
  const app = peers.startApp(env, file);
  entries(place, { world: { attach: { bridgeFile: file } } });
  await eventually(() => existsSync(file)).toBe(true);
  const first = peers.startHostProcess(place, '--tcp', '0');
  const bridge = peers.startBridge(place, { how: 'find' });
  await startApplication(await pageAt(await first.link()), 'world');
  await welcomed(bridge, 1);
  await useWorld(bridge);

  await bridge.order('hold');
  await first.kill('SIGTERM');
  const second = peers.startHostProcess(place, '--tcp', '0', '--reset-pairings');
  const again = await pageAt(await second.link());
  // Confirmed once, for the next host too.
  again.send({ type: 'startApp', name: 'world' });
  await connected(again, 'world');
  await bridge.order('enter');
  await welcomed(bridge, 2);
  expect(await call(bridge, 'world/world_world_look')).toMatchObject({ result: { places: { 1: 'rød' } } });

  await call(bridge, 'world/world_world_paint', { x: 2, colour: 'blue' });
  app.kill('SIGKILL');
  await again.next('gabpApps', ({ apps }) => apps.some(({ state }) => state === 'waiting'));
  peers.startApp(env, file);
  // The page may have said “connected” more than once before.
  await eventually(async () => JSON.stringify(await bridge.request('tools/list'))).toContain(
    '"world/world_world_look"',
  );
  expect(await call(bridge, 'world/world_world_look')).toMatchObject({ result: { places: {} } });
  // Its numbers begin anew, as its events do.
  await call(bridge, 'world/world_world_paint', { x: 3, colour: 'green' });
  const { events, lost } = await call(bridge, 'world/world_events');
  expect((events as { payload: object }[]).map(({ payload }) => payload)).toEqual([{ x: 2, colour: 'blue' }, { x: 3, colour: 'green' }]); // prettier-ignore
  expect(lost).toBe(0);
  expect(recorded(record).filter(({ method }) => method === 'session/hello')).toHaveLength(3);
  expect(peers.faultsInRecord(record)).toEqual([]);
});

const { recorded } = peers;
