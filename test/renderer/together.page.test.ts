import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { title, type Card } from '../../src/main/protocol/index.js';
import { message } from '../../src/messages/index.js';
import { cardTests } from '../support/card-page.js';
import { keepPicture } from '../support/keep-picture.js';
import type { PageHost } from '../support/page-host.js';
import { card, CLAUDE, mailPicture } from '../support/page-samples.js';
import { decided, drawn, isDead, press, spread } from '../support/page-test.js';

let host: PageHost;
let page: Page;
const { open, cardOf, allow, deny } = cardTests(
  (one) => (host = one),
  (one) => (page = one),
);

const remembered = (what: 'app' | 'titles', app = '') => ({
  kind: 'once' as const,
  label: message('grant.remembered', { agent: CLAUDE.name }),
  consequence: message('grant.remembered.means', { agent: CLAUDE.name, what, app }),
  covered: null,
});

/** Three looks that the host shows as one. */
async function looks(): Promise<[Card, Card, Card]> {
  const mail = card({
    effect: 'disclose',
    tool: 'capture_window_screenshot',
    subject: { title: title('title.picture_window'), target: 'Inbox', app: 'Mail', place: 'Inbox' },
    arguments: { window: 'Inbox' },
    picture: await mailPicture(),
    grants: [remembered('app', 'Mail')],
  });
  const group = mail.id;
  const notes = card({
    ...{ effect: 'disclose', tool: 'get_element_tree', group, arguments: { app: 'Notes' } },
    subject: { title: title('title.read_controls'), target: null, app: 'Notes', place: 'Shopping' },
    grants: [remembered('app', 'Notes')],
  });
  const titles = card({
    ...{ effect: 'disclose', tool: 'list_windows', group, arguments: {}, process: null, window: null },
    subject: { title: title('title.read_titles'), target: null, app: null, place: null },
    grants: [remembered('titles')],
  });
  return [{ ...mail, group }, notes, titles];
}

const seen = ({ id, digest }: Card) => ({ id, digest });
const ready = () => page.clock.runFor(600);

describe('several harmless requests', () => {
  test('[req:TG-1] are one card that lists each, and one press allows them', async () => {
    const [mail, notes, titles] = await looks();
    await open([mail, notes, titles]);
    await expect.poll(() => page.locator('[data-slot="open"]').count()).toBe(1);
    expect(await page.locator('.needs-h .count').innerText()).toBe('1');
    const text = await cardOf(mail).innerText();
    expect(text).toContain('Look at 3 things');
    for (const said of ['everything Mail shows', 'everything Notes shows', 'Read the titles of windows'])
      expect(text).toContain(said);
    expect(await allow(mail).innerText()).toBe('Allow 3');
    expect(await deny(mail).innerText()).toBe('Deny all 3');
    expect(await cardOf(mail).locator('[data-part="allow-lasting"]').count()).toBe(0);
    await press(page, allow(mail));
    const all = { ...seen(mail), with: [seen(notes), seen(titles)] };
    expect(await host.next('press')).toMatchObject(all);
    expect(await host.next('approval')).toEqual({ type: 'approval', ...all, decision: 'allow' });
    for (const { id } of [mail, notes, titles])
      host.say({ type: 'approvalResolved', id, decision: 'allow', by: 'page' });
    await page.getByText('Just answered').waitFor();
    await page.getByText('2 answered').waitFor();
  });

  test('[req:TG-1] show the picture and the exact request of each where asked', async () => {
    const [mail, notes, titles] = await looks();
    await open([mail, notes, titles]);
    expect(await cardOf(mail).locator('img').count()).toBe(0);
    await press(page, cardOf(mail).locator('[data-part="exact"]').first());
    await cardOf(mail).locator('img').waitFor();
    await cardOf(mail).getByText('capture_window_screenshot').waitFor();
    expect(await spread(page)).toEqual([]);
  });

  test('[req:TG-1] can be denied one by one; what is left is another card', async () => {
    const [mail, notes, titles] = await looks();
    await open([mail, notes, titles]);
    await press(page, cardOf(mail).locator('[data-part="deny-one"]').nth(1));
    expect(await host.next('approval')).toEqual({ type: 'approval', ...seen(notes), decision: 'deny' });
    host.say({ type: 'approvalResolved', id: notes.id, decision: 'deny', by: 'page', reason: 'denied' });
    await cardOf(mail).getByText('Look at 2 things').waitFor();
    expect(await isDead(allow(mail))).toBe(true);
    await press(page, allow(mail));
    expect((await decided(page, host)).length).toBe(1);
    await drawn(page);
    await ready();
    await press(page, allow(mail));
    expect(await host.next('approval')).toMatchObject({ ...seen(mail), with: [seen(titles)], decision: 'allow' });
  });

  test('[req:TG-1] are all denied with D, with one message', async () => {
    const [mail, notes, titles] = await looks();
    await open([mail, notes, titles]);
    await press(page, cardOf(mail).locator('[data-part="exact"]').last());
    await page.getByLabel('Message to Claude Code').fill('Not now');
    await page.keyboard.press('Escape');
    await drawn(page);
    await ready();
    await page.keyboard.press('d');
    expect(await host.next('approval')).toEqual({
      ...{ type: 'approval', decision: 'deny', message: 'Not now' },
      ...{ ...seen(mail), with: [seen(notes), seen(titles)] },
    });
  });

  test('[req:TG-3] that grow under a press take none', async () => {
    const [mail, notes, titles] = await looks();
    await open([mail, notes]);
    const button = await allow(mail).boundingBox();
    if (button === null) throw new Error('no button');
    await page.mouse.move(button.x + 20, button.y + 10);
    await page.mouse.down();
    host.say({ type: 'approvalRequested', approval: titles });
    await cardOf(mail).getByText('Look at 3 things').waitFor();
    await page.mouse.up();
    await press(page, allow(mail));
    expect(await decided(page, host)).toEqual([]);
  });

  test('[req:TG-2] beside a request that stands alone', async () => {
    const [mail, notes, titles] = await looks();
    const act = card();
    await open([mail, act, notes, titles]);
    await expect.poll(() => page.locator('[data-slot="open"]').count()).toBe(2);
    await press(page, allow(act));
    expect(await host.next('approval')).toEqual({ type: 'approval', ...seen(act), decision: 'allow' });
  });
});

const LOOKS = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['de', { locale: 'de-DE' }],
  ['zh', { locale: 'zh-CN' }],
  ['popover', { viewport: { width: 400, height: 600 }, colorScheme: 'dark' }],
  ['popover-de', { viewport: { width: 400, height: 600 }, locale: 'de-DE' }],
] as const;

test.each(LOOKS)('several requests fit (%s)', async (name, options) => {
  const three = await looks();
  await open(three, { popover: name.startsWith('popover') ? 'here' : 'none' }, options);
  await cardOf(three[0]).waitFor();
  expect(await spread(page)).toEqual([]);
  await keepPicture(page, `together-${name}`, { fullPage: true });
  await press(page, cardOf(three[0]).locator('[data-part="exact"]').first());
  await cardOf(three[0]).locator('img').waitFor();
  expect(await spread(page)).toEqual([]);
  await keepPicture(page, `together-${name}-open`, { fullPage: true });
});
