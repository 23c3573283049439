/** The states in which something waits, at the sizes and in the languages there are. With CHAPERONE_PICTURES=<folder>, keeps a picture of each. */
import type { BrowserContextOptions, Page } from 'playwright';
import { expect, test } from 'vitest';
import { message } from '../../src/messages/index.js';
import { keepPicture } from '../support/keep-picture.js';
import type { Shown } from '../support/page-host.js';
import { activity, ago, answer, card, CODEX, GRANT, mailPicture, question, shellCard, STATUS } from '../support/page-samples.js'; // prettier-ignore
import { subjectWithoutPlace, title } from '../../src/main/protocol/index.js';
import { pageTests, spread } from '../support/page-test.js';

const pages = pageTests();
const FIRST = question(1, 'Which of the two leases is the signed one?', { at: ago(90) });
const TALK = Array.from({ length: 40 }, (_, index) =>
  answer(index + 2, FIRST, `Message ${index + 2}.`, { at: ago(60 - index) }),
);

const SIZES: Record<string, BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 720 }, locale: 'en-US', colorScheme: 'light' },
  popover: { viewport: { width: 400, height: 600 }, locale: 'de-DE', colorScheme: 'dark' },
  narrow: { viewport: { width: 320, height: 640 }, locale: 'zh-CN', colorScheme: 'light' },
};

const ONCE = {
  kind: 'once' as const,
  label: message('grant.once'),
  consequence: message('grant.once.means'),
  covered: null,
};

/** The page lies at its end when the request comes. */
async function scrolled(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
}

const DESKTOP_ASKED = card({ tool: 'use_desktop', subject: subjectWithoutPlace(title('title.use_desktop')), arguments: {}, text: null, process: null, window: null, documentUrl: null, ancestors: [], notes: [], picture: null, grants: [], desktops: true }); // prettier-ignore
const openMenu = (page: Page) => page.locator('.pick').first().click();
const asked = message('note.asked_anyway', { allowed: 'other', scope: 'other', place: 'Mail', why: 'enter' });

const OWN_DESKTOP = { id: card().id, agent: CODEX, since: ago(9), taken: false, kept: false };

const STATES: Record<string, { shown: Partial<Shown>; then?(page: Page): Promise<void> }> = {
  'grant-menu': { shown: { approvals: [card()] }, then: openMenu },
  'asked-anyway': { shown: { approvals: [card({ notes: [asked], grants: [ONCE] })], grants: [{ ...GRANT, appName: 'Mail', folder: '/home/ada/lease', used: 14 }] } },
  'request-above': { shown: { history: TALK, cursor: 60, approvals: [card()] }, then: scrolled },
  'question-far': { shown: { history: [FIRST, ...TALK], pendingAckIds: [FIRST.ack_id], cursor: 60 }, then: scrolled },
  queued: {
    shown: {
      approvals: [card({ agent: CODEX }), shellCard({ agent: CODEX })],
      grants: [{ ...GRANT, appName: 'Mail', used: 14 }],
      status: {
        ...STATUS,
        agents: [{ ...CODEX, since: ago(5), state: 'waiting', currentCalls: (['type', 'scroll'] as const).map((does, index) => ({ executionId: index === 0 ? GRANT.id : card().id, tool: does, does, effect: null, subject: null, waiting: false, queued: true })) }],
      },
    },
  },
  'desktop-asked': { shown: { approvals: [DESKTOP_ASKED], status: { ...STATUS, agents: [] } } },
  'own-desktops': {
    shown: { status: { ...STATUS, desktops: [OWN_DESKTOP, { ...OWN_DESKTOP, id: GRANT.id, taken: true }] }, approvals: [card()] },
    then: (page) => page.locator('#h-desktops').evaluate((region) => region.scrollIntoView({ behavior: 'instant' })),
  },
  'agent-ended': { shown: { approvals: [card({ orphaned: true, agentEnded: true })], status: { ...STATUS, agents: [] } } }, // prettier-ignore
  'agents-left': { shown: { approvals: [card({ orphaned: true })], status: { ...STATUS, agents: [] } } },
  answered: {
    shown: { approvals: Array.from({ length: 8 }, () => card()), activity: [activity()] },
    async then(page) {
      for (const { id } of pages.host().shown.approvals.slice(0, 7))
        pages.host().say({ type: 'approvalResolved', id, decision: 'allow', by: 'page' });
      await expect.poll(() => page.locator('[data-slot="open"]').count()).toBe(1);
    },
  },
}; // prettier-ignore

const ALL = Object.keys(STATES).flatMap((state) => Object.keys(SIZES).map((size) => [state, size] as const));

test.each(ALL)(
  '[req:PG-1] %s, %s: something that waits is on the screen, and nothing sticks out',
  async (state, size) => {
    const { shown, then } = STATES[state] ?? { shown: {} };
    const picture = await mailPicture();
    const approvals = (shown.approvals ?? []).map((one) => (one.tool === 'click' ? { ...one, picture } : one));
    const popover = size === 'popover' ? 'here' : 'none';
    const page = await pages.open({ ...shown, approvals, popover }, SIZES[size]);
    await then?.(page);
    const seen = page.locator('.strip, [data-slot="open"] h3, [data-question] .replybox');
    await expect.poll(() => seen.evaluateAll((all) => all.some((one) => { const { top, bottom } = one.getBoundingClientRect(); return top > 40 && bottom < innerHeight; }))).toBe(true); // prettier-ignore
    expect(await spread(page)).toEqual([]);
    await keepPicture(page, `${state}-${size}`);
  },
);
