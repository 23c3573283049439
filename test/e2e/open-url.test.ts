/** A page is opened in a real Chromium as one act: with one request, which can allow its site; under a task; and on a desktop of the agent's own. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { formatEnglish } from '../../src/messages/index.js';
import { englishTitle } from '../../src/main/protocol/index.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { openEntries, type Entries } from '../support/entries.js';
import { eventually } from '../support/eventually.js';
import { allowingAll, mustAsk } from '../support/every-grant.js';
import { startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';
import { openOwnScene } from '../support/own-desktop.js';
import { openSite, type Site } from '../support/sites.js';

const FORM = '<title>Order</title><label>Name <input aria-label="Name"></label>';

let entries: Entries;
let shop: Site;
let other: Site;

beforeAll(async () => {
  entries = await openEntries();
  vi.stubEnv('XDG_DATA_DIRS', entries.dataDirs);
  other = await openSite({ '/secret': '<title>Secret</title><h1>Secret of the other site</h1>' });
  shop = await openSite({ '/order': FORM, '/away': `${other.origin}/secret` });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  shop.close();
  other.close();
  await entries.close();
});

describe('on the person’s desktop', () => {
  let chaperone: TestHost;
  let person: Person;
  let agent: TestAgent;
  const requests = () => person.seen.filter(({ type }) => type === 'approvalRequested').length;
  const open = (path: string, more: Record<string, unknown> = {}, site = shop) =>
    agent.call('open_url', { url: `${site.origin}${path}`, ...more });

  beforeAll(async () => {
    chaperone = await startHost({ backend: 'linux', display: 'virtual' });
    person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
    agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  }, 120_000);
  afterAll(async () => {
    await agent.close();
    person.close();
    await chaperone.close();
  });

  test(
    '[req:MT-T-open_url] one request names browser and site, and allows the site from then on',
    { timeout: 120_000 },
    async () => {
      const call = open('/order?a=%22%3B$(id)', { application: 'chromium' });
      const card = await person.answer('allow', { grant: 'session' });
      expect(englishTitle(card.subject)).toBe(`Open ${new URL(shop.origin).host} in Chromium`);
      expect(card).toMatchObject({ effect: 'input', text: `${shop.origin}/order?a=%22%3B$(id)` });
      expect(card.grants.map(({ label }) => formatEnglish(label)).join()).toContain(new URL(shop.origin).host);
      const { value, text } = await call;
      expect(value, text).toMatchObject({ shows: 'site', site: shop.origin, effect: 'confirmed' });
      expect(shop.asked).toContain('/order?a=%22%3B$(id)');
      const before = requests();
      const parent = String(value['name']);
      expect((await agent.call('write_element_value', { parent, title: 'Name', value: 'Ada' })).isError).toBe(false);
      expect((await agent.call('capture_window_screenshot', { name: String(value['window']) })).isError).toBe(false);
      expect((await open('/next')).value).toMatchObject({ shows: 'site', name: parent });
      expect(requests()).toBe(before);
    },
  );

  test('a page that leads to another site is told of as that, and nothing of it', { timeout: 120_000 }, async () => {
    const before = requests();
    const { value, text } = await open('/away');
    expect(requests()).toBe(before);
    expect(value, text).toMatchObject({ shows: 'other_site', window: null, effect: 'unverified' });
    expect(JSON.stringify(value) + text).not.toMatch(new RegExp(`${new URL(other.origin).port}|[Ss]ecret`));
    await mustAsk(person, () => agent.call('find_elements', { parent: String(value['name']) }), ['disclose']);
  });

  test.each([
    ['another scheme', { url: 'file:///etc/passwd' }, 'Only http and https'],
    ['a script', { url: 'javascript:alert(1)' }, 'Only http and https'],
    ['an option of the browser', { url: '--user-data-dir=/root' }, 'not a web address'],
    ['a program that is no browser', { url: 'http://127.0.0.1/', application: 'galculator' }, 'is not a browser'],
    ['a program by its path', { url: 'http://127.0.0.1/', application: '/usr/bin/chromium' }, 'is not a browser'],
  ])('%s is refused, and nobody is asked', async (_what, args, why) => {
    const before = requests();
    const answer = await agent.call('open_url', args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(why);
    expect(requests()).toBe(before);
  });

  test('Chaperone’s own page is not opened, even where that is allowed', { timeout: 60_000 }, async () => {
    const { answer } = await allowingAll(person, () => agent.call('open_url', { url: chaperone.host.url }));
    expect(answer.isError, answer.text).toBe(true);
    const windows = (await allowingAll(person, () => agent.call('list_windows'))).answer;
    expect(windows.text).not.toContain('Chaperone');
  });

  test(
    'under a task it needs no request on its sites, and the browser it opens is covered',
    { timeout: 120_000 },
    async () => {
      const scope = { purpose: 'Order', apps: ['chromium'], sites: [other.origin] };
      const task = await allowingAll(person, () => agent.call('request_task', scope));
      expect(task.answer.isError, task.answer.text).toBe(false);
      const before = requests();
      expect((await open('/secret', {}, other)).value).toMatchObject({ shows: 'site' });
      const found = await agent.call('find_elements', { parent: 'chromium', role: 'AXHeading' });
      expect(found.text).toContain('Secret of the other site');
      expect(requests()).toBe(before);
      await agent.call('finish_task');
    },
  );
});

describe('on a desktop of the agent’s own', () => {
  test('a page opens without a request, with an empty profile', { timeout: 120_000 }, async () => {
    const scene = await openOwnScene({
      display: 'virtual',
      places: { systemFolders: [entries.folder, '/usr'] },
    });
    const agent = await scene.withDesktop();
    const { value } = await scene.unasked(agent, 'open_url', { url: `${shop.origin}/order` });
    expect(value).toMatchObject({ shows: 'site', site: shop.origin });
    const parent = String(value['name']);
    await scene.unasked(agent, 'write_element_value', { parent, title: 'Name', value: 'Grace' });
    await eventually(async () =>
      expect((await scene.unasked(agent, 'find_elements', { parent, title: 'Name' })).text).toContain('Grace'),
    );
    expect((await scene.unasked(agent, 'open_url', { url: `${other.origin}/secret` })).value).toMatchObject({
      shows: 'site',
    });
    await agent.close();
    await scene.close();
  });
});
