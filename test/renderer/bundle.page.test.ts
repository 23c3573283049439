import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { card } from '../support/page-samples.js';
import { pageTests } from '../support/page-test.js';

const pages = pageTests();

const LIMIT = 300_000;
/** Without any other language's words. */
const ENGLISH_LIMIT = 265_000;

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
  const files = [...new Set(loaded)].map((path) => (path === '/' ? 'index.html' : path.slice(1)));
  expect(files.flatMap((name) => /^assets\/(de|zh)-/.exec(name)?.[1] ?? [])).toEqual(languages);
  const bodies = await Promise.all(files.map((file) => readFile(join(pages.dir(), file))));
  const size = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
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
  const text = await licences.innerText('body');
  for (const library of ['react', 'react-dom', 'lucide', 'zod', 'react-markdown', 'intl-messageformat'])
    expect(text).toMatch(new RegExp(`^## ${library} - \\d[^\\n]*\\n[^]{0,500}?copyright`, 'im'));
});

test('the page is whole, and holds nothing its CSP forbids', async () => {
  const html = await readFile(join(pages.dir(), 'index.html'), 'utf8');
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:/);
});

test('[req:DS-7-20] no rule of the CSP is broken while it runs', async () => {
  const host = pages.host();
  host.shown.status = { ...host.shown.status, agents: [] };
  const { page } = await pages.blank();
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective}`)),
  );
  const answer = await page.goto(host.pairingLink());
  expect(answer?.headers()['content-security-policy']).toContain("script-src 'self';");
  await page.locator('#views').waitFor();
  await page.getByRole('tab', { name: 'Codex' }).click();
  await page.getByText('chaperone setup codex').waitFor();
});
