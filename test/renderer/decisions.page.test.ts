import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Card } from '../../src/main/protocol/index.js';
import { cardTests } from '../support/card-page.js';
import { NOTHING, type PageHost } from '../support/page-host.js';
import { activity, ago, card, CODEX, STATUS } from '../support/page-samples.js';
import { decided, drawn, isDead, press } from '../support/page-test.js';
import { message, verbatim } from '../../src/messages/index.js';

let host: PageHost;
let page: Page;
const { open, cardOf, allow, deny } = cardTests(
  (one) => (host = one),
  (one) => (page = one),
);

const lasting = (one: Card) => cardOf(one).locator('[data-part="allow-lasting"]');
const pick = (one: Card) => cardOf(one).getByRole('button', { name: 'How long may it do this?' });
const choices = (one: Card) => cardOf(one).getByRole('group', { name: 'How long may it do this?' });

describe('allow', () => {
  test('by mouse: one press, with the digest that was seen and nothing more', async () => {
    const one = card();
    const row = activity({
      executionId: one.executionId,
      outcome: 'waiting',
      note: verbatim('DESKTOP_TIMEOUT: Still open.'),
    });
    await open([one], { activity: [row] });
    await expect.poll(() => page.locator('.row').innerText()).toMatch(/Mail, Lease renewal\s+Waiting for you/);
    await press(page, allow(one));
    expect(await host.next('approval')).toEqual({
      type: 'approval',
      id: one.id,
      digest: one.digest,
      decision: 'allow',
    });
    expect(await isDead(allow(one))).toBe(true);
    await press(page, allow(one));
    expect(await decided(page, host)).toHaveLength(1);
    host.say({ type: 'approvalResolved', id: one.id, decision: 'allow', by: 'page' });
    await cardOf(one).getByText('Allowed').waitFor();
    await expect.poll(() => cardOf(one).innerText()).toContain('click “Send” in Mail');
    // The call that asked had ended before.
    await expect.poll(() => page.locator('.row').innerText()).toContain('No answer');
  });

  test('[req:DS-7-23] [req:DS-6-20] by keyboard: A only moves the focus, Enter does nothing, Space presses on release', async () => {
    const one = card();
    await open([one]);
    await page.keyboard.press('a');
    await expect.poll(() => allow(one).evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.down(' ');
    expect(await decided(page, host)).toEqual([]);
    await page.keyboard.up(' ');
    await page.keyboard.press('a');
    await page.keyboard.down(' ');
    await page.keyboard.up(' ');
    expect(await host.next('approval')).toMatchObject({ id: one.id, decision: 'allow' });
  });

  test('a script on the page cannot press it', async () => {
    const one = card();
    await open([one]);
    await allow(one).evaluate((button) => button instanceof HTMLElement && button.click());
    await allow(one).dispatchEvent('click');
    expect(await decided(page, host)).toEqual([]);
  });

  test('with a grant: one press allows once or for ten minutes, and says what that would have saved', async () => {
    const [one, two] = [card(), card({ agent: CODEX })];
    await open([one, two]);
    await expect
      .poll(() => cardOf(one).innerText())
      .toContain(
        'For 10 minutes it can see, click and type in Mail. This would have saved you 7 of the last 9 requests',
      );
    expect(await allow(one).innerText()).toBe('Allow once');
    await press(page, allow(one));
    expect(await host.next('approval')).toMatchObject({ id: one.id, decision: 'allow' });
    expect(await lasting(two).innerText()).toBe('Allow in Mail, 10 min');
    await press(page, lasting(two));
    expect(await host.next('approval')).toMatchObject({ id: two.id, decision: 'allow', grant: 'time' });
  });

  test('with a grant: the menu changes the label of the button, nothing moves, and the buttons are dead for a moment', async () => {
    const one = card();
    await open([one]);
    const places = () => Promise.all([lasting(one), allow(one), cardOf(one)].map((part) => part.boundingBox()));
    const before = await places();
    await pick(one).click();
    await choices(one).getByText('For 10 minutes it can see, click and type in Mail.').waitFor();
    expect(await places()).toEqual(before);
    await cardOf(one).locator('.opt').getByText('This app until I quit').click();
    await choices(one).waitFor({ state: 'detached' });
    expect(await lasting(one).innerText()).toBe('This app until I quit');
    await cardOf(one).locator('.acts').getByText('Allow gives Mail until Chaperone quits. This would').waitFor();
    expect(await places()).toEqual(before);
    expect(await isDead(lasting(one))).toBe(true);
    expect(await isDead(allow(one))).toBe(true);
    await press(page, lasting(one));
    expect(await decided(page, host)).toEqual([]);
    await drawn(page);
    await page.clock.runFor(600);
    await press(page, lasting(one));
    expect(await host.next('approval')).toMatchObject({ decision: 'allow', grant: 'session' });
  });

  test('with a grant: Enter does not press the button of a lasting Allow', async () => {
    const one = card();
    await open([one]);
    await lasting(one).focus();
    await page.keyboard.press('Enter');
    await lasting(one).evaluate((button) => button instanceof HTMLElement && button.click());
    expect(await decided(page, host)).toEqual([]);
  });

  test('with a grant: the choices open and close by their button and by Escape, and stay closed beside the exact request', async () => {
    const one = card();
    await open([one]);
    await page.keyboard.press('e');
    await cardOf(one).getByText('/opt/homebrew/bin/claude').waitFor();
    expect(await choices(one).count()).toBe(0);
    await pick(one).click();
    await choices(one).waitFor();
    await pick(one).click();
    await choices(one).waitFor({ state: 'detached' });
    await pick(one).click();
    await cardOf(one).getByRole('radio').first().focus();
    await page.keyboard.press('Escape');
    await choices(one).waitFor({ state: 'detached' });
    await expect.poll(() => pick(one).evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test('[req:PG-10] what an Allow gives beyond the title stands right under it', async () => {
    const agent = 'Codex';
    const consequence = message('grant.remembered.means', { agent, app: '', what: 'screen' });
    const one = card({
      effect: 'disclose',
      grants: [{ kind: 'once', label: message('grant.remembered', { agent }), consequence, covered: null }],
    });
    await open([{ ...one, covers: [message('note.reads_controls_in_it')] }]);
    const under = cardOf(one).locator('h3 + .covers, h3 + .covers + .covers');
    await expect
      .poll(() => under.allInnerTexts())
      .toEqual([
        'Reads the names of the controls in it too.',
        'Codex can see everything on your screen until it quits.',
      ]);
    expect(await cardOf(one).locator('.acts .grant').innerText()).toBe('Until Codex quits');
  });
});

describe('deny', () => {
  test('by D, without a message', async () => {
    const [one, two] = [card(), card({ agent: CODEX })];
    await open([one, two]);
    await page.keyboard.press('d');
    expect(await host.next('approval')).toEqual({ type: 'approval', id: one.id, digest: one.digest, decision: 'deny' });
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('d');
    expect(await host.next('approval')).toMatchObject({ id: two.id, decision: 'deny' });
  });

  test('by D pressed twice: the next request has its own moment in front before a key answers it', async () => {
    const [one, two] = [card(), card({ agent: CODEX })];
    await open([one, two]);
    await page.keyboard.press('d');
    expect(await host.next('approval')).toMatchObject({ id: one.id, decision: 'deny' });
    host.say({ type: 'approvalResolved', id: one.id, decision: 'deny', by: 'page', reason: 'denied' });
    await cardOf(one).getByText('Denied').waitFor();
    await drawn(page);
    await page.clock.runFor(450);
    await page.keyboard.press('d');
    await cardOf(two).getByText('That press didn’t count').waitFor();
    await page.keyboard.press('a');
    expect(await allow(two).evaluate((button) => button === document.activeElement)).toBe(false);
    await page.clock.runFor(100);
    await page.keyboard.press('d');
    expect(await host.next('approval')).toMatchObject({ id: two.id, decision: 'deny' });
    expect(await decided(page, host)).toHaveLength(2);
  });

  test('with a message: letters in the field are letters', async () => {
    const one = card();
    await open([one]);
    await page.keyboard.press('e');
    await cardOf(one).getByText('/opt/homebrew/bin/claude').waitFor();
    await cardOf(one).getByLabel('Message to Claude Code, sent with Deny').fill('rename the file first');
    await page.keyboard.type(' d a e');
    await page.keyboard.press('Enter');
    await drawn(page);
    await page.clock.runFor(600);
    await page.keyboard.press('Control+Enter');
    expect(await host.next('approval')).toMatchObject({ decision: 'deny', message: 'rename the file first d a e' });
    expect(await decided(page, host)).toHaveLength(1);
  });

  test('[req:PG-21] what was typed for Deny outlives a reload, belongs to its own request, and goes with it', async () => {
    const [one, two] = [card(), card({ agent: CODEX })];
    await open([one, two], {}, {}, false);
    await cardOf(one).locator('[data-part="exact"]').first().click();
    const field = cardOf(one).getByLabel('Message to Claude Code, sent with Deny');
    await field.fill('Use the test account');
    // Not paired for a moment, as where the host is slow to check the key: it is told of no requests.
    host.say({ type: 'connected', ...NOTHING, role: 'unpaired', nonce: 'another' });
    await page.getByRole('heading', { name: 'Pair this page to approve actions here' }).waitFor();
    await page.reload();
    await cardOf(one).waitFor();
    await expect.poll(() => field.inputValue()).toBe('Use the test account');
    expect(await page.getByLabel(/sent with Deny/).count()).toBe(1);
    host.shown.approvals = [two];
    await page.reload();
    await cardOf(two).waitFor();
    await cardOf(two).locator('[data-part="exact"]').first().click();
    expect(
      await cardOf(two)
        .getByLabel(/sent with Deny/)
        .inputValue(),
    ).toBe('');
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test('an answer the host did not take is said on the card, and the buttons come back', async () => {
    const one = card();
    await open([one]);
    await press(page, deny(one));
    await host.next('approval');
    host.say({ type: 'error', code: 'stale', message: verbatim('This request changed meanwhile.'), about: one.id });
    await cardOf(one).getByText('This request changed meanwhile.').waitFor();
    await page.clock.runFor(600);
    expect(await isDead(deny(one))).toBe(false);
  });
});

describe('stopping', () => {
  test('Stop pauses; Resume is elsewhere and only resumes', async () => {
    const one = card();
    await open([one]);
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    const before = await stop.boundingBox();
    await stop.click();
    expect(await host.next('pause')).toEqual({ type: 'pause', on: true });
    host.say({ type: 'approvalResolved', id: one.id, decision: 'deny', by: 'page', reason: 'stopped' });
    host.say({
      type: 'status',
      status: {
        ...STATUS,
        state: 'paused',
        paused: { by: 'page', at: ago(0), reason: verbatim('1 request was denied.') },
      },
    });
    await page.getByText('Agents are paused').waitFor();
    await page.getByText('Denied when agents were stopped').waitFor();
    await page.getByText('Codex is on hold').waitFor();
    expect(await stop.boundingBox()).toEqual(before);
    await stop.click({ force: true });
    await page.getByRole('button', { name: 'Resume' }).click();
    expect(await host.next('pause')).toEqual({ type: 'pause', on: false });
    expect(host.received.filter((message) => message.type === 'pause')).toHaveLength(2);
  });

  test('[req:PG-15] Stop keeps the message that was being written, as not sent; one that was sent is not shown again', async () => {
    const [one, other] = [card(), card({ agent: CODEX })];
    await open([one, other]);
    await page.keyboard.press('e');
    await cardOf(one).getByLabel('Message to Claude Code, sent with Deny').fill('Use the test account');
    host.say({ type: 'approvalResolved', id: one.id, decision: 'deny', by: 'page', reason: 'stopped' });
    await page.getByText('Not sent: Use the test account').waitFor();
    host.say({
      type: 'approvalResolved',
      id: other.id,
      decision: 'deny',
      by: 'page',
      reason: 'denied',
      message: verbatim('Use the test account'),
    });
    await expect.poll(() => page.locator('.answered-request').count()).toBe(2);
    expect(await page.getByText('Not sent').count()).toBe(1);
  });
});
