/** The demo agent through the real page, a real host and the real shim: what a person sees who presses the button. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { alive } from '../support/alive.js';
import { startHost, type TestHost } from '../support/host.js';
import { keepPicture } from '../support/keep-picture.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';
import { complaints, eventually, isDead, press, spread } from '../support/page-test.js';
import { openPage, type Person } from '../support/person.js';
import { openRpc } from '../support/rpc.js';

const LAUNCHER = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../../dist/main/cli/index.js'), 'mcp'],
};

let browser: PageBrowser;
let chaperone: TestHost;
let desktop: SimulatedDesktop;
const contexts: BrowserContext[] = [];
const people: Person[] = [];

beforeAll(async () => {
  browser = await startPageBrowser();
});
afterAll(() => browser.close());
afterEach(async () => {
  for (const person of people.splice(0)) person.close();
  for (const context of contexts.splice(0)) await context.close();
  await chaperone.close();
});

async function start(): Promise<void> {
  const openDesktop = async () => {
    const opened = openSimulated();
    desktop = opened;
    return { desktop, name: 'simulated', display: 'in memory', note: null, env: null, close: () => opened.close() };
  };
  chaperone = await startHost({ assets: browser.dir, launcher: LAUNCHER, openDesktop });
}

async function open(options: Parameters<PageBrowser['open']>[0] = {}): Promise<Page> {
  const { page, context } = await browser.open(options);
  contexts.push(context);
  await page.goto(chaperone.host.pairingLink());
  await page.locator('#views').waitFor();
  return page;
}

async function person(link?: string): Promise<Person> {
  const one = await openPage(chaperone.host.url, link);
  people.push(one);
  return one;
}

const shoot = (page: Page, name: string) => keepPicture(page, `demo-${name}`, { fullPage: true });
const run = (page: Page) => page.getByRole('button', { name: 'Run the demo' });
const say = (page: Page, words: string) => page.getByRole('button', { name: words, exact: true }).click();
const pointer = () => desktop.pointer(AbortSignal.timeout(5_000));
const summary = (page: Page) => page.locator('.md').filter({ hasText: 'All done.' });
const agents = () => chaperone.host.menubar.status().agents;

/** A card of the demo, answered once its buttons are alive. */
async function decide(page: Page, heading: RegExp, part: 'allow' | 'deny'): Promise<void> {
  const card = page.locator('article', { has: page.getByRole('heading', { name: heading }) });
  const button = card.locator(`[data-part="${part}"]:not([aria-disabled="true"])`);
  await button.click();
  await card.waitFor({ state: 'detached' });
}

async function ended(page: Page): Promise<void> {
  await say(page, 'Thank you');
  await eventually(agents).toEqual([]);
  await page.locator('.reply').last().getByText('Chaperone demo has it').waitFor();
  await page.evaluate(() => (location.hash = '#/welcome'));
  await eventually(() => isDead(run(page))).toBe(false);
}

const look = /^See|^Take|picture|screen/i;
const move = /^Move the pointer/;

