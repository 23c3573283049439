/** The product between a bridge and an application whose author knew the specification alone. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import * as independent from '../support/independent-peers.js';
import * as peers from '../support/peers.js';
import { openPage, type Person } from '../support/person.js';

type Bridge = independent.IndependentBridge;

async function pageAt(link: string): Promise<Person> {
  const page = await openPage(new URL(link).origin, link);
  onTestFinished(() => page.close());
  return page;
}

/** Reads, acts, is told and is held up, as the specification has it. */
async function useDesktop(bridge: Bridge, person: Person): Promise<void> {
  const { tools } = await bridge.order('request', { method: 'tools/list', params: {} });
  expect((tools as { name: string }[]).map(({ name }) => name)).toContain('element/click_element');
  const found = await bridge.call('element/find_elements', { parent: 'simulated.mail', title: 'Send' });
  const [{ elementId }] = found['elements'] as [{ elementId: string }];
  expect(await bridge.call('element/click_element', { element_id: elementId })).toMatchObject({ clicked: true });
  const { resources } = await bridge.order('request', { method: 'resources/list', params: {} });
  for (const { uri } of resources as { uri: string }[])
    await bridge.order('request', { method: 'resources/read', params: { uri } });
  expect(await bridge.order('request', { method: 'state/get', params: {} })).toHaveProperty('state');
  await expect(bridge.call('no/such')).rejects.toThrow('-32400');
  await expect(bridge.order('request', { method: 'no/such', force: true })).rejects.toThrow('-32601');
  await pausedOnce(bridge, person);
}

async function pausedOnce(bridge: Bridge, person: Person): Promise<void> {
  const before = bridge.events('attention/cleared').length;
  person.send({ type: 'pause', on: true });
  await eventually(() => bridge.events('attention/opened').length).toBe(before + 1);
  // The bridge itself holds its calls back while the host wants attention; forced, the host refuses.
  await expect(bridge.call('input/press_key', { key: 'a' })).rejects.toThrow('blocked by attention');
  await expect(bridge.call('input/press_key', { key: 'a' }, { force: true })).rejects.toThrow('paused');
  person.send({ type: 'pause', on: false });
  await eventually(() => bridge.events('attention/cleared').length).toBe(before + 1);
}

/** Of what is recommended, one thing is done otherwise: a channel for each application and watch is offered by a pattern. */
function expectNoFault(bridge: Bridge): void {
  expect(bridge.violations('must')).toEqual([]);
  const named = bridge.violations('should').map(({ received }) => received);
  expect(new Set(named)).toEqual(new Set(['observation/*', 'application/*']));
}

test.each([
  ['TCP', ['--tcp', '0']],
  ['the Unix socket', []],
] as const)('[req:GB-9] finds the host by its file over %s, and comes back to the next one', async (_name, more) => {
  const place = peers.newPlace();
  const first = peers.startHostProcess(place, ...more);
  const link = await first.link();
  const bridge = independent.startIndependentBridge(place, { way: 'find' });
  await bridge.order('connect');
  await useDesktop(bridge, await pageAt(link));
  await first.kill('SIGTERM');
  const second = peers.startHostProcess(place, ...more, '--reset-pairings');
  const person = await pageAt(await second.link());
  await eventually(() => bridge.reports('attention').length).toBe(2);
  await pausedOnce(bridge, person);
  expectNoFault(bridge);
});

test.each(['launch', 'stdio'] as const)(
  '[req:GB-9] starts the host (%s), and a new one with a new token',
  async (way) => {
    const place = peers.newPlace();
    const [command, ...args] = independent.withVariables(
      peers.hostCommand(place, ...(way === 'stdio' ? ['--stdio'] : [])),
    );
    const bridge = independent.startIndependentBridge(place, { way, command, args });
    await bridge.order('launch');
    await eventually(() => bridge.log()).toContain('#pair=');
    await useDesktop(bridge, await pageAt(await peers.linkIn(bridge.log)));
    await bridge.order('kill');
    await eventually(() => bridge.reports('exit').length).toBe(1);
    await bridge.order('reconnect');
    expect(await bridge.order('request', { method: 'tools/list', params: {} })).toHaveProperty('tools');
    expectNoFault(bridge);
  },
);

const entry = (place: peers.Place, app: object): void => {
  const folder = join(place.home, 'elsewhere', 'chaperone');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'gabp-apps.json'), JSON.stringify({ version: 1, apps: { hold: app } }), { mode: 0o600 });
};

