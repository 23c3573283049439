import type { BrowserContextOptions, Page } from 'playwright';
import { beforeEach, describe, expect, test } from 'vitest';
import { keepPicture } from '../support/keep-picture.js';
import type { Shown } from '../support/page-host.js';
import { ago, card, GRANT, HABITS, HEALTH, POLICY } from '../support/page-samples.js';
import { complaints, eventually, pageTests, spread, unmarked } from '../support/page-test.js';
import { verbatim } from '../../src/messages/index.js';

const pages = pageTests();
let page: Page;

const APPS = [
  { id: 'com.apple.mail', name: 'Mail' },
  { id: 'com.apple.Notes', name: 'Notes' },
];
const FULL: Partial<Shown> = { policy: POLICY, grants: [GRANT], health: HEALTH };

beforeEach(() => {
  pages.host().answers = { applications: () => ({ apps: APPS }), habits: () => ({ habits: HABITS }) };
});

async function open(shown: Partial<Shown> = FULL, options: BrowserContextOptions = {}): Promise<void> {
  page = await pages.open(shown, options);
  await page.getByRole('link', { name: /^(Settings|Einstellungen|设置)/ }).click();
  await page.locator('#h-policy').waitFor();
  await page.locator('#h-habits').waitFor();
  pages.host().say({
    type: 'pairings',
    pairings: [{ keyId: 'k1', pairedAt: ago(9), lastSeenAt: ago(1), by: 'cli', here: true }],
  });
  await page.locator('#h-pairings').waitFor();
}

const picture = async (name: string) => {
  await page.evaluate(() => window.scrollTo(0, 0));
  await keepPicture(page, `settings-${name}`, { fullPage: true });
};

