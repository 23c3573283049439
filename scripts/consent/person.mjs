/** A person at the real page who allows what is asked, and counts requests and presses. */
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** `widest`: takes the longest grant that a request offers below “always”; otherwise each request is allowed once. */
export function countingPerson({ widest }) {
  const counts = { requests: 0, presses: 0, headings: [] };
  async function start(link, own) {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await chromium.launch({ executablePath: BROWSER, args });
    own(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1000, height: 1400 } });
    await page.goto(link);
    await page.locator('#views').waitFor();
    decide(page, counts, widest).catch((error) => {
      if (browser.isConnected()) console.error(`✗ the person could not answer: ${error.message}`);
    });
  }
  return { counts, start };
}

const NO_TIMEOUT = { timeout: 0 };
const ARMED = '[data-part="allow"]:not([aria-disabled="true"])';
const READING_MS = 1_200;
const HOLD_MS = 1_300;

async function decide(page, counts, widest) {
  for (;;) {
    const allow = page.locator(ARMED).first();
    await allow.waitFor(NO_TIMEOUT);
    // Nobody reads faster; a press right after input of an agent does not count.
    await pause(READING_MS);
    const title = await allow.getAttribute('aria-describedby');
    const card = page.locator('article', { has: page.locator(`#${title}`) });
    counts.headings.push((await card.locator('h3, h2').first().innerText()).replaceAll(/\s+/g, ' '));
    counts.requests += 1;
    if (widest) await choose(card, counts);
    await press(page, card, counts);
  }
}

/** The last one offered that is no “always”. */
async function choose(card, counts) {
  const pick = card.locator('.pick');
  if ((await pick.count()) === 0) return;
  await pick.click();
  const labels = await card.locator('.opt .name').allInnerTexts();
  const best = labels.findLastIndex((label) => !/always/i.test(label));
  if (best <= 0) return;
  await card.locator('.opt').nth(best).click();
  counts.presses += 2;
}

/** Pressed again where a press did not count. */
async function press(page, card, counts) {
  const allow = card.locator(ARMED);
  while ((await card.locator('[data-part="allow"]').count()) > 0) {
    const isHeld = (await card.locator('.hold').count()) > 0;
    counts.presses += 1;
    await allow.click({ ...NO_TIMEOUT, delay: isHeld ? HOLD_MS : 0 });
    await pause(READING_MS);
  }
}
