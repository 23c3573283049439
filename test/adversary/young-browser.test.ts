/** A real Chromium that has just started, with the paired page and nothing else. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually } from '../support/linux-desktop.js';
import { openRpc, type Rpc } from '../support/rpc.js';
import { openShopBrowser, type ShopBrowser } from '../support/shop-browser.js';

let chaperone: TestHost;
let agent: TestAgent;
let rpc: Rpc;
let shop: ShopBrowser;

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual', policy: 'unattended' });
  shop = await openShopBrowser(chaperone);
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  rpc = await openRpc(chaperone.host.socketPath, chaperone.workspace);
  await shop.browse([chaperone.host.pairingLink()]);
  // While the link is unspent nothing is shown to agents.
  await eventually(async () => expect((await agent.call('list_windows')).isError).toBe(false));
}, 120_000);
afterAll(async () => {
  rpc.close();
  await agent.close();
  await shop.close();
  await chaperone.close();
});

test('it is known to show only what is ours: nothing is waited for, and nothing of it is told or touched [req:TA-4]', async () => {
  const { app, title } = await shop.window();
  expect(title).toContain('Chaperone');
  const parent = `applications/${app.pid}`;
  const clicking = agent.call('click_element', { parent, title: 'Settings' });
  const looking = agent.call('get_element', { parent, title: 'Settings' });
  const finding = agent.call('find_elements', { parent, visible_only: false });
  const reading = agent.call('get_element_tree', { parent });
  const route = { app: { bundleId: app.id } };
  const target = { selector: { titleContains: 'Settings' } };
  const pressing = rpc.call('desktop.click', { route, target, confirm: { phrase: 'CONFIRM' } });
  for (const acted of [await clicking, await looking]) {
    expect(acted).toMatchObject({ isError: true, text: expect.stringContaining('DESKTOP_ELEMENT_NOT_FOUND') });
    expect(acted.text).not.toContain('still_starting');
  }
  const { error } = await pressing;
  expect(error).toMatchObject({ code: 'DESKTOP_ELEMENT_NOT_FOUND' });
  expect(error?.details['reason']).not.toBe('still_starting');
  for (const read of [await finding, await reading]) {
    expect(read.text).not.toContain('still_starting');
    expect(read.text).not.toMatch(/Settings|Hold to allow|Message/);
  }
});
