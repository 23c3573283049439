import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ChatEvent } from '../../src/main/protocol/index.js';
import { ago, answer, question } from '../support/page-samples.js';
import { eventually, pageTests } from '../support/page-test.js';

const pages = pageTests();
const COUNT = 10_000;
const GREETING = 1_000;
const AT_ONCE = 300;
const FIRST_SHOWN = 60;

const FIRST = question(1, 'Message 1.');

/** Mostly the person's own, which cost little to draw; of different heights. */
const said = (seq: number): ChatEvent => {
  const text = `Message ${seq}.${'\n\nAnd more of it.'.repeat(seq % 3)}`;
  const at = ago(COUNT - seq);
  return seq % 20 === 0 ? question(seq, text, { at }) : answer(seq, FIRST, text, { at });
};

async function openLong(): Promise<{ page: Page; asked: number[] }> {
  const asked: number[] = [];
  const all = Array.from({ length: COUNT }, (_, index) => said(index + 1));
  const since = COUNT - GREETING;
  const page = await pages.open(
    { history: all.slice(since), cursor: COUNT, since },
    { viewport: { width: 880, height: 900 } },
  );
  pages.host().answers.earlier = ({ before }) => {
    asked.push(before);
    const to = before - 1;
    const from = Math.max(0, to - AT_ONCE);
    return { events: all.slice(from, to), since: from };
  };
  return { page, asked };
}

interface Walk {
  /** Nodes of the page, at most. */
  nodes: number;
  /** How far what was read jumped when older messages came above it, in pixels. */
  moved: number;
  /** The first message it came to. */
  first: string;
}

/** Goes to the top again and again until the first message of all is there. */
const goBack = (page: Page): Promise<Walk> =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const drawn = () => [...document.querySelectorAll('.chat [data-anchor]')];
    const isInView = (top: number) => top > 100 && top < innerHeight;
    const firstDrawn = () => drawn()[0]?.textContent ?? '';
    let [nodes, moved, still, first] = [0, 0, 0, ''];
    window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
    await frame();
    // A walk that gets no further, however slow the machine is, ends here and is seen by what it has reached.
    while (still < 600 && !first.includes('Message 1.')) {
      window.scrollTo({ top: 0, behavior: 'instant' });
      const read = drawn().find((one) => isInView(one.getBoundingClientRect().top));
      const before = read?.getBoundingClientRect().top ?? 0;
      await frame();
      await frame();
      if (read?.isConnected) moved = Math.max(moved, Math.abs(read.getBoundingClientRect().top - before));
      nodes = Math.max(nodes, document.querySelectorAll('*').length);
      still = first === firstDrawn() ? still + 1 : 0;
      first = firstDrawn();
    }
    return { nodes, moved, first };
  });

/** Looks at that many places of the page, from the top to the end, and gives the numbers drawn at each. */
const lookAround = (page: Page, places: number): Promise<number[][]> =>
  page.evaluate(async (count) => {
    const frame = () => new Promise(requestAnimationFrame);
    const found: number[][] = [];
    for (let place = 0; place <= count; place += 1) {
      window.scrollTo({ top: (document.body.scrollHeight * place) / count, behavior: 'instant' });
      for (let waits = 0; waits < 4; waits += 1) await frame();
      const seen = [...document.querySelectorAll('.chat [data-anchor]')].filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      });
      found.push(seen.map((one) => Number(/Message (\d+)\./.exec(one.textContent ?? '')?.[1])));
    }
    return found;
  }, places);

test('[req:AP-R-9] ten thousand messages: all can be reached by scrolling up, what is read stays in place, little is drawn', async () => {
  const { page, asked } = await openLong();
  await page.getByText(`Message ${COUNT}.`).waitFor();
  expect(asked).toEqual([]);
  const { nodes, moved, first } = await goBack(page);
  expect(first).toContain('Message 1.');
  expect(nodes).toBeLessThan(6_000);
  expect(moved).toBeLessThan(2);
  expect(asked).toEqual(
    Array.from({ length: (COUNT - GREETING) / AT_ONCE }, (_, index) => COUNT - GREETING - index * AT_ONCE + 1),
  );
  const found = await lookAround(page, 20);
  for (const numbers of found) {
    const [first = NaN] = numbers;
    expect(numbers).toEqual(numbers.map((_, index) => first + index));
  }
  expect(found[0]?.[0]).toBe(1);
  expect(found.at(-1)?.at(-1)).toBe(COUNT);
}, 120_000);

test('older messages keep coming to who goes back to the top in the moment they come', async () => {
  const { page, asked } = await openLong();
  await page.getByText(`Message ${COUNT}.`).waitFor();
  await page.evaluate(() => {
    const toTop = () => window.scrollTo({ top: 0, behavior: 'instant' });
    const chat = document.querySelector('.chat');
    if (chat !== null) new MutationObserver(toTop).observe(chat, { childList: true, subtree: true });
    window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
    requestAnimationFrame(() => requestAnimationFrame(toTop));
  });
  await eventually(() => asked.length).toBeGreaterThan(1);
});

test('the button goes on where scrolling cannot, also after the host refused', async () => {
  const { page, asked } = await openLong();
  const earlier = page.getByRole('button', { name: /^Show \d+ earlier$|^Try again$/ });
  const first = async () =>
    Number(/Message (\d+)\./.exec(await page.locator('.chat [data-anchor]').first().innerText())?.[1]);
  await eventually(first).toBe(COUNT - FIRST_SHOWN + 1);
  await earlier.click();
  await eventually(first).toBeLessThan(COUNT - FIRST_SHOWN + 1);
  pages.host().answers.earlier = () => 'Not now.';
  const again = page.getByRole('button', { name: 'Try again' });
  while (!(await again.isVisible())) await earlier.click();
  pages.host().answers.earlier = ({ before: to }) => {
    asked.push(to);
    return { events: [said(to - 1)], since: to - 2 };
  };
  await earlier.click();
  await page
    .getByText(`Message ${COUNT - GREETING}.`, { exact: false })
    .first()
    .waitFor();
  expect(asked).toEqual([COUNT - GREETING + 1]);
});
