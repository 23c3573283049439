import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepPicture } from '../support/keep-picture.js';
import type { Shown } from '../support/page-host.js';
import { activity, ago, card, GRANT, HABITS, HEALTH, mailPicture, POLICY, question, shellCard, STATUS } from '../support/page-samples.js'; // prettier-ignore
import { complaints, eventually, pageTests, spread } from '../support/page-test.js';
import { RECORDED_NAMES } from '../../src/main/protocol/index.js';

const pages = pageTests();

const shown = async (): Promise<Partial<Shown>> => {
  const asked = question(1, 'Which?', { quickReplies: ['This', 'That'] });
  return {
    approvals: [card({ picture: await mailPicture() }), shellCard()],
    history: [asked],
    pendingAckIds: [asked.ack_id],
    cursor: 1,
    activity: [activity(), activity({ outcome: 'denied' }), activity({ outcome: 'no_answer' })],
    policy: POLICY,
    grants: [GRANT],
    health: HEALTH,
    status: { ...STATUS, paused: null },
  };
};

test.each([
  ['de-DE', 320, 'de', 'Wartet auf Sie', 'Einstellungen', '90\u00a0%'],
  ['de-AT', 400, 'de', 'Wartet auf Sie', 'Einstellungen', '90\u00a0%'],
  ['zh-CN', 320, 'zh-CN', '等您处理', '设置', '90%'],
] as const)('[req:AP-W-1] speaks %s at %i, fits, and says nothing in English of its own', async (locale, width, lang, needs, settings, share) => {
  pages.host().answers = { applications: () => ({ apps: [] }), habits: () => ({ habits: HABITS }) };
  const page = await pages.open(await shown(), { locale, viewport: { width, height: 800 } });
  await page.getByRole('heading', { name: needs }).waitFor();
  expect(await page.getAttribute('html', 'lang')).toBe(lang);
  expect(await spread(page)).toEqual([]);
  const cut = page.locator('.btn, .chip').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
  expect(await cut).toEqual([]);
  expect(await complaints(page)).toEqual([]);
  const picture = async (name: string) => {
    await keepPicture(page, `${name}-${locale}-${width}`, { fullPage: true });
  };
  await picture('home');
  await page.getByRole('link', { name: new RegExp(`^${settings}`) }).click();
  await page.locator('#h-habits').waitFor();
  expect(await page.locator('main').innerText()).toMatch(new RegExp(share));
  pages.host().say({ type: 'pairings', pairings: [{ keyId: 'k', pairedAt: ago(9), lastSeenAt: ago(1), by: 'cli', here: true }] });
  await page.locator('#h-pairings').waitFor();
  expect(await spread(page)).toEqual([]);
  expect(await page.locator('main').innerText()).not.toMatch(/[\u4e00-\u9fff][,.:;]|。 /u);
  await picture('settings');
}); // prettier-ignore

test.each([
  ['de-DE', 'Ein Programm über SSH', 'Sie (auf der Seite)', 'Einstellungen'],
  ['zh-CN', '通过 SSH 的程序', '您（在页面上）', '设置'],
])('[req:RH-2] in %s what SSH forwards is called so in questions, the record and its filter, and grants', async (locale, name, you, settings) => {
  const searched: unknown[] = [];
  pages.host().answers = {
    applications: () => ({ apps: [] }),
    habits: () => ({ habits: HABITS }),
    activityPage: ({ filter }) => {
      searched.push(filter.agent);
      return { rows: [], next: null, total: 0, damaged: 0, agents: Object.values(RECORDED_NAMES) };
    },
  };
  const forwarded = { id: 'far', name: 'A program via SSH', tile: 'SSH', via: 'ssh' as const };
  const asked = question(1, 'Which?', { agent: forwarded });
  const { executable, script, pid, startTime } = GRANT.agent;
  const grants = [{ ...GRANT, agent: { ...forwarded, executable, script, pid, startTime } }];
  const page = await pages.open(
    { ...(await shown()), approvals: [], history: [asked], pendingAckIds: [asked.ack_id], activity: [activity({ agent: forwarded })], grants },
    { locale },
  );
  const main = page.locator('main');
  await main.getByText(name).first().waitFor();
  expect(await main.innerText()).not.toContain(forwarded.name);
  await page.getByRole('link', { name: new RegExp(`^${settings}`) }).click();
  await main.getByText(name).first().waitFor();
  expect(await main.innerText()).not.toContain(forwarded.name);
  await page.evaluate(() => void (location.hash = '#/activity'));
  const agents = page.getByRole('combobox').first();
  await agents.getByText(name).waitFor({ state: 'attached' });
  expect((await agents.locator('option').allInnerTexts()).slice(1)).toEqual([you, name]);
  await agents.selectOption(name);
  await eventually(() => searched.at(-1)).toBe(forwarded.name);
}); // prettier-ignore

test('a language nobody speaks here is English, with times as that browser has them', async () => {
  const page = await pages.open(await shown(), { locale: 'fr-FR' });
  await page.getByRole('heading', { name: 'Waiting for you' }).waitFor();
  expect(await page.getAttribute('html', 'lang')).toBe('en');
});

test('[req:AP-I-1] can be installed: Chromium reads the manifest without a complaint', async () => {
  const page = await pages.open();
  const session = await page.context().newCDPSession(page);
  const { url, errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(url).toBe(`${pages.host().url}manifest.webmanifest`);
  const manifest: { icons: { src: string; sizes: string; purpose: string }[]; display: string } = JSON.parse(
    data ?? '{}',
  );
  expect(manifest.display).toBe('standalone');
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual(['192x192 any', '512x512 any', '512x512 maskable']); // prettier-ignore
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Tests run in a window of their own, in which Chromium installs nothing.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
  const answer = await page.request.get(url);
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  for (const { src } of manifest.icons)
    expect(await readFile(join(pages.dir(), src))).toSatisfy(
      (bytes: Buffer) => bytes.subarray(1, 4).toString() === 'PNG',
    );
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length))).toBe(0);
});
