import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pageTests } from '../support/page-test.js';

const pages = pageTests();

test('the page is small, whole, and holds nothing its CSP forbids', async () => {
  const names = await readdir(pages.dir(), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const bodies = await Promise.all(files.map((file) => readFile(file)));
  expect(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)).toBeLessThan(250_000);
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
