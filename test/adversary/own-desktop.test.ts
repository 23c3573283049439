/** An agent with a desktop of its own tries to leave it, to reach the person or another agent, and to have done unasked what must ask. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.js';
import { eventually } from '../support/eventually.js';
import { askedFiles } from '../support/files-in-dialogs.js';
import { environmentOf, openOwnScene, pidOf, type OwnScene } from '../support/own-desktop.js';
import { openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';

const MOUSEPAD = { application_id: 'org.xfce.mousepad' };
const SECRETS = { SSH_AUTH_SOCK: '/persons/agent', SESSION_MANAGER: '/persons/manager', XDG_SESSION_ID: 'persons-7', DBUS_STARTER_ADDRESS: 'unix:path=/persons/starter', AT_SPI_BUS_ADDRESS: 'unix:path=/persons/a11y' }; // prettier-ignore
let persons: LinuxDesktop;
let scene: OwnScene;
let agent: TestAgent;
let folder: string;

beforeAll(async () => {
  persons = await openLinuxDesktop();
  await persons.fixture({ title: 'Private letter' });
  folder = await mkdtemp(join(tmpdir(), 'own-adversary-'));
  scene = await openOwnScene({ display: 'current', env: { ...persons.session.env, ...SECRETS } });
  agent = await scene.withDesktop();
}, 120_000);
afterAll(async () => {
  await scene.close();
  await persons.close();
  await rm(folder, { recursive: true });
});

/** Every value of the person's session that leads to it. */
const leads = (): string[] => {
  const { DISPLAY = '', XAUTHORITY = '', DBUS_SESSION_BUS_ADDRESS = '', XDG_RUNTIME_DIR = '', HOME = '' } = persons.session.env; // prettier-ignore
  return [DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, HOME, ...Object.values(SECRETS)];
};

test('what is started there has nothing of the person’s session, and its cookie is readable by nobody else', async () => {
  const env = await environmentOf(pidOf(await scene.unasked(agent, 'open_application', MOUSEPAD)));
  for (const value of leads()) expect([...env.values()]).not.toContain(value);
  expect(env.get('DISPLAY')).toMatch(/^:\d+$/);
  expect(env.get('DBUS_SESSION_BUS_ADDRESS')).toContain(env.get('XDG_RUNTIME_DIR'));
  expect(env.get('HOME')).toBe(join(env.get('XDG_RUNTIME_DIR') ?? '', 'home'));
  const { mode } = await stat(env.get('XAUTHORITY') ?? '');
  expect(mode & 0o777).toBe(0o600);
  expect((await stat(env.get('XDG_RUNTIME_DIR') ?? '')).mode & 0o777).toBe(0o700);
}, 60_000);

test.each([false, true])(
  'a command asks, and reaches neither display nor bus of the person (desktop: %s)',
  async (desktop) => {
    const file = join(folder, `env-${desktop}`);
    const ran = await scene.allowed(agent, 'execute_shell_command', {
      command: 'sh',
      args: ['-c', `env > ${file}`],
      desktop,
    });
    expect(ran.isError, ran.text).toBe(false);
    const text = await readFile(file, 'utf8');
    const values = text.split('\n').map((line) => line.replace(/^[^=]*=/, ''));
    const person = leads().filter((value) => value !== persons.session.env['HOME']);
    for (const value of person) expect(values).not.toContain(value);
    expect(/^DISPLAY=/m.test(text)).toBe(desktop);
  },
  60_000,
);

test('the person’s windows are not there: neither listed, nor found by their ids, nor in a picture', async () => {
  const theirs = (await persons.desktop.windows(new AbortController().signal)).find(
    ({ title }) => title === 'Private letter',
  );
  expect(theirs).toBeDefined();
  expect((await scene.unasked(agent, 'list_windows')).text).not.toContain('Private letter');
  const { text, isError } = await agent.call('focus_window', { name: `windows/${theirs?.id ?? ''}` });
  expect([isError, text.includes('Private letter')]).toEqual([true, false]);
}, 60_000);

test('the person’s clipboard is not its clipboard', async () => {
  const never = new AbortController().signal;
  await persons.desktop.writeClipboard({ text: 'persons-secret' }, never);
  const read = await scene.allowed(agent, 'get_clipboard');
  expect(read.text).not.toContain('persons-secret');
  await scene.allowed(agent, 'write_clipboard', { text: 'from-agent' });
  expect((await persons.desktop.readClipboard(never)).text).toBe('persons-secret');
}, 60_000);

