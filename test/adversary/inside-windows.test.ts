/** Windows of one application inside another's: they are judged by whose they are. Real plugs, judged by pixels and by their journals. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { XTree } from 'x11';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openGabp, type Gabp } from '../support/gabp.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop, type RunningApp } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';
import { decoded } from '../support/pictures.js';
import { openXApplication } from '../support/x-application.js';

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

const isMagenta = (rgb: Uint8Array, at: number) => rgb[at] === 255 && rgb[at + 1] === 0 && rgb[at + 2] === 255;

function count(rgb: Uint8Array): number {
  let found = 0;
  for (let at = 0; at + 2 < rgb.length; at += 3) if (isMagenta(rgb, at)) found += 1;
  return found;
}

/** By a desktop of the test's own, which masks nothing. */
const magentaOnScreen = async () => count((await linux.desktop.capture({ kind: 'display' }, never)).rgb);

async function magentaFor(tool: string, args: Record<string, unknown>): Promise<number> {
  const answer = await agent.tool(tool, { ...args, format: 'png' });
  const image = answer.content.find((block) => block.type === 'image');
  if (image?.data === undefined) throw new Error(answer.content[0]?.text ?? 'no picture');
  return count((await decoded(Buffer.from(image.data, 'base64'))).rgb);
}

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

test('an excluded window that is reparented into another’s by whoever is covered there too [req:PL-4]', async () => {
  await start(UNATTENDED);
  const { window } = await hold();
  run('gtk-plug.py', '--journal', join(linux.folder, 'inside'), '--socket', '0');
  const other = await linux.window(({ title }) => title === 'Plug');
  const x = await openXApplication(linux.session.env);
  try {
    await x.request((done) => x.x.client.UnmapWindow(Number(other.id), done));
    // It leaves the list before the window manager gives it back to the root, and would be taken back from wherever it is by then.
    await eventually(async () => {
      const { parent } = await x.x.query<XTree>((reply) => x.x.client.QueryTree(Number(other.id), reply));
      expect(parent).toBe(x.x.root);
    });
    await x.request((done) => x.x.client.ReparentWindow(Number(other.id), Number(window.id), 0, 60, done));
    await x.request((done) => x.x.client.MapWindow(Number(other.id), done));
    await eventually(async () => {
      const now = (await linux.desktop.windows(never)).find(({ id }) => id === window.id);
      expect(now?.inside?.map(({ app }) => app.pid)).toEqual([other.app.pid]);
      expect(await magentaOnScreen()).toBeGreaterThan(1000);
    });
    expect(await magentaFor('capture_screenshot', {})).toBe(0);
    expect(
      await magentaFor('capture_window_screenshot', { window: `applications/${window.app.pid}/windows/${window.id}` }),
    ).toBe(0);
  } finally {
    await x.close();
  }
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
