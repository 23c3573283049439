/** Menus of a real Chromium: the browser's own, and those that a site draws. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Element, Window } from '../../src/native/desktop.js';
import type { Card } from '../../src/main/protocol/index.js';
import type { TestAgent, ToolAnswer } from '../support/agent.js';
import { eventually } from '../support/linux-desktop.js';
import { cardOf, settle, type Person } from '../support/person.js';
import { inside, openShopBrowser, type ShopBrowser } from '../support/shop-browser.js';
import type { TestHost } from '../support/host.js';
import { withPerson } from '../support/with-person.js';

const PAGE = `<title>Notes</title><style>body, button { font-size: 32px } [role=menuitem] { padding: 12px }
  #link { position: fixed; inset: 300px 0 0; background: #eee }</style>
  <div role="menu" id="menu"><div role="menuitem" tabindex="0" onclick="told('kept')">Keep a copy</div>
  <div role="menuitem" tabindex="0" onclick="told('deleted')">Delete note</div></div>
  <p style="position: fixed; top: 340px">Some text to press</p>
  <script>
    const told = (what) => (document.title = what);
    addEventListener('keydown', ({ key }) => {
      if (key === 'F8') menu.firstElementChild.outerHTML = '<div role="menuitem" tabindex="0" onclick="told(\\'other\\')">Keep a copy</div>';
      if (key === 'F9') document.body.insertAdjacentHTML('beforeend', '<a id="link" href="#x">A link over all of it</a>');
    });
  </script>`;
const AT = { x: 60, y: 460 };
const never = new AbortController().signal;

let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let shop: ShopBrowser;

withPerson((started) => ({ chaperone, person, agent } = started));
beforeAll(async () => {
  shop = await openShopBrowser(chaperone, PAGE);
}, 120_000);
beforeEach(async () => {
  const address = `${shop.shopUrl}?${randomUUID()}`;
  await shop.browse([address]);
  // Until its tab comes to the front, the tab of the test before is pressed, and a menu there closes again.
  await eventually(async () => expect((await shop.window()).documents?.urls).toContain(address));
  await shop.element({ role: 'AXMenuItem', titleContains: 'Keep a copy' });
});
afterAll(() => shop.close());

const isTitled = (start: string) => eventually(async () => expect((await shop.window()).title.startsWith(start)).toBe(true)); // prettier-ignore
const popup = (): Promise<Window> =>
  eventually(async () => {
    const found = (await shop.judge.windows(never)).find((one) => one.app.pid === shop.pid() && !one.normal && !one.tooltip);
    if (found === undefined) throw new Error('no menu');
    return found;
  }); // prettier-ignore
const item = (titleContains: string): Promise<Element> => shop.element({ role: 'AXMenuItem', titleContains });

async function carded(
  act: Promise<ToolAnswer>,
  meanwhile: (card: Card) => Promise<unknown> = async () => undefined,
): Promise<{ card: Card; answer: ToolAnswer }> {
  const card = await cardOf(person, act);
  await meanwhile(card);
  await settle(person, card, 'allow');
  return { card, answer: await act };
}

const WAYS = [
  ['by its point', async (title: string) => agent.call('click', inside(await item(title)))],
  [
    'by its element',
    async (title: string) => {
      const given = { parent: `applications/${shop.pid()}`, role: 'AXMenuItem', title };
      const { value } = await agent.call('wait_element', given);
      return agent.call('click_element', { element_id: (value['element'] as { elementId: string }).elementId });
    },
  ],
] as const;

test.each(WAYS)(
  '[req:MN-2] [req:MN-3] in a menu that a site draws, chosen %s',
  async (_way, choose) => {
    const { id } = await item('Keep a copy');
    const swapped = await carded(choose('Keep a copy'), async () => {
      shop.byHand('key', 'F8');
      await eventually(async () => expect((await item('Keep a copy')).id).not.toBe(id));
    });
    expect(swapped.answer.text).toContain('DESKTOP_TARGET_CHANGED');
    const kept = await carded(choose('Keep a copy'));
    expect(kept.card.effect).toBe('input');
    await isTitled('other');
    expect((await carded(choose('Delete note'))).card.effect).toBe('dangerous');
    await isTitled('deleted');
  },
  240_000,
);

test.each(WAYS)(
  '[req:MN-1] [req:MN-3] in the browser’s own menu, chosen %s',
  async (_way, choose) => {
    const opened = await carded(agent.call('click', { ...AT, button: 'right' }));
    expect(opened.answer.isError).toBe(false);
    const { width, height } = (await popup()).frame;
    let picture: unknown = null;
    const { card, answer } = await carded(choose('View page source'), async ({ id }) => {
      const request = randomUUID();
      person.send({ type: 'cardPicture', request, id });
      ({ picture } = await person.next('cardPicture', (one) => one.request === request));
      shop.byHand('key', 'Escape');
      shop.byHand('key', 'F9');
      await shop.element({ role: 'AXLink', titleContains: 'A link over all of it' });
      shop.byHand('mousemove', `${AT.x}`, `${AT.y}`, 'click', '3');
      await item('Open link in new tab');
    });
    expect(card.effect).toBe('input');
    expect(picture).toMatchObject({ width, height });
    expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
    shop.byHand('key', 'Escape');
  },
  240_000,
);
