/** The page, freshly built, in a real Chromium. One browser and one build a test file; one context (its own storage) a test. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

const ROOT = resolve(import.meta.dirname, '../..');

export interface PageBrowser {
  /** Where the built page lies. */
  dir: string;
  browser: Browser;
  open(options?: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page; problems: string[] }>;
  close(): Promise<void>;
}

export async function startPageBrowser(): Promise<PageBrowser> {
  const dir = await mkdtemp(join(tmpdir(), 'chaperone-page-'));
  // As in earnest: in a process of its own, so that nothing of the test's environment gets into the page.
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(
    process.execPath,
    [vite, 'build', '--outDir', dir, '--emptyOutDir', '--logLevel', 'error'],
    { cwd: ROOT, env },
  );
  const browser = await launchChromium();
  return {
    dir,
    browser,
    open: async (options = {}) => {
      const context = await browser.newContext({ viewport: { width: 880, height: 900 }, ...options });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
      page.on('console', (message) => {
        // A refused or dropped WebSocket is what some tests are about.
        if (message.type() === 'error' && !message.text().includes('WebSocket'))
          problems.push(`console: ${message.text()}`);
      });
      return { context, page, problems };
    },
    close: async () => {
      await browser.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
}
