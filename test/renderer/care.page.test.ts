import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Card } from '../../src/main/protocol/index.js';
import { cardTests } from '../support/card-page.js';
import type { PageHost } from '../support/page-host.js';
import { card, CODEX, question, shellCard } from '../support/page-samples.js';
import { decided, eventually, isDead, press } from '../support/page-test.js';
import { verbatim } from '../../src/messages/index.js';

let host: PageHost;
let page: Page;
const { open, cardOf, allow, deny } = cardTests(
  (one) => (host = one),
  (one) => (page = one),
  { reducedMotion: 'no-preference' },
);

describe('[req:DS-6-21] dead for half a second', () => {
  test('after a card appears', async () => {
    await open([]);
    const one = card();
    host.say({ type: 'approvalRequested', approval: one });
    await cardOf(one).waitFor();
    expect([await isDead(allow(one)), await isDead(deny(one))]).toEqual([true, true]);
    await press(page, allow(one));
    await page.keyboard.press('d');
    await page.clock.runFor(450);
    await press(page, allow(one));
    expect(await decided(page, host)).toEqual([]);
    await page.clock.runFor(100);
    expect([await isDead(allow(one)), await isDead(deny(one))]).toEqual([false, false]);
    await press(page, allow(one));
    expect(await host.next('approval')).toMatchObject({ decision: 'allow' });
  });

  test('a press that began while dead does not count when it ends alive', async () => {
    await open([]);
    const one = card();
    host.say({ type: 'approvalRequested', approval: one });
    await cardOf(one).waitFor();
    await allow(one).focus();
    await page.keyboard.down(' ');
    await page.clock.runFor(600);
    await page.keyboard.up(' ');
    expect(await decided(page, host)).toEqual([]);
  });

  test('after the page gains focus', async () => {
    const one = card();
    await open([one]);
    expect(await isDead(allow(one))).toBe(false);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await eventually(() => isDead(allow(one))).toBe(true);
    await press(page, allow(one));
    expect(await decided(page, host)).toEqual([]);
    await page.clock.runFor(600);
    expect(await isDead(allow(one))).toBe(false);
  });

  test('after it moves', async () => {
    const one = card();
    // So high that the card ends above the lower edge, where its buttons are not pinned.
    await open([one], {}, { viewport: { width: 880, height: 1400 } });
    expect(await isDead(allow(one))).toBe(false);
    host.say({ type: 'error', code: 'odd', message: verbatim('Something to say above the cards.') });
    await page.getByText('Something to say above the cards.').waitFor();
    await eventually(() => isDead(allow(one))).toBe(true);
    await page.clock.runFor(600);
    expect(await isDead(allow(one))).toBe(false);
  });

  test('after it changes, and the answer is for the new content', async () => {
    const one = card();
    await open([one]);
    await cardOf(one).locator('.pick').click();
    await cardOf(one).locator('.opt').getByText('This app until I quit').click();
    await page.clock.runFor(600);
    const other = { ...one, digest: 'another', subject: { ...one.subject, target: 'Delete' } };
    host.say({ type: 'approvalChanged', approval: other });
    await cardOf(one).getByText('This request changed').waitFor();
    await expect.poll(() => cardOf(one).locator('h3').innerText()).toBe('Click “Delete” in Mail');
    expect(await isDead(allow(one))).toBe(true);
    await press(page, allow(one));
    expect(await decided(page, host)).toEqual([]);
    await page.clock.runFor(600);
    await press(page, allow(one));
    expect(await host.next('approval')).toEqual({ type: 'approval', id: one.id, digest: 'another', decision: 'allow' });
  });
});

