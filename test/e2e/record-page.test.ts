/** What happened, in a real page of a real host: also after a restart, and after somebody was at the files. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepPicture } from '../support/keep-picture.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';
import { settle } from '../support/person.js';
import { CLICK_SEND, MAIL, startScene, type Scene } from '../support/world.js';

let browser: PageBrowser;
let scene: Scene;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  browser = await startPageBrowser();
  scene = await startScene({ assets: browser.dir });
});
afterAll(async () => {
  await scene.close();
  await browser.close();
  expect(problems).toEqual([]);
});

async function openPage(): Promise<void> {
  const opened = await browser.open({ viewport: { width: 1_280, height: 900 } });
  opened.page.on('close', () => problems.push(...opened.problems));
  page = opened.page;
  await page.goto(scene.host.pairingLink());
  await page.locator('#views').waitFor();
  await page.evaluate(() => void (location.hash = '#/activity'));
  // What happens before the list is loaded is in it, and not new.
  await expect.poll(() => page.locator('.list-h').innerText()).not.toBe('');
}

async function click(requestId: string, decision: 'allow' | 'deny'): Promise<string> {
  const work = scene.rpc.call('desktop.click', { ...CLICK_SEND }, { requestId });
  const { approval } = await scene.person.next('approvalRequested');
  await settle(scene.person, approval, decision, decision === 'deny' ? { message: 'Not now' } : {});
  await work;
  return approval.executionId;
}

const region = (name: string) => page.getByRole('region', { name, exact: true });
const row = (name: RegExp) => page.getByRole('link', { name });

test('[req:AP-R-1] [req:AP-R-5] what happened is in the list with its picture, and its evidence is what lies in its folder', async () => {
  await openPage();
  // What the agent may not see, its workspace does not have.
  const look = scene.rpc.call('desktop.observe', { route: MAIL }, { requestId: 'look' });
  await settle(scene.person, (await scene.person.next('approvalRequested')).approval, 'allow');
  await look;
  const done = await click('done', 'allow');
  await click('no', 'deny');
  await page.getByRole('button', { name: '3 new' }).click();
  await row(/^Clicked “Send”/)
    .locator('img')
    .waitFor();
  await expect.poll(() => row(/^Click “Send”/).innerText()).toMatch(/You said: “Not now”[^]*Denied/);

  await row(/^Clicked “Send”/).click();
  await page.locator('.shot img').nth(1).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/evidence/${done}`);
  await page.locator('.outline').waitFor();
  await expect.poll(() => region('Decision').innerText()).toContain('You, in a paired page');
  await expect.poll(() => region('What happened').innerText()).toContain('click, through accessibility');
  await page.getByRole('button', { name: 'Check the whole record' }).click();
  await page.getByText(/Nothing edited, missing or cut off in \d+ entries\. Checked just now\./).waitFor();
  await page.getByText('No key signs it').waitFor();
  await keepPicture(page, 'evidence', { fullPage: true });

  await page.goBack();
  await row(/^Looked at/).click();
  await page.locator('.outline').nth(2).waitFor();
  await page.getByRole('treeitem', { name: /Send/ }).first().hover();
  await page.locator('.outline[data-lit]').waitFor();
  await keepPicture(page, 'observed', { fullPage: true });
  await page.close();
});

test('[req:AP-R-1] [req:AP-R-7] an earlier life of the host is in the list too, and what was changed since is told and not shown', async () => {
  await scene.restart();
  await openPage();
  await page.getByText('3 actions').waitFor();
  await row(/^Clicked “Send”/)
    .locator('img')
    .waitFor();
  await row(/^Clicked “Send”/).click();
  await page.locator('.shot img').nth(1).waitFor();
  const dir = (await region('Files').locator('.copy code').innerText()).trim();
  await appendFile(join(dir, 'after.png'), 'x');
  await page.reload();
  await region('Pictures').getByText('Changed after it was written').waitFor();
  await expect.poll(() => page.locator('.shot img').count()).toBe(1);
  await page.getByRole('button', { name: 'Check the whole record' }).click();
  await region('Record').getByText('after.png was edited').waitFor();
  await region('Record').getByText('Does not verify').waitFor();
  await page.close();
});
