/** What pages are told of other pages' pairings, and `--reset-pairings`, over a real host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { openPage } from '../support/person.js';

let started: TestHost;
beforeEach(async () => {
  started = await startHost();
});
afterEach(() => started.close());

const paired = () => openPage(started.host.url, started.host.pairingLink());
const newsOf = async (page: Awaited<ReturnType<typeof paired>>) => (await page.next('pairings')).news ?? [];

test('[req:PW-7] the first page is told nothing; a later one which page was there before it, and the first that another came, until dismissed', async () => {
  const first = await paired();
  expect(await newsOf(first)).toEqual([]);
  const second = await paired();
  expect(await newsOf(second)).toMatchObject([{ before: true, endedAt: null }]);
  const [announced] = await newsOf(first);
  expect(announced).toMatchObject({ before: false, by: 'terminal', endedAt: null });
  first.send({ type: 'dismissPairings', keyIds: [announced?.keyId ?? ''] });
  expect(await newsOf(first)).toEqual([]);
  for (const page of [first, second]) page.close();
});

test('[req:PW-8] a reset revokes every page, is a line of the record, and a new link pairs again', async () => {
  (await paired()).close();
  await started.restart({ resetPairings: true });
  const lines = readFileSync(join(started.home, 'state', 'audit.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.filter(({ kind }) => kind === 'pairing').at(-1)).toMatchObject({ event: 'reset', note: '1 revoked' });
  const page = await paired();
  expect((await page.next('pairings')).pairings).toHaveLength(1);
  page.close();
});
