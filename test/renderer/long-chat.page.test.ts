import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { AT_ONCE, goBack, GREETING, inView, longChat, saidAt, serveEarlier } from '../support/long-chat.js';
import { question } from '../support/page-samples.js';
import { eventually, markdownCame, nearDrawn, pageTests, reconnect } from '../support/page-test.js';

const pages = pageTests();
const COUNT = 10_000;
const FIRST_SHOWN = 60;
/** Of the messages that the page keeps, in blocks of two and sections of sixty. */
const MAX_BLOCKS = 5_300 * (1 / 2 + 1 / 60);

async function openLong(): Promise<{ page: Page; asked: number[] }> {
  const all = longChat(COUNT);
  const since = COUNT - GREETING;
  const page = await pages.open(
    { history: all.slice(since), cursor: COUNT, since },
    { viewport: { width: 880, height: 900 } },
  );
  const asked = serveEarlier(pages.host(), all);
  await page.getByText(`Message ${COUNT}.`).waitFor();
  await markdownCame(page);
  return { page, asked };
}

const gapOf = (page: Page) => page.locator('.chat-gap');
const toNewest = (page: Page) => page.getByRole('button', { name: 'To the newest' });

/** Those in view are some of the conversation, each after the one before it. */
async function expectInOrder(page: Page): Promise<number[]> {
  await eventually(async () => (await inView(page)).length).toBeGreaterThan(2);
  const numbers = await inView(page);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? NaN) + index));
  return numbers;
}

test('[req:AP-R-9] [req:AP-R-11] ten thousand messages: all can be reached by scrolling up, what is read stays in place, little is kept and drawn', async () => {
  const { page, asked } = await openLong();
  expect(asked).toEqual([]);
  const { nodes, blocks, moved, first } = await goBack(page);
  expect(first).toContain('Message 1.');
  expect(nodes).toBeLessThan(6_000);
  expect(blocks).toBeLessThan(MAX_BLOCKS);
  expect(moved).toBeLessThan(2);
  expect(asked).toEqual(
    Array.from({ length: (COUNT - GREETING) / AT_ONCE }, (_, index) => COUNT - GREETING - index * AT_ONCE + 1),
  );
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  expect((await expectInOrder(page))[0]).toBe(1);
}, 120_000);

test('[req:AP-R-11] the way forward comes to every message again', async () => {
  const { page, asked } = await openLong();
  await goBack(page, 4_000);
  const back = asked.length;
  const seen = new Set<number>();
  while (await gapOf(page).isVisible()) {
    const parts = asked.length;
    // To its end, and then a little further, as a person does.
    await page.evaluate(() =>
      document.querySelector('.chat-gap')?.scrollIntoView({ block: 'end', behavior: 'instant' }),
    );
    for (const number of await expectInOrder(page)) seen.add(number);
    await eventually(async () => asked.length > parts || !(await gapOf(page).isVisible())).toBe(true);
    await eventually(() => page.getByText('Loading', { exact: true }).count()).toBe(0);
  }
  const numbers = [...seen].sort((one, other) => one - other);
  expect(numbers.length).toBeGreaterThan(asked.length - back);
  expect(await page.locator('.chat [data-block]').count()).toBeLessThan(MAX_BLOCKS);
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  await page.getByText(`Message ${COUNT}.`).waitFor();
  await expectInOrder(page);
}, 120_000);

test('[req:AP-R-11] far back, one button goes to the newest, and from there the way back is asked for again', async () => {
  const { page, asked } = await openLong();
  await goBack(page, 4_000);
  await toNewest(page).click();
  await page.getByText(`Message ${COUNT}.`).waitFor();
  await eventually(async () => (await inView(page)).at(-1)).toBe(COUNT);
  await eventually(() => gapOf(page).count()).toBe(0);
  expect(await toNewest(page).count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('conversation');
  asked.length = 0;
  await goBack(page, COUNT - 3_000);
  expect(asked.length).toBeGreaterThan(3);
  await expectInOrder(page);
});

test('the End key does the same', async () => {
  const { page } = await openLong();
  await goBack(page, 4_000);
  await page.keyboard.press('End');
  await eventually(() => gapOf(page).count()).toBe(0);
  await page.getByText(`Message ${COUNT}.`).waitFor();
});

test('[req:AP-R-11] far back, a message that comes moves nothing, and its question is answered from there', async () => {
  const { page } = await openLong();
  await goBack(page, 4_000);
  await nearDrawn(page);
  const read = page.getByText(`Message ${(await expectInOrder(page))[1] ?? 0}.`);
  const before = await read.boundingBox();
  // Who selects text is not taken to a new question.
  await read.evaluate((element) => getSelection()?.selectAllChildren(element));
  const asked = question(COUNT + 1, 'Which of the two?');
  pages.host().say(saidAt(COUNT + 2, COUNT + 2));
  pages.host().say(asked);
  const strip = page.getByRole('link', { name: /asked you a question/ });
  await strip.waitFor();
  expect(await read.boundingBox()).toEqual(before);
  await strip.click();
  await page.getByText('Which of the two?').last().waitFor();
  await page.getByRole('textbox').last().fill('The left one');
  await page.getByRole('button', { name: 'Reply' }).last().click();
  expect(await pages.host().next('ack')).toMatchObject({ id: asked.ack_id, message: 'The left one' });
});

test('a connection that was lost far back leaves the page where it was', async () => {
  const { page } = await openLong();
  await goBack(page, 4_000);
  const numbers = await expectInOrder(page);
  const [second = 0] = numbers.slice(1);
  pages.host().goAway();
  await page.getByRole('button', { name: 'Try now' }).waitFor();
  pages.host().comeBack();
  await reconnect(page);
  await eventually(() => page.getByRole('button', { name: 'Try now' }).count()).toBe(0);
  await page.getByText(`Message ${second}.`).waitFor();
  expect(await inView(page)).toContain(second);
  expect(await toNewest(page).count()).toBe(1);
});

test('what the host refuses on the way forward is asked for again by the button', async () => {
  const { page, asked } = await openLong();
  await goBack(page, 4_000);
  const { earlier } = pages.host().answers;
  pages.host().answers.earlier = () => 'Not now.';
  await gapOf(page).scrollIntoViewIfNeeded();
  const again = gapOf(page).getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await nearDrawn(page);
  const last = Math.max(...(await inView(page)).filter((number) => number < COUNT - 2 * GREETING));
  const place = await page.getByText(`Message ${last}.`).boundingBox();
  asked.length = 0;
  if (earlier !== undefined) pages.host().answers.earlier = earlier;
  await again.click();
  await gapOf(page).getByRole('button', { name: 'Show newer' }).waitFor();
  expect(asked).toHaveLength(1);
  // It has filled downwards: what was read is where it was, and more follows.
  expect(await inView(page)).toContain(last);
  expect(await page.getByText(`Message ${last}.`).boundingBox()).toEqual(place);
  await page.getByText(`Message ${last + 1}.`).waitFor();
});

test('older messages keep coming to who goes back to the top in the moment they come', async () => {
  const { page, asked } = await openLong();
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
    return { events: [saidAt(to - 1, COUNT)], since: to - 2 };
  };
  await earlier.click();
  await page
    .getByText(`Message ${COUNT - GREETING}.`, { exact: false })
    .first()
    .waitFor();
  expect(asked).toEqual([COUNT - GREETING + 1]);
});
