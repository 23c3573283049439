import type { BrowserContext, Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PageHost } from '../support/page-host.js';
import { activity, ago, answer, card, question, STATUS } from '../support/page-samples.js';
import { eventually, pageTests, STOPPED_AHEAD_MS } from '../support/page-test.js';
import { verbatim } from '../../src/messages/index.js';

const pages = pageTests();
let host: PageHost;
let page: Page;
let context: BrowserContext;

const asked = question(1, 'Which **one**?', { quickReplies: ['This', 'That'] });
const chat = { history: [asked], pendingAckId: asked.ack_id, pendingAckIds: [asked.ack_id], cursor: 1 };

beforeEach(async () => {
  host = pages.host();
  Object.assign(host.shown, chat);
  ({ context, page } = await pages.blank());
});

const unpaired = () => page.getByRole('heading', { name: 'Pair this page to approve actions here' });
const allow = () => page.locator('[data-part="allow"]');
const field = () => page.getByLabel('Reply to Claude Code');
const pair = async (): Promise<void> => {
  await page.goto(host.pairingLink());
  await page.locator('#views').waitFor();
};

describe('pairing', () => {
  test('[req:DS-7-14] takes the code out of the address and keeps a key nobody can take along', async () => {
    await pair();
    expect(page.url()).toBe(host.url);
    await expect.poll(() => page.evaluate(() => history.length)).toBe(2);
    const { publicKey } = await host.next('pair');
    expect(Object.keys(publicKey).sort()).toEqual(['crv', 'kty', 'x', 'y']);
    const stolen = await page.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('chaperone');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('no database'));
      });
      const request = database.transaction('keys').objectStore('keys').get('page');
      const key = await new Promise<{ privateKey: CryptoKey }>(
        (resolve) => (request.onsuccess = () => resolve(request.result)),
      );
      return crypto.subtle.exportKey('pkcs8', key.privateKey).then(
        () => 'taken',
        () => key.privateKey.extractable,
      );
    });
    expect(stolen).toBe(false);
    expect(await page.evaluate(() => document.cookie)).toBe('');
  });

  test('proves itself with that key from then on', async () => {
    host.shown.approvals = [card()];
    await pair();
    await page.goto(host.url);
    await allow().waitFor();
    await host.next('authenticate');
    const other = await context.newPage();
    await other.goto(host.url);
    await other.locator('[data-part="allow"]').waitFor();
  });

  test('a spent link says so and leaves the page unpaired', async () => {
    const link = host.pairingLink();
    await page.goto(link);
    await page.locator('#views').waitFor();
    const { page: second } = await pages.blank();
    await second.goto(link);
    await second.getByText('This link was used already.').waitFor();
    expect(second.url()).toBe(host.url);
  });

  test('a link opened in an open tab pairs it in place', async () => {
    await page.goto(host.url);
    await unpaired().waitFor();
    await page.goto(host.pairingLink());
    await page.locator('#views').waitFor();
    expect(page.url()).toBe(host.url);
    await expect.poll(() => unpaired().count()).toBe(0);
  });

  test('a pairing taken back leaves chat only', async () => {
    host.shown.approvals = [card()];
    await pair();
    await allow().waitFor();
    host.forgetPairings();
    host.goAway();
    await page.getByText('Lost the connection').waitFor();
    host.comeBack();
    await unpaired().waitFor();
    await page.getByText('This page is not paired any more.').waitFor();
    await expect.poll(() => allow().count()).toBe(0);
  });
});

describe('unpaired', () => {
  test('reads and answers, sees no request and counts none', async () => {
    host.shown.approvals = [card()];
    host.shown.activity = [activity()];
    await page.goto(host.url);
    await unpaired().waitFor();
    await page.getByRole('status').getByText('Chat only').waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Activity' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('heading', { name: 'Waiting for you' }).count()).toBe(0);
    await expect.poll(() => page.locator('#views').count()).toBe(0);
    expect(await page.title()).toBe('(1) Chaperone');
    await page.getByRole('button', { name: 'That' }).click();
    expect(await host.next('ack')).toEqual({ type: 'ack', id: asked.ack_id, message: 'That' });
    host.say(answer(2, asked, 'That', { paired: false }));
    await page.getByText('sent from an unpaired page').waitFor();
    expect(await page.title()).toBe('Chaperone');
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(await host.next('pause')).toEqual({ type: 'pause', on: true });
  });

  test('cannot resume', async () => {
    host.shown.status = { ...STATUS, state: 'paused', paused: { by: 'page', at: ago(1), reason: verbatim('') } };
    await page.goto(host.url);
    await page.getByText('Agents are paused').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
  });
});

