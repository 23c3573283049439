/** What is shown before the page's code has come. */
import { expect, test } from 'vitest';
import { pageTests } from '../support/page-test.js';

const pages = pageTests();

test('[req:TI-5] name and colours are shown before the code is there, and stay where they are', async () => {
  const { page } = await pages.blank({ colorScheme: 'light' });
  const wanted: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  page.on('request', (request) => wanted.push(new URL(request.url()).pathname));
  await page.route(/assets\/first-.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.addInitScript(() => localStorage.setItem('chaperone.theme', 'dark'));
  await page.goto(pages.host().pairingLink(), { waitUntil: 'commit' });
  const name = page.locator('.brand .name');
  await name.waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  expect(await page.locator('main').count()).toBe(0);
  await expect.poll(() => wanted.some((path) => /first-.*\.js$/.test(path))).toBe(true);
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  const before = await name.boundingBox();
  release();
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  expect(await name.count()).toBe(1);
  expect(await name.boundingBox()).toEqual(before);
});
