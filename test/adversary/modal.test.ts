/** Dialogs that an accessibility action opens: GTK 3 does not reply over that connection again before they close. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { APPS, startApp, type DesktopApp } from '../support/desktop-app.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';

let linux: LinuxDesktop;
let chaperone: TestHost;
let agent: TestAgent;
let app: DesktopApp;
let parent: string;

beforeEach(async () => {
  linux = await openLinuxDesktop();
  chaperone = await startHost({ backend: 'linux', display: 'current', env: linux.session.env, policy: 'unattended' });
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  app = await startApp('gtk', linux.session.env, [], join(APPS, 'gtk-modal.py'));
  await linux.window(({ title }) => title === 'Modal');
  parent = `applications/${app.pid}`;
});
afterEach(async () => {
  await agent.close();
  await app.close();
  await chaperone.close();
  await linux.close();
});

const press = async (title: string): Promise<string> => {
  const { isError, text } = await agent.call('click_element', { parent, title, role: 'AXButton' });
  expect([isError, text]).toEqual([false, text]);
  return text;
};
const heard = async (control: string, event: string, value = ''): Promise<void> =>
  eventually(async () => expect(await app.journal()).toContainEqual({ control, event, value }));

test('[req:HA-3] three of them, each opened from the one before, are read, filled in and closed', async () => {
  for (const level of [1, 2, 3]) {
    await press(`Ask ${level}`);
    await heard(`dialog ${level}`, 'opened');
    const tree = await agent.call('get_element_tree', { parent });
    expect(tree.text).toContain(`Close ${level}`);
  }
  const fields = await agent.call('find_elements', { parent, role: 'AXTextField' });
  const element_id = (fields.value['elements'] as { elementId: string }[]).at(-1)?.elementId ?? '';
  expect((await agent.call('write_element_value', { element_id, value: 'filled in' })).isError).toBe(false);
  expect((await app.journal()).filter(({ value }) => value === 'filled in')).toHaveLength(1);
  for (const level of [3, 2, 1]) {
    await press(`Close ${level}`);
    await heard(`dialog ${level}`, 'closed');
  }
});

test('[req:HA-3] one that is opened by choosing an option is closed, and keys reach it', async () => {
  const found = await agent.call('find_elements', { parent, role: 'AXComboBox' });
  const [combo] = found.value['elements'] as { elementId: string }[];
  await agent.call('write_element_value', { element_id: combo?.elementId ?? '', value: 'asks' });
  await heard('dialog 1', 'opened');
  const key = await agent.call('press_key', { key: 'escape' });
  expect(key.isError).toBe(false);
  await heard('dialog 1', 'closed');
});
