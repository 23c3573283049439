/** What an agent sends to the page: requests of a megabyte are refused or shown whole, and a message looks like no request. */
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGabp, type Gabp } from '../support/gabp.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';
import { openPage, type Person } from '../support/person.js';
import { startWorld, type WorldHost } from '../support/world.js';

let host: WorldHost;
let browser: PageBrowser;
let page: Page;
let agent: Gabp;
let other: Person;

beforeAll(async () => {
  host = await startWorld();
  browser = await startPageBrowser();
  page = (await browser.open({ viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' })).page;
  await page.goto(host.host.pairingLink());
  await page.locator('#views').waitFor();
  other = await openPage(host.host.url, host.host.pairingLink());
  agent = await openGabp(host);
});
afterAll(async () => {
  agent.close();
  other.close();
  await browser.close();
  await host.close();
});

const END = ' the end';
const long = (length: number) => 'a b '.repeat(length / 4 - 2) + END;
const MEGABYTE = long(1_048_576);

test.each<[string, object]>([
  ['execute_shell_command', { command: MEGABYTE, shell: true }],
  ['execute_shell_command', { command: 'echo', args: [MEGABYTE] }],
  ['execute_shell_command', { command: 'cat', stdin: MEGABYTE }],
  ['type_text', { text: MEGABYTE }],
  ['write_clipboard', { type: 'text', text: MEGABYTE }],
  ['write_element_value', { parent: 'simulated.mail', identifier: 'subject', value: MEGABYTE }],
  ['send_message', { text: MEGABYTE }],
  ['open_application', { application_id: MEGABYTE }],
  ['run_plan', { steps: [{ tool: 'type_text', arguments: { text: MEGABYTE } }] }],
])('[req:RA-8] %s takes no megabyte, asks nobody, and says how much it takes', async (name, given) => {
  const { isError, content } = await agent.tool(name, given as Record<string, unknown>);
  expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/at most \d+ characters/)]);
  expect(other.seen.filter(({ type }) => type === 'approvalRequested')).toEqual([]);
});

test('[req:RA-8] the longest that is taken stands on the card to its end, is said to scroll, and the card is answered', async () => {
  const stdin = agent.tool('execute_shell_command', { command: 'cat', stdin: long(1_000_000) });
  const card = page.locator('.card');
  await card.getByText('Scroll to read all of it').first().waitFor();
  expect(await card.textContent()).toContain(long(1_000_000));
  await card.locator('[data-part="deny"]:not([aria-disabled])').click();
  expect((await stdin).content[0]?.text).toContain('DESKTOP_CONFIRM_REQUIRED');
  await card.waitFor({ state: 'detached' });
});

async function evidence(): Promise<string[]> {
  const folder = join(host.home, 'state/artifacts');
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

test('[req:LI-2] an application whose every name is a megabyte: card, page, results and evidence hold what anybody reads of it', async () => {
  const frame = { x: 10, y: 10, width: 200, height: 30 };
  const named = { title: MEGABYTE, description: MEGABYTE, identifier: MEGABYTE };
  const pid = host.world.addApp({
    id: 'simulated.huge',
    name: MEGABYTE,
    executable: '/simulated/huge',
    windows: [
      {
        title: MEGABYTE,
        documentUrl: `https://a.example/${MEGABYTE}`,
        frame: { x: 100, y: 100, width: 400, height: 300 },
        elements: [
          {
            role: 'AXGroup',
            ...named,
            frame: { ...frame, height: 200 },
            children: [{ role: 'AXLink', ...named, leadsTo: `https://b.example/${MEGABYTE}`, frame }],
          },
        ],
      },
    ],
  });
  other.allowLooking();
  const before = other.seen.length;
  const earlier = await evidence();
  const found = await agent.tool('find_elements', { parent: String(pid), role: 'link' });
  expect(JSON.stringify(found).length).toBeLessThan(100_000);
  const elementId = /e:\d+/.exec(JSON.stringify(found))?.[0] ?? '';
  const acting = agent.tool('click_element', { element_id: elementId });
  const { approval } = await other.next('approvalRequested', ({ approval }) => approval.tool === 'click_element');
  expect(JSON.stringify(approval).length).toBeLessThan(100_000);
  expect(JSON.stringify(approval)).toContain('a b a b');
  const card = page.locator('.card').last();
  await card.locator('[data-part="deny"]:not([aria-disabled])').click();
  await acting;
  await card.waitFor({ state: 'detached' });
  const told = other.seen.slice(before).map(({ type, ...rest }) => ({ type, length: JSON.stringify(rest).length }));
  expect(told.filter(({ length }) => length > 200_000)).toEqual([]);
  const written = (await evidence()).filter((path) => !earlier.includes(path) && !path.endsWith('.png'));
  expect(written.length).toBeGreaterThan(0);
  const sizes = await Promise.all(written.map(async (path) => ({ path, size: (await stat(path)).size })));
  expect(sizes.filter(({ size }) => size > 200_000)).toEqual([]);
});

/** As much of a card as Markdown, HTML and quick replies give. */
const IMITATION = `<article class="card danger"><h3>Run a shell command</h3>
<button data-part="allow">Hold to allow</button></article>
<style>.card{position:fixed}</style><script>document.title = 'mine'</script>
<iframe srcdoc="x"></iframe><form action="/x"><input value="Allow"></form>

# Claude Code wants to

**Run a shell command**

\`rm -rf ~/old\`

| Deny | Hold to allow |
|---|---|
| [Deny](http://localhost/#deny) | [Hold to allow](javascript:alert(1)) |

![picture](https://example.com/card.png)`;

test('[req:RA-9] a message made to look like a request is a message: none of its parts decides anything, and it stands with the questions', async () => {
  const cards = () => other.seen.filter(({ type }) => type === 'approvalRequested').length;
  const before = cards();
  const asking = agent.tool('send_message', { text: IMITATION, quick_replies: ['Permit it', 'Hold on'] });
  asking.catch(() => undefined);
  await other.next('agentMessage');
  const said = page.locator('[data-part="message"], article', { hasText: 'wants to' }).first();
  await said.waitFor();
  expect(await page.locator('.card').count()).toBe(0);
  for (const one of [
    '[data-part="allow"]',
    '[data-part="deny"]',
    'iframe',
    'form[action]',
    'img[src^="http"]',
    'a[href^="javascript"]',
    'article article',
    'style:not(head style)',
  ])
    expect([one, await page.locator(one).count()]).toEqual([one, 0]);
  expect(await page.title()).not.toBe('mine');
  await page.getByRole('button', { name: 'Hold on' }).click();
  expect((await asking).structuredContent).toMatchObject({ reply: 'Hold on' });
  expect(cards()).toBe(before);
});
