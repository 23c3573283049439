import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';

let browser: PageBrowser;
let chaperone: TestHost;
let agent: TestAgent;
let page: Page;
let problems: string[];
let asked: string[];

beforeAll(async () => {
  browser = await startPageBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  chaperone = await startHost({ assets: browser.dir });
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  const opened = await browser.open({ viewport: { width: 600, height: 640 } });
  ({ page, problems } = opened);
  asked = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('websocket', (socket) => asked.push(socket.url()));
  await page.goto(chaperone.host.pairingLink());
  await page.locator('#views').waitFor();
});
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
  await agent.close();
  await chaperone.close();
});

const ask = (text: string) => agent.call('send_message', { text });
const fields = () => page.getByRole('log').locator('textarea');
const turns = () => page.getByRole('log').locator('[data-anchor]').allInnerTexts();
const reply = async (text: string) => {
  await fields().fill(text);
  await page.getByRole('button', { name: 'Reply' }).click();
};
const inView = (text: string) =>
  page.getByText(text).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

describe('the page', () => {
  test('[req:CH-7-1] [req:CH-7-2] [req:CH-7-3] [req:CH-7-5] lists both sides, takes a reply while a question is open, and says that the agent is at work', async () => {
    await expect.poll(() => fields().count()).toBe(0);
    const answer = ask('Which **one**?');
    answer.catch(() => undefined);
    await page.getByText('Which one?').waitFor();
    await expect.poll(() => fields().count()).toBe(1);
    await expect.poll(() => page.getByText('is working').count()).toBe(0);
    await reply('  the left one 你好 ');
    expect((await answer).value).toEqual({ reply: '  the left one 你好 ', paired: true });
    await page.getByText('is working').waitFor();
    await expect.poll(() => fields().count()).toBe(0);
    const said = await turns();
    expect(said).toHaveLength(2);
    expect(said[0]).toContain('Which one?');
    expect(said[1]).toContain('the left one 你好');
  });

  test('[req:CH-1-1] [req:CH-7-7] comes from the host itself, whole, and asks nobody else', async () => {
    const own = new URL(chaperone.host.url);
    expect(new Set(asked.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).host))).toEqual(
      new Set([own.host]),
    );
    expect(asked.some((url) => url.endsWith('.js'))).toBe(true);
    expect(await page.locator('.top').evaluate((head) => getComputedStyle(head).position)).toBe('sticky');
    expect(asked.some((url) => url === `ws://${own.host}/ws`)).toBe(true);
  });

  test('[req:CH-6-1] [req:CH-6-2] shows the conversation again after a reload, and the open question can be answered', async () => {
    const first = ask('First?');
    await page.getByText('First?').waitFor();
    await reply('one');
    await first;
    const second = ask('Second?');
    await page.getByText('Second?').waitFor();
    await page.reload();
    await page.locator('#views').waitFor();
    await page.getByText('Second?').waitFor();
    expect((await turns()).map((text) => /First\?|one|Second\?/.exec(text)?.[0])).toEqual(['First?', 'one', 'Second?']);
    await reply('two');
    expect((await second).value).toMatchObject({ reply: 'two' });
  });
});

describe('a new message', () => {
  const long = (name: string) => `${name}\n\n${'A line of words.\n\n'.repeat(12)}`;

  test('[req:CH-7-4] [req:DS-7-5] comes into view for a person at the end of the list, and moves nobody else', async () => {
    for (const name of ['one', 'two', 'three']) {
      const answer = ask(long(name));
      await fields().waitFor();
      await reply(`to ${name}`);
      await answer;
      await expect.poll(() => fields().count()).toBe(0);
    }
    const end = page.getByRole('log').locator(':scope > *').last();
    await end.evaluate((element) => element.scrollIntoView({ block: 'end', behavior: 'instant' }));
    ask('Here I am').catch(() => undefined);
    await page.getByText('Here I am').waitFor();
    await eventually(() => inView('Here I am')).toBe(true);

    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      window.scrollTo({ top: 40, behavior: 'instant' });
    });
    const top = await page.evaluate(() => scrollY);
    ask('And here').catch(() => undefined);
    await page.getByText('And here').waitFor();
    await eventually(() => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(scrollY))))).toBe(
      top,
    );
    expect(await inView('And here')).toBe(false);

    await fields().first().focus();
    await fields().first().fill('half a rep');
    const typing = await page.evaluate(() => scrollY);
    ask('While you write').catch(() => undefined);
    await page.getByText('While you write').waitFor();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    expect(await page.evaluate(() => scrollY)).toBe(typing);
  });
});

describe('a lost connection', () => {
  test('[req:CH-7-6] is tried again with growing pauses until the host is back', async () => {
    const { port } = new URL(chaperone.host.url);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const attempts: number[] = [];
    let failed = 0;
    await page.exposeFunction('attempted', (at: number) => attempts.push(at));
    await page.exposeFunction('failed', () => (failed += 1));
    await page.evaluate(() => {
      const told = window as unknown as { attempted(at: number): void; failed(): void };
      window.WebSocket = new Proxy(WebSocket, {
        construct(target, given: [string]) {
          told.attempted(Date.now());
          const socket = new target(...given);
          socket.addEventListener('close', () => told.failed());
          return socket;
        },
      });
    });
    // Its shim would start another host.
    await agent.close();
    await chaperone.host.close();
    await page.getByText('Lost the connection').waitFor();
    for (let tenths = 0; tenths < 400; tenths++) {
      await page.clock.runFor(100);
      await eventually(() => failed).toBe(attempts.length);
    }
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    expect(pauses.length).toBeGreaterThanOrEqual(4);
    for (const [at, pause] of pauses.slice(1, 4).entries()) expect(pause).toBeGreaterThan((pauses[at] ?? 0) * 1.3);

    await chaperone.restart({ port: Number(port) });
    await eventually(async () => (await page.clock.runFor(1000), page.getByText('Lost the connection').count())).toBe(
      0,
    );
  });
});
