/** A desktop of an agent's own, through the real shim on real displays: one request, and then work without any. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { environmentOf, openOwnScene, pidOf, type OwnScene } from '../support/own-desktop.js';
import { settle } from '../support/person.js';

const MOUSEPAD = { application_id: 'org.xfce.mousepad' };
let scene: OwnScene;

beforeAll(async () => {
  scene = await openOwnScene({ display: 'virtual' });
}, 60_000);
afterAll(() => scene.close());

const desktops = () => scene.person.seen.findLast((message) => message.type === 'status')?.status.desktops?.length ?? 0;

const lastActivity = (tool: string) => {
  const rows = scene.person.seen.flatMap((message) => (message.type === 'activity' ? message.activity : []));
  return rows.findLast((row) => row.tool === tool);
};

test('one request; then opening an application, looking, clicking, typing and moving need none', async () => {
  const agent = await scene.agent();
  const [looked, card] = await Promise.all([agent.call('list_windows'), scene.give('own')]);
  expect(card).toMatchObject({ effect: 'input', picture: null, grants: [{ kind: 'once' }] });
  expect(looked.value).toMatchObject({ windows: [] });
  const opened = await scene.unasked(agent, 'open_application', MOUSEPAD);
  expect(opened.value).toMatchObject({ status: 'started' });
  await scene.unasked(agent, 'capture_screenshot');
  expect((await scene.unasked(agent, 'type_text', { text: 'Hello there' })).text).toContain('Desktop: your own');
  await eventually(() => lastActivity('type_text')).toMatchObject({ desktop: 'own' });
  const parent = opened.value['name'];
  const { value } = await scene.unasked(agent, 'find_elements', { parent, selector: { role: 'AXTextArea' } });
  const [area] = value['elements'] as { elementId: string; value: string }[];
  expect(area?.value).toBe('Hello there');
  await scene.unasked(agent, 'click_element', { element_id: area?.elementId });
  await agent.close();
  await eventually(() => desktops()).toBe(0);
}, 120_000);

test('several at once see nothing of each other; each ends with its agent, and leaves no process and no folder', async () => {
  const [one, other] = [await scene.withDesktop(), await scene.withDesktop()];
  const opened = await scene.unasked(one, 'open_application', MOUSEPAD);
  const env = await environmentOf(pidOf(opened));
  expect((await scene.unasked(other, 'list_windows')).value).toMatchObject({ windows: [] });
  const foreign = await other.call('focus_window', { name: 'frontmost' });
  expect(foreign.isError).toBe(true);
  await eventually(() => desktops()).toBe(2);
  const folder = env.get('XDG_RUNTIME_DIR') ?? '';
  expect(existsSync(folder)).toBe(true);
  await one.close();
  await eventually(() => desktops()).toBe(1);
  await eventually(() => existsSync(folder) || existsSync(`/proc/${pidOf(opened)}`)).toBe(false);
  await scene.unasked(other, 'list_windows');
  await other.close();
}, 120_000);

test('“Yours” gives the host’s desktop, where it asks as it goes; Deny gives none, and it may ask again', async () => {
  const agent = await scene.agent();
  const denied = agent.call('list_windows');
  await scene.person.answer('deny', { message: 'not now' });
  expect(await denied).toMatchObject({ isError: true, text: expect.stringContaining('not now') });
  const looking = agent.call('list_windows');
  await scene.give('shared');
  const card = await scene.person.answer('allow');
  expect(card).toMatchObject({ tool: 'list_windows', effect: 'disclose' });
  expect((await looking).isError).toBe(false);
  await scene.asks(agent, 'open_application', MOUSEPAD);
  await agent.close();
}, 120_000);

test('what needs no desktop opens none, and asks as everywhere', async () => {
  const agent = await scene.agent();
  await scene.unasked(agent, 'check_replies');
  const card = await scene.asks(agent, 'execute_shell_command', { command: 'true', args: [] });
  expect(card.tool).toBe('execute_shell_command');
  expect(card.desktops).toBeUndefined();
  // Activity is red where the request was.
  await scene.allowed(agent, 'execute_shell_command', { command: 'touch', args: ['made'] });
  await eventually(() => lastActivity('execute_shell_command')).toMatchObject({ effect: 'dangerous', plain: true });
  expect(lastActivity('execute_shell_command')).not.toHaveProperty('desktop');
  await agent.close();
}, 120_000);

test('calls that need the desktop at the same time share one request', async () => {
  const agent = await scene.agent();
  const calls = ['list_windows', 'list_applications', 'capture_screenshot'].map((name) => agent.call(name));
  await scene.give('own');
  const answers = await Promise.all(calls);
  expect(answers.map(({ isError }) => isError)).toEqual([false, false, false]);
  await agent.close();
}, 120_000);

test('no more at once than the person set; one that ends makes room', async () => {
  await eventually(() => desktops()).toBe(0);
  scene.person.send({ type: 'setOwnDesktops', count: 1 });
  await scene.person.next('policy', ({ policy }) => policy.ownDesktops === 1);
  const [one, other] = [await scene.withDesktop(), await scene.agent()];
  const [refused] = await Promise.all([other.call('list_windows'), scene.give('own')]);
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('too_many_desktops') });
  await one.close();
  await eventually(() => desktops()).toBe(0);
  const [given] = await Promise.all([other.call('list_windows'), scene.give('own')]);
  expect(given.isError).toBe(false);
  await other.close();
}, 120_000);

test('two that are allowed at one moment do not exceed the limit', async () => {
  await eventually(() => desktops()).toBe(0);
  scene.person.send({ type: 'setOwnDesktops', count: 1 });
  const agents = [await scene.agent(), await scene.agent()];
  const calls = agents.map((one) => one.call('list_windows'));
  const cards = [await scene.person.next('approvalRequested'), await scene.person.next('approvalRequested')];
  // Sooner than the first of them is open.
  for (const { approval } of cards) await settle(scene.person, approval, 'allow', { desktop: 'own' });
  const answers = await Promise.all(calls);
  expect(answers.map(({ isError }) => isError).toSorted()).toEqual([false, true]);
  expect(answers.find(({ isError }) => isError)?.text).toContain('too_many_desktops');
  await eventually(() => desktops()).toBe(1);
  await Promise.all(agents.map((one) => one.close()));
}, 120_000);
