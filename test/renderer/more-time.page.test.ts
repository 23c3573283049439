import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Card } from '../../src/main/protocol/index.js';
import { cardTests } from '../support/card-page.js';
import type { PageHost } from '../support/page-host.js';
import { card } from '../support/page-samples.js';
import { decided, isDead, press } from '../support/page-test.js';

let host: PageHost;
let page: Page;
const { open, cardOf, allow } = cardTests(
  (one) => (host = one),
  (one) => (page = one),
);

const more = (one: Card) => cardOf(one).getByRole('button', { name: 'More time' });
const place = (one: Card) => allow(one).boundingBox();

test.each(['none', 'here'] as const)('More time is asked of the host, and an Allow under the pointer stays alive (popover: %s)', async (popover) => {
  const one = card();
  await open([one], { popover });
  const before = await place(one);
  await press(page, more(one));
  expect(await host.next('moreTime')).toEqual({ type: 'moreTime', id: one.id });
  const expiresAt = new Date(Date.parse(one.expiresAt) + 300_000).toISOString();
  host.say({ type: 'approvalChanged', approval: { ...one, expiresAt } });
  await page.clock.runFor(1_000);
  await expect.poll(() => cardOf(one).locator('.timer').innerText()).toMatch(/^(8|9|10):/m);
  expect(await isDead(allow(one))).toBe(false);
  expect(await place(one)).toEqual(before);
  expect(await cardOf(one).innerText()).not.toContain('changed');
  await press(page, allow(one));
  expect(await host.next('approval')).toMatchObject({ id: one.id, digest: one.digest });
}); // prettier-ignore

test('a request that has all the time there is takes no more', async () => {
  const one = card();
  await open([{ ...one, createdAt: new Date(Date.parse(one.expiresAt) - 7_200_000).toISOString() }]);
  expect(await isDead(more(one))).toBe(true);
  await press(page, more(one));
  await decided(page, host);
  expect(host.received.filter(({ type }) => type === 'moreTime')).toEqual([]);
});
