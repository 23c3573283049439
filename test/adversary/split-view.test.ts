/** Real Chromium: an agent's own site and the paired page beside each other in one window. */
import { execFileSync } from 'node:child_process';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually } from '../support/linux-desktop.js';
import { inside, openShopBrowser, type ShopBrowser } from '../support/shop-browser.js';

const signal = new AbortController().signal;
let chaperone: TestHost;
let agent: TestAgent;
let shop: ShopBrowser;

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual', policy: 'unattended' });
  shop = await openShopBrowser(chaperone);
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  // The page is paired in a tab that lies behind.
  await shop.browse([shop.shopUrl, chaperone.host.pairingLink()]);
  // While the link is unspent nothing is shown to agents.
  await eventually(async () => expect((await agent.call('list_windows')).isError).toBe(false));
}, 120_000);
afterAll(async () => {
  await agent.close();
  await shop.close();
  await chaperone.close();
});

const inBrowser = (more: object) => ({ parent: `applications/${shop.pid()}`, ...more });

test(
  'a link to the page is not followed, by accessibility or by the pointer; the site beside it is used as ever [req:SG-5]',
  { timeout: 120_000 },
  async () => {
    const link = await shop.element({ role: 'AXLink', titleContains: 'Cart' });
    expect(link).toMatchObject({ document: { url: shop.shopUrl } });
    const pressed = await agent.call('click_element', inBrowser({ role: 'link', title: 'Cart' }));
    expect(pressed).toMatchObject({ isError: true });
    expect(pressed.text).toContain('Chaperone itself');
    const clicked = await agent.call('click', inside(link));
    expect(clicked.text).toContain('Chaperone itself');
    expect((await shop.window()).documents).toEqual({ urls: [shop.shopUrl], complete: true });
    const bought = await agent.call('click_element', inBrowser({ role: 'button', title: 'Buy' }));
    expect(bought.isError, bought.text).toBe(false);
    await eventually(async () => expect((await shop.window()).title).toContain('Bought'));
  },
);

test('in a split view the whole window is ours: no click, no tree, no window in the list [req:SG-1]', async () => {
  await shop.split();
  const { documents } = await shop.window();
  expect(documents?.urls).toContain(`${chaperone.host.url}/`);
  expect(documents?.urls).toContain(shop.shopUrl);

  const buy = await shop.element({ role: 'AXButton', titleContains: 'Buy' });
  for (const [tool, given] of [
    ['click', inside(buy)],
    ['left_mouse_down', {}],
    ['click_element', inBrowser({ role: 'button', title: 'Buy' })],
    ['click_element', inBrowser({ role: 'link', title: 'Settings' })],
    ['press_key', { key: 'enter' }],
  ] as const) {
    if (tool === 'left_mouse_down') await shop.judge.movePointer(inside(buy), signal);
    expect(await agent.call(tool, given), tool).toMatchObject({ isError: true });
  }
  const listed = await agent.call('list_windows');
  expect(listed.text).not.toContain('Bought');
  const found = await agent.call('find_elements', inBrowser({ role: 'button', visible_only: false }));
  expect(found.text).not.toMatch(/Buy|Hold to allow|Stop/);
});

test('a picture of the screen shows nothing of that window, in either pane [req:SG-1]', async () => {
  const { frame } = await shop.window();
  const { isError, text, images } = await agent.call('capture_screenshot', { max_width: 4000 });
  expect(isError, text).toBe(false);
  const picture = sharp(Buffer.from(images[0]?.data ?? '', 'base64'));
  const { width = 0 } = await picture.metadata();
  const { frame: screen } = (await shop.judge.displays(signal))[0] ?? { frame: { width: 1, height: 1 } };
  const scale = width / screen.width;
  // Without its rounded corners and outer edge.
  const edge = 12;
  const [left, top] = [Math.max(0, frame.x) + edge, Math.max(0, frame.y) + edge];
  const right = Math.min(screen.width, frame.x + frame.width) - edge;
  const bottom = Math.min(screen.height, frame.y + frame.height) - edge;
  const [x, y, w, h] = [left, top, right - left, bottom - top].map((points) => Math.round(points * scale));
  const area = { left: x ?? 0, top: y ?? 0, width: w ?? 0, height: h ?? 0 };
  const pixels = await picture.extract(area).removeAlpha().raw().toBuffer();
  expect(new Set(pixels).size).toBe(1);
});

test('minimised, on another desktop or withdrawn, its tree tells nothing of the page [req:SG-3]', async () => {
  const { id } = await shop.window();
  const xid = id.replace(/^\D*/, '');
  const env = { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' };
  const manage = (...words: string[]) => void execFileSync('wmctrl', words, { env });
  const shown = async () => (await shop.judge.windows(signal)).find((one) => one.id === id)?.visible === true;
  const { nodes } = await shop.judge.tree(
    { pid: shop.pid() },
    { maxDepth: 80, maxNodes: 20_000, timeoutMs: 20_000 },
    signal,
  );
  const told = nodes
    .filter(({ element }) => element.document?.url?.startsWith(chaperone.host.url) === true)
    .map(({ element }) => element.title)
    .filter((title) => title.length > 10);
  expect(told.length).toBeGreaterThan(3);
  const gone = async (hide: () => void, back: () => void) => {
    hide();
    await eventually(async () => expect(await shown()).toBe(false));
    for (const tool of ['get_element_tree', 'find_elements'] as const) {
      const { text, value } = await agent.call(tool, inBrowser({ visible_only: false }));
      expect(
        told.filter((title) => `${text} ${JSON.stringify(value)}`.includes(title)),
        tool,
      ).toEqual([]);
    }
    back();
    await eventually(async () => expect(await shown()).toBe(true));
  };
  manage('-n', '2');
  await gone(
    () => manage('-i', '-r', xid, '-t', '1'),
    () => manage('-i', '-r', xid, '-t', '0'),
  );
  await gone(
    () => shop.byHand('windowminimize', xid),
    () => shop.byHand('windowactivate', xid),
  );
  await gone(
    () => shop.byHand('windowunmap', xid),
    () => shop.byHand('windowmap', xid),
  );
});
