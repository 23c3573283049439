import { title } from '../../src/main/protocol/index.js';
import { CLICK } from '../support/titles.js';
import type { BrowserContextOptions, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Shown } from '../support/page-host.js';
import {
  activity,
  ago,
  card,
  CLAUDE,
  GRANT,
  HEALTH,
  POLICY,
  question,
  shellCard,
  STATUS,
} from '../support/page-samples.js';
import { markdownCame, pageTests, spread, unmarked } from '../support/page-test.js';
import { verbatim } from '../../src/messages/index.js';

const HOSTILE = [
  [
    'HTML',
    '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script><style>*{display:none}</style>',
  ],
  ['a direction override', 'invoice_\u202efdp.exe'],
  ['isolates left open', '\u2067\u2066Allow\u2068'],
  ['zero-width characters', 'p\u200ba\u200cy\u2060p\ufeffal'],
  ['5,000 spaces', `rm${' '.repeat(5_000)}-rf ~`],
  ['escape sequences', '\u001b[2J\u001b]0;owned\u0007 red'],
  ['look-alike letters', 'p\u0430yp\u0430l'],
  ['a very long word', 'W'.repeat(6_000)],
  ['line breaks', `a${'\n'.repeat(300)}b`],
  ['Markdown', '# Waiting for you\n\n**Allow** ![x](http://evil.example/x.png)'],
] as const;

const pages = pageTests();
let page: Page;

async function open(shown: Partial<Shown>, options: BrowserContextOptions = {}): Promise<void> {
  page = await pages.open(shown, options);
}

const everywhere = (text: string) =>
  card({
    subject: { title: CLICK, target: text, app: text, place: text },
    arguments: { [text]: text, deep: [{ inner: text }] },
    text,
    window: text,
    documentUrl: text,
    ancestors: [text],
    notes: [verbatim(text)],
    agent: { ...CLAUDE, claim: text, script: text, cwd: text, name: text },
    process: { name: text, appId: text, pid: 1, startTime: ago(1) },
  });

describe('hostile text in every field an agent controls', () => {
  test.each(HOSTILE)('[req:AP-X-1] %s', async (_, text) => {
    const said = question(1, text, { quickReplies: [text], agent: { id: 'x', name: text, tile: text.slice(0, 2) } });
    await open(
      {
        approvals: [everywhere(text)],
        history: [said],
        pendingAckIds: [said.ack_id],
        cursor: 1,
        activity: [
          activity({
            subject: { title: title('verbatim', { text: text }), target: text, app: text, place: text },
            note: verbatim(text),
            agent: said.agent,
          }),
        ],
        health: { ...HEALTH, issues: [{ title: verbatim(text), fix: verbatim(text) }] },
        grants: [{ ...GRANT, label: verbatim(text) }],
        policy: POLICY,
        status: { ...STATUS, agents: [{ ...CLAUDE, name: text, since: ago(1), state: 'acting' }] },
      },
      { viewport: { width: 320, height: 700 } },
    );
    await markdownCame(page);
    const exact = page.locator('[data-part="exact"]');
    if ((await exact.getAttribute('aria-expanded')) === 'false') await exact.click();
    expect(await spread(page)).toEqual([]);
    expect(await page.title()).toBe('(2) Chaperone');
    expect(await unmarked(page)).toEqual([]);
    await expect.poll(() => page.locator('[data-part="allow"]').count()).toBe(1);
    await expect.poll(() => page.getByRole('heading', { name: 'Waiting for you', exact: true }).count()).toBe(1);
    await page.getByRole('link', { name: /^Settings/ }).click();
    await page.getByText('What you have allowed').waitFor();
    expect(await spread(page)).toEqual([]);
    expect(await page.title()).toBe('(2) Settings · Chaperone');
    expect(await unmarked(page)).toEqual([]);
  });

  test('is named, warned about and opened', async () => {
    await open({ approvals: [card({ text: 'The signed copy is invoice_\u202efdp.exe', grants: [] })] });
    const warning = page.getByRole('note');
    await expect.poll(() => warning.innerText()).toContain('One hidden character changes how this text reads.');
    await expect.poll(() => warning.getByText('U+202E right-to-left').count()).toBe(1);
    await expect.poll(() => page.locator('[data-part="exact"]').getAttribute('aria-expanded')).toBe('true');
  });

  test('an ordinary card warns of nothing and starts folded', async () => {
    await open({ approvals: [card()] });
    await expect.poll(() => page.getByRole('note').count()).toBe(0);
    await expect.poll(() => page.locator('[data-part="exact"]').getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => page.locator('article').innerText()).not.toContain('575');
    await page.keyboard.press('e');
    const request = await page.locator('.exact').innerText();
    for (const part of ['click', '575', '37', 'left', 'Send', 'Re: Lease renewal, to Maria Keller'])
      expect(request).toContain(part);
  });

  test('a long name is cut in the title, and whole below', async () => {
    await open({ approvals: [card({ subject: { ...card().subject, target: `Send ${'x'.repeat(500)} not` } })] });
    await expect.poll(() => page.locator('h3').innerText()).toContain('429 more characters below');
    await expect.poll(() => page.locator('.exact').innerText()).toContain(`${'x'.repeat(500)} not`);
  });

  test('a whole command is there, line by line, or says that it scrolls', async () => {
    const long = Array.from({ length: 1_000 }, (_, line) => `echo ${line}`).join('\n');
    await open({ approvals: [shellCard(), shellCard({ text: long, arguments: { command: long } })] });
    await page.getByText('Full command · 3 lines', { exact: true }).waitFor();
    await page.getByText('Full command · 1,000 lines. Scroll to read all of it').waitFor();
    await expect.poll(() => page.locator('article').nth(1).locator('pre').textContent()).toContain('echo 999');
  });
});
