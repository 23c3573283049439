/** Allow and Deny are pinned to the lower edge: in sight, in one place, and a press that does not count says so. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { message, verbatim } from '../../src/messages/index.js';
import type { Card } from '../../src/main/protocol/index.js';
import { cardTests } from '../support/card-page.js';
import type { PageHost } from '../support/page-host.js';
import { card, CODEX, mailPicture, question, shellCard } from '../support/page-samples.js';
import { decided, eventually, isDead, press } from '../support/page-test.js';

let host: PageHost;
let page: Page;
const { open, cardOf, allow } = cardTests(
  (one) => (host = one),
  (one) => (page = one),
  { reducedMotion: 'no-preference' },
);

const placeOf = async (one: Card) => {
  const box = await allow(one).boundingBox();
  return box === null ? null : [box.x, box.y, box.width, box.height].map(Math.round);
};

const allowedByHost = async (one: Card): Promise<void> => {
  host.say({ type: 'approvalResolved', id: one.id, decision: 'allow', by: 'page' });
  await cardOf(one).getByText('Allowed').waitFor();
};

/** At twice the size, a window of 1280×720 has room for 640×360. */
const SIZES: [name: string, width: number, height: number, popover: boolean][] = [
  ['1280×720', 1280, 720, false],
  ['400×600', 400, 600, false],
  ['400×600 in the popover', 400, 600, true],
  ['200 %', 640, 360, false],
];

describe.each(SIZES)('[req:NC-1] at %s', (_, width, height, popover) => {
  const options = { viewport: { width, height } };
  const shown = popover ? { popover: 'here' as const } : {};

  test('Allow is in sight and in the same place, whatever is asked', async () => {
    const picture = await mailPicture();
    const command = Array.from({ length: 60 }, (__, line) => `echo ${line}`).join('\n');
    const { subject } = card();
    const all = [
      card(),
      card({ picture }),
      card({ picture, notes: [message('note.has_consequences'), message('note.goes_to_focus')] }),
      card({ picture, subject: { ...subject, target: 'Se\u200bnd '.repeat(9), place: 'A window '.repeat(20) } }),
      shellCard(),
      shellCard({ text: command, arguments: { command } }),
    ];
    const places = [];
    for (const one of all) {
      await open([one], shown, options);
      places.push(await placeOf(one));
    }
    const [first] = places;
    expect(places).toEqual(all.map(() => first));
    const foot = popover ? ((await page.locator('.pop-f').boundingBox())?.y ?? 0) : height;
    expect((first?.[1] ?? height) + (first?.[3] ?? 0)).toBeLessThanOrEqual(foot);
  });

  test('Allow stays there as choices and facts unfold, news comes above, and an answered one folds', async () => {
    const [one, two] = [card({ picture: await mailPicture() }), card()];
    await open([one, two], shown, options);
    const place = (await placeOf(one)) ?? [];
    // Some browsers round half a pixel up, some down.
    const stays = async (which: Card) => {
      const now = await placeOf(which);
      for (const [index, length] of place.entries()) expect(Math.abs((now?.[index] ?? -9) - length)).toBeLessThan(2);
    };
    await cardOf(one).locator('.pick').click();
    await cardOf(one).locator('.opt').getByText('This app until I quit').click();
    await stays(one);
    await page.keyboard.press('e');
    await cardOf(one).getByText('/opt/homebrew/bin/claude').waitFor();
    await stays(one);
    host.say({ type: 'error', code: 'odd', message: verbatim('Something to say above the cards.') });
    await page.getByText('Something to say above the cards.').waitFor();
    await stays(one);
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    host.say({ type: 'approvalResolved', id: one.id, decision: 'allow', by: 'page' });
    await allow(one).waitFor({ state: 'detached' });
    await stays(two);
  });
});

test('[req:NC-1] in a window of 400×600 at twice the size, Allow ends in sight at the same edge', async () => {
  const ends: number[] = [];
  for (const one of [card(), card({ picture: await mailPicture() }), shellCard()]) {
    await open([one], {}, { viewport: { width: 200, height: 300 } });
    const [, y = 999, , height = 0] = (await placeOf(one)) ?? [];
    ends.push(y + height);
  }
  expect(ends[0]).toBeLessThanOrEqual(300);
  expect(ends).toEqual(ends.map(() => ends[0]));
});

describe('[req:NC-2] once answered', () => {
  test('no gap stays below a pointer at rest, and a second click there presses nothing else', async () => {
    const one = card({ picture: await mailPicture() });
    const asked = question(1, 'Which one?');
    await open([one], { history: [asked], pendingAckIds: [asked.ack_id], cursor: 1 });
    await press(page, allow(one));
    await host.next('approval');
    await allowedByHost(one);
    const { y = 0, height = 999 } = (await cardOf(one).boundingBox()) ?? {};
    expect(height).toBeLessThan(80);
    expect((await page.getByText('Which one?').boundingBox())?.y).toBeLessThan(y + height + 150);
    await page.evaluate(() => document.addEventListener('click', () => document.body.classList.add('clicked')));
    const click = async () => {
      await page.mouse.down();
      await page.mouse.up();
      return page.locator('body.clicked').count();
    };
    expect(await click()).toBe(0);
    await page.clock.runFor(600);
    expect(await click()).toBe(1);
  });
});

describe('[req:NC-3] a press that does not count says so', () => {
  const said = (one: Card) => cardOf(one).locator('.missed').innerText();

  test('when it comes too soon, and again when the request changed under it', async () => {
    await open([]);
    const one = card();
    host.say({ type: 'approvalRequested', approval: one });
    await cardOf(one).waitFor();
    await press(page, allow(one));
    await eventually(() => said(one)).toContain('had only just appeared or moved. Press again.');
    await page.clock.runFor(600);
    await press(page, allow(one));
    expect(await host.next('approval')).toMatchObject({ decision: 'allow' });
    await eventually(() => said(one)).toBe('');
  });

  test('when Enter is pressed, or the button is let go of too soon', async () => {
    const [one, two] = [card(), shellCard()];
    await open([one]);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await eventually(() => said(one)).toBe('Enter doesn’t answer a request. Press Space, or click.');
    await open([two]);
    await press(page, allow(two));
    await eventually(() => said(two)).toBe('That didn’t count: hold the button for a full second.');
    expect(await decided(page, host)).toEqual([]);
  });

  test('but a held press outlives an answer and news above it', async () => {
    const [one, two] = [card({ agent: CODEX }), shellCard()];
    await open([one, two]);
    await cardOf(two).evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
    await eventually(() => isDead(allow(two))).toBe(false);
    const box = await allow(two).boundingBox();
    if (box === null) throw new Error('no button');
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    await cardOf(two).getByText('Keep holding').first().waitFor();
    await page.clock.runFor(400);
    host.say({ type: 'approvalResolved', id: one.id, decision: 'deny', by: 'host', reason: 'timeout' });
    await eventually(() => cardOf(one).getByText('Timed out').count()).toBe(1);
    host.say({ type: 'error', code: 'odd', message: verbatim('Something to say above the cards.') });
    await page.getByText('Something to say above the cards.').waitFor({ state: 'attached' });
    expect(await cardOf(two).getByText('Keep holding').count()).toBeGreaterThan(0);
    await page.clock.runFor(700);
    expect(await host.next('approval')).toMatchObject({ id: two.id, decision: 'allow' });
    await page.mouse.up();
  });
});
