/** Real applications: what is pressed without being a button, or without a name. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Selector } from '../../src/native/desktop.js';
import type { TestAgent, ToolAnswer } from '../support/agent.js';
import type { TestHost } from '../support/host.js';
import { eventually } from '../support/linux-desktop.js';
import { cardOf, settle, type Person } from '../support/person.js';
import { inside, openShopBrowser, type ShopBrowser } from '../support/shop-browser.js';
import { withPerson } from '../support/with-person.js';
import { notesOf } from '../support/in-english.js';

const PAGE = `<title>Table</title><table border="1"><tr><th>What<th>Who<tr><td onclick="this.title = 'x'">Delete<td>Bob
  <tr><td>Send me the report<td>Eve</table><ul><li onclick="this.title = 'x'">Reply</ul>`;
const LIMITS = { maxDepth: 80, maxNodes: 20_000, timeoutMs: 20_000 };
const never = new AbortController().signal;

let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let shop: ShopBrowser;

withPerson((started) => ({ chaperone, person, agent } = started));
beforeAll(async () => {
  shop = await openShopBrowser(chaperone, PAGE);
}, 120_000);
afterAll(() => shop.close());

const cards = () => person.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose');
const click = (point: { x: number; y: number }) => agent.call('click', point);

/** The card of this act. */
async function carded(act: Promise<ToolAnswer>, grant?: 'session', answer: 'allow' | 'deny' = 'allow') {
  const card = await cardOf(person, act);
  await settle(person, card, answer, grant === undefined ? {} : { grant });
  expect((await act).isError).toBe(answer === 'deny');
  return card;
}

async function uncarded(act: () => Promise<ToolAnswer>) {
  const before = cards().length;
  expect(await act()).toMatchObject({ isError: false });
  expect(cards()).toHaveLength(before);
}

test('[req:EG-3] [req:EG-4] [req:EG-7] in GTK cells and boxes named “Delete” are asked about under a grant, and what names nothing each time', async () => {
  const app = spawn('/usr/bin/python3', [join(import.meta.dirname, '../support/apps/gtk-places.py'), '--journal', join(chaperone.workspace, 'places')], { env: { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' }, stdio: 'ignore' }); // prettier-ignore
  const pid = app.pid ?? 0;
  const at = (selector: Selector) =>
    eventually(async () => {
      const [one] = (await shop.judge.find({ pid }, { ...selector, visibleOnly: true }, 1, LIMITS, never)).elements;
      if (one?.frame == null) throw new Error('not there yet');
      // GTK tells of frames before it knows where its window was placed.
      if ((await shop.judge.windowAt(inside(one), never))?.app.pid !== pid) throw new Error('not placed yet');
      return inside(one);
    });
  const cell = (titleContains: string) => at({ role: 'AXCell', titleContains });
  const box = async (titleContains: string, dx: number, dy = 0) => {
    const { x, y } = await at({ role: 'AXStaticText', titleContains });
    return { x: x + dx, y: y + dy };
  };
  const first = await carded(click(await at({ role: 'AXButton', titleContains: 'Next' })), 'session');
  expect(first.effect).toBe('input');
  for (const point of [await cell('Later'), await cell('Send me'), await box('Later', 0)])
    await uncarded(() => click(point));
  for (const point of [await cell('Delete'), await box('Delete', 0), await box('Delete', 120)])
    expect((await carded(click(point))).effect).toBe('dangerous');
  const expand = async (title: string) => {
    const found = await agent.call('find_elements', { parent: `applications/${pid}`, role: 'AXCell', title });
    const action = 'AXExpandOrContract';
    return agent.call('perform_element_action', { element_id: /\be:\d+/u.exec(found.text)?.[0] ?? '', action });
  };
  await uncarded(() => expand('Later'));
  expect((await carded(expand('Delete'))).effect).toBe('dangerous');
  for (const below of [0, 50, 100])
    expect(notesOf(await carded(click(await box('Later', 120, below))))).toContain('Chaperone can’t identify what is at this place, so check the picture.'); // prettier-ignore
  const next = await at({ role: 'AXButton', titleContains: 'Next' });
  await uncarded(() => agent.call('click', { ...next, button: 'right' }));
  const item = await at({ role: 'AXMenuItem', titleContains: 'Delete' });
  for (const button of ['right', 'middle'])
    expect((await carded(agent.call('click', { ...item, button }), undefined, 'deny')).effect).toBe('dangerous');
  await uncarded(() => agent.call('press_key', { key: 'down' }));
  expect((await carded(agent.call('press_key', { key: 'd' }))).effect).toBe('dangerous');
  await uncarded(() => agent.call('click', { ...next, button: 'right' }));
  await at({ role: 'AXMenuItem', titleContains: 'Delete' });
  await uncarded(() => agent.call('press_key', { key: 'escape' }));
  app.kill('SIGKILL');
}, 240_000);

test('[req:EG-3] in Chromium cells and list items that do what their short name says are asked about; a subject line is not', async () => {
  await shop.browse([shop.shopUrl]);
  const text = async (titleContains: string) => inside(await shop.element({ role: 'AXStaticText', titleContains }));
  const mail = await text('Send me');
  const first = await carded(click(mail), 'session');
  expect(first.effect).toBe('input');
  await uncarded(() => click(mail));
  const pressed = agent.call('click_element', {
    parent: `applications/${shop.pid()}`,
    role: 'AXCell',
    title: 'Delete',
  });
  expect((await carded(pressed)).effect).toBe('dangerous');
  for (const name of ['Delete', 'Reply']) expect((await carded(click(await text(name)))).effect).toBe('dangerous');
}, 240_000);
