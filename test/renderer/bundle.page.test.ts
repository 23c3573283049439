import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inlineCodeOf } from '../../src/main/serve/page/headers.js';
import { card } from '../support/page-samples.js';
import { pageTests } from '../support/page-test.js';

const pages = pageTests();

/** Of what the first view comes with. */
const LIMIT = 319_000;
/** Without any other language's words. */
const ENGLISH_LIMIT = 272_000;
/** Fetched once the page has nothing else to do. */
const LATER = /^assets\/later-views-/;
const LATER_LIMIT = 25_000;

async function zippedSize(files: readonly string[]): Promise<number> {
  const bodies = await Promise.all(files.map((file) => readFile(join(pages.dir(), file))));
  return bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
}

test.each([
  ['en-GB', 'Waiting for you', []],
  ['de-DE', 'Wartet auf Sie', ['de']],
  ['zh-CN', '等您处理', ['zh']],
] as const)('[req:AP-B-1] the page is small in %s, and loads that language only', async (locale, needs, languages) => {
  const { page } = await pages.blank({ locale });
  pages.host().shown.approvals = [card()];
  const loaded: string[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(pages.host().url)) loaded.push(new URL(response.url()).pathname);
  });
  await page.goto(pages.host().pairingLink());
  await page.getByRole('heading', { name: needs }).waitFor();
  const names = () => [...new Set(loaded)].map((path) => (path === '/' ? 'index.html' : path.slice(1)));
  await expect.poll(() => names().filter((name) => LATER.test(name))).toHaveLength(1);
  const files = names();
  expect(files.flatMap((name) => /^assets\/(de|zh)-/.exec(name)?.[1] ?? [])).toEqual(languages);
  const size = await zippedSize(files.filter((name) => !LATER.test(name)));
  expect(await zippedSize(files.filter((name) => LATER.test(name)))).toBeLessThan(LATER_LIMIT);
  expect(size).toBeGreaterThan(100_000);
  expect(size).toBeLessThan(languages.length === 0 ? ENGLISH_LIMIT : LIMIT);
});

test('a page that cannot have its language speaks English', async () => {
  const { page } = await pages.blank({ locale: 'de-DE' });
  await page.route(/assets\/de-/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("not now");' }),
  );
  await page.goto(pages.host().pairingLink());
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  await expect.poll(() => page.getAttribute('html', 'lang')).toBe('en');
});

test('Health links to the licences of the libraries in it', async () => {
  const { page } = await pages.blank();
  await page.goto(pages.host().pairingLink());
  await page.getByRole('link', { name: 'Health' }).click();
  const [licences] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Licences of the libraries in this page' }).click(),
  ]);
  // There may be a beginning of it before.
  await licences.waitForLoadState();
  const text = await licences.innerText('body');
  for (const library of ['react', 'react-dom', 'lucide', 'zod', 'react-markdown', 'intl-messageformat'])
    expect(text).toMatch(new RegExp(`^## ${library} - \\d[^\\n]*\\n[^]{0,500}?copyright`, 'im'));
});

const WITHOUT_HASH = /<script(?!>|[^>]*\ssrc=)|<style(?!>)|\sstyle=|\son\w+=|https?:/;

test('the page is whole, and holds nothing its CSP forbids', async () => {
  const html = await readFile(join(pages.dir(), 'index.html'), 'utf8');
  expect(html.replace(/<style>[^]*?<\/style>/, '')).not.toMatch(WITHOUT_HASH);
  expect(html.match(/<script>/g)).toHaveLength(1);
  expect(html.match(/<style>/g)).toHaveLength(1);
  expect(html).not.toMatch(/<style>[^]*(?:@import|url\()[^]*<\/style>/);
});

test('the first view comes in one answer: it is styled before any other request is answered', async () => {
  const { page } = await pages.blank();
  const asked: string[] = [];
  await page.route('**/*', (route) => {
    asked.push(new URL(route.request().url()).pathname);
    return route.request().isNavigationRequest() ? route.continue() : undefined;
  });
  await page.goto(pages.host().url, { waitUntil: 'commit' });
  const painted = () => performance.getEntriesByName('first-contentful-paint').length > 0;
  await page.waitForFunction(painted);
  expect(await page.locator('.top').evaluate((head) => getComputedStyle(head).position)).toBe('sticky');
  // The code, and what it begins with.
  await expect.poll(() => asked.filter((path) => path.endsWith('.js'))).toHaveLength(2);
  expect(asked.filter((path) => path.endsWith('.css'))).toEqual([]);
});

test('[req:DS-7-20] no rule of the CSP is broken while it runs', async () => {
  const host = pages.host();
  host.shown.status = { ...host.shown.status, agents: [] };
  const { page } = await pages.blank();
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective}`)),
  );
  const answer = await page.goto(host.pairingLink());
  const hashes = inlineCodeOf(await readFile(join(pages.dir(), 'index.html'), 'utf8'));
  const policy = answer?.headers()['content-security-policy'];
  expect(policy).toContain(`script-src 'self' ${hashes.scripts.join(' ')};`);
  expect(policy).toContain(`style-src 'self' ${hashes.styles.join(' ')};`);
  await page.locator('#views').waitFor();
  await page.getByRole('tab', { name: 'Codex' }).click();
  await page.getByText('chaperone setup codex').waitFor();
});

test('[req:DS-7-20] code and styles that were not built into the page neither run nor apply', async () => {
  const { context } = await pages.blank();
  // Nobody watches the errors of a second page.
  const page = await context.newPage();
  await page.goto(pages.host().pairingLink());
  await page.locator('#views').waitFor();
  const broken = await page.evaluate(async () => {
    const violations: string[] = [];
    const two = new Promise<void>((done) =>
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (violations.push(effectiveDirective) === 2) done();
      }),
    );
    const script = document.createElement('script');
    script.textContent = "document.documentElement.dataset['added'] = 'yes'";
    const style = document.createElement('style');
    style.textContent = 'body { outline: 7px solid }';
    document.head.append(script, style);
    await two;
    return violations.toSorted();
  });
  expect(broken).toEqual(['script-src-elem', 'style-src-elem']);
  expect(await page.getAttribute('html', 'data-added')).toBeNull();
  expect(await page.locator('body').evaluate((body) => getComputedStyle(body).outlineWidth)).not.toBe('7px');
});
