import type { BrowserContextOptions, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Health } from '../../src/main/protocol/index.js';
import { keepPicture } from '../support/keep-picture.js';
import type { Shown } from '../support/page-host.js';
import { activity, answer, card, HEALTH, question, STATUS } from '../support/page-samples.js';
import { complaints, eventually, pageTests, spread } from '../support/page-test.js';

const pages = pageTests();
const NOBODY = { ...STATUS, agents: [] };
const POPOVER = { width: 400, height: 600 };
const MAC: Health = {
  ...HEALTH,
  platform: 'macOS 26.1',
  backend: 'macos',
  system: 'macos',
  screen: 'real',
  issues: [],
};
const granted = (given: Health['permissions'][string], other = given): Health => ({
  ...MAC,
  permissions: { accessibility: given, screenRecording: other },
});

async function open(shown: Partial<Shown> = {}, options: BrowserContextOptions = {}): Promise<Page> {
  pages.host().answers.clients = () => ({
    offered: true,
    ownDesktops: false,
    clients: [
      { id: 'claude', found: true, entry: 'none', paste: null, desktop: 'current', connected: false, lastSeen: null },
    ],
  });
  const health = granted('missing', 'stale');
  return pages.open({ status: NOBODY, popover: 'here', health, ...shown }, { viewport: POPOVER, ...options });
}

const next = (page: Page) => page.getByRole('button', { name: 'Continue' });

describe('[req:AP-S-5] the first steps, in the popover', () => {
  test('one thing at a time by keyboard alone, kept where they were left, ending with an agent', async () => {
    const page = await open();
    await page.getByText('Step 1 of 3').waitFor();
    await next(page).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Step 2 of 3').waitFor();
    await page.reload();
    await page.getByText('Step 2 of 3').waitFor();
    await next(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Connect Claude Code' }).waitFor();
    await page.getByText('npm run demo').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('Step 2 of 3').waitFor();
    await next(page).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: /stay in charge/ }).waitFor();
    await expect.poll(() => page.getByText(/^Step \d/).count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor();
    await expect.poll(() => page.getByText(/^Step \d/).count()).toBe(0);
  });

  test.each(['settings', 'health'])(
    'left for later they stay away, and %s leads back to where they were',
    async (view) => {
      const page = await open();
      await next(page).click();
      await page.getByRole('button', { name: 'Not now' }).click();
      await page.getByRole('heading', { name: /stay in charge/ }).waitFor();
      await page.evaluate((name) => (location.hash = `#/${name}`), view);
      await page.getByRole('link', { name: 'Show the first steps' }).click();
      await page.getByText('Step 2 of 3').waitFor();
      await next(page).click();
      await page.getByRole('button', { name: 'Done' }).click();
      await eventually(() => page.evaluate(() => location.hash)).toBe('#/');
    },
  );

  test('what waits for the person comes first, and a missing permission brings them up again later', async () => {
    const page = await open({ approvals: [card()] });
    await page.getByRole('heading', { name: /Click “Send”/ }).waitFor();
    await expect.poll(() => page.getByText(/^Step \d/).count()).toBe(0);
    const later = await open({ approvals: [], activity: [activity()] });
    await later.getByText('Step 1 of 3').waitFor();
  });
});

