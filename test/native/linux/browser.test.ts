import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Element, InputGuard, Selector, TreeLimits, Window } from '../../../src/native/desktop.js';
import { eventually, type LinuxDesktop, openLinuxDesktop, type RunningApp } from '../../support/linux-desktop.js';

const PAGE = `<!doctype html><title>Form page</title><input id="q" aria-label="Query" autofocus>
  <input id="pw" type="password" aria-label="Pass" value="hidden-secret">
  <button id="go" onclick="document.title = 'Done ' + document.getElementById('q').value">Go</button>`;
const LIMITS: TreeLimits = { maxDepth: 60, maxNodes: 10_000, timeoutMs: 30_000 };
const free: InputGuard = () => Promise.resolve();
const signal = new AbortController().signal;
let linux: LinuxDesktop;
let server: Server;
let browser: RunningApp;
let address = '';

beforeAll(async () => {
  linux = await openLinuxDesktop();
  server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/form`;
  const profile = `--user-data-dir=${join(linux.folder, 'profile')}`;
  const flags = ['--no-sandbox', '--no-first-run', '--force-renderer-accessibility', profile];
  browser = linux.run('chromium', [...flags, address]);
});
afterAll(async () => {
  await browser.end();
  server.close();
  await linux.close();
});

async function one(pid: number, selector: Selector): Promise<Element> {
  const { elements } = await linux.desktop.find({ pid }, selector, 2, LIMITS, signal);
  const [element] = elements;
  if (element === undefined) throw new Error(`nothing fits ${JSON.stringify(selector)}`);
  return element;
}

const titled = (title: string): Promise<Window> => linux.window((window) => window.title.startsWith(title));

it('reads and uses a web page in Chromium', async () => {
  const { app } = await titled('Form page');
  expect(app.id).toBe('chromium');
  await eventually(async () => {
    const window = (await linux.desktop.windows(signal)).find((found) => found.title.startsWith('Form page'));
    expect(window?.documentUrl).toBe(address);
  });
  const query = await eventually(() => one(app.pid, { identifier: 'q' }));
  expect(query).toMatchObject({ role: 'AXTextField', title: 'Query', value: '' });
  // A bar of the browser's own that comes meanwhile moves the page.
  await eventually(async () => {
    const secret = await one(app.pid, { identifier: 'pw' });
    expect(secret).toMatchObject({ value: null, states: { secure: true } });
    expect(await linux.desktop.secureAreas(signal)).toContainEqual(secret.frame);
  });
  const { nodes } = await linux.desktop.tree({ pid: app.pid }, LIMITS, signal);
  expect(JSON.stringify(nodes)).not.toContain('hidden-secret');

  await expect(linux.desktop.setValue(query.id, 'x', signal)).rejects.toMatchObject({ code: 'unsupported' });
  await linux.desktop.focusElement(query.id, signal);
  await linux.desktop.typeText('Zoë 世界 👋', free, signal);
  await eventually(async () => expect((await linux.desktop.element(query.id, signal)).value).toBe('Zoë 世界 👋'));
  const go = await one(app.pid, { identifier: 'go' });
  await eventually(async () => {
    const { frame } = await linux.desktop.element(go.id, signal);
    const { x = 0, y = 0, width = 0, height = 0 } = frame ?? {};
    const hit = await linux.desktop.elementAt({ x: x + width / 2, y: y + height / 2 }, signal);
    const above = hit === null ? [] : await linux.desktop.ancestors(hit.id, signal);
    expect([hit?.id, ...above.map(({ id }) => id)]).toContain(go.id);
  });
  await linux.desktop.performAction(go.id, 'AXPress', signal);
  await titled('Done Zoë 世界 👋');
});