test('another agent’s own desktop cannot be reached by the names of what is on it', async () => {
  const other = await scene.withDesktop();
  const windows = (await scene.unasked(agent, 'list_windows')).value['windows'] as { name: string }[];
  expect(windows.length).toBeGreaterThan(0);
  for (const { name } of windows) {
    const tried = await other.call('capture_window_screenshot', { name });
    expect([tried.isError, tried.images]).toEqual([true, []]);
  }
  expect((await scene.unasked(other, 'list_applications')).value).toMatchObject({ applications: [] });
  await other.close();
}, 60_000);

test('terminals and file managers ask to be opened, and for each act; what is started in one is not the agent’s', async () => {
  for (const application_id of ['debian-xterm', 'pcmanfm', 'thunar']) await scene.asks(agent, 'open_application', { application_id }); // prettier-ignore
  const opened = await scene.allowed(agent, 'open_application', { application_id: 'debian-xterm' });
  expect(opened.isError, opened.text).toBe(false);
  const parent = String(opened.value['name']);
  expect((await scene.asks(agent, 'type_text', { text: 'ls' })).effect).toBe('input');
  await scene.asks(agent, 'capture_screenshot');
  const quit = await scene.allowed(agent, 'quit_application', { name: parent, force: true });
  expect(quit.isError, quit.text).toBe(false);
}, 120_000);

test('a program that is no installed application asks, wherever its entry says it is', async () => {
  await scene.asks(agent, 'open_application', { application_id: '/usr/bin/galculator' });
  const other = await scene.withDesktop();
  const told = await scene.allowed(other, 'execute_shell_command', { command: 'printenv', args: ['XDG_RUNTIME_DIR'], desktop: true }); // prettier-ignore
  const home = join(/\/\S*desk-\w+/.exec(told.text)?.[0] ?? '', 'home');
  const entry = '[Desktop Entry]\nType=Application\nName=Notes\nExec=/usr/bin/galculator\n';
  await mkdir(join(home, '.local/share/applications'), { recursive: true });
  await writeFile(join(home, '.local/share/applications/notes.desktop'), entry);
  await scene.asks(other, 'open_application', { application_id: 'notes' });
  await other.close();
}, 120_000);

test('a dialog saves and opens new files in the agent’s folder; what leaves it or replaces a file asks', async () => {
  const files = await askedFiles(scene.chaperone.workspace);
  const other = await scene.withDesktop();
  const application = (await scene.unasked(other, 'open_application', MOUSEPAD)).value['name'];
  await scene.unasked(other, 'type_text', { text: 'Dear Ada' });
  await scene.unasked(other, 'press_key', { key: 's', modifiers: ['ctrl', 'shift'], application });
  for (const [what, args] of files.saves) {
    const card = await scene.asks(other, 'automate_save_file_dialog', { application, ...args });
    expect(card.tool, what).toBe('automate_save_file_dialog');
  }
  const file_path = join(scene.chaperone.workspace, 'in', 'letter.txt');
  await scene.unasked(other, 'automate_save_file_dialog', { application, file_path });
  expect(await readFile(file_path, 'utf8')).toContain('Dear Ada');
  await scene.unasked(other, 'press_key', { key: 'o', modifiers: ['ctrl'], application });
  await scene.asks(other, 'automate_open_file_dialog', { application, file_path: files.outside });
  await scene.unasked(other, 'automate_open_file_dialog', { application, file_path });
  await files.close();
  await other.close();
}, 120_000);

test('what a command shows there is not what the agent started: looking at it asks, and so does the whole screen', async () => {
  const other = await scene.withDesktop();
  const running = other.call('execute_shell_command', { command: 'galculator', desktop: true });
  running.catch(() => undefined);
  await scene.person.answer('allow');
  const find = async () =>
    ((await other.call('list_windows')).value['windows'] as { name: string; title: string }[]).find(({ title }) =>
      title.includes('galculator'),
    );
  await eventually(find).toBeDefined();
  const window = await find();
  expect((await scene.asks(other, 'capture_window_screenshot', { name: window?.name })).effect).toBe('disclose');
  expect((await scene.asks(other, 'capture_screenshot')).effect).toBe('disclose');
  await other.close();
}, 120_000);

test('under a policy without grants, everything there asks as well', async () => {
  const strict = await openOwnScene({ display: 'virtual', policy: 'strict' });
  try {
    const one = await strict.agent();
    const looking = one.call('list_windows');
    await strict.give('own');
    await strict.person.answer('allow');
    expect((await looking).isError).toBe(false);
    await strict.asks(one, 'open_application', MOUSEPAD);
    await strict.asks(one, 'capture_screenshot');
  } finally {
    await strict.close();
  }
}, 120_000);

