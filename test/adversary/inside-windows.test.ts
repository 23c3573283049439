/** Windows of one application inside another's: they are judged by whose they are. Real plugs, judged by pixels and by their journals. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openGabp, type Gabp } from '../support/gabp.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop, type RunningApp } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';
import { decoded } from '../support/pictures.js';
import type { XTree } from 'x11';
import type { Window } from '../../src/native/desktop.js';
import { magentaIn, openCrowded, openTray, put, withXApplication } from '../support/inside-windows.js';
import type { XApplication } from '../support/x-application.js';

const APPS = join(import.meta.dirname, '../support/apps');
const never = new AbortController().signal;

let linux: LinuxDesktop;
let host: TestHost;
let agent: Gabp;
let person: Person;
const apps: RunningApp[] = [];

beforeAll(async () => {
  linux = await openLinuxDesktop();
}, 120_000);
afterAll(() => linux.close());
afterEach(async () => {
  agent.close();
  person.close();
  await host.close();
  for (const app of apps.splice(0)) await app.end();
  for (const name of ['own', 'inside', 'socket']) rmSync(join(linux.folder, name), { force: true });
});

async function start(policy: object): Promise<void> {
  const file = join(linux.folder, 'policy.json');
  writeFileSync(file, JSON.stringify(policy), { mode: 0o600 });
  host = await startHost({ backend: 'linux', display: 'current', env: linux.session.env, policy: file });
  agent = await openGabp(host);
  person = await openPage(host.host.url, host.host.pairingLink());
}

const journal = (name: string) =>
  existsSync(join(linux.folder, name)) ? readFileSync(join(linux.folder, name), 'utf8') : '';

function run(script: string, ...args: string[]): void {
  apps.push(linux.run(join(APPS, script), args));
}

/** The holder's window, once it is shown. */
async function hold() {
  const socket = join(linux.folder, 'socket');
  run('gtk-holder.py', '--journal', join(linux.folder, 'own'), '--socket', socket);
  const window = await linux.window(({ title }) => title === 'Holder');
  return { window, socket: readFileSync(socket, 'utf8') };
}

/** Plugs it in; resolves when it shows. */
async function plug(socket: string): Promise<void> {
  run('gtk-plug.py', '--journal', join(linux.folder, 'inside'), '--socket', socket);
  await eventually(async () => expect(await magentaOnScreen()).toBeGreaterThan(1000));
}

/** By a desktop of the test's own, which masks nothing. */
const magentaOnScreen = async () => magentaIn((await linux.desktop.capture({ kind: 'display' }, never)).rgb);

async function magentaFor(tool: string, args: Record<string, unknown>): Promise<number> {
  const answer = await agent.tool(tool, { ...args, format: 'png' });
  const image = answer.content.find((block) => block.type === 'image');
  if (image?.data === undefined) throw new Error(answer.content[0]?.text ?? 'no picture');
  return magentaIn((await decoded(Buffer.from(image.data, 'base64'))).rgb);
}

const ASKING = { preset: 'standard', effects: { disclose: 'allow' } };
const UNATTENDED = { preset: 'unattended', excludedApps: ['gtk-plug.py'] };

test('an excluded application plugged into another’s window is covered in every picture, and read by no tree [req:PL-4]', async () => {
  await start(UNATTENDED);
  const { window, socket } = await hold();
  await plug(socket);
  expect(await magentaFor('capture_screenshot', {})).toBe(0);
  const name = `applications/${window.app.pid}/windows/${window.id}`;
  expect(await magentaFor('capture_window_screenshot', { window: name })).toBe(0);
  const tree = await agent.tool('get_element_tree', { parent: name });
  expect(JSON.stringify(tree)).toContain('Own');
  expect(JSON.stringify(tree)).not.toContain('Inside');
  expect(JSON.stringify(await agent.tool('list_applications', {}))).not.toContain('gtk-plug');
  const { x, y, width, height } = window.frame;
  const click = await agent.tool('click', { x: x + width / 2, y: y + height - 60 });
  expect(click.isError).toBe(true);
  expect(journal('inside')).toBe('');
});

const withX = (work: (x: XApplication) => Promise<void>) => withXApplication(linux.session.env, work);

/** A window of its own that the window manager has let go, so that it stays where it is put. */
async function withdrawn(x: XApplication): Promise<Window> {
  run('gtk-plug.py', '--journal', join(linux.folder, 'inside'));
  const window = await linux.window(({ title }) => title === 'Plug');
  const id = Number(window.id);
  await x.request((done) => x.x.client.UnmapWindow(id, done));
  // It is back in the root only after it has left the list, and it would be taken back from wherever it is by then.
  await eventually(async () =>
    expect((await x.x.query<XTree>((reply) => x.x.client.QueryTree(id, reply))).parent).toBe(x.x.root),
  );
  return window;
}

