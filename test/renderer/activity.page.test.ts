import { title } from '../../src/main/protocol/index.js';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { activity, ago } from '../support/page-samples.js';
import { complaints, eventually, nearDrawn, pageTests, reconnect, spread } from '../support/page-test.js';
import { evidence, idOf, rowAt, serveEvidence, serveRecord } from '../support/record-samples.js';
import { verbatim } from '../../src/messages/index.js';

const pages = pageTests();
const COUNT = 10_000;

async function openActivity(count: number, now?: number): Promise<{ page: Page; asked: number[] }> {
  const page = await pages.open({}, { viewport: { width: 880, height: 900 } });
  const { asked } = serveRecord(pages.host(), count, now);
  await page.evaluate(() => void (location.hash = '#/activity'));
  await page.getByText(`Row ${count}”`).waitFor();
  return { page, asked };
}

/** Goes to the end as often as it moves away. Resolves with what the page had at most. */
const goToEnd = (page: Page): Promise<{ nodes: number; blocks: number }> =>
  page.evaluate(async () => {
    const count = (selector: string) => document.querySelectorAll(selector).length;
    let [nodes, blocks] = [0, 0];
    while (document.querySelector('.list-end')?.textContent !== 'Nothing older.') {
      window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
      await new Promise(requestAnimationFrame);
      nodes = Math.max(nodes, count('*'));
      blocks = Math.max(blocks, count('.log [data-block]'));
    }
    return { nodes, blocks };
  });

test('rows that are not indexed yet are told of, and come by themselves', async () => {
  const page = await pages.open({}, { viewport: { width: 880, height: 900 } });
  serveRecord(pages.host(), 150);
  const whole = pages.host().answers.activityPage;
  let percent: number | null | undefined = 40;
  pages.host().answers.activityPage = (question) => {
    const answer = whole?.(question) ?? 'failed';
    if (typeof answer === 'string' || percent === undefined) return answer;
    const rows = answer.rows.filter(({ seq }) => seq > 60);
    return { ...answer, rows, next: rows.at(-1)?.seq ?? 61, total: null, older: { percent } };
  };
  await page.evaluate(() => void (location.hash = '#/activity'));
  await page.getByText('Older actions are being indexed (40 %).').waitFor();
  percent = undefined;
  await goToEnd(page);
  expect(await page.locator('.list-h').textContent()).toContain('150 actions');
});

/** Looks at that many places, from the top on; gives the numbers in view at each. */
const leaf = (page: Page, places: number): Promise<{ nodes: number; found: number[][] }> =>
  page.evaluate(async (count) => {
    const seen = () =>
      [...document.querySelectorAll('.log .row')].filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      });
    let nodes = 0;
    const found: number[][] = [];
    for (let place = 0; place <= count; place += 1) {
      window.scrollTo({ top: (document.body.scrollHeight * place) / count, behavior: 'instant' });
      // What was dropped is loaded again; rows that never come are seen by what was found.
      for (let waits = 0; waits < 4 || (waits < 600 && seen().length <= 5); waits += 1)
        await new Promise(requestAnimationFrame);
      found.push(seen().map((one) => Number(/Row (\d+)”/.exec(one.textContent ?? '')?.[1])));
      nodes = Math.max(nodes, document.querySelectorAll('*').length);
    }
    return { nodes, found };
  }, places);

test('[req:AP-R-1] [req:AP-R-12] ten thousand rows: they come in pages, all can be reached, little is kept and drawn', async () => {
  const { page, asked } = await openActivity(COUNT);
  expect(asked.length).toBeLessThan(4);
  const { nodes, blocks } = await goToEnd(page);
  expect(asked).toEqual(Array.from({ length: COUNT / 100 }, () => 100));
  expect(nodes).toBeLessThan(6_000);
  // Of three thousand rows in blocks of two and sections of a hundred.
  expect(blocks).toBeLessThanOrEqual(3_000 * (1 / 2 + 1 / 100));
  const { nodes: nodesThere, found } = await leaf(page, 20);
  expect(nodesThere).toBeLessThan(6_000);
  for (const numbers of found) {
    const [first = NaN] = numbers;
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers).toEqual(numbers.map((_, index) => first - index));
  }
  expect(found[0]?.[0]).toBe(COUNT);
  expect(found.at(-1)?.at(-1)).toBe(1);
  // What was dropped was asked for again.
  expect(asked.length).toBeGreaterThan(COUNT / 100);
  const { number, of } = await page
    .locator('.log li')
    .last()
    .evaluate((one) => ({ number: one.ariaPosInSet, of: one.ariaSetSize }));
  expect([number, of]).toEqual([String(COUNT), String(COUNT)]);
}, 120_000);

