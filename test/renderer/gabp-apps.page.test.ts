import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { message, verbatim } from '../../src/messages/index.js';
import { title, type ShownGabpApp } from '../../src/main/protocol/index.js';
import { keepPicture } from '../support/keep-picture.js';
import { activity, card } from '../support/page-samples.js';
import { complaints, pageTests, spread, unmarked } from '../support/page-test.js';

const pages = pageTests();
const GAME: ShownGabpApp = {
  name: 'game', state: 'connected', kind: 'launch', place: '/usr/bin/game --bridge', start: 'auto', confirmed: true,
  claim: 'Test game 1.0', tools: 8, hasLog: true, attention: null,
}; // prettier-ignore
const OTHER: ShownGabpApp = {
  ...GAME, name: 'editor', state: 'stopped', kind: 'attach', place: '/home/me/editor/bridge.json', start: 'manual', confirmed: false, claim: null, tools: 0, hasLog: false,
}; // prettier-ignore
const ALARM = { id: 'a-1', summary: 'The base burns.' };

const say = (apps: ShownGabpApp[]) => pages.host().say({ type: 'gabpApps', apps, fault: null });
const region = (page: Page) => page.locator('section[aria-labelledby="h-apps"]');
const openAgents = (page: Page) => page.getByRole('link', { name: 'Agents', exact: true }).click();

async function look(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [320, 880]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await spread(page)).toEqual([]);
      await keepPicture(page, `${name}-${width}-${scheme}`, { fullPage: true });
    }
  }
  expect(await complaints(page)).toEqual([]);
}

test('[req:GC-9] a person sees the applications with state and log, and starts and stops them', async () => {
  const page = await pages.open({ activity: [activity({})] });
  await openAgents(page);
  expect(await region(page).count()).toBe(0);
  say([GAME, OTHER]);
  const row = (name: string) => region(page).getByRole('listitem').filter({ hasText: name });
  await row('game').first().getByText('8 tools').waitFor();
  await row('editor')
    .getByText(/you confirm it in a request/i)
    .waitFor();
  pages.host().answers = { ...pages.host().answers, appLog: () => ({ lines: [{ at: '2026-01-01T10:00:00.000Z', text: 'the game has begun' }] }) }; // prettier-ignore
  await region(page).getByRole('button', { name: 'Log', exact: true }).click();
  await region(page).getByText('the game has begun').waitFor();
  await look(page, 'apps');
  await region(page).getByRole('button', { name: 'Stop', exact: true }).click();
  expect(await pages.host().next('stopApp')).toMatchObject({ name: 'game' });
  await region(page).getByRole('button', { name: 'Start', exact: true }).click();
  expect(await pages.host().next('startApp')).toMatchObject({ name: 'editor' });
  say([GAME, { ...OTHER, state: 'asking' }]);
  await row('editor').getByText('Waiting for your confirmation').waitFor();
  const start = region(page).getByRole('button', { name: 'Start', exact: true });
  expect(await start.getAttribute('aria-disabled')).toBe('true');
});

test('the card of a Start that the person pressed names them, in their language, and takes no message to themselves', async () => {
  const asked = card({
    agent: { ...card().agent, name: 'You (on the page)', claim: null, person: true },
    effect: 'dangerous',
    tool: 'connect_application',
    subject: { title: title('title.start_app'), target: 'game', app: null, place: '/usr/bin/game --bridge' },
    notes: [message('note.started_on_page')],
    grants: [],
  });
  const page = await pages.open({ approvals: [asked] });
  const shown = page.getByRole('article');
  await shown.getByText('You (on the page) want to').waitFor();
  await shown.getByText('if that was not you, deny.').waitFor();
  await page.getByRole('status').getByText('You (on the page) want to start').first().waitFor({ state: 'attached' });
  await shown.getByRole('button', { name: 'Exact request' }).click();
  expect(await shown.getByText('sent with Deny').count()).toBe(0);
  await look(page, 'start-card');
  const german = await pages.open({ approvals: [asked] }, { locale: 'de-DE' });
  await german.getByRole('article').getByText('Sie (auf der Seite) möchten').waitFor();
});

test('[req:GC-9] what an application wants seen is on Home, too, and the person acknowledges it there', async () => {
  const page = await pages.open({ activity: [activity({})] });
  say([{ ...GAME, attention: ALARM }, OTHER]);
  await region(page).getByText('The base burns.').waitFor();
  expect(await region(page).getByText('editor', { exact: true }).count()).toBe(0);
  await look(page, 'attention');
  await region(page).getByRole('button', { name: 'I have seen it' }).click();
  expect(await pages.host().next('acknowledgeApp')).toMatchObject({ name: 'game', attentionId: 'a-1' });
  say([GAME, OTHER]);
  await expect.poll(() => region(page).count()).toBe(0);
});

test('[req:GC-9] whatever an application says, the page stays whole, and nothing of it acts', async () => {
  const page = await pages.open({ activity: [activity({})] }, { viewport: { width: 320, height: 700 } });
  const hostile = `<img src=x onerror="document.title='owned'">\u202e\u200b\u001b[2J\u0007${'W'.repeat(1_000_000)}`;
  say([{ ...GAME, claim: hostile, place: hostile, attention: { id: 'a', summary: hostile } }]);
  pages.host().answers = { ...pages.host().answers, appLog: () => ({ lines: Array.from({ length: 200 }, () => ({ at: 'no time', text: hostile.slice(0, 5_000) })) }) }; // prettier-ignore
  await openAgents(page);
  await region(page).getByRole('button', { name: 'Log', exact: true }).click();
  await region(page).getByRole('list', { name: 'Log of game' }).waitFor();
  expect(await spread(page)).toEqual([]);
  expect(await unmarked(page)).toEqual([]);
  expect(await page.title()).toBe('Agents · Chaperone');
  await region(page).getByRole('button', { name: 'Stop', exact: true }).click();
  expect(await pages.host().next('stopApp')).toMatchObject({ name: 'game' });
});

test('[req:GC-9] a file that cannot be used says why', async () => {
  const page = await pages.open({ activity: [activity({})] });
  await openAgents(page);
  pages.host().say({ type: 'gabpApps', apps: [], fault: verbatim('gabp-apps.json: no version.') });
  await region(page).getByText('gabp-apps.json: no version.').waitFor();
});