describe('the settings', () => {
  test.each(['light', 'dark'] as const)(
    '[req:AP-V-1] fit at every width, %s, with nothing for axe to say',
    async (colorScheme) => {
      await open(FULL, { colorScheme });
      await page.getByText('Keep agents away from another application').click();
      await page.getByText('Notes', { exact: true }).waitFor();
      expect(await complaints(page)).toEqual([]);
      for (const width of [320, 400, 880, 2000]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await spread(page)).toEqual([]);
        await picture(`${width}-${colorScheme}`);
      }
    },
  );

  test('[req:AP-T-1] show what each preset asks before it is chosen, and which one is marked', async () => {
    await open();
    const column = (name: string) => page.locator('.matrix thead th', { hasText: name });
    await expect.poll(() => column('Standard').getAttribute('class')).toBe('sel');
    await page.getByRole('radio', { name: /^Read only/ }).click();
    await expect.poll(() => column('Read only').getAttribute('class')).toBe('sel');
    const last = page.locator('.matrix tbody tr').last();
    await expect.poll(() => last.locator('td').allInnerTexts()).toEqual(['Every time', 'Every time', 'Refused']);
    expect(pages.host().received.filter(({ type }) => type === 'setPolicy')).toEqual([]);
    await expect.poll(() => page.getByRole('radio', { name: /^Unattended/ }).isDisabled()).toBe(true);
  });

  test('[req:AP-T-2] keep an application away, running or named, and let it in again', async () => {
    await open();
    await page.getByText('Keep agents away from another application').click();
    await page.getByRole('listitem').filter({ hasText: 'Notes' }).getByRole('button', { name: 'Keep away' }).click();
    expect(await pages.host().next('exclude')).toEqual({ type: 'exclude', appId: 'com.apple.Notes', on: true });
    pages.host().say({ type: 'policy', policy: { ...POLICY, excludedApps: ['com.apple.Notes'] } });
    await page.getByRole('button', { name: 'Let agents in' }).click();
    expect(await pages.host().next('exclude')).toEqual({ type: 'exclude', appId: 'com.apple.Notes', on: false });
    await page.getByLabel('Another application, by its id').fill('org.keepassxc.KeePassXC');
    await page.keyboard.press('Enter');
    expect(await pages.host().next('exclude')).toMatchObject({ appId: 'org.keepassxc.KeePassXC', on: true });
  });

  test('[req:AP-T-3] delete evidence only after a second press, and say what goes', async () => {
    await open();
    await page.getByLabel('Delete evidence older than').selectOption({ label: '7 days' });
    await page.getByText('deleted at once, for good').waitFor();
    expect(pages.host().received.filter(({ type }) => type === 'setRetention')).toEqual([]);
    await page.getByRole('button', { name: 'Use this' }).click();
    const { retention } = await pages.host().next('setRetention');
    expect(retention).toEqual({ maxAgeDays: 7, maxBytes: null });
  });

  test('limit how many desktops agents have of their own', async () => {
    await open();
    pages.host().say({ type: 'policy', policy: { ...POLICY, ownDesktops: 10 } });
    await page.getByLabel('At most at once').selectOption('3');
    expect(await pages.host().next('setOwnDesktops')).toEqual({ type: 'setOwnDesktops', count: 3 });
    pages.host().say({ type: 'policy', policy: { ...POLICY, ownDesktops: 3 } });
    await expect.poll(() => page.getByLabel('At most at once').locator('option:checked').innerText()).toBe('3');
  });

  test('[req:AP-T-4] tell how the person decides, and are honest about little', async () => {
    await open();
    await page.getByText('you were asked 42 times and allowed 38 (90%); 1 ran out.').waitFor();
    await page.getByText('Median answer: 3.4 s; 6 in under 2 s.').waitFor();
    pages.host().answers.habits = () => ({ habits: { ...HABITS, asked: 3, allowed: 3, unanswered: 0, hasty: 3 } });
    await open();
    await page.getByText('Not enough answers yet').waitFor();
    await expect.poll(() => page.getByText('hardly enough to read').count()).toBe(0);
    pages.host().answers.habits = () => ({ habits: { ...HABITS, hasty: 30 } });
    await open();
    await page.getByText('hardly enough to read').waitFor();
    pages.host().answers.habits = () => ({ habits: { ...HABITS, asked: 0, allowed: 0, medianMs: null } });
    await open();
    await page.getByText('Nobody asked you anything').waitFor();
  });

  test('[req:AP-T-5] keep light or dark and the language in this browser', async () => {
    await open(FULL, { colorScheme: 'light' });
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await ground()).toBe('rgb(21, 21, 23)');
    await page.reload();
    await page.locator('#h-policy').waitFor();
    expect(await ground()).toBe('rgb(21, 21, 23)');
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
    await expect.poll(() => page.getAttribute('html', 'lang')).toBe('de');
    await page.getByLabel('Sprache').selectOption('');
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });

  test('[req:AP-V-1] each view has an address, and on each are the header, Stop and the way to what waits', async () => {
    await open({ ...FULL, approvals: [card()] }, { viewport: { width: 320, height: 640 } });
    const views = ['/', '/activity', '/live', '/agents', '/health', '/settings'];
    for (const view of views) {
      await page.evaluate((address) => void (location.hash = address), view);
      await page.locator(`#views a[aria-current="page"][href="#${view}"]`).waitFor({ state: 'attached' });
      await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
      for (const part of [
        page.getByRole('button', { name: 'Stop', exact: true }),
        page.getByRole('link', { name: /Waiting/ }).first(),
      ])
        await expect
          .poll(() => part.evaluate((one) => one.getBoundingClientRect().top >= 0 && one.checkVisibility()), { message: view })
          .toBe(true); // prettier-ignore
    }
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await pages.host().next('pause')).toEqual({ type: 'pause', on: true });
  });

  test('[req:AP-V-1] are reached and left by keyboard; a card that waits is one link away', async () => {
    await open({ ...FULL, approvals: [card()] });
    await page.getByRole('link', { name: /Waiting/ }).focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-slot="open"]').waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.closest('[data-slot="open"]') !== null)).toBe(
      true,
    );
    await page.goBack();
    await page.locator('#h-policy').waitFor();
    await page.getByRole('link', { name: 'Skip to the content' }).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => [document.activeElement?.id, location.hash]))
      .toEqual(['main', '#/settings']);
  });

  test.each([
    ['HTML', '<img src=x onerror=alert(1)>'],
    ['hidden characters', 'a\u202eb\u200bc'],
    ['a long word', 'W'.repeat(3_000)],
  ])('[req:AP-X-1] mark what is hidden in names of applications and in grants: %s', async (_, text) => {
    const id = text.slice(0, 200);
    const grant = { ...GRANT, label: verbatim(text), appId: text, agent: { ...GRANT.agent, name: text } };
    pages.host().answers.applications = () => ({ apps: [{ id, name: text }] });
    const policy = { ...POLICY, excludedApps: [id, 'x'.repeat(200)] };
    await open({ ...FULL, policy, grants: [grant] }, { viewport: { width: 320, height: 700 } });
    await page.getByText('Keep agents away from another application').click();
    expect(await unmarked(page)).toEqual([]);
    expect(await spread(page)).toEqual([]);
  });
});
