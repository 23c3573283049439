import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';

let browser: PageBrowser;
let chaperone: TestHost;
let agent: TestAgent;
let contexts: BrowserContext[] = [];

beforeAll(async () => {
  browser = await startPageBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  chaperone = await startHost({ backend: 'simulated', assets: browser.dir });
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts = [];
  await agent.close();
  await chaperone.close();
});

async function openPage(): Promise<Page> {
  const { page, context } = await browser.open();
  contexts.push(context);
  await page.goto(chaperone.host.pairingLink());
  await page.locator('#views').waitFor();
  return page;
}

const button = (page: Page, part: 'allow' | 'deny'): Locator => page.locator(`[data-part="${part}"]`);
const alive = (page: Page, part: 'allow' | 'deny') => button(page, part).and(page.locator(':not([aria-disabled])'));
const outcome = (page: Page) => page.locator('[data-slot="done"] .out');

describe('two pages of a real host', () => {
  test('[req:AP-C-2] race for one approval: one decision counts, both show it, nothing more is decided', async () => {
    const [one, other] = [await openPage(), await openPage()];
    const work = agent.call('list_applications');
    await Promise.all([alive(one, 'allow').waitFor(), alive(other, 'deny').waitFor()]);
    await Promise.allSettled([button(one, 'allow').click({ timeout: 5_000 }), button(other, 'deny').click({ timeout: 5_000 })]);
    const denied = (await work).isError;
    await Promise.all([outcome(one).waitFor(), outcome(other).waitFor()]);
    const words = await Promise.all([outcome(one).innerText(), outcome(other).innerText()]);
    expect(words.map((text) => text.trim())).toEqual(denied ? ['Denied', 'Denied'] : ['Allowed', 'Allowed']);
    await expect.poll(() => button(one, 'allow').count()).toBe(0);
  }); // prettier-ignore

  test('a card outlives a reload and a lost connection in both, and what one page takes down the other sees', async () => {
    const [one, other] = [await openPage(), await openPage()];
    const work = agent.call('list_applications');
    await alive(one, 'allow').waitFor();
    await other.goto(`${chaperone.host.url}/#/settings`);
    await other.locator('#h-policy').waitFor();
    await other.getByRole('link', { name: /Waiting/ }).waitFor();
    await one.reload();
    await alive(one, 'deny').waitFor();
    await one.context().setOffline(true);
    await one.context().setOffline(false);
    await one.reload();
    await other.getByRole('link', { name: /Waiting/ }).click();
    // The link goes to the card once that is drawn, and its buttons then wait again.
    await other.locator('[data-slot="open"]:focus').waitFor();
    await alive(other, 'deny').waitFor();
    await other.keyboard.press('d');
    expect((await work).isError).toBe(true);
    await button(one, 'deny').waitFor({ state: 'detached' });
  });

  test('[req:AP-T-2] [req:AP-T-3] settings made in one page are the other’s too, and in the policy file', async () => {
    const [one, other] = [await openPage(), await openPage()];
    for (const page of [one, other]) {
      await page
        .getByRole('navigation', { name: 'Views' })
        .getByRole('link', { name: /^Settings/ })
        .click();
      await page.locator('#h-policy').waitFor();
    }
    await one.getByText('Keep agents away from another application').click();
    await one.getByRole('button', { name: 'Keep away' }).first().click();
    await other.getByRole('button', { name: 'Let agents in' }).waitFor();
    await other.getByLabel('Delete evidence older than').selectOption({ label: '90 days' });
    await other.getByRole('button', { name: 'Use this' }).click();
    await expect.poll(() => one.getByLabel('Delete evidence older than').inputValue()).toBe('3');
    await one.getByRole('radio', { name: /^Read only/ }).click();
    await one.getByRole('button', { name: 'Use Read only' }).click();
    await expect.poll(() => other.getByRole('radio', { name: /^Read only/ }).isChecked()).toBe(true);
    const file: unknown = JSON.parse(await readFile(join(chaperone.home, 'config', 'policy.json'), 'utf8'));
    expect(file).toMatchObject({
      preset: 'readonly',
      evidence: { maxAgeDays: 90 },
      excludedApps: [expect.any(String)],
    });
    await other.getByRole('button', { name: 'Let agents in' }).click();
    await one.getByText('No application.').waitFor();
  });
});
