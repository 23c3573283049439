import { CLICK } from '../support/titles.js';
import { expect, test } from 'vitest';
import { title, type Card, type ShownStep, type Title } from '../../src/main/protocol/index.js';
import { keepPicture } from '../support/keep-picture.js';
import { card, mailPicture } from '../support/page-samples.js';
import { pageTests, press, spread } from '../support/page-test.js';
import { message } from '../../src/messages/index.js';

const pages = pageTests();

const MAIL = { name: 'Mail', appId: 'com.apple.mail', pid: 611, startTime: '1' };
const step = (title: Title, target: string | null, more: Partial<ShownStep> = {}): ShownStep => ({
  tool: 'click_element',
  effect: 'input',
  subject: { title, target, app: 'Mail', place: 'Re: Lease renewal' },
  arguments: { element_id: 'e:7' },
  text: null,
  process: MAIL,
  window: 'Re: Lease renewal',
  documentUrl: null,
  notes: [],
  late: null,
  ...more,
});
const TEXT = 'Dear Maria,\nthank you, I have signed it.\nAna';
const STEPS = [
  step(title('title.write'), 'Message body', { tool: 'write_element_value', text: TEXT, arguments: { element_id: 'e:9', value: TEXT }, notes: [message('note.replaces')] }), // prettier-ignore
  step(CLICK, 'Send', { arguments: { element_id: 'e:7' } }),
  step(CLICK, 'Send anyway', {
    arguments: { parent: 'com.apple.mail', role: 'button', title: 'Send anyway' },
    late: 'Mail',
    process: null,
    window: null,
  }),
  step(title('title.close'), 'Lease renewal', {
    tool: 'close_window',
    effect: 'dangerous',
    window: 'Lease renewal',
    arguments: { name: 'applications/611/windows/12' },
  }),
];
const plan = (over: Partial<Card> = {}): Card =>
  card({
    tool: 'run_plan',
    subject: {
      title: title('title.run_plan', { count: 4 }),
      target: null,
      app: 'Mail',
      place: 'Re: Lease renewal',
    },
    arguments: {
      steps: STEPS.map(({ tool, arguments: given }) => ({ tool, arguments: given })),
      stop_on_no_change: false,
    },
    notes: [message('note.stops_at_failure')],
    grants: [],
    effect: 'dangerous',
    steps: STEPS,
    ...over,
  });

for (const [name, options] of [
  ['wide', {}],
  ['popover', { viewport: { width: 400, height: 900 }, colorScheme: 'dark' }],
] as const)
  test(`a plan shows every step in words before it can be allowed, and their exact arguments below (${name})`, async () => {
    const one = plan({ picture: await mailPicture() });
    const page = await pages.open({ approvals: [one] }, options);
    const shown = page.locator(`article[aria-labelledby="t-${one.id}"]`);
    const items = shown.locator('ol.steps > li');
    await expect.poll(() => items.count()).toBe(4);
    const words = await items.allInnerTexts();
    expect(words[0]).toContain('Replace the value of “Message body”');
    expect(words[0]).toContain('thank you, I have signed it.');
    expect(words[2]).toMatch(/Click “Send anyway”[^]*Not on screen yet[^]*com\.apple\.mail/);
    expect(words[3]).toContain('Close “Lease renewal”');
    const allow = await shown.locator('[data-part="allow"]').boundingBox();
    const last = await items.last().boundingBox();
    expect((allow?.y ?? 0) > (last?.y ?? Infinity)).toBe(true);
    await expect.poll(() => shown.getByText('e:7').count()).toBe(0);
    await keepPicture(page, `plan-${name}`, { fullPage: true });
    await press(page, shown.locator('[data-part="exact"]'));
    for (const exact of ['e:9', 'e:7', 'applications/611/windows/12', 'stop_on_no_change'])
      await shown.locator('.exact').getByText(exact).first().waitFor();
    expect(await spread(page)).toEqual([]);
    await keepPicture(page, `plan-${name}-open`, { fullPage: true });
  });

test('hidden characters in any step are told of, and the exact request is open then', async () => {
  const one = plan({ steps: [...STEPS.slice(0, 3), step(CLICK, 'Send\u202egnp.exe')] });
  const page = await pages.open({ approvals: [one] });
  await page.locator('.warn').getByText('hidden character').waitFor();
  await page.locator('.exact .args-box').first().waitFor();
});