describe('dangerous', () => {
  const begin = async (one: Card): Promise<void> => {
    const box = await allow(one).boundingBox();
    if (box === null) throw new Error('no button');
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await cardOf(one).getByText('Keep holding').first().waitFor();
  };

  test('a click or Enter is not enough, however often', async () => {
    const one = shellCard();
    await open([one]);
    await press(page, allow(one));
    await press(page, allow(one));
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.keyboard.press(' ');
    await page.clock.runFor(2_000);
    expect(await decided(page, host)).toEqual([]);
    await expect.poll(() => cardOf(one).innerText()).toContain('Asks every time.');
  });

  test('[req:AP-C-3] held for a second by pointer', async () => {
    const one = shellCard();
    await open([one]);
    await begin(one);
    await page.clock.runFor(900);
    expect(host.received.filter((message) => message.type === 'approval')).toEqual([]);
    await page.clock.runFor(150);
    expect(await host.next('approval')).toEqual({
      type: 'approval',
      id: one.id,
      digest: one.digest,
      decision: 'allow',
    });
    await page.mouse.up();
    expect(await decided(page, host)).toHaveLength(1);
  });

  test('[req:AP-C-3] leaving, releasing, Escape, losing focus or a change starts over', async () => {
    const one = shellCard();
    await open([one]);
    const over: (() => Promise<unknown>)[] = [
      () => page.mouse.move(5, 5),
      () => page.mouse.up(),
      () => page.keyboard.press('Escape'),
      () => page.evaluate(() => window.dispatchEvent(new Event('blur'))),
      async () => host.say({ type: 'approvalChanged', approval: { ...one, digest: 'other' } }),
    ];
    for (const end of over) {
      await begin(one);
      await page.clock.runFor(700);
      await end();
      await cardOf(one).getByText('Hold to allow').waitFor();
      await page.clock.runFor(2_000);
      await page.mouse.up();
      await page.clock.runFor(600);
    }
    expect(await decided(page, host)).toEqual([]);
  });

  test('held for a second with Space; with reduced motion it counts in words', async () => {
    const one = shellCard();
    await open([one], {}, { reducedMotion: 'reduce' });
    await page.keyboard.press('a');
    await page.keyboard.down(' ');
    await cardOf(one).getByText('Keep holding, 3').waitFor();
    await page.clock.runFor(400);
    await cardOf(one).getByText('Keep holding, 2').waitFor();
    await page.clock.runFor(700);
    await page.keyboard.up(' ');
    expect(await host.next('approval')).toMatchObject({ decision: 'allow' });
  });
});

describe('what never moves', () => {
  test('[req:DS-6-22] an answered request folds and leaves the next one’s buttons where its own were, and goes later by itself', async () => {
    const [one, two] = [card(), card({ agent: CODEX })];
    await open([one, two]);
    const before = await allow(one).boundingBox();
    await press(page, allow(one));
    host.say({ type: 'approvalResolved', id: one.id, decision: 'allow', by: 'page' });
    await cardOf(one).getByText('Allowed').waitFor();
    await page.clock.runFor(60_000);
    expect(await allow(two).boundingBox()).toEqual(before);
    await page.mouse.move(5, 5);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await eventually(async () => (await cardOf(one).boundingBox())?.height ?? 999).toBeLessThan(80);
    await page.clock.runFor(20_000);
    await eventually(() => cardOf(one).count()).toBe(0);
  });

  test('the focus stays at the place of the card that went', async () => {
    const one = card();
    await open([one]);
    await page.keyboard.press('a');
    host.say({ type: 'approvalResolved', id: one.id, decision: 'deny', by: 'host', reason: 'timeout' });
    await cardOf(one).getByText('Timed out – denied').waitFor();
    await expect.poll(() => cardOf(one).evaluate((article) => article === document.activeElement)).toBe(true);
  });

  test('[req:DS-6-22] [req:DS-7-5] a new card takes neither focus nor caret nor place from someone writing, and is announced', async () => {
    const asked = question(1, 'Which one?');
    await open([], { history: [asked], pendingAckId: asked.ack_id, pendingAckIds: [asked.ack_id], cursor: 1 });
    const field = page.getByLabel('Reply to Claude Code');
    expect(await page.title()).toBe('(1) Chaperone');
    await field.click();
    await page.keyboard.type('The sig');
    const before = await field.boundingBox();
    const [one, two] = [card({ picture: null }), card({ agent: CODEX })];
    host.say({ type: 'approvalRequested', approval: one });
    await cardOf(one).waitFor();
    host.say({ type: 'approvalRequested', approval: two });
    await cardOf(two).waitFor();
    await page.keyboard.type('ned one');
    await expect.poll(() => field.inputValue()).toBe('The signed one');
    expect(Math.abs(((await field.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
    expect(await page.title()).toBe('(3) Chaperone');
    await page.getByRole('status').getByText('Codex wants to click “Send” in Mail').waitFor({ state: 'attached' });
    await expect.poll(() => page.getByRole('status').getByText('Waiting for you 3').isVisible()).toBe(true);
    // Once is enough.
    expect(await page.locator('.chip-slot').getAttribute('aria-live')).toBe('off');
    for (const { id } of [one, two])
      host.say({ type: 'approvalResolved', id, decision: 'deny', by: 'host', reason: 'timeout' });
    await eventually(() => page.getByRole('status').getByText('wants to').count()).toBe(0);
  });
});
