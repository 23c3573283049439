/** A request is never out of sight: strip, chip, queue, answered ones in one line, and scrolling that never surprises. */
import type { Locator, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Card, ChatEvent } from '../../src/main/protocol/index.js';
import { message } from '../../src/messages/index.js';
import { ago, answer, card, CLAUDE, CODEX, GRANT, POLICY, question, shellCard, STATUS } from '../support/page-samples.js'; // prettier-ignore
import { decided, eventually, isDead, pageTests, press } from '../support/page-test.js';

const pages = pageTests();
const WINDOW = { viewport: { width: 1280, height: 720 } };
const FIRST = question(1, 'Message 1.');

const cardOf = (page: Page, one: Card): Locator => page.locator(`article[aria-labelledby="t-${one.id}"]`);
const strip = (page: Page): Locator => page.locator('.strip');
const chip = (page: Page): Locator => page.locator('a.chip');

/** Many messages, the question first of all where one is given. */
function longChat(count: number, asked: ChatEvent | null = null): { history: ChatEvent[]; cursor: number } {
  const rest = Array.from({ length: count }, (_, index) =>
    answer(index + 2, FIRST, `Message ${index + 2}.\n\nAnd more of it.`, { at: ago(count - index) }),
  );
  return { history: asked === null ? rest : [asked, ...rest], cursor: count + 1 };
}

/** With `frozen`, the page's clock only moves when told. */
async function openScrolled(shown: Parameters<typeof pages.open>[0], frozen = false): Promise<Page> {
  const page = await pages.open(shown, WINDOW, frozen);
  await page
    .getByText(/^Message/)
    .last()
    .waitFor();
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  if (frozen) await page.clock.runFor(100);
  return page;
}

/** Playwright does not wait until the page has the event. */
async function turnWheel(page: Page): Promise<void> {
  await page.evaluate(() =>
    addEventListener('wheel', () => document.body.setAttribute('data-wheel', ''), { once: true }),
  );
  await page.mouse.wheel(0, 1);
  await page.locator('body[data-wheel]').waitFor();
}

const inWindow = async (page: Page, one: Locator): Promise<boolean> => {
  const box = await one.boundingBox();
  return box !== null && box.y > 55 && box.y + 90 < (page.viewportSize()?.height ?? 0);
};

describe('[req:PG-1] out of sight', () => {
  test('a new request above what is read is named by the strip, which goes there, and a second click decides nothing', async () => {
    const page = await openScrolled(longChat(40), true);
    await page.mouse.move(640, 400);
    const before = await page.evaluate(() => window.scrollY);
    const one = card({ agent: CODEX });
    pages.host().say({ type: 'approvalRequested', approval: one });
    await strip(page).waitFor();
    expect(await strip(page).innerText()).toMatch(/Codex wants to click “Send” in Mail/);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThanOrEqual(before);
    await page.clock.runFor(5_000);
    expect(await isDead(cardOf(page, one).locator('[data-part="allow"]'))).toBe(false);
    await strip(page).click();
    await eventually(() => inWindow(page, cardOf(page, one))).toBe(true);
    await eventually(() => isDead(cardOf(page, one).locator('[data-part="allow"]'))).toBe(true);
    await press(page, cardOf(page, one).locator('[data-part="allow"]'));
    await page.clock.runFor(600);
    expect(await isDead(cardOf(page, one).locator('[data-part="allow"]'))).toBe(false);
    expect(await decided(page, pages.host())).toEqual([]);
    expect(await strip(page).count()).toBe(0);
  });

  test('a question thousands of pixels away is named and reached', async () => {
    const asked = question(1, 'Which of the two?', { at: ago(90) });
    const page = await openScrolled({
      ...longChat(55, asked),
      pendingAckIds: [asked.ack_id],
      pendingAckId: asked.ack_id,
    });
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(3_000);
    await strip(page).getByText('Claude Code asked you a question').waitFor();
    await strip(page).click();
    await eventually(() => inWindow(page, page.getByText('Which of the two?'))).toBe(true);
    expect(await strip(page).count()).toBe(0);
  });

  test('on another view too: the strip leads home, to the oldest', async () => {
    const page = await pages.open(longChat(40), WINDOW);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.locator('#h-grants').waitFor();
    const [one, two] = [card({ createdAt: ago(1) }), shellCard({ createdAt: ago(0.5) })];
    for (const approval of [one, two]) pages.host().say({ type: 'approvalRequested', approval });
    await strip(page).getByText('and 1 more').waitFor();
    await strip(page).click();
    await eventually(() => inWindow(page, cardOf(page, one))).toBe(true);
    await expect.poll(() => cardOf(page, one).evaluate((article) => article === document.activeElement)).toBe(true);
  });
});

