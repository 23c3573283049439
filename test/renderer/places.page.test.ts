/** Requests one after the other: what is answered holds nothing up that comes later. */
import type { BrowserContextOptions, Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Card } from '../../src/main/protocol/index.js';
import type { Shown } from '../support/page-host.js';
import { card, mailPicture, question } from '../support/page-samples.js';
import { drawn, eventually, isDead, pageTests, press } from '../support/page-test.js';

const pages = pageTests();
let page: Page;

async function open(approvals: Card[], shown: Partial<Shown> = {}, options: BrowserContextOptions = {}): Promise<void> {
  page = await pages.open({ approvals, ...shown }, options, true);
}

const cardOf = (one: Card): Locator => page.locator(`article[aria-labelledby="t-${one.id}"]`);
const heightOf = async (one: Card) => (await cardOf(one).boundingBox())?.height ?? 0;
const bottomOf = async (one: Card, part: string) => {
  const box = await cardOf(one).locator(`[data-part="${part}"]`).boundingBox();
  return box === null ? Infinity : box.y + box.height;
};

async function allowed(one: Card, by: () => Promise<unknown>): Promise<void> {
  // A picture that is drawn late moves the buttons, which then wait again.
  await eventually(async () => {
    await drawn(page);
    await page.clock.runFor(600);
    return isDead(cardOf(one).locator('[data-part="allow"]'));
  }).toBe(false);
  await by();
  expect(await pages.host().next('approval')).toMatchObject({ id: one.id, decision: 'allow' });
  pages.host().say({ type: 'approvalResolved', id: one.id, decision: 'allow', by: 'page' });
  await cardOf(one).locator('[data-part="allow"]').waitFor({ state: 'detached' });
}

const byMouse = (one: Card) => () => press(page, cardOf(one).locator('[data-part="allow"]'));

describe('[req:AP-C-6] answered one after the other', () => {
  test('with the pointer left where it was, each next one is in sight', async () => {
    const picture = await mailPicture();
    const all = Array.from({ length: 4 }, () => card({ picture }));
    const [first] = all;
    if (first === undefined) throw new Error('no card');
    await open([first]);
    for (const [index, one] of all.entries()) {
      if (index > 0) pages.host().say({ type: 'approvalRequested', approval: one });
      await cardOf(one).waitFor();
      expect(await bottomOf(one, 'allow')).toBeLessThan(900);
      await allowed(one, byMouse(one));
      if (index === 0) await eventually(() => heightOf(one)).toBeLessThan(80);
    }
  });

  test('Allow of what waited beside it is where the pointer rests', async () => {
    const [one, two, three] = [card(), card(), card()];
    await open([one, two]);
    const before = await bottomOf(one, 'allow');
    await allowed(one, byMouse(one));
    pages.host().say({ type: 'approvalRequested', approval: three });
    await cardOf(three).waitFor();
    expect(await bottomOf(two, 'allow')).toBe(before);
  });

  test('how one ended is in sight, also where its card was higher than the window', async () => {
    const [one, two] = [card({ picture: await mailPicture() }), card()];
    await open([one, two], {}, { viewport: { width: 880, height: 320 } });
    await allowed(one, byMouse(one));
    const { y = 0 } = (await cardOf(one).locator('.answered-request').boundingBox()) ?? {};
    expect(y).toBeGreaterThan(50);
    expect(y).toBeLessThan(270);
  });

  test('by keyboard, no empty room is left behind', async () => {
    const [one, two] = [card(), card()];
    await open([one, two]);
    await allowed(one, async () => {
      await page.keyboard.press('a');
      await page.keyboard.press(' ');
    });
    await eventually(() => heightOf(one)).toBeLessThan(80);
    await expect.poll(() => cardOf(one).evaluate((article) => article === document.activeElement)).toBe(true);
    await allowed(two, async () => {
      await page.keyboard.press('a');
      await page.keyboard.press(' ');
    });
  });

  test('what is pressed below does not move until it is released, though answered ones lose the focus', async () => {
    const all = [card(), card()];
    const asked = question(1, 'Shall I begin?', { quickReplies: ['Begin'] });
    await open(all, { history: [asked], pendingAckIds: [asked.ack_id], cursor: 1 });
    for (const one of all) {
      await cardOf(one).focus();
      await allowed(one, async () => {
        await page.keyboard.press('a');
        await page.keyboard.press(' ');
      });
    }
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('#needs article') != null)).toBe(true);
    const begin = page.getByRole('button', { name: 'Begin', exact: true });
    await begin.hover();
    const place = await begin.boundingBox();
    await page.mouse.down();
    expect(await begin.boundingBox()).toEqual(place);
    await page.mouse.up();
    expect(await pages.host().next('ack')).toMatchObject({ id: asked.ack_id, message: 'Begin' });
    await page.getByText('2 answered').waitFor();
  });

  test('with text twice as large on a small page, the words of how it ended stay whole', async () => {
    const one = card();
    await open([one], {}, { viewport: { width: 320, height: 568 } });
    await allowed(one, byMouse(one));
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    await eventually(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    const box = () => cardOf(one).locator('.answered-request .end').boundingBox();
    await eventually(async () => (await box())?.width ?? 0).toBeGreaterThan(100);
    expect((await box())?.height).toBeLessThan(60);
  });

  test('in the popover the next one fits without scrolling, however many went before', async () => {
    const picture = await mailPicture();
    const all = Array.from({ length: 4 }, () => card({ picture }));
    await open([], { popover: 'here' }, { viewport: { width: 400, height: 600 } });
    for (const one of all) {
      pages.host().say({ type: 'approvalRequested', approval: one });
      await cardOf(one).waitFor();
      const foot = await page.locator('.pop-f').boundingBox();
      expect(await bottomOf(one, 'allow')).toBeLessThan(foot?.y ?? 0);
      await allowed(one, byMouse(one));
    }
  });

  test('in the popover, the next one unfolds in its place, and another unfolds in sight when it is chosen', async () => {
    const picture = await mailPicture();
    const [one, two, three] = [card({ picture }), card({ picture }), card({ picture })];
    await open([one, two, three], { popover: 'here' }, { viewport: { width: 400, height: 600 } });
    const place = await bottomOf(one, 'allow');
    await allowed(one, byMouse(one));
    await eventually(() => bottomOf(two, 'allow')).toBe(place);
    await cardOf(three).getByRole('button').click();
    const foot = await page.locator('.pop-f').boundingBox();
    await eventually(async () => {
      await page.mouse.wheel(0, 100);
      return bottomOf(three, 'allow');
    }).toBeLessThan(foot?.y ?? 0);
    await allowed(two, byMouse(two));
    await allowed(three, byMouse(three));
  });
});