const state = (person: Person, wanted: string) =>
  person.next('gabpApps', ({ apps }) => apps.some((app) => app.name === 'hold' && app.state === wanted));

/** Whatever its tools give back: an object, null, a failure with data, a late answer. */
async function useHold(bridge: Bridge): Promise<void> {
  const hold = (tool: string, args: object = {}) => bridge.call(`hold/hold_${tool}`, { ...args });
  await bridge.order('subscribe', { channels: ['application/hold'] });
  expect(await hold('hold_inspect')).toMatchObject({ result: { walls: ['north', 'south', 'east'] } });
  expect(await hold('bell_ring', { times: 3 })).toMatchObject({ result: null });
  await expect(hold('gate_open_sealed')).rejects.toThrow('The gate is sealed by runes');
  await expect(hold('wall_demolish', { wall: 'west' })).rejects.toThrow('DESKTOP_');
  expect(await hold('wall_demolish', { wall: 'north' })).toMatchObject({ result: { demolished: 'north' } });
  expect(await hold('clock_wait', { ms: 50 })).toMatchObject({ result: { waitedMs: 50 } });
  await eventually(() => bridge.events('application/hold').length).toBeGreaterThan(0);
  const { events, lost } = await hold('events');
  expect((events as { channel: string }[]).map(({ channel }) => channel)).toEqual(expect.arrayContaining(['hold/bell_rung', 'world/block_change'])); // prettier-ignore
  expect(lost).toBe(0);
  const uri = `gabp://chaperone/apps/hold/resources/${encodeURIComponent('gabp://game/world')}`;
  expect(JSON.stringify(await bridge.order('request', { method: 'resources/read', params: { uri } }))).toContain(
    'south',
  );
  await overheated(bridge, hold);
}

/** Its attention holds its tools up until it is acknowledged. */
async function overheated(
  bridge: Bridge,
  hold: (tool: string, args?: object) => Promise<Record<string, unknown>>,
): Promise<void> {
  await hold('furnace_set_heat', { heat: 1200 });
  await expect(hold('hold_inspect')).rejects.toThrow('DESKTOP_');
  const text = JSON.stringify(await hold('events'));
  const id = /attn_[0-9a-f-]{36}/.exec(text)?.[0];
  expect(await hold('acknowledge', { attention_id: id })).toEqual({ acknowledged: true });
  expect(await hold('hold_inspect')).toMatchObject({ result: { heat: 1200 } });
  expect(bridge.violations('must')).toEqual([]);
}

const offered = (bridge: Bridge, tool: string) =>
  eventually(async () => JSON.stringify(await bridge.order('request', { method: 'tools/list', params: {} }))).toContain(
    `"${tool}"`,
  );

/** A bridge that found the host, in which the person has started the application. */
async function throughHost(place: peers.Place): Promise<{ bridge: Bridge; person: Person }> {
  const host = peers.startHostProcess(place, '--tcp', '0');
  const person = await pageAt(await host.link());
  const bridge = independent.startIndependentBridge(place, { way: 'find' });
  await bridge.order('connect');
  person.send({ type: 'startApp', name: 'hold' });
  await person.answer('allow');
  await state(person, 'connected');
  return { bridge, person };
}

test.each(['tcp', 'socket', 'stdio'])(
  '[req:GC-12] launches the application over %s and uses all of it',
  async (transport) => {
    const place = peers.newPlace();
    const home = join(place.home, 'of-the-game');
    mkdirSync(home);
    entry(place, {
      launch: { command: independent.launchedApplication, folder: home, env: { HOME: home }, transport },
    });
    const { bridge } = await throughHost(place);
    await useHold(bridge);
  },
);

test('[req:GC-12] attaches to the application that runs by itself, and again to the next one', async () => {
  const place = peers.newPlace();
  const file = join(place.home, 'of-the-game.json');
  const first = independent.startApplication(place, file);
  await eventually(() => existsSync(file)).toBe(true);
  entry(place, { attach: { bridgeFile: file } });
  const { bridge, person } = await throughHost(place);
  await useHold(bridge);
  await first.kill();
  await state(person, 'waiting');
  independent.startApplication(place, file);
  await offered(bridge, 'hold/hold_hold_inspect');
  expect(await bridge.call('hold/hold_hold_inspect')).toMatchObject({ result: { walls: ['north', 'south', 'east'] } });
});
