/** Applications that call themselves something else, on a real display: window classes and desktop files that an agent can choose. */
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { APPS, startApp, type DesktopApp } from '../support/desktop-app.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';

let linux: LinuxDesktop;
let data: string;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
const apps: DesktopApp[] = [];

beforeEach(async () => {
  linux = await openLinuxDesktop();
  data = await mkdtemp(join(tmpdir(), 'chaperone-data-'));
  await mkdir(join(data, 'applications'));
});
afterEach(async () => {
  await agent.close();
  person.close();
  for (const app of apps.splice(0)) await app.close();
  await chaperone.close();
  await linux.close();
  await rm(data, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const env = { ...linux.session.env, XDG_DATA_HOME: data };
  chaperone = await startHost({ backend: 'linux', display: 'current', env });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
}

async function open(title: string, script?: string): Promise<DesktopApp> {
  const app = await startApp('gtk', linux.session.env, ['--title', title], script);
  apps.push(app);
  await linux.window((window) => window.app.pid === app.pid);
  return app;
}

const activeTitle = async (): Promise<string | undefined> =>
  (await linux.desktop.frontmost(AbortSignal.timeout(10_000))).window?.title;

async function checkBox(app: DesktopApp): Promise<string> {
  const given = { parent: `applications/${app.pid}`, role: 'AXCheckBox', title: 'Remind me' };
  const found = await agent.call('wait_element', given);
  if (found.isError) throw new Error(found.text);
  return (found.value['element'] as { elementId: string }).elementId;
}

test('[req:ID-1] a program under the window class of another one does not act under its grant', async () => {
  await start();
  person.allowLooking();
  const real = await open('Real');
  const copy = join(data, 'gtk-fixture.py');
  await copyFile(join(APPS, 'gtk-fixture.py'), copy);
  const press = async (app: DesktopApp) => agent.call('click_element', { element_id: await checkBox(app) });

  const first = press(real);
  const { approval } = await person.next('approvalRequested', ({ approval: { effect } }) => effect === 'input');
  await settle(person, approval, 'allow', { grant: 'time' });
  expect((await first).isError).toBe(false);
  expect((await press(real)).isError).toBe(false);

  const impostor = await open('Impostor', copy);
  const windows = (await linux.desktop.windows(AbortSignal.timeout(10_000))).map(({ app }) => app);
  expect(new Set(windows.map(({ id }) => id)).size).toBe(1);
  const asked = press(impostor);
  const again = await person.next('approvalRequested', ({ approval: { effect } }) => effect === 'input');
  expect(again.approval.process?.pid).toBe(impostor.pid);
  await settle(person, again.approval, 'deny');
  expect((await asked).isError).toBe(true);
  expect((await impostor.journal()).filter(({ control }) => control === 'check')).toEqual([]);
});

test('[req:ID-2] a desktop file that the agent wrote does not bring an excluded application back', async () => {
  const program = join(APPS, 'gtk-fixture.py');
  const entry = (exec: string, more = '') => `[Desktop Entry]\nType=Application\nName=Notes\nExec=${exec}\n${more}`;
  const write = (name: string, text: string) => writeFile(join(data, 'applications', name), text);
  await write('innocent.desktop', entry('/usr/bin/true', 'StartupWMClass=Gtk-fixture.py\n'));
  await symlink(program, join(data, 'harmless'));
  await write('other.desktop', entry(join(data, 'harmless')));
  await write('wrapped.desktop', entry(`sh -c "exec ${program} --journal /dev/null --title Secrets"`));
  await start();
  person.allowLooking();
  const app = await open('Secrets');
  const listed = await agent.call('list_windows', {});
  expect(JSON.stringify(listed.value)).toContain('Secrets');
  expect(JSON.stringify(listed.value)).toContain('innocent');
  person.send({ type: 'exclude', appId: 'gtk-fixture.py', on: true });
  await person.next('policy', ({ policy }) => policy.excludedApps?.includes('gtk-fixture.py') === true);
  expect(JSON.stringify((await agent.call('list_windows', {})).value)).not.toContain('Secrets');
  const tree = await agent.call('get_element_tree', { parent: `applications/${app.pid}` });
  expect([tree.isError, tree.text]).toEqual([true, expect.not.stringContaining('Remind me')]);
  await eventually(async () => expect(await activeTitle()).toBe('Secrets'));
  for (const id of ['innocent', 'other', program]) {
    const opened = await agent.call('open_application', { application_id: id, new_instance: id !== 'innocent' });
    expect([opened.isError, opened.text], id).toEqual([true, expect.stringContaining('not open to agents')]);
  }
  expect(await activeTitle()).toBe('Secrets');
  const opening = agent.call('open_application', { application_id: 'wrapped', new_instance: true });
  await person.answer('allow');
  expect((await opening).text).toContain('not open to agents');
});
