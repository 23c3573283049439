/** What every page test needs: one browser a file, one host and context a test, and no error nobody expected. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { startPageBrowser, type PageBrowser } from './page-browser.js';
import { startPageHost, type PageHost, type Shown } from './page-host.js';
import { STATUS } from './page-samples.js';

export interface PageTests {
  /** Where the built page lies. */
  dir(): string;
  host(): PageHost;
  /** Another page in storage of its own; nobody watches its errors. */
  blank(options?: BrowserContextOptions): Promise<{ context: BrowserContext; page: Page }>;
  /** A paired page that shows this. Ends the one opened before it. */
  open(shown?: Partial<Shown>, options?: BrowserContextOptions, frozen?: boolean): Promise<Page>;
}

/**
 * How far ahead a page's clock is stopped: it goes on until the page has been told the time, which takes a slow machine seconds, and
 * cannot be set back.
 */
export const STOPPED_AHEAD_MS = 30_000;

/** Drawing what moves takes a quarter of a test's time. Tests of motion, and those with a real host, have it. */
const STILL: BrowserContextOptions = { reducedMotion: 'reduce' };

/** Call once at the top of a test file. With `frozen`, the page's clock only moves when told. */
export function pageTests(): PageTests {
  let browser: PageBrowser;
  let host: PageHost;
  let problems: string[] = [];
  let contexts: BrowserContext[] = [];

  beforeAll(async () => {
    browser = await startPageBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    problems = [];
    host = await startPageHost(browser.dir, { status: STATUS });
  });
  afterEach(async () => {
    await closeAll();
    await host.close();
    expect(problems).toEqual([]);
  });

  async function closeAll(): Promise<void> {
    for (const context of contexts) await context.close();
    contexts = [];
  }

  const blank: PageTests['blank'] = async (options) => {
    const opened = await browser.open({ ...STILL, ...options });
    contexts.push(opened.context);
    problems = opened.problems;
    const own = `http://localhost:${host.port}/`;
    opened.page.on('request', (request) => {
      if (!['data:', `blob:${own}`, own].some((start) => request.url().startsWith(start)))
        opened.problems.push(request.url());
    });
    return opened;
  };

  return {
    dir: () => browser.dir,
    host: () => host,
    blank,
    open: async (shown = {}, options = {}, frozen = false) => {
      await closeAll();
      Object.assign(host.shown, shown);
      const { page } = await blank(options);
      if (frozen) await page.clock.install();
      await page.goto(host.pairingLink());
      await page.locator('#views').waitFor();
      if (!frozen) return page;
      await page.clock.pauseAt(Date.now() + STOPPED_AHEAD_MS);
      await drawn(page);
      await page.clock.runFor(1_000);
      return page;
    },
  };
}

/** Waits until something on the page is so, however slow the machine. */
export const eventually = <T>(look: () => T | Promise<T>): ReturnType<typeof expect.poll<T>> =>
  expect.poll(look, { timeout: 20_000 });

/** Waits until the browser has drawn: only then is the page told that something has moved, and keeps its buttons from being pressed. */
export async function drawn(page: Page): Promise<void> {
  await (await page.$('body'))?.waitForElementState('stable');
}

/** Waits until a long list has drawn what lies near the window: until then, parts of it are only as high as they were taken to be. */
export async function nearDrawn(page: Page): Promise<void> {
  const empty = () =>
    page.evaluate(() => {
      const isNear = ({ top, bottom }: DOMRect) => bottom > -300 && top < innerHeight + 300;
      const all = [...document.querySelectorAll('[data-block=empty]')];
      return all.filter((one) => isNear(one.getBoundingClientRect())).length;
    });
  await eventually(empty).toBe(0);
}

/** Waits until the code that reads Markdown is there: until then messages are shown as they were written, and are of other heights. */
export async function markdownCame(page: Page): Promise<void> {
  const loaded = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').find(({ name }) => /\/Markdown-[^/]*\.js$/.test(name))?.name,
    );
  await eventually(loaded).toBeDefined();
  // As a text, so that it stays the browser's own `import`.
  await page.evaluate(`import(${JSON.stringify(await loaded())}).then(() => undefined)`);
}

/** A press with the mouse that asks nobody whether the button is enabled. */
export async function press(page: Page, button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) throw new Error('The button is not on the page.');
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

export async function isDead(button: Locator): Promise<boolean> {
  return (await button.getAttribute('aria-disabled')) === 'true';
}

/** Everything decided so far: Stop goes over the same connection, so nothing sent before it can still be on its way. */
export async function decided(page: Page, host: PageHost): Promise<unknown[]> {
  await press(page, page.getByRole('button', { name: 'Stop', exact: true }));
  await host.next('pause');
  return host.received.filter((message) => message.type === 'approval');
}

/** What sticks out at the right, if anything does. */
export const spread = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter(
      (one) => one.getBoundingClientRect().right > innerWidth + 1,
    );
    return wide.map((one) => `${one.tagName} ${one.className}`).slice(0, 8);
  });

/** What an agent's text must never become: markup that is there, or characters that act unseen, in text and in labels. */
export const unmarked = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const acting = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u001b\u0007]/u;
    const raw = new Set(document.querySelectorAll('.raw, .raw *'));
    const found = [...document.querySelectorAll('main script, main style, main iframe, main img[src^="http"]')];
    const texts = [...document.querySelectorAll('body *')]
      .filter((one) => !raw.has(one))
      .flatMap((one) => [
        ...[...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.nodeValue ?? ''),
        ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? ''),
      ]);
    return [...found.map((one) => one.outerHTML), ...texts.filter((text) => acting.test(text))].map((one) =>
      one.slice(0, 120),
    );
  });

/** What axe finds to complain about, once every decision button has come alive. */
export async function complaints(page: Page): Promise<string[]> {
  await eventually(() => page.locator('[data-arming]').count()).toBe(0);
  if (!(await page.evaluate(() => 'axe' in window)))
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string }[] }[] };
    const axe: { run(options: object): Promise<Found> } = Reflect.get(window, 'axe');
    // What it is content with is not described node by node.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`.slice(0, 400));
  });
}

/** Presses Try now, unless the page has connected again by itself meanwhile. */
export const reconnect = (page: Page): Promise<void> => pressIfThere(page, 'Try now');

/** Presses the button with these words if the page has it at this moment: it may go by itself. */
export function pressIfThere(page: Page, words: string): Promise<void> {
  return page.evaluate((text) => {
    for (const button of document.querySelectorAll('button')) if (button.textContent === text) button.click();
  }, words);
}
