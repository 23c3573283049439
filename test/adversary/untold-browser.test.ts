/** A browser that does not tell which documents its windows show, with the paired page in one of them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Window } from '../../src/native/desktop.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually } from '../support/linux-desktop.js';
import { openShopBrowser, type ShopBrowser } from '../support/shop-browser.js';

let chaperone: TestHost;
let agent: TestAgent;
let shop: ShopBrowser;

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual', policy: 'unattended' });
  shop = await openShopBrowser(chaperone);
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  await shop.browse([chaperone.host.pairingLink()], { GNOME_ACCESSIBILITY: '0' });
  // While the link is unspent nothing is shown to agents.
  await eventually(async () => expect((await agent.call('list_windows')).isError).toBe(false));
}, 120_000);
afterAll(async () => {
  await agent.close();
  await shop.close();
  await chaperone.close();
});

const windows = () => shop.judge.windows(AbortSignal.timeout(10_000));
const titled = (name: string): Promise<Window> =>
  eventually(async () => {
    const found = (await windows()).find(({ title }) => title.startsWith(name));
    if (found === undefined) throw new Error(`no window called ${name}`);
    return found;
  });
const xid = ({ id }: Window) => id.replace(/^\D*/, '');

test('a window of it is ours while the page says that it is visible, and the error names the cure; else it is open [req:SG-2]', async () => {
  shop.openWindow(shop.shopUrl);
  const site = await titled('Shop');
  expect(site.documents).toEqual({ urls: [], complete: false });
  const { x, y, width, height } = site.frame;
  const at = { x: Math.round(x + width / 2), y: Math.round(y + height - 60) };
  const listed = async () => (await agent.call('list_windows')).text;
  expect(await listed()).not.toContain('Shop');
  const refused = await agent.call('click', at);
  expect(refused.isError).toBe(true);
  expect(refused.text).toMatch(/chrome:\/\/accessibility.*popover/s);

  // Another tab before the page: the page tells that it is hidden.
  const page = await titled('Chaperone');
  await shop.keyIn(page, 'ctrl+t');
  await eventually(async () => expect(await listed()).toContain('Shop'));
  // In front, so that the click is not compared with a tab that is still loading.
  await eventually(async () => {
    shop.byHand('windowactivate', xid(site));
    expect((await windows())[0]).toMatchObject({ id: site.id, focused: true });
  });
  const clicked = await agent.call('click', at);
  expect(clicked.isError, clicked.text).toBe(false);
  await shop.keyIn(page, 'ctrl+1');
  await eventually(async () => expect(await listed()).not.toContain('Shop'));
});
