/** Code that is not in the page's first file: fetched when there is nothing else to do, and missed where it cannot be had. */
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { question } from '../support/page-samples.js';
import { pageTests, pressIfThere } from '../support/page-test.js';

const pages = pageTests();
const LATER = /assets\/later-views-/;
const MARKDOWN = /assets\/Markdown-/;
const PROSE = 'Use **the left** one.';

/** Nobody watches the errors of a second page: what a browser says of a file that it cannot have. */
async function unwatched(): Promise<Page> {
  return (await pages.blank()).context.newPage();
}

const show = (page: Page, view: string): Promise<void> =>
  page.evaluate((name) => void (location.hash = `#/${name}`), view);

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('[req:TI-8] the first view does not wait for the code of the others, which comes by itself and then needs no host', async () => {
  const { page } = await pages.blank();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(LATER, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(LATER);
  const came = page.waitForResponse(LATER);
  await page.goto(pages.host().pairingLink());
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  await asked;
  await show(page, 'agents');
  await heading(page, 'Agents').waitFor();
  await page.getByText('Loading').waitFor();
  release();
  await (await came).finished();
  await page.getByText('Loading').waitFor({ state: 'detached' });
  await page.route('**', (route) => route.abort());
  pages.host().goAway();
  for (const [view, name] of [
    ['activity', 'Activity'],
    ['live', 'Live'],
    ['health', 'Health'],
    ['settings', 'Settings'],
  ] as const) {
    await show(page, view);
    await heading(page, name).waitFor();
    expect(await page.getByText('not loaded yet').count()).toBe(0);
  }
});

test('[req:TI-8] a view whose code is gone says that the page is older than the host, and a reload brings the matching one', async () => {
  const page = await unwatched();
  await page.route(LATER, (route) => route.fulfill({ status: 404, contentType: 'application/json', body: '{}' }));
  await page.goto(pages.host().pairingLink());
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  await show(page, 'settings');
  await page.getByText('the page may be older than the host').waitFor();
  await page.unroute(LATER);
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await heading(page, 'Settings').waitFor();
  await page.getByRole('heading', { name: 'This page' }).waitFor();
});

test('[req:TI-8] a view whose code did not come before the host went says so, and no longer once the host is back', async () => {
  const page = await unwatched();
  await page.route(LATER, (route) => route.abort());
  await page.goto(pages.host().pairingLink());
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  pages.host().goAway();
  await page.getByRole('button', { name: 'Try now' }).waitFor();
  await show(page, 'health');
  await page.getByText('This view was not loaded yet').waitFor();
  await heading(page, 'Health').waitFor();
  await page.unroute(LATER);
  pages.host().comeBack();
  // By itself, so that nothing has to be pressed before it is gone.
  await page.getByText('This view was not loaded yet').waitFor({ state: 'detached' });
  // A browser may keep a failure until a reload.
  const reload = page.getByRole('button', { name: 'Reload the page' });
  const licences = page.getByRole('link', { name: 'Licences of the libraries in this page' });
  await reload.or(licences).first().waitFor();
  await pressIfThere(page, 'Reload the page');
  await licences.waitFor();
});

test('messages are shown as they were written until Markdown can be read, and where it cannot', async () => {
  const page = await unwatched();
  pages.host().shown.history = [question(1, PROSE)];
  await page.route(MARKDOWN, (route) => route.abort());
  await page.goto(pages.host().pairingLink());
  await page.getByText(PROSE).waitFor();
  await page.unroute(MARKDOWN);
  await page.reload();
  await page.locator('.md strong', { hasText: 'the left' }).waitFor();
});