describe('[req:AP-S-6] the demo', () => {
  const offered = (demo: 'ready' | 'running', agents: Shown['status']['agents'] = []) => ({ ...STATUS, agents, demo });

  test.each([
    ['light', 880, 900, 'none'],
    ['dark', 320, 700, 'none'],
    ['light', 400, 600, 'here'],
    ['dark', 400, 600, 'here'],
  ] as const)(
    'is one press away, %s at %i by %i',
    async (colorScheme, width, height, popover) => {
      const viewport = { width, height };
      const health: Health = { ...HEALTH, system: 'linux', permissions: { accessibility: 'granted' }, issues: [] };
      const page = await open({ status: offered('ready'), popover, health }, { colorScheme, viewport });
      if (popover === 'here') for (let step = 1; step < 3; step += 1) await next(page).click();
      const run = page.getByRole('button', { name: 'Run the demo' });
      await run.waitFor();
      await expect.poll(() => page.getByText('npm run demo').count()).toBe(0);
      // One filled button a screen: in the steps that is the one that goes on.
      await expect.poll(() => page.locator('main .btn.solid').count()).toBe(1);
      expect(await complaints(page)).toEqual([]);
      expect(await spread(page)).toEqual([]);
      await keepPicture(page, `first-demo-${width}-${colorScheme}`, { fullPage: true });
      await run.focus();
      await page.keyboard.press('Enter');
      expect(await pages.host().next('runDemo')).toMatchObject({ language: 'en' });
      pages.host().say({ type: 'status', status: offered('running') });
      const running = page.getByRole('button', { name: 'The demo is running' });
      await running.waitFor();
      await expect.poll(() => running.getAttribute('aria-disabled')).toBe('true');
      await keepPicture(page, `first-demo-running-${width}-${colorScheme}`);
      await running.press('Enter');
      await page.getByRole('link', { name: 'It waits for you on Home' }).waitFor();
      expect(pages.host().received.filter(({ type }) => type === 'runDemo')).toHaveLength(1);
    },
    60_000,
  );

  test.each([
    [1280, 720],
    [400, 600],
    [640, 360],
  ])(
    '[req:NC-8] has its button on the first screen at %i by %i, and what it asks is shown from its top',
    async (width, height) => {
      const page = await open({ status: offered('ready'), popover: 'none' }, { viewport: { width, height } });
      const run = page.getByRole('button', { name: 'Run the demo' });
      const box = await run.boundingBox();
      expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
      await expect.poll(() => page.locator('main .btn.solid').count()).toBe(1);
      await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
      const asked = question(1, 'Shall I begin?', { quickReplies: ['Begin'] });
      pages.host().say({ type: 'status', status: offered('running', STATUS.agents) });
      pages.host().say(asked);
      await page.getByText('Shall I begin?').waitFor();
      await eventually(() => page.evaluate(() => window.scrollY)).toBe(0);
      await page.getByRole('button', { name: 'Begin', exact: true }).click();
      await pages.host().next('ack');
      pages.host().say(answer(2, asked, 'Begin'));
      const one = card();
      pages.host().say({ type: 'approvalRequested', approval: one });
      const title = page.locator(`[id="t-${one.id}"]`);
      await title.waitFor();
      const header = await page.locator('header.top').boundingBox();
      expect((await title.boundingBox())?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
    },
  );

  test.each([
    ['failed', 'spawn ENOENT', 'The demo did not work. spawn ENOENT'],
    ['stopped', null, 'The demo was stopped, or nobody answered it.'],
  ] as const)('tells that it %s, and nothing when it finished', async (outcome, why, words) => {
    const page = await open({ status: offered('ready'), popover: 'none' });
    const answers = pages.host().answers;
    answers.runDemo = () => ({ outcome: 'finished', why: null });
    const run = page.getByRole('button', { name: 'Run the demo' });
    await run.click();
    await pages.host().next('runDemo');
    answers.runDemo = () => ({ outcome, why });
    await run.click();
    await page.getByRole('alert').getByText(words).waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(1);
  });

  test('is a command where the host cannot start it', async () => {
    const page = await open({ popover: 'none' });
    await page.getByText('npm run demo').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Run the demo' }).count()).toBe(0);
  });
});

describe('[req:AP-S-4] permissions', () => {
  test('[req:MP-5] each is explained, shown as it is, and one press opens its pane; nothing asks by looking', async () => {
    const page = await open();
    await next(page).click();
    const row = (name: string) => page.locator('li.item').filter({ hasText: name });
    await row('Accessibility').getByText('Missing').waitFor();
    await row('Screen Recording').getByText('Stale').waitFor();
    await row('Screen Recording').getByText('macOS lists Chaperone, but for an older build').waitFor();
    await row('Screen Recording').getByText('tccutil reset ScreenCapture dev.chaperone.app').waitFor();
    const steps = row('Screen Recording').locator('ol.steps-in li');
    expect(await steps.allTextContents()).toEqual([
      'Open Screen Recording in System Settings.',
      'Choose Chaperone in the list and remove it with −.',
      expect.stringContaining('Switch it on.'),
      'Come back here. The change appears automatically.',
    ]);
    await row('Accessibility').getByText('Input Monitoring is not needed').waitFor();
    await row('Automation').getByText('when it is first needed').waitFor();
    expect(pages.host().received.some(({ type }) => type === 'openPermission')).toBe(false);
    await row('Accessibility').getByRole('button', { name: 'Open System Settings' }).click();
    expect(await pages.host().next('openPermission')).toEqual({ type: 'openPermission', pane: 'accessibility' });
  });

  test('they are looked at again by themselves while they are shown', async () => {
    const page = await open();
    expect(pages.host().received.some(({ type }) => type === 'check')).toBe(false);
    await next(page).click();
    await pages.host().next('check');
    await pages.host().next('check');
    pages.host().say({ type: 'health', health: granted('granted') });
    await page.getByText('All set. You can continue.').waitFor();
    await next(page).click();
    await page.getByText('Step 3 of 3').waitFor();
  });

  test.each([
    ['linux', 'This is what was checked.'],
    ['simulated', 'pretend desktop'],
  ] as const)('on %s it says what there is to do, and offers no pane', async (system, words) => {
    const page = await open({ health: { ...HEALTH, system, permissions: { accessibility: 'missing' }, issues: [] } });
    await next(page).click();
    await page.getByText(words).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Open System Settings' }).count()).toBe(0);
  });
});

describe('for everyone', () => {
  test.each([
    ['light', 400, 880],
    ['dark', 320, 2000],
  ] as const)(
    'axe finds nothing, nothing sticks out, %s at %i and %i',
    async (colorScheme, narrow, wide) => {
      const shoot = (page: Page, name: string) => keepPicture(page, `first-${name}-${colorScheme}`, { fullPage: true });
      const look = async (page: Page, name: string) => {
        expect(await complaints(page), name).toEqual([]);
        expect(await spread(page), name).toEqual([]);
        await shoot(page, name);
      };
      let page = await open({}, { colorScheme, viewport: { width: narrow, height: 600 } });
      await look(page, `what-${narrow}`);
      await next(page).click();
      await look(page, `permissions-${narrow}`);
      await next(page).click();
      await page.getByRole('button', { name: 'Connect Claude Code' }).waitFor();
      await look(page, `connect-${narrow}`);
      const health: Health = { ...HEALTH, system: 'linux', permissions: { accessibility: 'granted' }, issues: [] };
      page = await open({ popover: 'none', health }, { colorScheme, viewport: { width: wide, height: 900 } });
      await page.getByRole('button', { name: 'Connect Claude Code' }).waitFor();
      await look(page, `page-${wide}`);
    },
    120_000,
  );

  test('a result is readable at once', async () => {
    const page = await open({ popover: 'none' }, { viewport: { width: 880, height: 900 } });
    pages.host().answers.setUp = () => ({
      outcome: 'added',
      files: [
        { path: '/Users/ana/.claude.json', backup: null },
        { path: '/Users/ana/.claude/settings.json', backup: '/Users/ana/.claude/settings.json.chaperone-backup' },
      ],
      ownLimit: false,
    });
    await page.getByRole('button', { name: 'Connect Claude Code' }).click();
    await page.getByText('Start a new Claude Code session').waitFor();
    await keepPicture(page, 'first-result-light', { fullPage: true });
  });
});
