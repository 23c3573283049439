import type { BrowserContextOptions, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { keepPicture } from '../support/keep-picture.js';
import type { Shown } from '../support/page-host.js';
import { card, mailPicture, question, shellCard } from '../support/page-samples.js';
import { complaints, eventually, isDead, pageTests, press, spread, unmarked } from '../support/page-test.js';

const pages = pageTests();
let page: Page;

async function open(shown: Partial<Shown>, options: BrowserContextOptions = {}): Promise<void> {
  page = await pages.open(shown, options);
}

const picture = async (name: string) => {
  await keepPicture(page, name);
};
const focused = () => page.evaluate(() => document.activeElement?.id);
const decisions = () => pages.host().received.filter(({ type }) => type === 'approval');

describe('the picture of a request, looked at closely', () => {
  test('[req:AP-C-1] opens by keyboard, decides nothing, and Escape returns to the same place', async () => {
    const one = card({ picture: await mailPicture(), digest: 'seen' });
    await open({ approvals: [shellCard(), one] });
    await page.locator(`#full-picture-${one.id}`).focus();
    const before = await page.evaluate(() => window.scrollY);
    await page.keyboard.press('Enter');
    await page.locator('.full-picture .crop').waitFor();
    expect(await focused()).toBe('full-picture-back');
    await expect.poll(() => page.getByRole('button', { name: /Allow|Deny|allow/ }).count()).toBe(0);
    for (const key of ['d', 'a', 'j', 'e', 'r']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Twice as large' }).click();
    await picture('look-880');
    expect(await complaints(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.full-picture').waitFor({ state: 'detached' });
    expect(await focused()).toBe(`full-picture-${one.id}`);
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
    expect(decisions()).toEqual([]);
  });

  test('[req:AP-C-1] Escape returns to the same place also where the page was opened before it was told that it had scrolled', async () => {
    const one = card({ picture: await mailPicture() });
    await open({ approvals: [shellCard(), one] }, { viewport: { width: 880, height: 400 } });
    await page.evaluate(() => window.addEventListener('scroll', (event) => event.stopImmediatePropagation(), true));
    await page.locator(`#full-picture-${one.id}`).focus();
    const before = await page.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await page.locator('.full-picture .crop').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.full-picture').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
  });

  test('[req:AP-C-1] what was typed and chosen on the card is there afterwards, and its buttons are dead for a moment', async () => {
    const one = card({ picture: await mailPicture() });
    const page = await pages.open({ approvals: [one] }, {}, true);
    await page.locator('.pick').click();
    await page.locator('.opt').getByText('This app until I quit').click();
    await page.keyboard.press('e');
    await page.getByPlaceholder('Optional').fill('rename it first');
    await page.clock.runFor(1_000);
    await page.locator(`#full-picture-${one.id}`).click();
    await page.locator('.full-picture').waitFor();
    await page.clock.runFor(2_000);
    await page.getByRole('link', { name: 'Back to the request' }).click();
    await page.locator('.full-picture').waitFor({ state: 'detached' });
    const allow = page.locator('[data-part="allow-lasting"]');
    await press(page, allow);
    expect(decisions()).toEqual([]);
    await expect.poll(() => page.getByPlaceholder('Optional').inputValue()).toBe('rename it first');
    expect(await allow.innerText()).toBe('This app until I quit');
    await page.clock.runFor(1_000);
    await eventually(() => isDead(allow)).toBe(false);
    await press(page, allow);
    expect(await pages.host().next('approval')).toMatchObject({ digest: one.digest, grant: 'session' });
  });

  test('[req:AP-C-4] shows all that was seen once it is fetched, as large as the window, and says when only the part is there', async () => {
    const part = await mailPicture();
    const whole = await mailPicture(2_016, 1_300);
    const one = card({ picture: part, digest: 'seen' });
    const { answers } = pages.host();
    for (const [name, options] of [
      ['880', { viewport: { width: 880, height: 700 } }],
      ['320', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
      ['400', { viewport: { width: 400, height: 600 } }],
    ] as const) {
      answers.cardPicture = ({ id }) => (id === one.id ? { digest: 'seen', picture: whole } : 'Another was asked for.');
      await open({ approvals: [one], popover: name === '400' ? 'here' : 'none' }, options);
      await page.locator(`#full-picture-${one.id}`).click();
      const shown = page.locator('.full-picture .crop img');
      await eventually(() => shown.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(1_300);
      const box = await shown.boundingBox();
      expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(2_016 / 1_300, 1);
      expect(box?.height).toBeLessThan(options.viewport.height);
      const ring = await page.locator('.full-picture .ring .line').boundingBox();
      const at = ((ring?.x ?? 0) - (box?.x ?? 0)) / (box?.width ?? 1);
      expect(at).toBeCloseTo((whole.target?.x ?? 0) / 2_016, 1);
      await expect.poll(() => page.getByText('Only this part is kept').count()).toBe(0);
      expect(await spread(page)).toEqual([]);
      expect(await complaints(page)).toEqual([]);
      await picture(`look-whole-${name}`);
    }
    expect(decisions()).toEqual([]);
    answers.cardPicture = () => ({ digest: 'seen', picture: null });
    await open({ approvals: [one] });
    await page.locator(`#full-picture-${one.id}`).click();
    await page.getByText('Only this part is kept of what was seen.').waitFor();
    await expect.poll(() => page.locator('.full-picture .crop img').evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(part.height);
    answers.cardPicture = () => ({ digest: 'other', picture: whole });
    pages.host().say({ type: 'approvalChanged', approval: { ...one, digest: 'other' } });
    await eventually(() => page.locator('.full-picture .crop img').evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(1_300);
  }); // prettier-ignore

  test('a request that changes or ends meanwhile says so; a reload and Back keep their place', async () => {
    const one = card({ picture: await mailPicture() });
    await open({ approvals: [one] });
    await page.locator(`#full-picture-${one.id}`).click();
    await page.reload();
    await page.locator('.full-picture .crop').waitFor();
    pages.host().say({ type: 'approvalChanged', approval: { ...one, digest: 'other' } });
    await page.locator('.full-picture').getByText('This request changed. Read it again.').waitFor();
    pages.host().say({ type: 'approvalResolved', id: one.id, decision: 'deny', by: 'host', reason: 'timeout' });
    await page.locator('.full-picture').getByText('Timed out – denied').waitFor();
    await page.goBack();
    await page.locator('.full-picture').waitFor({ state: 'detached' });
    await page.goto(`${pages.host().url}#/full-picture/00000000-0000-4000-8000-000000000000`);
    await page.getByText('This request is no longer here.').waitFor();
  });

  test.each([['light', 320], ['dark', 320], ['light', 2000]] as const)('[req:AP-X-1] fits, %s at %i', async (colorScheme, width) => {
    const text = 'Send\u202egnp <b>x</b>';
    const one = card({ picture: await mailPicture(), subject: { ...card().subject, target: text } });
    await open({ approvals: [one] }, { colorScheme, viewport: { width, height: 700 } });
    await page.locator(`#full-picture-${one.id}`).click();
    await page.locator('.full-picture .crop').waitFor();
    expect(await spread(page)).toEqual([]);
    expect(await unmarked(page)).toEqual([]);
    await picture(`look-${width}-${colorScheme}`);
  }); // prettier-ignore
});

describe('the popover', () => {
  const asked = question(1, 'Which?');
  const shown = async (): Promise<Partial<Shown>> => ({
    popover: 'here',
    approvals: [card({ picture: await mailPicture() }), shellCard()],
    history: [asked],
    pendingAckIds: [asked.ack_id],
    cursor: 1,
  });

  test.each([[400, 'light'], [400, 'dark'], [320, 'light'], [320, 'dark']] as const)('[req:AP-P-1] [req:DS-7-25] at %i, %s, holds one card without scrolling; what waits behind it is a line', async (width, colorScheme) => {
    await open(await shown(), { viewport: { width, height: 600 }, colorScheme });
    await page.locator('.crop img').waitFor();
    const foot = await page.locator('.pop-f').boundingBox();
    const deny = await page.locator('[data-part="deny"]').first().boundingBox();
    expect((deny?.y ?? 600) + (deny?.height ?? 0)).toBeLessThan(foot?.y ?? 0);
    await expect.poll(() => page.locator('[data-part="deny"]').count()).toBe(1);
    await expect.poll(() => page.locator('.fold').allInnerTexts()).toEqual([expect.stringContaining('Codex wants to run a shell command'), expect.stringContaining('asked you a question')]);
    expect(await spread(page)).toEqual([]);
    expect(await complaints(page)).toEqual([]);
    await picture(`popover-${width}-${colorScheme}`);
  }); // prettier-ignore

  test('[req:AP-P-1] opens what is folded by key and by press, and asks for the browser', async () => {
    await open(await shown(), { viewport: { width: 400, height: 600 } });
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('d');
    await page.keyboard.press('e');
    await eventually(() => page.locator('[data-part="deny"]').count()).toBe(2);
    await page.getByRole('button', { name: /asked you a question/ }).click();
    await page.getByRole('textbox', { name: /Reply to/ }).waitFor();
    expect(decisions()).toEqual([]);
    await page.getByRole('button', { name: 'Open in browser' }).click();
    await pages.host().next('openBrowser');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Health' }).waitFor();
    await page.locator('.pop-f').getByRole('link', { name: 'Settings' }).click();
    await page.locator('[data-slot="open"]').first().waitFor();
  });

  test('[req:DS-6-31] while one exists elsewhere, a page denies what is dangerous and points to it', async () => {
    await open({ ...(await shown()), popover: 'there', approvals: [shellCard()] });
    await expect.poll(() => page.locator('[data-part="allow"]').count()).toBe(0);
    await page.getByRole('button', { name: 'Open menu bar' }).click();
    await pages.host().next('openPopover');
    await eventually(() => isDead(page.locator('[data-part="deny"]'))).toBe(false);
    await page.locator('[data-part="deny"]').click();
    expect(await pages.host().next('approval')).toMatchObject({ decision: 'deny' });
  });
});
