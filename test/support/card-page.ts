/** For page tests of requests: a page whose clock only moves when told, and the parts of its cards. */
import type { BrowserContextOptions, Locator, Page } from 'playwright';
import { beforeEach } from 'vitest';
import type { Card } from '../../src/main/protocol/index.js';
import type { PageHost, Shown } from './page-host.js';
import { pageTests } from './page-test.js';

interface CardPage {
  /** Everything shown at the start has been there for a second. Where not `frozen`, the clock goes on by itself. */
  open(approvals: Card[], shown?: Partial<Shown>, options?: BrowserContextOptions, frozen?: boolean): Promise<void>;
  cardOf(one: Card): Locator;
  allow(one: Card): Locator;
  deny(one: Card): Locator;
}

/** Call once at the top of a test file. `onHost` is told the host of each test, `onPage` each page that was opened. */
export function cardTests(
  onHost: (host: PageHost) => void,
  onPage: (page: Page) => void,
  always: BrowserContextOptions = {},
): CardPage {
  const pages = pageTests();
  let page: Page;
  beforeEach(() => onHost(pages.host()));
  const cardOf = (one: Card): Locator => page.locator(`article[aria-labelledby="t-${one.id}"]`);
  return {
    async open(approvals, shown = {}, options = {}, frozen = true) {
      page = await pages.open({ approvals, ...shown }, { ...always, ...options }, frozen);
      onPage(page);
    },
    cardOf,
    allow: (one) => cardOf(one).locator('[data-part="allow"]'),
    deny: (one) => cardOf(one).locator('[data-part="deny"]'),
  };
}
