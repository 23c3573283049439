/** The request for a task, its fields, and a task that runs. With CHAPERONE_PICTURES=<folder>, keeps a picture of each. */
import type { BrowserContextOptions } from 'playwright';
import { describe, expect, test } from 'vitest';
import { keepPicture } from '../support/keep-picture.js';
import { title, type Card, type RunningTask, type TaskScope } from '../../src/main/protocol/index.js';
import { scopeTexts } from '../../src/main/approvals/tasks.js';
import { message } from '../../src/messages/index.js';
import { activity, ago, card, CLAUDE, STATUS } from '../support/page-samples.js';
import { complaints, pageTests, spread } from '../support/page-test.js';

const pages = pageTests();
const CHROMIUM = { id: 'chromium', name: 'Chromium', program: '/usr/lib/chromium/chromium' };
const MOUSEPAD = { id: 'org.xfce.mousepad', name: 'Mousepad', program: null };
const SCOPE: TaskScope = { apps: [CHROMIUM, MOUSEPAD], sites: ['http://localhost:18099'], effects: ['see', 'click', 'type'], minutes: 30, acts: 100 }; // prettier-ignore
const PURPOSE = 'Fill in the order form';

const requestCard = (scope = SCOPE, over: Partial<Card> = {}): Card =>
  card({
    tool: 'request_task',
    subject: { title: title('title.start_task'), target: PURPOSE, app: null, place: null },
    arguments: { purpose: PURPOSE, apps: ['Chromium', 'Mousepad'], sites: SCOPE.sites },
    process: null,
    window: null,
    ancestors: [],
    notes: [],
    covers: scopeTexts(scope),
    task: { purpose: PURPOSE, asked: SCOPE, scope, replaces: null },
    grants: [{ kind: 'once', label: message('grant.once'), consequence: message('grant.once.means'), covered: null }],
    ...over,
  });

const RUNNING: RunningTask = { ...SCOPE, id: '00000000-0000-4000-8000-000000000077', purpose: PURPOSE, startedAt: ago(18), endsAt: ago(-12), used: 14 }; // prettier-ignore
const status = (task: RunningTask | null) => ({ ...STATUS, agents: [{ ...CLAUDE, since: ago(20), state: 'idle' as const, task }] }); // prettier-ignore

const LOOKS: Record<string, BrowserContextOptions> = {
  'light-en': { viewport: { width: 880, height: 720 }, locale: 'en-US', colorScheme: 'light' },
  'dark-de': { viewport: { width: 880, height: 720 }, locale: 'de-DE', colorScheme: 'dark' },
  'light-zh': { viewport: { width: 880, height: 720 }, locale: 'zh-CN', colorScheme: 'light' },
  'dark-en-narrow': { viewport: { width: 360, height: 740 }, locale: 'en-US', colorScheme: 'dark' },
  'light-de-narrow': { viewport: { width: 320, height: 740 }, locale: 'de-DE', colorScheme: 'light' },
};

describe('a request for a task', () => {
  test('shows all that an Allow gives, and each change of it goes to the host', async () => {
    const asked = requestCard();
    const page = await pages.open({ approvals: [asked] });
    const request = page.locator('article');
    await request.getByText('start the task “Fill in the order form”').waitFor();
    await request.getByText(/^Chromium \(http:.*\) and Mousepad: see, click,? and type/).waitFor();
    await request.getByText('Always asks: commands').waitFor();
    expect(await complaints(page)).toEqual([]);
    const whole = { apps: ['chromium', 'org.xfce.mousepad'], sites: SCOPE.sites, effects: SCOPE.effects, minutes: 30, acts: 100 }; // prettier-ignore
    const changes = [
      [() => request.getByLabel('Mousepad').click(), { apps: ['chromium'] }],
      [() => request.getByLabel('http://localhost:18099').click(), { sites: [] }],
      [() => request.getByLabel('type', { exact: true }).click(), { effects: ['see', 'click'] }],
      [() => request.getByLabel('Time').selectOption('60'), { minutes: 60 }],
    ] as const;
    for (const [act, to] of changes) {
      await act();
      const sent = await pages.host().next('editTask');
      expect(sent).toMatchObject({ id: asked.id, digest: asked.digest, task: { ...whole, ...to } });
    }
  });

  test('is not called changed when the person has changed it, and what they press is what is shown', async () => {
    const asked = requestCard();
    const page = await pages.open({ approvals: [asked] });
    const scope = { ...SCOPE, apps: [CHROMIUM] };
    const edited = { ...requestCard(scope), id: asked.id, executionId: asked.executionId, createdAt: asked.createdAt, expiresAt: asked.expiresAt, digest: 'edited' }; // prettier-ignore
    pages.host().say({ type: 'approvalChanged', approval: edited });
    await page.getByText(/^Chromium \(http:.*\): see, click,? and type/).waitFor();
    expect(await page.getByText('This request changed').count()).toBe(0);
    expect(await page.getByLabel('Chromium').isDisabled()).toBe(true);
    await page.locator('[data-part="allow"]:not([aria-disabled="true"])').click();
    expect(await pages.host().next('approval')).toMatchObject({ digest: 'edited', decision: 'allow' });
    const other = { ...edited, digest: 'other', notes: [message('note.task_replaces', { purpose: 'Another' })] };
    pages.host().say({ type: 'approvalChanged', approval: other });
    await page.getByText('This request changed. Read it again.', { exact: true }).waitFor();
  });

  test('is decided in the menu bar where there is one', async () => {
    const page = await pages.open({ approvals: [requestCard()], popover: 'there' });
    await page.locator('[data-part="elsewhere"]').waitFor();
    expect(await page.locator('[data-part="allow"]').count()).toBe(0);
  });
});

test('a running task stands in the header, on Home and with its agent, and is taken back from each', async () => {
  const page = await pages.open({ activity: [activity()], status: status(RUNNING) });
  const chip = page.locator('.task-chip');
  const region = page.locator('#tasks');
  await region.getByText('Claude Code: Fill in the order form').waitFor();
  await region.getByText(/1[12]:\d\d left, 14 of 100 acts/).waitFor();
  await chip.getByText(/1[12]:\d\d left, 14\/100/).waitFor();
  expect(await complaints(page)).toEqual([]);
  await region.getByRole('button', { name: 'Take back' }).click();
  expect(await pages.host().next('endTask')).toMatchObject({ id: RUNNING.id });
  await chip.getByRole('button', { name: 'Take back the task “Fill in the order form”' }).click();
  expect(await pages.host().next('endTask')).toMatchObject({ id: RUNNING.id });
  await page.goto(`${new URL(page.url()).origin}/agents`);
  await page.getByRole('button', { name: 'Take back' }).last().click();
  expect(await pages.host().next('endTask')).toMatchObject({ id: RUNNING.id });
  pages.host().say({ type: 'status', status: status(null) });
  await expect.poll(() => chip.count()).toBe(0);
});

test.each(Object.keys(LOOKS))('nothing of it sticks out: %s', async (look) => {
  const page = await pages.open({ approvals: [requestCard()], activity: [activity()], status: status(null) }, LOOKS[look]); // prettier-ignore
  await page.locator('article .task-fields').waitFor();
  expect(await spread(page)).toEqual([]);
  await keepPicture(page, `task-request-${look}`);
  const running = await pages.open({ approvals: [], activity: [activity()], status: status(RUNNING) }, LOOKS[look]);
  await running.locator('#tasks').waitFor();
  expect(await spread(running)).toEqual([]);
  await keepPicture(running, `task-running-${look}`);
});
