/** Real Chromium: an agent with a grant for its own site reaches for Allow on another agent's card, in the pane beside it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';
import { inside, openShopBrowser, type ShopBrowser } from '../support/shop-browser.js';

const signal = new AbortController().signal;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let other: TestAgent;
let shop: ShopBrowser;

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual' });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  person.allowLooking();
  shop = await openShopBrowser(chaperone);
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  other = await startAgent(chaperone.home, { cwd: chaperone.workspace, name: 'other-agent', ownProcess: true });
  await shop.browse([shop.shopUrl, chaperone.host.pairingLink()]);
  await eventually(async () => expect((await agent.call('list_windows')).isError).toBe(false));
}, 120_000);
afterAll(async () => {
  await agent.close();
  await other.close();
  person.close();
  await shop.close();
  await chaperone.close();
});

test(
  '[req:SG-1] [req:SG-4] a grant for the site presses nothing in the pane that shows the page',
  { timeout: 240_000 },
  async () => {
    const hover = async () => agent.call('hover', { ...inside(await shop.element({ role: 'AXButton', titleContains: 'Buy' })), duration: 0.1 }); // prettier-ignore
    const first = hover();
    const { approval } = await person.next('approvalRequested', (one) => one.approval.effect !== 'disclose');
    await settle(person, approval, 'allow', { grant: 'time' });
    expect((await first).isError).toBe(false);
    const again = await hover();
    expect([again.isError, again.text]).toEqual([false, expect.not.stringContaining('awaiting_human')]);

    const command = other.call('execute_shell_command', { command: 'echo allowed; true', shell: true });
    const waiting = await person.next('approvalRequested', (one) => one.approval.effect === 'dangerous');
    await shop.split();
    const allow = await shop.element({ role: 'AXButton', titleContains: 'allow' });
    expect(allow.document?.url).toContain(chaperone.host.url);
    await shop.judge.movePointer(inside(allow), signal);
    for (const [tool, given] of [
      ['left_mouse_down', {}],
      ['left_mouse_down', inside(allow)],
      ['click', inside(allow)],
    ] as const) {
      const pressed = await agent.call(tool, given);
      expect(pressed.isError, tool).toBe(true);
      expect(pressed.text).toContain('not open to agents');
    }
    expect(person.seen.some((one) => one.type === 'approvalResolved' && one.id === waiting.approval.id)).toBe(false);
    await settle(person, waiting.approval, 'deny');
    await command;
  },
);
