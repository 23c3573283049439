/** The page as it is built in a real Chromium. One browser a worker, which ends with it; one context (its own storage) a test. */
import { existsSync } from 'node:fs';
import { chromium, webkit, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright';
import { inject } from 'vitest';

export interface PageBrowser {
  /** Where the built page lies. */
  dir: string;
  browser: Browser;
  open(options?: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page; problems: string[] }>;
  /** Closes every context of the browser. */
  close(): Promise<void>;
}

let running: Promise<Browser> | null = null;

/** Its test files run one after another. */
async function sharedBrowser(): Promise<Browser> {
  const known = await running;
  if (known?.isConnected() === true) return known;
  // Safari’s engine as playwright has it, where it is wanted: none is in Debian.
  running = process.env['CHAPERONE_PAGE_ENGINE'] === 'webkit' ? webkit.launch() : launchChromium();
  return running;
}

export async function startPageBrowser(): Promise<PageBrowser> {
  const browser = await sharedBrowser();
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
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
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
