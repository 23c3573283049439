/** Whatever takes itself away when it is pressed leaves the focus where it was. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { GRANT, HABITS, HEALTH, POLICY, STATUS, ago, question } from '../support/page-samples.js';
import { eventually, pageTests } from '../support/page-test.js';
import { verbatim } from '../../src/messages/index.js';

const OTHER = { ...GRANT, id: randomUUID() };
const pages = pageTests();
let page: Page;

beforeEach(() => {
  pages.host().answers = { applications: () => ({ apps: [] }), habits: () => ({ habits: HABITS }) };
});

/** What the element with the focus is called. */
const focused = () =>
  page.evaluate(() => {
    const one = document.activeElement;
    const label = document.getElementById(one?.getAttribute('aria-labelledby') ?? '');
    return label?.textContent ?? one?.id ?? '';
  });

async function settings(): Promise<void> {
  page = await pages.open({ policy: POLICY, grants: [GRANT, OTHER], health: HEALTH });
  await page.getByRole('link', { name: /^Settings/ }).click();
  await page.locator('#h-grants').waitFor();
}

async function pressWithSpace(name: string): Promise<void> {
  await page.getByRole('button', { name }).first().focus();
  await page.keyboard.press(' ');
}

describe('[req:AP-F-1] the focus stays near', () => {
  test('where a row of a list goes', async () => {
    await settings();
    await pressWithSpace('Revoke');
    await pages.host().next('revokeGrant');
    pages.host().say({ type: 'grants', grants: [OTHER] });
    await eventually(focused).toBe('What you have allowed');
    await page.keyboard.press('Tab');
    expect(await focused()).not.toBe('main');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Revoke');
  });

  test('where a whole part is made anew', async () => {
    await settings();
    await page.getByRole('radio', { name: /^Strict/ }).click();
    await pressWithSpace('Use Strict');
    await pages.host().next('setPolicy');
    pages.host().say({ type: 'policy', policy: { ...POLICY, preset: 'strict' } });
    await eventually(focused).toBe('When Chaperone asks you');
  });

  test('where a banner goes', async () => {
    page = await pages.open({
      status: { ...STATUS, state: 'paused', paused: { by: 'page', at: ago(1), reason: verbatim('x') } },
    });
    await pressWithSpace('Resume');
    await pages.host().next('pause');
    pages.host().say({ type: 'status', status: STATUS });
    await eventually(focused).toBe('main');
  });

  test('where the rest of a long message comes', async () => {
    const asked = question(1, 'long '.repeat(4_000));
    page = await pages.open({ history: [asked], pendingAckIds: [asked.ack_id], cursor: 1 });
    await pressWithSpace('Show all 20,000 characters');
    await eventually(() => page.evaluate(() => document.activeElement?.className)).toBe('msg');
  });

  test('and is left alone where the person left it', async () => {
    await settings();
    await page.getByRole('button', { name: 'Revoke' }).first().focus();
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
    pages.host().say({ type: 'grants', grants: [] });
    await page.getByText('No standing permissions.').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(true);
  });
});