test('taken over, the agent acts and sees nothing there; what the person types is in no record; handed back, it is told', async () => {
  const other = await scene.withDesktop();
  const opened = await scene.unasked(other, 'open_application', MOUSEPAD);
  const pid = pidOf(opened);
  const mine = () => scene.person.seen.findLast((one) => one.type === 'status')?.status.desktops?.at(-1);
  await eventually(() => mine()?.id).toBeDefined();
  const id = mine()?.id ?? '';
  scene.person.send({ type: 'takeDesktop', id });
  await eventually(() => mine()?.taken).toBe(true);
  for (const [name, args] of [
    ['type_text', { text: 'late' }],
    ['capture_screenshot', {}],
    ['list_windows', {}],
    ['get_element_tree', { parent: `applications/${pid}` }],
    ['open_application', { application_id: 'galculator' }],
  ] as const) {
    const refused = await other.call(name, args);
    expect([name, refused.isError, refused.images.length], refused.text).toEqual([name, true, 0]);
    expect(refused.text).not.toContain('Mousepad');
  }
  scene.person.send({ type: 'desktopInput', id, input: { kind: 'text', text: 'Typed-By-Hand' } });
  scene.person.send({ type: 'handBack', id, message: 'All yours' });
  await eventually(() => mine()?.taken).toBe(false);
  const told = await other.call('list_windows');
  expect([told.isError, told.text.includes('All yours')], told.text).toEqual([true, true]);
  const { value } = await scene.unasked(other, 'find_elements', {
    parent: opened.value['name'],
    selector: { role: 'AXTextArea' },
  });
  expect(JSON.stringify(value['elements'])).toContain('Typed-By-Hand');
  const log = await readFile(join(scene.chaperone.home, 'state', 'audit.jsonl'), 'utf8').catch(() => '');
  expect(log).not.toContain('Typed-By-Hand');
  await other.close();
}, 120_000);

test('only the page that took a desktop over works there, and an ended one takes nothing', async () => {
  const other = await scene.withDesktop();
  await scene.unasked(other, 'open_application', MOUSEPAD);
  const mine = () => scene.person.seen.findLast((one) => one.type === 'status')?.status.desktops?.at(-1);
  await eventually(() => mine()?.id).toBeDefined();
  const id = mine()?.id ?? '';
  scene.person.send({ type: 'desktopInput', id, input: { kind: 'text', text: 'Not-Taken' } });
  await scene.person.next('error', ({ code }) => code === 'unknown_desktop');
  scene.person.send({ type: 'endDesktop', id });
  await eventually(() => mine()?.id === id).toBe(false);
  scene.person.send({ type: 'takeDesktop', id });
  await scene.person.next('error', ({ code }) => code === 'unknown_desktop');
  // It asks anew, as at first.
  const again = other.call('list_windows');
  await scene.give('own');
  expect((await again).value).toMatchObject({ windows: [] });
  await other.close();
}, 120_000);

test('a page is opened unasked only in a browser that the agent started: one with the person’s profile asks', async () => {
  const other = await scene.withDesktop();
  const persons = join(folder, 'persons-profile');
  const command = `chromium --no-sandbox --no-first-run --disable-gpu --user-data-dir=${persons} > /dev/null 2>&1 &`;
  await scene.allowed(other, 'execute_shell_command', { command, shell: true, desktop: true, keep_running: true });
  await eventually(async () => (await other.call('list_windows')).text).toContain('Chromium');
  await scene.asks(other, 'open_url', { url: 'http://127.0.0.1:9/' });
  await scene.asks(other, 'open_url', { url: 'http://127.0.0.1:9/', application: 'chromium' });
  await other.close();
}, 120_000);

test('there, an entry of a browser in the agent’s own home folder asks, and an address that deletes does', async () => {
  const other = await scene.withDesktop();
  const told = await scene.allowed(other, 'execute_shell_command', { command: 'printenv', args: ['XDG_RUNTIME_DIR'], desktop: true }); // prettier-ignore
  const home = join(/\/\S*desk-\w+/.exec(told.text)?.[0] ?? '', 'home');
  const entry = '[Desktop Entry]\nType=Application\nName=Epiphany\nExec=/usr/bin/galculator %u\n';
  await mkdir(join(home, '.local/share/applications'), { recursive: true });
  await writeFile(join(home, '.local/share/applications/epiphany.desktop'), entry);
  await scene.asks(other, 'open_url', { url: 'http://127.0.0.1:9/', application: 'epiphany' });
  await scene.asks(other, 'open_url', { url: 'http://127.0.0.1:9/account/delete', application: 'chromium' });
  await other.close();
}, 120_000);
