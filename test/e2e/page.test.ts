import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startApp, type DesktopApp } from '../support/desktop-app.js';
import { startHost, type TestHost } from '../support/host.js';
import { keepPicture } from '../support/keep-picture.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';

let browser: PageBrowser;
let chaperone: TestHost;
let app: DesktopApp;
let agent: TestAgent;
let page: Page;
let problems: string[];

beforeAll(async () => {
  browser = await startPageBrowser();
  chaperone = await startHost({ backend: 'linux', display: 'virtual', assets: browser.dir });
  app = await startApp('gtk', chaperone.host.desktopEnv ?? {}, ['--title', 'Letter']);
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
});
afterAll(async () => {
  await agent.close();
  await app.close();
  await chaperone.close();
  await browser.close();
});
beforeEach(async () => {
  const opened = await browser.open();
  ({ page, problems } = opened);
  await page.goto(chaperone.host.pairingLink());
  // Only a paired page has its views; until its link is used up nothing on screen is shown to agents.
  await page.locator('#views').waitFor({ state: 'attached' });
});
afterEach(async () => {
  expect(problems).toEqual([]);
  await page.context().close();
});

const article = (title: string) => page.locator('article').filter({ hasText: title });
const allowButton = (title: string) => article(title).locator('[data-part="allow"]');
const armed = (title: string) => allowButton(title).and(page.locator(':not([aria-disabled])'));

/** Looking is allowed as it is asked for. */
async function findSend(): Promise<string> {
  const work = agent.call('wait_element', { parent: `applications/${app.pid}`, role: 'AXButton', title: 'Send' });
  let over = false;
  void work.finally(() => (over = true));
  while (!over) {
    const looking = armed('Read the controls');
    await Promise.race([work, looking.waitFor()]);
    if (!over) await looking.click({ timeout: 5000 }).catch(() => undefined);
  }
  const found = await work;
  if (found.isError) throw new Error(found.text);
  return (found.value['element'] as { elementId: string }).elementId;
}
const presses = async () =>
  (await app.journal()).filter((line) => line.control === 'send' && line.event === 'pressed').length;

describe('a person at the page, in a real Chromium', () => {
  test('sees what will be touched, presses Allow with the keyboard, and it happens', async () => {
    const element_id = await findSend();
    const before = await presses();
    const work = agent.call('click_element', { element_id });
    await article('Click “Send”').locator('img').waitFor();
    await keepPicture(page, 'approval', { fullPage: true });
    await armed('Click “Send”').waitFor();
    await page.locator('body').press('j');
    await page.locator('body').press('a');
    await page.keyboard.press('Enter');
    expect(await presses()).toBe(before);
    await armed('Click “Send”').waitFor();
    // What sends is allowed by holding.
    await page.keyboard.down('Space');
    const result = await work;
    await page.keyboard.up('Space');
    expect(result.isError, result.text).toBe(false);
    expect(await presses()).toBe(before + 1);
    await page.getByText('Clicked “Send”').waitFor();
    await keepPicture(page, 'done', { fullPage: true });
  });

  test('denies with a word, and the application is left alone', async () => {
    const element_id = await findSend();
    const before = await presses();
    const work = agent.call('click_element', { element_id });
    await armed('Click “Send”').waitFor();
    await article('Click “Send”').locator('[data-part="deny"]').click();
    const result = await work;
    expect(result.isError).toBe(true);
    expect(await presses()).toBe(before);
  });

  test('[req:DS-7-3] reads a question and answers it; the agent has the reply', async () => {
    const work = agent.call('send_message', { text: 'Which **colour**?', quick_replies: ['Blue', 'Green'] });
    await page.getByRole('button', { name: 'Green' }).click();
    expect((await work).value).toMatchObject({ reply: 'Green', paired: true });
  });

  test('keeps the card over a reload, and stop ends what waits', async () => {
    const element_id = await findSend();
    const work = agent.call('click_element', { element_id });
    await armed('Click “Send”').waitFor();
    await page.reload();
    await armed('Click “Send”').waitFor();
    await page.getByRole('button', { name: /^Stop/ }).click();
    const result = await work;
    expect(result.isError).toBe(true);
    expect((await agent.call('click_element', { element_id })).text).toContain('paused');
    await keepPicture(page, 'paused', { fullPage: true });
    await page.getByRole('button', { name: /Resume|Let agents/ }).click();
    await expect.poll(async () => (await agent.call('list_displays')).isError).toBe(false);
  });
});
