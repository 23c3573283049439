import type { BrowserContextOptions, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Shown } from '../support/page-host.js';
import {
  activity,
  ago,
  card,
  GRANT,
  HEALTH,
  mailPicture,
  POLICY,
  question,
  shellCard,
  STATUS,
  thumbnail,
} from '../support/page-samples.js';
import { openEvidence } from '../support/evidence-page.js';
import { complaints, eventually, pageTests, spread } from '../support/page-test.js';
import { verbatim } from '../../src/messages/index.js';

const pages = pageTests();
let page: Page;

async function open(shown: Partial<Shown>, options: BrowserContextOptions = {}): Promise<void> {
  page = await pages.open(shown, options);
}

describe('for everyone', () => {
  const states = async (): Promise<[string, Partial<Shown>][]> => {
    const asked = question(1, 'Which **one**? `code`\n\n1. a\n2. b\n\n```\nlong code\n```', {
      quickReplies: ['This', 'That'],
    });
    const full: Partial<Shown> = {
      approvals: [card({ picture: await mailPicture() }), shellCard(), card({ text: 'invoice_\u202efdp.exe' })],
      history: [asked],
      pendingAckIds: [asked.ack_id],
      cursor: 1,
      activity: [
        activity({ thumbnail: await thumbnail() }),
        activity({ outcome: 'failed' }),
        activity({ outcome: 'unverified' }),
        activity({ outcome: 'denied' }),
      ],
      policy: POLICY,
      health: HEALTH,
      grants: [GRANT],
    };
    const paused = {
      ...STATUS,
      state: 'paused' as const,
      paused: { by: 'page', at: ago(1), reason: verbatim('Held keys were released.') },
    };
    return [['full', full], ['first run', { status: { ...STATUS, agents: [] } }], ['paused', { ...full, approvals: [], status: paused }]]; // prettier-ignore
  };

  test.each(['light', 'dark'] as const)(
    '[req:DS-7-22] the page is as light or dark as the system, and axe finds nothing to complain about, %s',
    async (colorScheme) => {
      for (const [name, shown] of await states()) {
        await open(shown, { colorScheme });
        for (const fold of await page.locator('[data-fold-button]').all())
          if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
        await page.locator('#conversation, .tabs').first().waitFor();
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const [red = NaN] = (/\d+/.exec(ground) ?? []).map(Number);
        expect(red > 127, `${name}: ${ground}`).toBe(colorScheme === 'light');
        expect(await complaints(page), name).toEqual([]);
      }
    },
    120_000,
  );

  test.each([[320, 568], [400, 600], [880, 900], [1600, 900]])('nothing sticks out at %i × %i, also with text twice as large', async (width, height) => {
    for (const [, shown] of await states()) {
      await open(shown, { viewport: { width, height } });
      await page.getByRole('link', { name: /^Settings/ }).click();
      expect(await spread(page)).toEqual([]);
      const session = await page.context().newCDPSession(page);
      await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
      await eventually(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
      expect(await spread(page)).toEqual([]);
      
    }
  }, 120_000); // prettier-ignore

  test('[req:DS-7-22] pictures of evidence that are higher than the window are reached and scrolled by keyboard', async () => {
    page = await openEvidence(pages, undefined, undefined, { viewport: { width: 880, height: 400 } });
    await page.locator('.shot img').first().waitFor();
    await eventually(() =>
      page
        .locator('.shot-frame')
        .first()
        .evaluate((one) => one.scrollHeight > one.clientHeight),
    ).toBe(true);
    expect(await complaints(page)).toEqual([]);
    await page.getByRole('button', { name: 'Enlarge' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await eventually(() =>
      page
        .locator('.shot-frame')
        .first()
        .evaluate((one) => one.scrollTop),
    ).toBeGreaterThan(0);
  });

  test('[req:DS-7-23] everything is reached by Tab alone: Stop, views, cards, then questions, then activity', async () => {
    const asked = question(1, 'Which?');
    await open({
      approvals: [card()],
      history: [asked],
      pendingAckIds: [asked.ack_id],
      cursor: 1,
      activity: [activity()],
    });
    const seen: string[] = [];
    for (let step = 0; step < 23; step += 1) {
      await page.keyboard.press('Tab');
      seen.push(
        await page.evaluate(() =>
          document.activeElement?.closest('nav')
            ? 'view'
            : (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').slice(
                0,
                24,
              ),
        ),
      );
    }
    const order = [
      'Skip',
      'Chaperone',
      'Waiting',
      'Stop',
      'view',
      'More time',
      'Exact request',
      'Deny',
      'Allow once',
      'Allow in',
      'How long',
      '',
      'Attach',
      'Reply',
      'Clicked',
    ];
    const once = seen.filter((text, index) => text !== 'view' || seen[index - 1] !== 'view');
    expect(once.slice(0, order.length).map((text, index) => text.startsWith(order[index] ?? ''))).toEqual(
      order.map(() => true),
    );
  });

  test('the focus is always drawn, in forced colours too', async () => {
    await open({ approvals: [card()] }, { forcedColors: 'active' });
    await eventually(() => page.locator('[data-arming]').count()).toBe(0);
    await page.keyboard.press('a');
    const ring = await page.locator('[data-part="allow"]').evaluate((button) => getComputedStyle(button).outlineStyle);
    expect(ring).toBe('solid');
  });
});
