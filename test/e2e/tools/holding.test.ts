/** What is held on a real desktop, and that it is let go whatever ends: judged by the window that was pressed, through the real shim. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../../support/agent.js';
import { eventually } from '../../support/eventually.js';
import { startHost, type TestHost } from '../../support/host.js';
import { openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';
import { moveAsPerson } from '../../support/person-device.js';
import { startRawShim, type RawShim } from '../../support/raw-shim.js';
import { openRawWindow, type RawEvent, type RawWindow } from '../../support/sentinel.js';

const AT = { x: 200, y: 200 };
let linux: LinuxDesktop;
let raw: RawWindow;
let chaperone: TestHost;
const shims: RawShim[] = [];
let agent: TestAgent | null = null;

const start = () => startHost({ backend: 'linux', display: 'current', env: linux.session.env, policy: 'unattended' });

beforeAll(async () => {
  linux = await openLinuxDesktop();
  raw = await openRawWindow(linux.session.env, { title: 'Raw' });
  await linux.window((one) => one.title === 'Raw');
  chaperone = await start();
});
beforeEach(() => raw.forget());
// All shims of this process are one agent: what it holds ends with the last of them.
afterEach(async () => {
  await Promise.all([...shims.splice(0).map((shim) => shim.close()), agent?.close()]);
  agent = null;
});
afterAll(async () => {
  await chaperone.close();
  await raw.close();
  await linux.close();
});

const heard = (...kinds: RawEvent['event'][]) =>
  eventually(async () => (await raw.events(...kinds)).map(({ event }) => event));

/** Spoken to line by line, as a client does that may die at any moment. */
async function shim(): Promise<RawShim> {
  const started = startRawShim(chaperone.home);
  shims.push(started);
  const clientInfo = { name: 'raw', version: '1' };
  await started.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  started.notify('notifications/initialized');
  return started;
}

test('[req:MT-T-left_mouse_down] [req:MT-T-left_mouse_up] presses in one call, drags in others, lets go in a last', async () => {
  agent = await startAgent(chaperone.home);
  await agent.call('left_mouse_down', AT);
  await agent.call('mouse_move', { x: 300, y: 250 });
  await agent.call('mouse_move', { x: 320, y: 180 });
  await heard('press', 'release').toEqual(['press']);
  await agent.call('left_mouse_up');
  await heard('press', 'release').toEqual(['press', 'release']);
  expect((await raw.events('release'))[0]).toMatchObject({ button: 1, x: 320, y: 180 });
  const dragged = (await raw.events('motion')).filter(({ held }) => held?.includes(1));
  expect(dragged).toContainEqual(expect.objectContaining({ x: 300, y: 250 }));
});

test('[req:MT-T-hold_key] holds a key as long as said, and no longer', async () => {
  agent = await startAgent(chaperone.home);
  const { value } = await agent.call('hold_key', { key: 'f', modifiers: ['shift'], duration: 0.5 });
  expect(value['keys']).toEqual(['shift', 'f']);
  expect(value['seconds']).toBeGreaterThanOrEqual(0.5);
  await eventually(async () => (await raw.events('keyup')).length).toBe(2);
  const keys = (await raw.events('keydown', 'keyup')).map(({ event, key }) => `${event} ${key}`);
  expect([...new Set(keys)]).toEqual(['keydown Shift_L', 'keydown F', 'keyup F', 'keyup Shift_L']);
  for (const duration of [0, -1, 31])
    expect((await agent.call('hold_key', { key: 'f', duration })).text).toMatch(/duration/);
});

test('[req:MT-2-3] case 25: when the client’s input ends, a held button is let go', async () => {
  const client = await shim();
  await client.ask('tools/call', { name: 'left_mouse_down', arguments: AT });
  await heard('press', 'release').toEqual(['press']);
  client.end();
  expect(await client.ended).toBe(0);
  await heard('press', 'release').toEqual(['press', 'release']);
});

test('case 25: when the shim is told to end, and when it is killed, a held key is let go', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await raw.forget();
    const client = await shim();
    void client.ask('tools/call', { name: 'hold_key', arguments: { key: 'x', duration: 30 } });
    await eventually(async () => (await raw.events('keydown')).length).toBeGreaterThan(0);
    client.kill(signal);
    await client.ended;
    await eventually(async () => (await raw.events('keyup')).map(({ key }) => key)).toEqual(['x']);
  }
});

test('a person who takes over has their pointer back: what was held is let go', async () => {
  const client = await shim();
  await client.ask('tools/call', { name: 'left_mouse_down', arguments: AT });
  await moveAsPerson(linux.session.display, linux.session.env, { x: 240, y: 230 });
  await heard('press', 'release').toEqual(['press', 'release']);
  const refused = await client.ask('tools/call', { name: 'left_mouse_up', arguments: {} });
  expect(JSON.stringify(refused)).toMatch(/taken_over|not_held/);
});

test('a host that ends lets everything go', async () => {
  const client = await shim();
  await eventually(async () => {
    const answer = await client.ask('tools/call', {
      name: 'left_mouse_down',
      arguments: { ...AT, modifiers: ['ctrl'] },
    });
    return JSON.stringify(answer);
  }).not.toMatch(/taken_over/);
  await heard('press').toEqual(['press']);
  await chaperone.close();
  await heard('release', 'keyup').toEqual(expect.arrayContaining(['release', 'keyup']));
  chaperone = await start();
});
