/** A long page in Chromium under changes: a tree and a search show what asking for each element by itself shows. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Element, matches, type Selector, type TreeLimits } from '../../../src/native/desktop.js';
import { eventually, type LinuxDesktop, openLinuxDesktop, type RunningApp } from '../../support/linux-desktop.js';

const LIMITS: TreeLimits = { maxDepth: 100, maxNodes: 20_000, timeoutMs: 30_000 };
const TITLE = 'Changing page';
const ROWS = 12;
/** What the page can do; `at` counts from 0, around where it is too large. */
const CHANGES = new Map([
  ['insert', 'list.insertBefore(row(text), rows()[at])'],
  ['remove', 'pick().remove()'],
  ['rename', 'pick().textContent = text'],
  ['label', "pick().setAttribute('aria-label', text)"],
  ['describe', "pick().setAttribute('aria-description', text)"],
  ['role', "pick().setAttribute('role', at % 2 === 0 ? 'button' : 'group')"],
  ['name', 'pick().id = `row-${at}`'],
  ['move', 'list.append(pick())'],
  ['hide', 'pick().hidden = !pick().hidden'],
  ['wrap', "pick().innerHTML = '<b>new</b> <label><input type=checkbox> in it</label><button disabled>Off</button>'"],
  ['frame', 'pick().innerHTML = `<iframe width=90 height=30 srcdoc="<p>new ${at}</p><input type=password>"></iframe>`'],
  ['toggle', 'box.checked = !box.checked'],
  ['type', 'field.value = text'],
  ['veil', "field.type = field.type === 'text' ? 'password' : 'text'"],
  ['scroll', 'scrollTo(0, at * 9)'],
]);
const PAGE = `<!doctype html><title>${TITLE}</title><body style="font-size: 40px">
  <input id=field type=text aria-label=Field><input id=box type=checkbox aria-label=Box><ul id=list></ul><script>
  const row = (text) => Object.assign(document.createElement('li'), { textContent: text });
  const rows = () => list.children;
  for (let index = 1; index <= ${ROWS}; index++) list.append(row('Row ' + index));
  new EventSource('/changes').onmessage = ({ data }) => {
    const { change, at: place, text } = JSON.parse(data);
    const at = rows().length === 0 ? 0 : place % rows().length;
    const pick = () => rows()[at] ?? row('');
    ({ ${[...CHANGES].map(([name, code]) => `${name}: () => { ${code}; }`).join(', ')} })[change]();
    requestAnimationFrame(() => fetch('/done'));
  };
  </script>`;
const signal = new AbortController().signal;
let linux: LinuxDesktop;
let server: Server;
let browser: RunningApp;
let page: Promise<ServerResponse>;
let done = (): void => {};

beforeAll(async () => {
  linux = await openLinuxDesktop();
  page = new Promise((resolve) => {
    server = createServer(({ url }, response) => {
      if (url === '/changes') return resolve(response.writeHead(200, { 'content-type': 'text/event-stream' }));
      if (url === '/done') done();
      response.setHeader('content-type', 'text/html').end(url === '/' ? PAGE : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const profile = `--user-data-dir=${join(linux.folder, 'profile')}`;
  browser = linux.run('chromium', [
    '--no-sandbox',
    '--no-first-run',
    '--disable-gpu',
    '--force-renderer-accessibility',
    profile,
    address,
  ]);
  await linux.window(({ title }) => title.startsWith(TITLE));
  await page;
});
afterAll(async () => {
  await browser.end();
  server.closeAllConnections();
  server.close();
  await linux.close();
});

interface Change {
  change: string;
  at: number;
  text: string;
}

async function apply(change: Change): Promise<void> {
  const applied = new Promise<void>((resolve) => (done = resolve));
  (await page).write(`data: ${JSON.stringify(change)}\n\n`);
  await applied;
}

const pid = async (): Promise<number> => (await linux.window(({ title }) => title.startsWith(TITLE))).app.pid;
const ofPage = (elements: Element[]): Element[] => elements.filter(({ document }) => document !== undefined);
const tree = async (visibleOnly = false): Promise<Element[]> => {
  const { nodes } = await linux.desktop.tree({ pid: await pid() }, { ...LIMITS, visibleOnly }, signal);
  return ofPage(nodes.map(({ element }) => element));
};
const SELECTORS: Selector[] = [
  { role: 'AXStaticText', titleContains: 'new' },
  { titleContains: 'Fi' },
  { role: 'AXButton' },
  { roles: ['list item', 'AXTextField'], visibleOnly: true },
  { identifier: 'row-3' },
];

/** Each by itself, at a moment when nothing changed. */
const check = (): Promise<void> =>
  eventually(async () => {
    const before = await tree();
    const asked = await Promise.all(before.map(({ id }) => linux.desktop.element(id, signal)));
    const visible = await tree(true);
    const found = await Promise.all(
      SELECTORS.map(async (one) => (await linux.desktop.find({ pid: await pid() }, one, 500, LIMITS, signal)).elements),
    );
    if (JSON.stringify(before) !== JSON.stringify(await tree())) throw new Error('it changed meanwhile');
    return { before, asked, visible, found };
  }).then(({ before, asked, visible, found }) => {
    expect(before).toEqual(asked);
    expect(before.filter(({ title }) => title === 'Field' || title === 'Box')).toHaveLength(2);
    expect(visible).toEqual(asked.filter(({ states }) => states.visible));
    for (const [index, selector] of SELECTORS.entries())
      expect(ofPage(found[index] ?? [])).toEqual(asked.filter((element) => matches(selector, element)));
  });

it.each([...CHANGES.keys()])('[req:TI-6] shows %s at once', async (change) => {
  for (const at of [1, 3]) await apply({ change, at, text: `new ${change} ${at} ä世👋` });
  await check();
});

it('shows any changes', async () => {
  const change: fc.Arbitrary<Change> = fc.record({
    change: fc.constantFrom(...CHANGES.keys()),
    at: fc.nat(40),
    text: fc.constantFrom('new', '', 'old', 'new & <b>', '新 new 👋'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      for (const one of changes) await apply(one);
      await check();
    }),
    { numRuns: 4, endOnFailure: true },
  );
});
