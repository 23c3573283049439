/** What tells a person who looks elsewhere, and the help about keys. Tabs in which nobody looks are stood in for: a test has no second window. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { keepPicture } from '../support/keep-picture.js';
import { card, question } from '../support/page-samples.js';
import { complaints, eventually, pageTests } from '../support/page-test.js';

const pages = pageTests();
let page: Page;

interface Told {
  notifications: { title: string; body: string }[];
  tones: number;
  hidden: boolean;
}

/** In the page: writes down what would be shown and played. `asked` is what the person says to the browser's own question. */
function standIn(asked: NotificationPermission): void {
  const told: Told = { notifications: [], tones: 0, hidden: false };
  class Stub {
    static permission: NotificationPermission = 'default';
    static requestPermission(): Promise<NotificationPermission> {
      Stub.permission = asked;
      return Promise.resolve(asked);
    }
    onclick: (() => void) | null = null;
    constructor(title: string, { body }: { body: string }) {
      told.notifications.push({ title, body });
    }
  }
  class Tone extends OscillatorNode {
    override start(at?: number): void {
      told.tones += 1;
      super.start(at);
    }
  }
  Object.assign(window, { told, Notification: Stub, OscillatorNode: Tone });
  document.hasFocus = () => !told.hidden;
}

const told = (): Promise<Told> => page.evaluate(() => Object.assign({}, Reflect.get(window, 'told')));
const look = (away: boolean) =>
  page.evaluate((hidden) => void Object.assign(Reflect.get(window, 'told'), { hidden }), away);

async function open(asked: NotificationPermission = 'granted', approvals = [card()]): Promise<void> {
  page = await pages.open({ approvals });
  await page.addInitScript(standIn, asked);
  await page.reload();
  await page.locator('#views').waitFor();
  await page.locator('article').first().waitFor();
}

async function answer(): Promise<void> {
  const one = page.locator('article [data-part="deny"]:not([aria-disabled="true"])').first();
  await one.click();
  const { id } = await pages.host().next('approval');
  pages.host().say({ type: 'approvalResolved', id: String(id), decision: 'deny', by: 'page', reason: 'denied' });
}

describe('a person who looks elsewhere', () => {
  test('is offered notifications after a first answer, and gets one for each request and question', async () => {
    await open();
    const offer = page.getByRole('group', { name: /^Do you want a notification/ });
    expect(await offer.count()).toBe(0);
    await answer();
    await offer.waitFor();
    expect(await complaints(page)).toEqual([]);
    await keepPicture(page, 'alerts-offer');
    await offer.getByRole('button', { name: 'Notify me' }).click();
    await eventually(() => offer.count()).toBe(0);
    pages.host().say({ type: 'approvalRequested', approval: card() });
    await page.locator('[data-slot="open"]').waitFor();
    expect((await told()).notifications).toEqual([]);
    await look(true);
    pages.host().say({ type: 'approvalRequested', approval: card() });
    await eventually(async () => (await told()).notifications.length).toBe(1);
    pages.host().say(question(1, 'Which folder?'));
    await eventually(async () => (await told()).notifications.length).toBe(2);
    const [first, second] = (await told()).notifications;
    expect(first?.body).toMatch(/^Click “/);
    expect(second?.body).toBe('Asks you a question');
    expect((await told()).tones).toBe(0);
  });

  test('is told of nothing that waited already, and not asked again after No', async () => {
    await open();
    await answer();
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await look(true);
    pages.host().say({ type: 'approvalRequested', approval: card() });
    await page.locator('[data-slot="open"]').waitFor();
    expect((await told()).notifications).toEqual([]);
    await page.reload();
    await page.locator('#views').waitFor();
    await answer();
    await page.locator('article').first().waitFor();
    expect(await page.getByRole('group', { name: /^Do you want/ }).count()).toBe(0);
  });

  test('sees in the tab’s icon how many wait', async () => {
    await open('granted', [card(), card()]);
    const icon = () => page.locator('link[rel="icon"]').getAttribute('href');
    await eventually(async () => decodeURIComponent((await icon()) ?? '')).toContain('>2</text>');
    await answer();
    await eventually(async () => decodeURIComponent((await icon()) ?? '')).toContain('>1</text>');
    await answer();
    await eventually(icon).not.toContain('%3C%2Ftext%3E');
  });

  test('hears a sound where it is switched on, and learns that the browser blocks notifications', async () => {
    await open('denied');
    await page.getByRole('link', { name: /^Settings/ }).click();
    await page.locator('#h-alerts').waitFor();
    await page.getByLabel('Play a sound').check();
    expect((await told()).tones).toBe(2);
    await page.getByLabel('Show a notification while you look elsewhere').click();
    await page.getByText('Your browser blocks notifications of this page.').waitFor();
    await keepPicture(page, 'alerts-settings');
    await look(true);
    pages.host().say({ type: 'approvalRequested', approval: card() });
    await eventually(async () => (await told()).tones).toBe(4);
    expect((await told()).notifications).toEqual([]);
  });
});

describe('the keys', () => {
  test('are shown by ?, and press nothing meanwhile', async () => {
    await open();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.waitFor();
    expect(await complaints(page)).toEqual([]);
    await keepPicture(page, 'keys');
    await page.keyboard.press('d');
    await page.keyboard.press('Escape');
    await eventually(() => help.count()).toBe(0);
    expect(pages.host().received.filter(({ type }) => type === 'approval')).toEqual([]);
    await page.keyboard.press('d');
    expect(await pages.host().next('approval')).toMatchObject({ decision: 'deny' });
  });
});
