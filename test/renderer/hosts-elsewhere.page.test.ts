import { expect, test } from 'vitest';
import type { ElsewhereHost, Status } from '../../src/main/protocol/index.js';
import { keepPicture } from '../support/keep-picture.js';
import { activity } from '../support/page-samples.js';
import { complaints, pageTests, spread } from '../support/page-test.js';

const pages = pageTests();
const FAR: ElsewhereHost = { address: 'ssh://ann@far', state: 'connected', url: 'http://localhost:4100', waiting: 2 };
const BOX: ElsewhereHost = { address: 'ssh://desk@localhost:2222', state: 'lost', url: 'http://localhost:4200', waiting: 0 }; // prettier-ignore
const TOLD: ElsewhereHost = { address: 'ssh://ci', state: 'connected', url: null, waiting: 1, by: 'Claude Code' };
const STATUS: Status = { state: 'watching', paused: null, agents: [], recordVerified: true };

test('[req:RH-9] Home names each host on another machine with what waits there, and leads to its page', async () => {
  const page = await pages.open({ activity: [activity({})] });
  const region = page.locator('section[aria-labelledby="h-elsewhere"]');
  const say = (elsewhere: ElsewhereHost[]) => pages.host().say({ type: 'status', status: { ...STATUS, elsewhere } });
  expect(await region.count()).toBe(0);
  say([FAR, BOX, TOLD]);
  const row = (name: string) => region.getByRole('listitem').filter({ hasText: name });
  await row('ssh://ann@far').getByText('2 wait there for you').waitFor();
  await row('ssh://desk@localhost:2222').getByText('Not connected').waitFor();
  const link = region.getByRole('link', { name: 'Open its page: ssh://ann@far' });
  expect(await link.getAttribute('href')).toBe('http://localhost:4100');
  expect(await link.getAttribute('rel')).toContain('noopener');
  expect(await row('ssh://desk@localhost:2222').getByRole('link').count()).toBe(0);
  await row('ssh://ci').getByText('Claude Code says so').waitFor();
  expect(await row('ssh://ci').locator('code').textContent()).toMatch(/connect$/);
  expect(await row('ssh://ci').getByRole('link').count()).toBe(0);
  expect(await region.getByText('says so').count()).toBe(1);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [320, 880]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await spread(page)).toEqual([]);
      await keepPicture(page, `elsewhere-${width}-${scheme}`);
    }
  }
  expect(await complaints(page)).toEqual([]);
  say([]);
  await expect.poll(() => region.count()).toBe(0);
});