const named = ({ app, id }: Window) => `applications/${app.pid}/windows/${id}`;
const centre = ({ frame: { x, y, width, height } }: Window) => ({ x: x + width / 2, y: y + height / 2 });
/** Also one that nothing but X tells of. */
const shown = (name: string): Promise<Window> =>
  eventually(async () => {
    const found = (await linux.desktop.windows(never)).find(({ title }) => title === name);
    if (found === undefined) throw new Error(`no window called ${name}`);
    return found;
  });
const insideOf = async (id: string) =>
  (await linux.desktop.windows(never)).find((one) => one.id === id)?.inside?.map(({ app }) => app.pid);

/** Excluded, it is in no picture; a click there reaches nobody. */
async function expectCovered(window: Window): Promise<void> {
  expect(await magentaFor('capture_screenshot', {})).toBe(0);
  expect(await magentaFor('capture_window_screenshot', { window: named(window) })).toBe(0);
}

test('an excluded window that is reparented into another’s by whoever is covered there too [req:PL-4]', async () => {
  await start(UNATTENDED);
  const { window } = await hold();
  await withX(async (x) => {
    const other = await withdrawn(x);
    await put(x, other, Number(window.id));
    await eventually(async () => {
      expect(await insideOf(window.id)).toEqual([other.app.pid]);
      expect(await magentaOnScreen()).toBeGreaterThan(1000);
    });
    await expectCovered(window);
  });
});

test('an excluded window in a container of Qt is covered there too [req:PL-4]', async () => {
  await start(UNATTENDED);
  await withX(async (x) => {
    const other = await withdrawn(x);
    run('qt-holder.py', '--window', other.id);
    const window = await shown('Holder');
    await x.request((done) => x.x.client.MapWindow(Number(other.id), done));
    await eventually(async () => {
      expect(await insideOf(window.id)).toEqual([other.app.pid]);
      expect(await magentaOnScreen()).toBeGreaterThan(1000);
    });
    await expectCovered(window);
  });
});

test('the icon of an excluded application in a tray is covered, and takes no click [req:PL-4]', async () => {
  await start(UNATTENDED);
  await withX(async (x) => {
    await openTray(x);
    run('gtk-plug.py', '--journal', join(linux.folder, 'inside'), '--tray');
    await eventually(async () => expect(await magentaOnScreen()).toBeGreaterThan(100));
    const tray = await shown('Tray');
    expect(await magentaFor('capture_screenshot', {})).toBe(0);
    const [icon] = tray.inside ?? [];
    if (icon === undefined) throw new Error('no icon');
    expect((await agent.tool('click', centre(icon))).isError).toBe(true);
    expect(journal('inside')).toBe('');
  });
});

test('a window with too many windows in it is hidden whole, and takes no click [req:PL-4]', async () => {
  await start(UNATTENDED);
  await withX(async (x) => {
    const lowest = await openCrowded(x);
    const full = await shown('Full');
    const other = await withdrawn(x);
    await put(x, other, lowest);
    await eventually(async () => expect(await magentaOnScreen()).toBeGreaterThan(1000));
    expect(await magentaFor('capture_screenshot', {})).toBe(0);
    const picture = await agent.tool('capture_window_screenshot', { window: named(full) });
    expect(picture.isError).toBe(true);
    expect((await agent.tool('click', centre(full))).isError).toBe(true);
    expect(journal('inside')).toBe('');
  });
});

test('an excluded application takes no click through a window of another in it that hands clicks on [req:PL-4]', async () => {
  await start(UNATTENDED);
  const { socket } = await hold();
  await plug(socket);
  const [inner] = (await shown('Holder')).inside ?? [];
  if (inner === undefined) throw new Error('nothing is plugged in');
  await withX(async (x) => {
    const cover = await x.create(Number(inner.id), { x: 0, y: 0, width: 2000, height: 2000 });
    await x.request((done) => x.x.client.MapWindow(cover, done));
    const at = () => linux.desktop.windowAt(centre(inner), never);
    await eventually(async () => expect(await at()).toMatchObject({ app: { pid: process.pid }, crowded: true }));
    expect((await agent.tool('click', centre(inner))).isError).toBe(true);
    expect(journal('inside')).toBe('');
  });
});

