/** A real Chromium on the host's own display, with a site of the agent's and the paired page. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DesktopBackend, Element, Selector, Window } from '../../src/native/desktop.js';
import { openLinux } from '../../src/native/linux/index.js';
import { createProcessTable } from '../../src/native/peer/index.js';
import type { TestHost } from './host.js';
import { eventually } from './linux-desktop.js';

const LIMITS = { maxDepth: 80, maxNodes: 20_000, timeoutMs: 20_000 };
const signal = new AbortController().signal;

export interface ShopBrowser {
  /** Sees everything, as no agent does. */
  judge: DesktopBackend;
  shopUrl: string;
  pid(): number;
  /** Opens the addresses in tabs, with this in the environment besides; resolves when the browser has a window. */
  browse(addresses: readonly string[], more?: Record<string, string>): Promise<void>;
  /** In the browser that runs. */
  openWindow(address: string): void;
  window(): Promise<Window>;
  element(selector: Selector): Promise<Element>;
  /** Runs xdotool: for agents and host another program’s input. */
  byHand(...words: string[]): void;
  /** A key for that window, sent once the server gives keys to it. */
  keyIn(window: Window, key: string): Promise<void>;
  press(element: Element, button: number): void;
  /** Opens the link to the page beside the site, in the same window. */
  split(): Promise<void>;
  close(): Promise<void>;
}

/** `page`: another page than the shop, with a link “Cart”. */
export async function openShopBrowser(
  { host }: { host: Pick<TestHost['host'], 'url' | 'desktopEnv'> },
  page?: string,
): Promise<ShopBrowser> {
  const env = { ...host.desktopEnv, PATH: '/usr/bin:/bin' };
  const log = { info: () => {}, warn: () => {} };
  const judge = await openLinux({ env: host.desktopEnv ?? {}, processes: createProcessTable(), log });
  const shopPage = `<title>Shop</title><h1>Shop</h1><p><a style="font-size:40px" href="${host.url}/">Cart</a>
    <p><button onclick="document.title = 'Bought'">Buy</button>`;
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page ?? shopPage));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const profile = await mkdtemp(join(tmpdir(), 'chaperone-split-'));
  const ends: (() => Promise<void>)[] = [];
  let pid = 0;

  const shop: ShopBrowser = {
    judge,
    shopUrl: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    pid: () => pid,
    async browse(addresses, more = {}) {
      const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', `--user-data-dir=${profile}`];
      const browser = spawn('/usr/bin/chromium', [...flags, ...addresses], {
        env: { ...env, ...more },
        stdio: 'ignore',
        detached: true,
      });
      ends.push(async () => {
        // One that is started beside another hands its addresses over and ends.
        if (browser.exitCode !== null || browser.signalCode !== null) return;
        const ended = once(browser, 'exit');
        if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
        await ended;
      });
      pid = await eventually(async () => {
        const found = (await judge.windows(signal)).find(({ title }) => title.includes('Chromium'));
        if (found === undefined) throw new Error('no browser');
        return found.app.pid;
      });
    },
    openWindow: (address) =>
      void execFileSync('/usr/bin/chromium', ['--no-sandbox', `--user-data-dir=${profile}`, '--new-window', address], {
        env,
        stdio: 'ignore',
      }),
    async window() {
      const found = (await judge.windows(signal)).find(({ app, normal }) => app.pid === pid && normal);
      if (found === undefined) throw new Error('no window');
      return found;
    },
    element: (selector) =>
      eventually(async () => {
        const { elements } = await judge.find({ pid }, { visibleOnly: true, ...selector }, 1, LIMITS, signal);
        const [element] = elements;
        if (element?.frame == null) throw new Error(`nothing fits ${JSON.stringify(selector)}`);
        return element;
      }),
    byHand: (...words) => void execFileSync('xdotool', words, { env }),
    async keyIn({ id }, key) {
      await judge.focusWindow(id, signal);
      shop.byHand('key', key);
    },
    press(element, button) {
      const { x, y } = inside(element);
      shop.byHand('mousemove', `${x}`, `${y}`, 'click', `${button}`);
    },
    async split() {
      shop.press(await shop.element({ role: 'AXLink', titleContains: 'Cart' }), 3);
      shop.press(await shop.element({ role: 'AXMenuItem', titleContains: 'split view' }), 1);
      await eventually(async () => {
        if ((await shop.window()).documents?.urls.length !== 2) throw new Error('not beside each other yet');
      });
    },
    async close() {
      for (const end of ends) await end();
      await judge.close();
      site.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
  return shop;
}

/** Its middle. */
export function inside({ frame }: Element): { x: number; y: number } {
  if (frame === null) throw new Error('it has no place');
  return { x: Math.round(frame.x + frame.width / 2), y: Math.round(frame.y + frame.height / 2) };
}
