/** A further page in a browser profile of its own, confirmed or denied by hand in the first one: real Chromium, real command, real terminal. */
import type { BrowserContext, Page, Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENTRY, openTerminal } from '../support/command.js';
import { startKillable, type Killable } from '../support/killable.js';
import { gone } from '../support/other.js';
import { launchChromium } from '../support/page-browser.js';

let host: Killable;
let browsers: [first: Browser, second: Browser];
let first: Page;

beforeAll(async () => {
  host = await startKillable();
  browsers = [await launchChromium(), await launchChromium()];
  first = await (await browsers[0].newContext({ reducedMotion: 'reduce' })).newPage();
  await first.goto(host.host.link);
  await first.locator('#views').waitFor();
});
afterAll(async () => {
  for (const browser of browsers) await browser.close();
  await host.close();
});

/** What `chaperone pair` prints in a terminal where a person answers y. */
async function linkFromTerminal(): Promise<string> {
  const command = `env CHAPERONE_HOME='${host.home}' '${process.execPath}' '${ENTRY}' pair`;
  const terminal = openTerminal(command);
  let shown = '';
  terminal.stdout.on('data', (chunk) => (shown += String(chunk)));
  terminal.stdin.write('y\n');
  await gone(terminal);
  expect(shown).toContain('confirm the new one there');
  return /http:\/\/localhost:\d+\/#pair=[\w-]+/.exec(shown)?.[0] ?? '';
}

/** Another browser opens the link, and waits. */
async function further(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browsers[1].newContext();
  const page = await context.newPage();
  await page.goto(await linkFromTerminal());
  await page.getByText('This page is waiting for confirmation').first().waitFor();
  return { context, page };
}

const card = () => first.locator('.card', { hasText: 'Pair a page' });

test('[req:PW-5] the first page shows who asked and which browser opened it; held Allow pairs the second, which says what was there before', async () => {
  const { context, page } = await further();
  await card().waitFor();
  const shown = await card().innerText();
  expect(shown).toContain(process.execPath);
  expect(shown).toMatch(/opened by \S*chrom/i);
  const allow = card().locator('[data-part="allow"]:not([aria-disabled])');
  // A click is no press: what is dangerous is held.
  await allow.click();
  await page.getByText('This page is waiting for confirmation').first().waitFor();
  await allow.hover();
  await first.mouse.down();
  await page.getByText('Other pages were paired before this one').first().waitFor();
  await first.mouse.up();
  await first.getByText('Another page was paired').first().waitFor();
  await context.close();
});

test('[req:PW-5] a Deny leaves it unpaired, and says so', async () => {
  const { context, page } = await further();
  await card().locator('[data-part="deny"]:not([aria-disabled])').click();
  await page
    .getByText(/This page was denied where it had to be confirmed/)
    .first()
    .waitFor();
  expect(await page.locator('#views').count()).toBe(0);
  await context.close();
});