test('a click goes to the window around one whose shape leaves the place of a click [req:PL-4]', async () => {
  await start(UNATTENDED);
  const { window } = await hold();
  await withX(async (x) => {
    const own = { x: centre(window).x, y: window.frame.y + 40 };
    const cover = await x.create(Number(window.id), { x: 0, y: 0, width: 2000, height: 2000 });
    const extension = await x.x.extension('shape');
    extension?.Rectangles(0, extension.Kind.Input, cover, 0, 0, [[0, 0, 1, 1]]);
    await x.request((done) => x.x.client.MapWindow(cover, done));
    await eventually(async () => expect(await insideOf(window.id)).toEqual([process.pid]));
    expect((await linux.desktop.windowAt(own, never))?.app.pid).toBe(window.app.pid);
    expect((await linux.desktop.elementAt(own, never))?.title).toBe('Own');
    expect((await agent.tool('click', own)).isError).not.toBe(true);
    await expect.poll(() => journal('own')).toContain('pressed');
  });
});

test('where X gives the focus to a window inside, the window around it has none to tell of [req:PL-4]', async () => {
  await start(ASKING);
  const { window } = await hold();
  await withX(async (x) => {
    await linux.desktop.focusWindow(window.id, never);
    await eventually(async () => expect((await linux.desktop.focusedElement(never))?.title).toBe('Own'));
    const other = await withdrawn(x);
    await put(x, other, Number(window.id));
    await linux.desktop.focusWindow(window.id, never);
    await eventually(async () => expect((await linux.desktop.focusedElement(never))?.title).toBe('Own'));
    await eventually(async () => expect(await insideOf(window.id)).toEqual([other.app.pid]));
    await x.request((done) => x.x.client.SetInputFocus(Number(other.id), 1, done));
    await eventually(async () => expect(await linux.desktop.focusedElement(never)).toBeNull());
    expect((await linux.desktop.frontmost(never)).window?.id).toBe(window.id);
  });
});

test('what another puts at the place of a click after the person was asked gets no click [req:PL-4]', async () => {
  await start(ASKING);
  const { window } = await hold();
  await withX(async (x) => {
    const other = await withdrawn(x);
    await linux.desktop.focusWindow(window.id, never);
    const { x: left, y: top, width, height } = window.frame;
    const click = agent.tool('click', { x: left + width / 2, y: top + height - 60 });
    const { approval } = await person.next('approvalRequested');
    await put(x, other, Number(window.id));
    await eventually(async () => expect(await insideOf(window.id)).toEqual([other.app.pid]));
    await settle(person, approval, 'allow');
    const answer = await click;
    expect(answer.content[0]?.text).toContain('DESKTOP_TARGET_CHANGED');
    expect(journal('inside')).toBe('');
  });
});

test.each([
  ['never reach one that is excluded', { ...ASKING, excludedApps: ['gtk-plug.py'] }, false],
  ['reach another only where the person was told', ASKING, true],
])('keys where another application has the focus inside %s [req:PL-4]', async (_, policy, may) => {
  await start(policy);
  const { window, socket } = await hold();
  await plug(socket);
  const { x, y, width, height } = window.frame;
  await linux.desktop.movePointer({ x: x + width / 2, y: y + height - 60 }, never);
  for (const down of [true, false]) await linux.desktop.button('left', down, () => Promise.resolve(), never);
  await expect.poll(() => journal('inside')).toContain('pressed');
  const pressed = agent.tool('press_key', { key: 'a' });
  const { approval } = await person.next('approvalRequested');
  expect(approval.notes).toContainEqual(expect.objectContaining({ code: 'note.keys_inside' }));
  await settle(person, approval, 'allow');
  expect((await pressed).isError === true).toBe(!may);
  if (may) await expect.poll(() => journal('inside')).toContain('"a"');
  else expect(journal('inside')).not.toContain('"a"');
});

test('a grant for the window around it does not cover a click in what is plugged in [req:PL-4]', async () => {
  await start({ preset: 'standard', effects: { disclose: 'allow' } });
  const { window, socket } = await hold();
  await plug(socket);
  const { x, y, width, height } = window.frame;
  const own = {
    selector: undefined,
    parent: `applications/${window.app.pid}/windows/${window.id}`,
    role: 'button',
    title: 'Own',
  };
  const first = agent.tool('click_element', own);
  await person.answer('allow', { grant: 'session' });
  expect((await first).isError).not.toBe(true);
  const again = await agent.tool('click_element', own);
  expect(again.isError).not.toBe(true);
  await expect.poll(() => journal('own').trim().split('\n').length).toBe(2);

  const inner = agent.tool('click', { x: x + width / 2, y: y + height - 60 });
  const { approval } = await person.next('approvalRequested');
  expect(approval.process).not.toBeNull();
  expect(JSON.stringify(approval)).toContain('plug');
  expect(journal('inside')).toBe('');
  await settle(person, approval, 'allow');
  expect((await inner).isError).not.toBe(true);
  await expect.poll(() => journal('inside')).toContain('pressed');
});
