/** Real Chromium: an agent's own site and the paired page beside each other in one window. */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Desktop, Element, Selector, Window } from '../../src/native/desktop.js';
import { openLinux } from '../../src/native/linux/index.js';
import { createProcessTable } from '../../src/native/peer/index.js';
import { startAgent } from '../support/agent.js';
import type { TestAgent } from '../support/agent.js';
import { startHost } from '../support/host.js';
import type { TestHost } from '../support/host.js';
import { eventually } from '../support/linux-desktop.js';

const LIMITS = { maxDepth: 80, maxNodes: 20_000, timeoutMs: 20_000 };
const signal = new AbortController().signal;
let chaperone: TestHost;
let agent: TestAgent;
let judge: Desktop;
let site: Server;
let profile: string;
let browser: ChildProcess;
let pid = 0;

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual', policy: 'unattended' });
  const { desktopEnv } = chaperone.host;
  judge = await openLinux({
    env: desktopEnv ?? {},
    processes: createProcessTable(),
    log: { info: () => {}, warn: () => {} },
  });
  const page = `<title>Shop</title><h1>Shop</h1><p><a style="font-size:40px" href="${chaperone.host.url}/">Cart</a>
    <p><button onclick="document.title = 'Bought'">Buy</button>`;
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  profile = await mkdtemp(join(tmpdir(), 'chaperone-split-'));
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  await browse(shopUrl(), chaperone.host.pairingLink());
}, 120_000);
afterAll(async () => {
  await stop();
  await agent.close();
  await judge.close();
  site.close();
  await chaperone.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const shopUrl = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;

/** With the page paired in a tab that lies behind. */
async function browse(...addresses: string[]): Promise<void> {
  const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', `--user-data-dir=${profile}`];
  browser = spawn('/usr/bin/chromium', [...flags, ...addresses], {
    env: { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' },
    stdio: 'ignore',
    detached: true,
  });
  const first = await eventually(async () => {
    const found = (await judge.windows(signal)).find(({ title }) => title.includes('Chromium'));
    if (found === undefined) throw new Error('no browser');
    return found;
  });
  pid = first.app.pid;
  // While the link is unspent nothing is shown to agents.
  await eventually(async () => expect((await agent.call('list_windows')).isError).toBe(false));
}

async function stop(): Promise<void> {
  const ended = once(browser, 'exit');
  if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
  await ended;
}

async function seen(selector: Selector): Promise<Element> {
  return eventually(async () => {
    const { elements } = await judge.find({ pid }, { visibleOnly: true, ...selector }, 1, LIMITS, signal);
    const [element] = elements;
    if (element?.frame == null) throw new Error(`nothing fits ${JSON.stringify(selector)}`);
    return element;
  });
}

function inside({ frame }: Element): { x: number; y: number } {
  if (frame === null) throw new Error('it has no place');
  return { x: Math.round(frame.x + frame.width / 2), y: Math.round(frame.y + frame.height / 2) };
}

async function shop(): Promise<Window> {
  const found = (await judge.windows(signal)).find(({ app, normal }) => app.pid === pid && normal);
  if (found === undefined) throw new Error('no window');
  return found;
}

/** Another program's, so that nothing of ours is asked. */
function press(element: Element, button: number): void {
  const { x, y } = inside(element);
  execFileSync('xdotool', ['mousemove', `${x}`, `${y}`, 'click', `${button}`], {
    env: { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' },
  });
}

const inBrowser = (more: object) => ({ parent: `applications/${pid}`, ...more });

test('a link to the page is not followed, by accessibility or by the pointer; the site beside it is used as ever [req:SG-5]', async () => {
  const link = await seen({ role: 'AXLink', titleContains: 'Cart' });
  expect(link).toMatchObject({ document: { url: shopUrl() } });
  const pressed = await agent.call('click_element', inBrowser({ role: 'link', title: 'Cart' }));
  expect(pressed).toMatchObject({ isError: true });
  expect(pressed.text).toContain('Chaperone itself');
  const clicked = await agent.call('click', inside(link));
  expect(clicked.text).toContain('Chaperone itself');
  expect((await shop()).documents).toEqual({ urls: [shopUrl()], complete: true });
  const bought = await agent.call('click_element', inBrowser({ role: 'button', title: 'Buy' }));
  expect(bought.isError, bought.text).toBe(false);
  await eventually(async () => expect((await shop()).title).toContain('Bought'));
});

test('in a split view the whole window is ours: no click, no tree, no window in the list [req:SG-1]', async () => {
  press(await seen({ role: 'AXLink', titleContains: 'Cart' }), 3);
  press(await seen({ role: 'AXMenuItem', titleContains: 'split view' }), 1);
  await eventually(async () => expect((await shop()).documents?.urls).toHaveLength(2));
  const { documents } = await shop();
  expect(documents?.urls).toContain(`${chaperone.host.url}/`);
  expect(documents?.urls).toContain(shopUrl());

  const buy = await seen({ role: 'AXButton', titleContains: 'Buy' });
  for (const [tool, given] of [
    ['click', inside(buy)],
    ['left_mouse_down', {}],
    ['click_element', inBrowser({ role: 'button', title: 'Buy' })],
    ['click_element', inBrowser({ role: 'link', title: 'Settings' })],
    ['press_key', { key: 'enter' }],
  ] as const) {
    if (tool === 'left_mouse_down') await judge.movePointer(inside(buy), signal);
    expect(await agent.call(tool, given), tool).toMatchObject({ isError: true });
  }
  const listed = await agent.call('list_windows');
  expect(listed.text).not.toContain('Bought');
  const found = await agent.call('find_elements', inBrowser({ role: 'button', visible_only: false }));
  expect(found.text).not.toMatch(/Buy|Hold to allow|Stop/);
});