describe('replying', () => {
  test('[req:DS-7-5] [req:PG-12] [req:PG-19] sends with Ctrl+Return, keeps the draft until it is settled, and shows the delivery', async () => {
    await pair();
    await field().fill('The first line');
    await field().press('Enter');
    await page.keyboard.type('and more');
    await page.getByText('Draft saved').waitFor();
    await page.reload();
    await page.locator('#views').waitFor();
    await expect.poll(() => field().inputValue()).toBe('The first line\nand more');
    await page.keyboard.press('r');
    await page.keyboard.press('Control+Enter');
    expect(await host.next('ack')).toMatchObject({ id: asked.ack_id, message: 'The first line\nand more' });
    host.say(answer(2, asked, 'The first line\nand more'));
    await page.getByText('Waiting for Claude Code').waitFor();
    host.say({ type: 'status', status: { ...STATUS, agents: [] } });
    await page.getByText('Not delivered: Claude Code has left').waitFor();
    expect(await page.getByText('Waiting for Claude Code').count()).toBe(0);
    host.say({ type: 'status', status: STATUS });
    await page.getByText('Waiting for Claude Code').waitFor();
    await expect.poll(() => field().count()).toBe(0);
    host.say({ type: 'given', ack_id: asked.ack_id, seq: 3, at: ago(0) });
    await page.getByText('Sent. Claude Code hasn’t confirmed it yet.').waitFor();
    host.say({ type: 'status', status: { ...STATUS, agents: [] } });
    await page.getByText('Sent, but Claude Code left without confirming it.').waitFor();
    expect(await page.getByText('Not delivered').count()).toBe(0);
    host.say({ type: 'delivered', ack_id: asked.ack_id, seq: 4, at: ago(0) });
    await page.getByText(/Claude Code has it, \d/).waitFor();
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  test('several questions wait side by side, each with its own box', async () => {
    const second = question(2, 'And this?');
    Object.assign(host.shown, { history: [asked, second], pendingAckIds: [asked.ack_id, second.ack_id], cursor: 2 });
    await pair();
    await expect.poll(() => field().count()).toBe(2);
    await field().nth(1).fill('second');
    await page.getByRole('button', { name: 'Reply' }).nth(1).click();
    expect(await host.next('ack')).toMatchObject({ id: second.ack_id, message: 'second' });
    host.say({ type: 'withdrawn', ack_id: asked.ack_id, seq: 3, at: ago(0) });
    await page.getByText('No longer needs an answer').waitFor();
  });

  test('[req:DS-7-3] a pasted image goes along', async () => {
    await pair();
    await field().focus();
    await page.evaluate(() => {
      const bytes = Uint8Array.from([137, 80, 78, 71]);
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await page.getByRole('button', { name: 'Remove image' }).waitFor();
    await page.getByRole('button', { name: 'Reply' }).click();
    expect(await host.next('ack')).toEqual({
      type: 'ack',
      id: asked.ack_id,
      message: '',
      images: [{ mimeType: 'image/png', base64: 'iVBORw==' }],
    });
  });

  test('[req:AP-D-2] text and images that were not sent outlive other views, a reload and another language', async () => {
    const second = question(2, 'And this?');
    Object.assign(host.shown, { history: [asked, second], pendingAckIds: [asked.ack_id, second.ack_id], cursor: 2 });
    await pair();
    const images = () => page.locator('.thumb-x');
    const add = (at: number, name: string) =>
      page.locator('input[type="file"]').nth(at).setInputFiles({ name, mimeType: 'image/png', buffer: Buffer.from(name) });
    await field().first().fill('half a sen');
    await add(0, 'one.png');
    await add(1, 'two.png');
    await eventually(() => images().count()).toBe(2);
    await page.locator('#views').getByRole('link', { name: 'Activity', exact: true }).click();
    await page.locator('#views').getByRole('link', { name: 'Home', exact: true }).click();
    await expect.poll(() => images().count()).toBe(2);
    await expect.poll(() => field().first().inputValue()).toBe('half a sen');
    await add(0, 'three.png');
    await eventually(() => images().count()).toBe(3);
    await images().first().click();
    await eventually(() => images().count()).toBe(2);
    await page.locator('#views').getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Language').selectOption('de');
    await page.locator('#views').getByRole('link', { name: 'Start', exact: true }).click();
    await eventually(() => images().count()).toBe(2);
    await expect.poll(() => page.locator('textarea').first().inputValue()).toBe('half a sen');
    await page.getByRole('button', { name: 'Antworten' }).first().click();
    expect(await host.next('ack')).toMatchObject({
      id: asked.ack_id,
      message: 'half a sen',
      images: [{ base64: Buffer.from('three.png').toString('base64') }],
    });
    // Refused, so it is still there; answered elsewhere, it is forgotten.
    host.say({ type: 'error', code: 'disk', message: verbatim('It could not be saved.'), about: asked.ack_id });
    await expect.poll(() => images().count()).toBe(2);
    host.say(answer(3, asked, 'done'));
    await eventually(() => images().count()).toBe(1);
    const kept = () => page.evaluate(() => new Promise((resolve, reject) => {
      const opening = indexedDB.open('chaperone-drafts', 1);
      opening.onerror = () => reject(opening.error ?? new Error('closed'));
      opening.onsuccess = () => {
        const keys = opening.result.transaction('pictures').objectStore('pictures').getAllKeys();
        keys.onsuccess = () => (opening.result.close(), resolve(keys.result));
      };
    }));
    await eventually(kept).toEqual([second.ack_id]);
    Object.assign(host.shown, { history: [asked, answer(3, asked, 'done'), second], pendingAckIds: [second.ack_id, asked.ack_id], cursor: 3 });
    await page.reload();
    await eventually(() => images().count()).toBe(1);
  }); // prettier-ignore
});

describe('a lost connection', () => {
  test('[req:AP-D-1] hides nothing, decides nothing, keeps the draft, and comes back by itself with what was missed', async () => {
    const one = card();
    host.shown.approvals = [one];
    await pair();
    await allow().waitFor();
    await field().fill('half a sen');
    host.goAway();
    await page.getByText('Lost the connection to Chaperone').waitFor();
    await page.getByRole('status').getByText('Not connected').waitFor();
    await page.getByText('Can’t decide while disconnected.').waitFor();
    for (const name of ['Allow once', 'Deny', 'Stop', 'Reply']) {
      expect(await page.getByRole('button', { name, exact: true }).getAttribute('aria-disabled'), name).toBe('true');
    }
    await page.keyboard.press('Escape');
    for (const key of ['d', 'a', ' ']) await page.keyboard.press(key);
    await field().focus();
    await page.keyboard.press('End');
    await page.keyboard.type('tence');
    const missed = question(2, 'Said while you were away');
    const two = card();
    Object.assign(host.shown, {
      history: [asked, missed],
      pendingAckIds: [asked.ack_id, missed.ack_id],
      cursor: 2,
      approvals: [two, one],
    });
    host.comeBack();
    await page.getByText('Said while you were away').waitFor();
    await host.next('authenticate');
    await expect.poll(() => page.getByText('Which one?').count()).toBe(1);
    await expect.poll(() => field().first().inputValue()).toBe('half a sentence');
    const order = await page
      .locator('[data-slot]')
      .evaluateAll((all) => all.map((article) => article.getAttribute('aria-labelledby')));
    expect(order).toEqual([`t-${one.id}`, `t-${two.id}`]);
    await expect.poll(() => page.getByText('Lost the connection').count()).toBe(0);
    expect(host.received.filter((message) => message.type === 'approval' || message.type === 'ack')).toEqual([]);
  });

  test('Try now does not wait for the next attempt', async () => {
    await pair();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + STOPPED_AHEAD_MS);
    host.goAway();
    await page.getByText('Lost the connection').waitFor();
    host.comeBack();
    await page.getByRole('button', { name: 'Try now' }).click();
    await eventually(async () => (await page.clock.runFor(10), host.connections())).toBe(1);
    await eventually(() => page.getByText('Lost the connection').count()).toBe(0);
  });

  test('a message nobody can read is said, and the rest still works', async () => {
    await pair();
    host.say({ type: 'status', status: { ...STATUS, state: 'asleep' as 'watching' } });
    await page.getByText('have different versions').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    host.say({ type: 'status', status: { ...STATUS, state: 'acting' } });
    await page.getByRole('status').getByText('Waiting for you 1').waitFor();
  });
});
