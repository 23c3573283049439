/** Enter on a button that allows: nothing is decided, and the page says which key does. */
import { expect, test } from 'vitest';
import type { Card } from '../../src/main/protocol/index.js';
import { keepPicture } from '../support/keep-picture.js';
import { card, shellCard } from '../support/page-samples.js';
import { complaints, pageTests } from '../support/page-test.js';

const pages = pageTests();

const LANGUAGES = [
  ['light', 'en-US', /Press Space, or click/, /Hold Space, or the button/],
  ['dark', 'de-DE', /Drücken Sie die Leertaste/, /Halten Sie die Leertaste/],
  ['light', 'zh-CN', /请按空格键/, /请按住空格键/],
] as const;
const CARDS: Record<string, Card> = {
  allow: card(),
  'allow-lasting': card({ grants: [...card().grants] }),
  'allow-shared': card({ tool: 'use_desktop', grants: [], desktops: true, picture: null }),
};

test.each(LANGUAGES)('the hint is shown and announced: %s, %s', async (colorScheme, locale, press, hold) => {
  const page = await pages.open({}, { colorScheme, locale });
  for (const [part, shown] of Object.entries({ ...CARDS, held: shellCard() })) {
    pages.host().say({ type: 'approvalRequested', approval: shown });
    const place = page.locator('[data-slot="open"]');
    const button = place.locator(`[data-part="${part === 'held' ? 'allow' : part}"]`);
    await button.waitFor();
    await button.focus();
    await page.keyboard.press('Enter');
    const hint = place.getByRole('status').filter({ hasText: part === 'held' ? hold : press });
    await hint.waitFor();
    expect(await hint.evaluate((element) => element.checkVisibility())).toBe(true);
    await keepPicture(page, `enter-${part}-${locale}`);
    await expect.poll(() => complaints(page)).toEqual([]);
    pages.host().say({ type: 'approvalResolved', id: shown.id, decision: 'deny', by: 'page' });
    await place.waitFor({ state: 'detached' });
  }
  const sent = pages.host().received.map(({ type }) => type);
  expect(sent).not.toContain('approval');
  expect(sent).not.toContain('press');
});
