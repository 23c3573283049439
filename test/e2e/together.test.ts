import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startApp, type DesktopApp } from '../support/desktop-app.js';
import { eventually } from '../support/eventually.js';
import { realPresses, startHost, type TestHost } from '../support/host.js';
import { keepPicture } from '../support/keep-picture.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';

let browser: PageBrowser;
let chaperone: TestHost;
let apps: DesktopApp[];
let agents: TestAgent[] = [];
let page: Page;

beforeAll(async () => {
  browser = await startPageBrowser();
  chaperone = await startHost({ backend: 'linux', display: 'virtual', assets: browser.dir, ...realPresses });
  const start = (title: string) => startApp('gtk', chaperone.host.desktopEnv ?? {}, ['--title', title]);
  apps = await Promise.all([start('Letter'), start('List')]);
  page = (await browser.open()).page;
  await page.goto(chaperone.host.pairingLink());
  await page.locator('#views').waitFor({ state: 'attached' });
}, 120_000);
afterAll(async () => {
  for (const agent of agents) await agent.close();
  for (const app of apps) await app.close();
  await chaperone.close();
  await browser.close();
});

/** Another agent each time: nothing is remembered for it. */
async function another(): Promise<TestAgent> {
  const agent = await startAgent(chaperone.home, { cwd: chaperone.workspace, ownProcess: true });
  agents = [...agents, agent];
  return agent;
}

const card = () => page.locator('[data-slot="open"]');
const armed = (part: string) => card().locator(`[data-part="${part}"]:not([aria-disabled])`);
const headings = () => card().locator('h3').allInnerTexts();

/** Three looks in one go, as a client sends calls that do not depend on each other. */
async function look(): Promise<Promise<{ isError: boolean; text: string }>[]> {
  const agent = await another();
  return [
    agent.call('list_windows'),
    ...apps.map(({ pid }) => agent.call('get_element_tree', { parent: `applications/${pid}` })),
  ];
}

test('[req:TG-1] three looks sent at once are one card with one press, and each has its own decision in the record', async () => {
  const calls = await look();
  await eventually(headings).toEqual(['Look at 3 things']);
  await keepPicture(page, 'together-real', { fullPage: true });
  await armed('allow').click();
  for (const call of calls) expect(await call).toMatchObject({ isError: false });
  const log = await readFile(join(chaperone.home, 'state/audit.jsonl'), 'utf8');
  const decided = [...log.matchAll(/"approvalId":"([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(decided).size).toBe(3);
});

test('[req:TG-1] one of them can be denied by itself', async () => {
  const [titles, letter, list] = await look();
  await eventually(headings).toEqual(['Look at 3 things']);
  await card().locator('li', { hasText: 'Letter' }).locator('[data-part="deny-one"]:not([aria-disabled])').click();
  expect(await letter).toMatchObject({ isError: true });
  await eventually(headings).toEqual(['Look at 2 things']);
  await armed('allow').click();
  expect(await titles).toMatchObject({ isError: false });
  expect(await list).toMatchObject({ isError: false });
});

test('[req:TG-1] D denies them all', async () => {
  const calls = await look();
  await eventually(headings).toEqual(['Look at 3 things']);
  await armed('deny').waitFor();
  await page.keyboard.press('d');
  for (const call of calls) expect(await call).toMatchObject({ isError: true });
});

test('[req:TG-5] one whose application has ended meanwhile fails alone', async () => {
  const calls = await look();
  await eventually(headings).toEqual(['Look at 3 things']);
  await apps[1]?.close();
  await armed('allow').click();
  const [titles, letter, list] = await Promise.all(calls);
  expect(titles).toMatchObject({ isError: false });
  expect(letter).toMatchObject({ isError: false });
  expect(list).toMatchObject({ isError: true });
});
