import { expect, test } from 'vitest';
import { activity, card, question, STATUS } from '../support/page-samples.js';
import { pageTests } from '../support/page-test.js';

const pages = pageTests();

test('[req:DS-7-28] one column: what needs the person, then the conversation, then what happened', async () => {
  const asked = question(1, 'Which one?');
  const page = await pages.open(
    { approvals: [card()], history: [asked], pendingAckIds: [asked.ack_id], cursor: 1, activity: [activity()] },
    { viewport: { width: 1600, height: 900 } },
  );
  await page.locator('#activity').waitFor();
  // All in one moment: what was said is drawn again once Markdown can be read.
  const boxes = await page.evaluate(() =>
    ['#needs', '#conversation', '#activity'].map((region) => {
      const found = document.querySelector(region)?.getBoundingClientRect();
      return found && { x: found.x, y: found.y, width: found.width, height: found.height };
    }),
  );
  const [needs, talk, happened] = boxes;
  if (!needs || !talk || !happened) throw new Error('a region is missing');
  for (const [above, below] of [
    [needs, talk],
    [talk, happened],
  ] as const) {
    expect(above.y + above.height).toBeLessThanOrEqual(below.y);
    expect([above.x, above.width]).toEqual([below.x, below.width]);
  }
});

test('[req:DS-7-29] what moves has moved within 150 ms', async () => {
  const page = await pages.open({ approvals: [card()], activity: [activity()] }, { reducedMotion: 'no-preference' });
  await page.locator('[data-part="allow"]').waitFor();
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('*')].flatMap((one) =>
        getComputedStyle(one)
          .transitionDuration.split(', ')
          .map((each) => parseFloat(each)),
      ),
    ),
  );
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThanOrEqual(0.15);
});

test('[req:DS-7-30] Allow and Deny have the same weight', async () => {
  const page = await pages.open({ approvals: [card()] });
  const look = (part: string) =>
    page.locator(`[data-part="${part}"]`).evaluate((button) => {
      const { width, height } = button.getBoundingClientRect();
      const { backgroundColor, fontWeight, fontSize, borderWidth } = getComputedStyle(button);
      return { width: Math.round(width), height, backgroundColor, fontWeight, fontSize, borderWidth };
    });
  await page.locator('[data-part="allow"]').waitFor();
  await expect.poll(() => page.locator('[data-part="allow"]').getAttribute('aria-disabled')).not.toBe('true');
  expect(await look('deny')).toEqual(await look('allow'));
});

test('[req:DS-7-22] nothing moves when reduced motion is asked for', async () => {
  for (const [reducedMotion, moves] of [
    ['reduce', false],
    ['no-preference', true],
  ] as const) {
    const page = await pages.open({ approvals: [card()], activity: [activity()] }, { reducedMotion });
    await page.locator('[data-part="allow"]').waitFor();
    const moving = await page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap((element) =>
        [undefined, '::before', '::after'].flatMap((part) => {
          const { transitionDuration, animationName } = getComputedStyle(element, part);
          return [
            ...transitionDuration.split(', ').filter((each) => parseFloat(each) > 0),
            ...(animationName === 'none' ? [] : [animationName]),
          ];
        }),
      ),
    );
    expect(moving.length > 0).toBe(moves);
  }
});

test('[req:DS-7-24] an empty page says what Chaperone does, how to connect each client, and how to see a demo', async () => {
  const page = await pages.open({ status: { ...STATUS, agents: [] } });
  await page.getByRole('heading', { name: 'Let an agent use your desktop, and stay in charge.' }).waitFor();
  for (const [tab, command] of [
    ['Claude Code', 'chaperone setup claude'],
    ['Codex', 'chaperone setup codex'],
    ['Cursor', 'chaperone setup cursor'],
    ['VS Code', 'chaperone setup vscode'],
    ['Other', 'chaperone mcp'],
  ] as const) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await page.getByRole('tabpanel').getByText(command, { exact: true }).waitFor();
  }
  await page.getByText('npm run demo', { exact: true }).waitFor();
});