describe('[req:PG-2] the page scrolls by itself', () => {
  const arrive = async (page: Page): Promise<Card> => {
    const one = card();
    pages.host().say({ type: 'approvalRequested', approval: one });
    await cardOf(page, one).waitFor({ state: 'attached' });
    return one;
  };
  const idle = (page: Page): Promise<unknown> => page.clock.runFor(5_100);

  test('to a new request, once nobody has touched it for five seconds', async () => {
    const page = await openScrolled(longChat(40), true);
    await idle(page);
    const one = await arrive(page);
    await eventually(() => inWindow(page, cardOf(page, one))).toBe(true);
    expect(await strip(page).count()).toBe(0);
  });

  test('to the oldest that waits, whose buttons are dead then', async () => {
    const page = await openScrolled(longChat(40), true);
    await page.keyboard.press('Shift');
    const one = await arrive(page);
    await strip(page).waitFor();
    await idle(page);
    expect(await isDead(cardOf(page, one).locator('[data-part="allow"]'))).toBe(false);
    await arrive(page);
    await eventually(() => inWindow(page, cardOf(page, one))).toBe(true);
    await eventually(() => isDead(cardOf(page, one).locator('[data-part="allow"]'))).toBe(true);
  });

  test('never before the five seconds are over', async () => {
    const page = await openScrolled(longChat(40), true);
    await turnWheel(page);
    await page.clock.runFor(4_500);
    const before = await page.evaluate(() => window.scrollY);
    await arrive(page);
    await strip(page).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThanOrEqual(before);
  });

  test.each([
    ['touched it', (page: Page) => page.mouse.move(300, 300)],
    ['pressed a key', (page: Page) => page.keyboard.press('Shift')],
    ['turned the wheel', turnWheel],
  ])('never when the person just %s', async (_, touch) => {
    const page = await openScrolled(longChat(40), true);
    await idle(page);
    await touch(page);
    const before = await page.evaluate(() => window.scrollY);
    await arrive(page);
    await strip(page).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThanOrEqual(before);
  });

  test('never while the person writes, or sees another request', async () => {
    const asked = question(50, 'Which?', { at: ago(0) });
    const { history } = longChat(40);
    const page = await openScrolled({ history: [...history, asked], cursor: 50, pendingAckIds: [asked.ack_id] }, true);
    await page.getByLabel('Reply to Claude Code').focus();
    await idle(page);
    const before = await page.evaluate(() => window.scrollY);
    await arrive(page);
    await strip(page).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThanOrEqual(before);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await idle(page);
    await arrive(page);
    await eventually(() => strip(page).innerText()).toMatch(/and 1 more/);
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThanOrEqual(before);
  });
});

describe('[req:PG-3] the chip', () => {
  test('counts requests and questions, and goes to the oldest, again and again', async () => {
    const asked = question(1, 'Which of the two?', { at: ago(90) });
    const page = await pages.open(
      { ...longChat(55, asked), pendingAckIds: [asked.ack_id], approvals: [card(), shellCard()] },
      WINDOW,
    );
    await expect.poll(() => chip(page).innerText()).toBe('Waiting for you 3');
    expect(await page.title()).toBe('(3) Chaperone');
    for (const _ of [1, 2]) {
      await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
      await chip(page).click();
      await eventually(() => inWindow(page, page.getByText('Which of the two?'))).toBe(true);
    }
  });
});

describe('[req:PG-4] what is over', () => {
  test('seven answered requests are one line, and Allow of the next is where the first one’s was', async () => {
    const page = await pages.open({}, WINDOW);
    const all = Array.from({ length: 8 }, () => card());
    const last = all.at(-1) ?? card();
    for (const one of all) {
      pages.host().say({ type: 'approvalRequested', approval: one });
      await cardOf(page, one).waitFor();
      if (one === all[0] || one === last) continue;
    }
    const first = await cardOf(page, all[0] ?? last).boundingBox();
    for (const { id } of all.slice(0, 5))
      pages.host().say({ type: 'approvalResolved', id, decision: 'allow', by: 'page' });
    for (const { id } of all.slice(5, 7))
      pages.host().say({ type: 'approvalResolved', id, decision: 'deny', by: 'host', reason: 'timeout' });
    const line = page.getByRole('button', { name: '5 answered, 2 ended without an answer' });
    await line.waitFor();
    await eventually(async () => (await cardOf(page, last).boundingBox())?.y).toBe(first?.y);
    expect(await page.locator('.answered-request').count()).toBe(0);
    await line.click();
    expect(await page.locator('.answered .answered-request').count()).toBe(7);
    expect(await page.locator('.answered').innerText()).toMatch(/Allowed[\s\S]*Timed out – denied/);
  });
});

