/** Real Chromium: where keys go while a page, its neighbour or the browser itself has the keyboard. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.js';
import type { TestHost } from '../support/host.js';
import { eventually } from '../support/linux-desktop.js';
import { settle, type Person } from '../support/person.js';
import { openShopBrowser, type ShopBrowser } from '../support/shop-browser.js';
import { withPerson } from '../support/with-person.js';

const PAGE = `<title>Letter</title><p><a style="font-size:40px" href="/beside">Cart</a>
  <p><input id="field" aria-label="Field"><script>
  setInterval(() => field.focus(), 100);
  field.onkeydown = ({ key }) => { document.title = 'Letter, ' + location.pathname + ' took ' + key };</script>`;

let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let shop: ShopBrowser;

withPerson((started) => ({ chaperone, person, agent } = started));
beforeAll(async () => {
  shop = await openShopBrowser(chaperone, PAGE);
  await shop.browse([shop.shopUrl]);
}, 120_000);
afterAll(() => shop.close());

const title = async () => (await shop.window()).title;
const focused = () => shop.judge.focusedElement(new AbortController().signal);
const press = (key: string) => agent.call('press_key', { key, application: `applications/${shop.pid()}` });
const card = async () => (await person.next('approvalRequested', (one) => one.approval.effect !== 'disclose')).approval;

test(
  '[req:EG-1] keys go where the keyboard is, not to the field that a script keeps focusing: a grant for the site covers none of them in the toolbar or a bubble',
  { timeout: 240_000 },
  async () => {
    const field = await shop.element({ role: 'AXTextField', titleContains: 'Field' });
    shop.press(field, 1);
    await eventually(async () => expect((await focused())?.title).toBe('Field'));
    const first = press('x');
    await settle(person, await card(), 'allow', { grant: 'session' });
    expect((await first).isError).toBe(false);
    await eventually(async () => expect(await title()).toContain('took x'));
    expect((await press('y')).text).toContain('Effect: confirmed');
    await eventually(async () => expect(await title()).toContain('took y'));

    for (const [keys, name] of [
      [['ctrl+l'], 'Address and search bar'],
      [['ctrl+l', 'Tab'], 'Bookmark this tab'],
      [['ctrl+d'], 'Bookmark name'],
    ] as const) {
      for (const key of keys) shop.byHand('key', key);
      await eventually(async () => expect((await focused())?.title).toContain(name));
      const call = press('space');
      const asked = await Promise.race([
        card(),
        call.then(({ text }) => Promise.reject(new Error(`no card: ${text}`))),
      ]);
      expect(asked.subject.target).toContain(name);
      // Three denials in a minute would pause the agent.
      await settle(person, asked, name === 'Bookmark name' ? 'allow' : 'deny');
      await call;
    }
    shop.byHand('key', 'Escape');
    shop.press(field, 1);
    await eventually(async () => expect((await focused())?.title).toBe('Field'));
    expect((await press('v')).text).toContain('Effect: confirmed');
  },
);

test(
  '[req:EG-2] beside another page keys are refused: which of the two has the keyboard cannot be told',
  { timeout: 240_000 },
  async () => {
    await shop.split();
    shop.press(await shop.element({ role: 'AXTextField', titleContains: 'Field' }), 1);
    const refused = await press('w');
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('ambiguous_focus');
    expect(refused.text).toContain('write_element_value');
    expect(await title()).not.toContain('took w');
  },
);
