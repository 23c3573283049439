/** A person at the real page who allows what is asked, and counts requests and presses. */
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** `widest`: presses the button of the grant that a request offers; otherwise each request is allowed once. */
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
    await press(card, counts, widest);
  }
}

/** Pressed again where a press did not count. */
async function press(card, counts, widest) {
  const lasting = card.locator('[data-part="allow-lasting"]');
  const takes = widest && (await lasting.count()) > 0 ? lasting : card.locator(ARMED);
  while ((await card.locator('[data-part="allow"]').count()) > 0) {
    const isHeld = (await card.locator('.hold').count()) > 0;
    counts.presses += 1;
    await takes.click({ ...NO_TIMEOUT, delay: isHeld ? HOLD_MS : 0 });
    await pause(READING_MS);
  }
}