describe('[req:PG-5] what is queued', () => {
  test('is counted and told in words', async () => {
    const one = card({ agent: CODEX });
    const running = { effect: null, subject: null, waiting: false };
    const currentCalls = [
      { ...running, executionId: one.executionId, tool: 'click', does: 'click' as const, waiting: true },
      { ...running, executionId: card().executionId, tool: 'screenshot', does: 'picture' as const, queued: false },
      ...(['type', 'keys', 'scroll', 'click'] as const).map((does) => ({ ...running, executionId: card().executionId, tool: does, does, queued: true })),
    ]; // prettier-ignore
    const agents = [{ ...CODEX, since: ago(5), state: 'waiting' as const, currentCalls }];
    const page = await pages.open({ approvals: [one], status: { ...STATUS, agents } }, WINDOW);
    const list = page.getByRole('list', { name: 'Asked next' });
    await expect
      .poll(() => list.innerText())
      .toBe('4 more requests from Codex: type text, press keys, scroll and 1 more');
  });
});

describe('[req:PG-6] running grants on Home', () => {
  test('say who, where, how long and how often, and are taken back there', async () => {
    const forTime = { ...GRANT, appName: 'Galculator', appId: 'galculator', used: 14, expiresAt: ago(-8.2) };
    const counted = { ...GRANT, id: card().id, appName: 'Mail', usesLeft: 3, expiresAt: null };
    const over = { ...GRANT, id: card().id, appName: 'Notes', expiresAt: ago(1) };
    const page = await pages.open({ grants: [forTime, counted, over], approvals: [card()] });
    const region = page.locator('#grants');
    await expect
      .poll(() => region.innerText())
      .toMatch(/Claude Code can see, click and type in Galculator until .*\s+Revoke\s+[678]:\d\d left, 14 uses/);
    expect(await region.innerText()).toMatch(
      /Claude Code can always see, click and type in Mail\.\s+Revoke\s+until you revoke it, 3 uses left/,
    );
    expect(await region.getByText('Notes').count()).toBe(0);
    await region.getByRole('button', { name: 'Revoke' }).first().click();
    expect(await pages.host().next('revokeGrant')).toEqual({ type: 'revokeGrant', id: GRANT.id });
    pages.host().say({ type: 'grants', grants: [] });
    await eventually(() => region.count()).toBe(0);
  });
});

test('[req:NC-6] Home, Settings and Agents name the same grants, by the application’s name', async () => {
  const label = message('grant.given', {
    agent: CLAUDE.name,
    place: 'Galculator',
    effect: 'other',
    length: 'time',
    scope: 'other',
    files: 'other',
    folder: '',
  });
  const agent = { ...GRANT.agent, startTime: CLAUDE.startTime };
  const one = { ...GRANT, agent, label, appName: 'Galculator', appId: 'org.example.galculator' };
  const over = { ...one, id: card().id, appName: 'Notes', expiresAt: ago(1) };
  const page = await pages.open({ grants: [one, over], approvals: [card()], policy: POLICY });
  for (const view of ['', 'settings', 'agents']) {
    await page.evaluate((hash) => void (location.hash = hash), `#/${view}`);
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Revoke' }) });
    await expect
      .poll(() => rows.first().innerText())
      .toMatch(/Claude Code can see, click and type in Galculator until .*\d:\d\d/);
    expect(await rows.count()).toBe(1);
    expect(await page.locator('main').innerText()).not.toMatch(/org\.example|Notes/);
  }
});

describe('[req:PG-8] agents that left', () => {
  test('are in the header no more, and what they asked still counts', async () => {
    const page = await pages.open({ approvals: [card({ agent: CODEX })] }, WINDOW);
    const agents = page.getByRole('list', { name: 'Connected agents' });
    await expect.poll(() => agents.innerText()).toMatch(/Claude Code/);
    pages.host().say({ type: 'status', status: { ...STATUS, agents: STATUS.agents.slice(0, 1) } });
    await eventually(() => agents.getByRole('listitem').count()).toBe(1);
    pages.host().say({ type: 'status', status: { ...STATUS, agents: [] } });
    await page.getByText('No agents', { exact: true }).waitFor();
    await expect.poll(() => chip(page).innerText()).toBe('Waiting for you 1');
  });
});

test('[req:PG-9] the time left is said as each language says it', async () => {
  for (const [locale, said] of [
    ['en-US', /\d:\d\d left/],
    ['de-DE', /noch \d:\d\d/],
    ['zh-CN', /剩余 \d:\d\d/],
  ] as const) {
    const page = await pages.open({ approvals: [card()] }, { locale });
    await expect.poll(() => page.locator('.timer').innerText()).toMatch(said);
  }
});