describe('[req:AP-S-6] the demo', () => {
  test('asks, shows two real requests, and tells what it got and where the evidence is', async () => {
    await start();
    const page = await open();
    const before = await pointer();
    await shoot(page, 'ready-880');
    await run(page).click();
    await page.getByText('Shall I begin?').waitFor();
    expect(agents()).toMatchObject([{ name: 'Chaperone demo', demo: true, tile: 'CD' }]);
    await shoot(page, 'question-880');
    await say(page, 'Begin');
    await page.locator('[data-part="allow"]').waitFor();
    const [card] = chaperone.host.menubar.cards();
    expect(card).toMatchObject({ tool: 'capture_screenshot', effect: 'disclose', agent: { demo: true } });
    expect(card?.grants.map(({ kind }) => kind)).toEqual(['once']);
    expect(card?.agent.script).toBe(LAUNCHER.args[0]);
    await shoot(page, 'picture-880');
    await decide(page, look, 'allow');
    await page.getByRole('heading', { name: move }).waitFor();
    expect(chaperone.host.menubar.cards()[0]?.grants.map(({ kind }) => kind)).toEqual(['once']);
    expect(await pointer()).toEqual(before);
    await shoot(page, 'pointer-880');
    await decide(page, move, 'allow');
    await summary(page).waitFor();
    const { main, frame } = (await desktop.displays(AbortSignal.timeout(5_000)))[0] ?? {};
    expect(main).toBe(true);
    const middle = { x: Math.round((frame?.width ?? 0) / 2), y: Math.round((frame?.height ?? 0) / 2) };
    expect(await pointer()).toEqual(middle);
    const told = await summary(page).innerText();
    expect(told).toMatch(/Screenshot: I got one of \d+ × \d+ pixels/);
    expect(told).toContain(`it is at (${middle.x}, ${middle.y}) now, and that was checked.`);
    expect(told).not.toMatch(/AX[A-Z]|artifacts/);
    const ids = [...told.matchAll(/#\/evidence\/([0-9a-f-]{36})/g)].map(([, id = '']) => id);
    const files = readdirSync(join(chaperone.workspace, 'artifacts'), { recursive: true }).map(String);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(files.filter((file) => file.endsWith(`${id}/result.json`))).toHaveLength(1);
    await shoot(page, 'summary-880');
    await ended(page);
  });

  test('takes No for an answer, wherever it is given', async () => {
    await start();
    const page = await open();
    const before = await pointer();
    await run(page).click();
    await say(page, 'Begin');
    await page.getByRole('button', { name: 'Exact request and who is asking' }).click();
    await page.getByPlaceholder('Optional').fill('not my *screen*');
    await decide(page, look, 'deny');
    await decide(page, move, 'deny');
    await summary(page).waitFor();
    const told = await summary(page).innerText();
    expect(told).toContain('Screenshot: you said no, so I got nothing. You told me: “not my *screen*”');
    expect(told).toContain('Moving the pointer: you said no, so I got nothing.');
    expect(told).not.toContain('#/evidence/');
    expect(await pointer()).toEqual(before);
    await shoot(page, 'denied-880');
    await ended(page);
    await run(page).click();
    await page.evaluate(() => (location.hash = '#/'));
    await say(page, 'No');
    await page.getByText('Then I do nothing.').waitFor();
    expect(chaperone.host.menubar.cards()).toEqual([]);
    await ended(page);
  });

  test('runs once however often it is asked for, on every page, and ends with the host and all it asked', async () => {
    await start();
    const page = await open();
    const other = await person(chaperone.host.pairingLink());
    await run(page).dblclick();
    await page.getByText('Shall I begin?').waitFor();
    expect(agents()).toHaveLength(1);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    other.send({ type: 'runDemo', request: randomUUID(), language: 'en' });
    expect(await other.next('error')).toMatchObject({ code: 'demo_running' });
    await page.evaluate(() => (location.hash = '#/welcome'));
    const running = page.getByRole('button', { name: 'The demo is running' });
    expect(await isDead(running)).toBe(true);
    await press(page, running);
    await shoot(page, 'running-880');
    const { pid = 0 } = agents()[0] ?? {};
    expect(alive(pid)).toBe(true);
    await chaperone.restart();
    expect(alive(pid)).toBe(false);
    await eventually(() => page.getByText('No longer needs an answer').count()).toBe(0);
    await page.evaluate(() => (location.hash = '#/'));
    await page.getByText('No longer needs an answer').waitFor();
    await page.getByRole('button', { name: 'Begin', exact: true }).waitFor({ state: 'detached' });
  });

  test('says why it cannot run, and that it was stopped', async () => {
    await start();
    const page = await open();
    chaperone.host.menubar.pause();
    await page.getByText('Agents are paused').first().waitFor();
    await run(page).click();
    await page.getByRole('alert').getByText('Resume them first').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    chaperone.host.menubar.resume();
    await run(page).click();
    await page.getByText('Shall I begin?').waitFor();
    const { pid = 0 } = agents()[0] ?? {};
    process.kill(pid, 'SIGTERM');
    await page.getByRole('alert').getByText('The demo was stopped').waitFor();
    await page.getByText('No longer needs an answer').waitFor();
  });

  test('is for a person on a paired page: nobody else can start it', async () => {
    await start();
    const stranger = await person();
    stranger.send({ type: 'runDemo', request: randomUUID(), language: 'en' });
    expect(await stranger.next('error')).toMatchObject({ code: 'pairing_needed' });
    expect(JSON.stringify(stranger.seen)).not.toContain('"demo"');
    const rpc = await openRpc(chaperone.host.socketPath, chaperone.workspace);
    for (const method of ['runDemo', 'demo/run', 'admin/runDemo', 'admin/demo'])
      expect((await rpc.error(method, { language: 'en' })).code).toBe('DESKTOP_INVALID_REQUEST');
    expect(agents().filter(({ demo }) => demo === true)).toEqual([]);
    rpc.close();
    await eventually(agents).toEqual([]);
    // Whoever starts its program gets an agent like any other.
    const env = { PATH: process.env['PATH'], CHAPERONE_HOME: chaperone.home };
    const other = spawn(process.execPath, [...LAUNCHER.args.slice(0, 1), 'demo-agent'], { env, stdio: 'pipe' });
    const left = once(other, 'close');
    await eventually(() => agents().map(({ name, demo = false }) => [name, demo])).toEqual([
      [`node · ${LAUNCHER.args[0]}`, false],
    ]);
    other.stdin.end();
    await left;
    await eventually(agents).toEqual([]);
  });

  test('talks in the language of its page, and fits where it is narrow', async () => {
    await start();
    const page = await open({ locale: 'de-DE', viewport: { width: 320, height: 700 }, colorScheme: 'dark' });
    await page.getByRole('button', { name: 'Vorführung starten' }).click();
    await page.getByText('Soll ich anfangen?').waitFor();
    expect(await spread(page)).toEqual([]);
    await shoot(page, 'question-320');
    await say(page, 'Anfangen');
    await page.locator('[data-part="allow"]').waitFor();
    await shoot(page, 'picture-320');
    expect(await complaints(page)).toEqual([]);
  });
});
