/** The demo on a real display, from the page's button to the two pictures. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { keepPicture } from '../support/keep-picture.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';

const SLOW = { timeout: 30_000 };
const ENTRY = join(import.meta.dirname, '../../dist/main/cli/index.js');

let browser: PageBrowser;
let chaperone: TestHost;

beforeAll(async () => {
  browser = await startPageBrowser();
  const launcher = { command: process.execPath, args: [ENTRY, 'mcp'] };
  chaperone = await startHost({ backend: 'linux', display: 'virtual', assets: browser.dir, launcher });
});
afterAll(async () => {
  await chaperone.close();
  await browser.close();
});

test('[req:DM-1] the demo uses a small application, and ends in a before and after that lead to their two pictures', async () => {
  const { page } = await browser.open();
  await page.goto(chaperone.host.pairingLink());
  await page.getByRole('button', { name: 'Run the demo' }).click();
  await page.getByRole('button', { name: 'Begin', exact: true }).click();
  const tools: string[] = [];
  for (let card = 1; card <= 3; card += 1) {
    await expect.poll(() => chaperone.host.menubar.cards().length, SLOW).toBe(1);
    const [open] = chaperone.host.menubar.cards();
    tools.push(open?.tool ?? '');
    const allow = page.locator(`[data-request="${open?.id}"] [data-part="allow"]:not([aria-disabled="true"])`);
    await allow.waitFor();
    await keepPicture(page, `demo-real-card-${card}`);
    await allow.click();
    await expect.poll(() => chaperone.host.menubar.cards()[0]?.id, SLOW).not.toBe(open?.id);
  }
  expect(tools).toEqual(['capture_screenshot', 'open_application', 'click_element']);
  const told = page.locator('.md').filter({ hasText: 'All done.' });
  await told.waitFor();
  await keepPicture(page, 'demo-real-end');
  const words = await told.innerText();
  expect(words).toMatch(/Using Galculator: done, and verified afterwards\./);
  const links = await told.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(links).toHaveLength(3);
  expect(links.at(-1)).toMatch(new RegExp(`^${chaperone.host.url}/#/evidence/[0-9a-f-]{36}$`));
  await page.goto(links.at(-1) ?? '');
  const shots = page.locator('main img');
  await expect.poll(() => shots.count(), SLOW).toBeGreaterThanOrEqual(2);
  await keepPicture(page, 'demo-real-evidence', { fullPage: true });
});
