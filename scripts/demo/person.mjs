import { chromium } from 'playwright';
import { Stop } from '../lib/run.mjs';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';

/**
 * Acts as the person in a real browser: pairs with the link, answers the question, presses Allow on each card, or Deny where
 * `denies` says so of its heading. `failed` rejects when that fails.
 */
export async function startPerson(link, own, denies = () => false) {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: BROWSER, args });
  own(() => browser.close());
  const page = await browser.newPage();
  await page.goto(link);
  await page.locator('#views').waitFor();
  console.log('  person: the page is paired');
  const failed = Promise.all([answer(page), decide(page, denies)]).catch((error) => {
    throw new Stop(`✗ the person could not answer: ${error.message}`);
  });
  failed.catch(() => undefined);
  return { failed };
}

const NO_TIMEOUT = { timeout: 0 };

async function answer(page) {
  const reply = page.getByRole('button', { name: 'Yes, go on', exact: true });
  await reply.waitFor(NO_TIMEOUT);
  await reply.click();
  console.log('  person: yes, go on');
}

/** Waits for the buttons of each card: they are disabled for a moment after it appears. */
async function decide(page, denies) {
  for (;;) {
    const allow = page.locator('[data-part="allow"]:not([aria-disabled="true"])').first();
    await allow.waitFor(NO_TIMEOUT);
    const card = page.locator('article', { has: allow }).first();
    const heading = (await card.locator('h3, h2').first().innerText()).replaceAll(/\s+/g, ' ');
    const denied = denies(heading);
    const button = denied ? card.locator('[data-part="deny"]') : allow;
    await press(page, button);
    console.log(`  person: ${denied ? 'denies' : 'allows'} “${heading}”`);
    await button.waitFor({ state: 'detached', ...NO_TIMEOUT });
  }
}

/** What is dangerous wants Allow held, until it is answered. */
async function press(page, button) {
  if ((await button.and(page.locator('.hold')).count()) === 0) return button.click();
  await button.hover();
  await page.mouse.down();
  await button.waitFor({ state: 'detached', ...NO_TIMEOUT });
  await page.mouse.up();
}