test('[req:AP-R-12] rows that were dropped come again in their place, also after a lost connection, and lead to their evidence', async () => {
  const { page, asked } = await openActivity(5_000);
  const height = () => page.evaluate(() => document.body.scrollHeight);
  await goToEnd(page);
  const before = await height();
  pages.host().goAway();
  await page.getByRole('button', { name: 'Try now' }).waitFor();
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  asked.length = 0;
  expect(await page.getByText('Row 5000”').count()).toBe(0);
  pages.host().comeBack();
  await reconnect(page);
  await page.getByText('Row 5000”').waitFor();
  expect(asked.length).toBeLessThan(5);
  expect(Math.abs((await height()) - before)).toBeLessThan(100);
  const first = page.locator('.log li').first();
  expect(await first.evaluate((one) => one.ariaPosInSet)).toBe('1');
  serveEvidence(pages.host(), evidence(), {});
  await page.getByText('Row 4999”').click();
  await page.getByRole('heading', { level: 1, name: /Archive/ }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/evidence/${idOf(4_999)}`);
  await page.goBack();
  await page.getByText('Row 5000”').waitFor();
}, 60_000);

test('[req:GR-1] a long record is searched part by part: parts with nothing are passed over, and their number is told at the end', async () => {
  const { page, asked } = await openActivity(300);
  const { activityPage } = pages.host().answers;
  if (activityPage === undefined) throw new Error('no record is served');
  // It looks at 50 of 300 rows at a time; nothing fits among the first two hundred.
  pages.host().answers.activityPage = (question) => {
    const before = question.before ?? 301;
    const found = activityPage({ ...question, before });
    if (typeof found === 'string') return found;
    const rows = found.rows.filter(({ seq }) => seq >= before - 50 && seq > 200);
    return { ...found, rows, next: before > 51 ? before - 50 : null, total: null };
  };
  asked.length = 0;
  await page.getByLabel('Outcome').selectOption('denied');
  await page.getByText('25 actions', { exact: true }).waitFor();
  expect(asked.length).toBe(6);
  expect(await page.locator('.list-end').innerText()).toBe('Nothing older.');
  expect(await page.locator('.list-h').innerText()).not.toContain('so far');
});

test('[req:AP-R-3] what is new waits in a line of its own, and nothing that is read moves', async () => {
  const { page } = await openActivity(300);
  const host = pages.host();
  const now = Date.now();
  await page.evaluate(() => window.scrollTo({ top: 2_000, behavior: 'instant' }));
  const read = page.getByText('Row 268”');
  await read.waitFor();
  await nearDrawn(page);
  const before = await read.boundingBox();
  for (const seq of [301, 302, 303]) host.say({ type: 'activity', activity: rowAt(seq, 303, now) });
  await page.getByRole('button', { name: '3 new' }).waitFor();
  expect(await read.boundingBox()).toEqual(before);
  await expect.poll(() => page.getByText('Row 303”').count()).toBe(0);
  await page.getByRole('button', { name: '3 new' }).click();
  await page.getByText('Row 303”').waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await expect.poll(() => page.getByText('303 actions').isVisible()).toBe(true);
  await expect.poll(() => page.getByRole('button', { name: /new$/ }).count()).toBe(0);
});

test('[req:AP-R-2] filters are the host’s, also for what is new; the choice can be cleared', async () => {
  const { page } = await openActivity(300);
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('denied');
  await page.getByText('75 actions').waitFor();
  await page.getByRole('combobox', { name: 'Agent' }).selectOption('Codex');
  await page.getByText('25 actions').waitFor();
  const app = page.getByRole('searchbox', { name: 'Application' });
  await app.pressSequentially('saf');
  await page.getByText('12 actions').waitFor();
  await eventually(() => page.locator('.log .row').allInnerTexts()).toHaveLength(12);
  for (const text of await page.locator('.log .row').allInnerTexts()) expect(text).toMatch(/Codex, Safari[^]*Denied/);
  await expect.poll(() => app.evaluate((field) => field === document.activeElement)).toBe(true);
  pages.host().say({ type: 'activity', activity: activity({ seq: 400, outcome: 'confirmed' }) });
  const fits = rowAt(309, 309, Date.now());
  pages.host().say({
    type: 'activity',
    activity: { ...fits, seq: 401, outcome: 'denied', subject: { ...fits.subject, app: 'Safari' } },
  });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await app.fill('nothing has this name');
  await page.getByText('Nothing here fits these filters.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('300 actions').waitFor();
  await expect.poll(() => app.inputValue()).toBe('');
});

test('words are searched for in the whole record, and in what is new', async () => {
  const { page } = await openActivity(300);
  const words = page.getByRole('searchbox', { name: 'Search' });
  await words.pressSequentially('window ROW 17');
  await page.getByText('1 action', { exact: true }).waitFor();
  await eventually(() => page.locator('.log .row').allInnerTexts()).toEqual([expect.stringContaining('Row 17”')]);
  const fits = rowAt(309, 309, Date.now());
  const named = (seq: number, target: string) => ({ ...fits, seq, subject: { ...fits.subject, target } });
  pages.host().say({ type: 'activity', activity: named(400, 'Row 170, not 18') });
  pages.host().say({ type: 'activity', activity: named(401, 'Row 17, once more') });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('300 actions').waitFor();
  await expect.poll(() => words.inputValue()).toBe('');
});

test('back from the evidence of one, the list is where it was left, without asking again', async () => {
  // A heading of a day, whose height is in no estimate, stands right below the row.
  const { page, asked } = await openActivity(1_000, new Date(2026, 0, 2, 7, 28).getTime());
  const row = page.getByText('Row 853”');
  await eventually(async () => {
    await page.evaluate(() => window.scrollTo({ top: 9_000, behavior: 'instant' }));
    return (await page.evaluate(() => window.scrollY)) === 9_000 && (await row.isVisible());
  }).toBe(true);
  await nearDrawn(page);
  const before = await row.boundingBox();
  const asks = asked.length;
  serveEvidence(pages.host(), evidence(), {});
  await row.click();
  await page.getByRole('heading', { level: 1, name: /Archive/ }).waitFor();
  await page.goBack();
  await row.waitFor();
  expect(await row.boundingBox()).toEqual(before);
  expect(asked.length).toBe(asks);
});

test('a row with the focus keeps it, however far away it is scrolled', async () => {
  const { page } = await openActivity(300);
  await page.locator('.log .row').first().focus();
  await page.evaluate(() => window.scrollTo({ top: 4_000, behavior: 'instant' }));
  // Emptied from the top.
  await eventually(() => page.getByText('Row 297”').count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Row 300”');
});

test('what cannot be loaded says so, and a lost connection goes on by itself', async () => {
  const page = await pages.open();
  const host = pages.host();
  host.answers.activityPage = () => 'The disk is on fire.';
  await page.evaluate(() => void (location.hash = '#/activity'));
  await page.getByText('The disk is on fire.').waitFor();
  serveRecord(host, 250);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Row 250”').waitFor();
  delete host.answers.activityPage;
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  await eventually(() => host.received.filter(({ type }) => type === 'activityPage').length).toBeGreaterThan(2);
  host.goAway();
  await page.getByText('The rest can be loaded when the connection is back.').waitFor();
  host.comeBack();
  serveRecord(host, 250);
  await reconnect(page);
  await eventually(async () => {
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    return page.getByText('Row 1”', { exact: false }).count();
  }).toBeGreaterThan(0);
});

test('a page that was unpaired shows nothing of it', async () => {
  const { page } = await openActivity(20);
  pages.host().forgetPairings();
  pages.host().goAway();
  pages.host().comeBack();
  await reconnect(page);
  await page.getByText('Pair this page to approve actions here').waitFor();
  await expect.poll(() => page.getByText(/Row \d+”/).count()).toBe(0);
});

test.each([320, 2_000])(
  '[req:AP-R-10] nothing an agent says breaks the list at %i pixels, and axe finds nothing',
  async (width) => {
    const page = await pages.open({}, { viewport: { width, height: 900 } });
    const evil = `<img src=x onerror=alert(1)> \u202eevil\u200b ${'W'.repeat(9_000)}`;
    const host = pages.host();
    serveRecord(host, 30);
    const { activityPage } = host.answers;
    host.answers.activityPage = (question) => {
      const found = activityPage?.(question);
      if (found === undefined || typeof found === 'string') return 'none';
      const subject = { title: title('verbatim', { text: evil }), target: evil, app: evil, place: evil };
      const rows = found.rows.map((row) => ({
        ...row,
        at: ago(row.seq * 700),
        agent: { id: evil, name: evil, tile: evil },
        tool: evil,
        subject,
        note: verbatim(evil),
      }));
      return { ...found, rows, agents: [evil], damaged: 2 };
    };
    await page.evaluate(() => void (location.hash = '#/activity'));
    await page.locator('.log .row').first().waitFor();
    await expect.poll(() => page.locator('.log img').count()).toBe(0);
    await expect.poll(() => page.locator('.log .hid').first().innerText()).not.toBe('');
    expect(await spread(page)).toEqual([]);
    await page.getByText('2 actions are missing here').waitFor();
    expect(await complaints(page)).toEqual([]);
  },
);

test('with the keyboard alone: filters, rows, evidence and back', async () => {
  const { page } = await openActivity(30);
  serveEvidence(pages.host(), evidence(), {});
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await page.getByRole('combobox', { name: 'Agent' }).focus();
  for (let tabs = 0; tabs < 5; tabs += 1) await page.keyboard.press('Tab');
  expect(await focused()).toContain('Row 30”');
  await page.keyboard.press('Tab');
  expect(await focused()).toContain('Row 29”');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /Archive/ }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/evidence/${idOf(29)}`);
});
