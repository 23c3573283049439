/** The page as it is built in a real Chromium. One browser a test file; one context (its own storage) a test. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { inject } from 'vitest';

export interface PageBrowser {
  /** Where the built page lies. */
  dir: string;
  browser: Browser;
  open(options?: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page; problems: string[] }>;
  close(): Promise<void>;
}

export async function startPageBrowser(): Promise<PageBrowser> {
  const browser = await launchChromium();
  return {
    dir: inject('page'),
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
    close: () => browser.close(),
  };
}

/** The rendering engine without windows, where there is one; tests about windows start Chromium itself. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

export const CHROMIUM = process.env['CHROMIUM'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium');

export function launchChromium(executablePath = CHROMIUM): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
}
