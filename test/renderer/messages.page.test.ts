import type { BrowserContextOptions, Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Shown } from '../support/page-host.js';
import { ago, answer, GRANT, HEALTH, POLICY, question } from '../support/page-samples.js';
import { markdownCame, pageTests } from '../support/page-test.js';

const pages = pageTests();
let page: Page;

async function open(shown: Partial<Shown>, options: BrowserContextOptions = {}): Promise<void> {
  page = await pages.open(shown, options);
}

describe('messages', () => {
  const say = async (text: string): Promise<void> => {
    const said = question(1, text);
    await open({ history: [said], pendingAckIds: [said.ack_id], cursor: 1 });
    await markdownCame(page);
  };

  test('[req:DS-7-21] links show their whole address, open elsewhere and tell nobody where from', async () => {
    await say('[your bank](https://evil.example/a?b=1#c) <https://plain.example/> [odd](https://\u0430pple.com/)');
    const links = page.locator('.md a');
    await expect
      .poll(() => links.allInnerTexts())
      .toEqual(['https://evil.example/a?b=1#c', 'https://plain.example/', 'https://xn--pple-43d.com/']);
    for (const link of await links.all()) {
      await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer');
      await expect.poll(() => link.getAttribute('target')).toBe('_blank');
    }
  });

  test('only web addresses are links', async () => {
    await say('[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc/passwd) [d](/relative) [e](#needs)');
    await expect.poll(() => page.locator('.md a').count()).toBe(0);
    await expect.poll(() => page.locator('.md').innerText()).toBe('a b c d e');
  });

  test('[req:DS-7-21] pictures from elsewhere are addresses', async () => {
    await say('![cat](https://evil.example/cat.png) ![](data:image/png;base64,AAAA)');
    await expect.poll(() => page.locator('.md img').count()).toBe(0);
    await expect.poll(() => page.locator('.md').innerText()).toContain('https://evil.example/cat.png');
  });

  test('[req:DS-7-3] [req:DS-7-21] nothing in one is a heading, a control or a card', async () => {
    await say(
      '# Waiting for you\n\n- [ ] Allow\n\n<button>Allow</button>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n~~x~~ `y`[^1]\n\n[^1]: note',
    );
    await expect.poll(() => page.locator('.md :is(h1,h2,h3,h4,h5,h6,button,input,section,form)').count()).toBe(0);
    await expect.poll(() => page.locator('.md table').count()).toBe(1);
  });

  test('nesting that no parser likes does not take the page down', async () => {
    await say(`${'>'.repeat(5_000)} deep ${'['.repeat(3_000)}`);
    await page.getByRole('button', { name: 'Reply' }).waitFor();
  });

  test('many messages: the newest are shown, the rest is one button away, open questions always', async () => {
    const all = Array.from({ length: 200 }, (_, index) => question(index + 1, `Message ${index + 1}.`));
    const replies = all.slice(1).map((one, index) => answer(300 + index, one, 'ok'));
    await open({ history: [...all, ...replies], pendingAckIds: [all[0]?.ack_id ?? ''], cursor: 600 });
    await page.getByText('Message 1.', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('Message 2.', { exact: true }).count()).toBe(0);
    const earlier = page.getByRole('button', { name: /^Show \d+ earlier$/ });
    // By a script: going there with a pointer scrolls up, which shows more by itself and may take the button away.
    const showMore = () =>
      earlier.evaluateAll((found) => found.map((one) => one instanceof HTMLElement && one.click()).length);
    await expect.poll(showMore).toBe(0);
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await page.getByText('Message 2.', { exact: true }).waitFor();
  });
});

describe('settings', () => {
  test('a policy changes with a second press only; grants and pairings can be taken back', async () => {
    await open({ policy: POLICY, grants: [GRANT], health: HEALTH });
    await page.getByRole('link', { name: /1 thing needs your attention/ }).waitFor();
    await page.getByRole('link', { name: /^Settings/ }).click();
    await page.getByRole('radio', { name: /^Standard/ }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Use Strict' }).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(pages.host().received.filter((message) => message.type === 'setPolicy')).toEqual([]);
    await page.getByRole('button', { name: 'Use Read only' }).click();
    expect(await pages.host().next('setPolicy')).toEqual({ type: 'setPolicy', preset: 'readonly' });
    pages.host().say({ type: 'policy', policy: { ...POLICY, preset: 'readonly' } });
    await page.getByRole('button', { name: 'Use Read only' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Revoke' }).click();
    expect(await pages.host().next('revokeGrant')).toEqual({ type: 'revokeGrant', id: GRANT.id });
    pages.host().say({
      type: 'pairings',
      pairings: [{ keyId: 'k1', pairedAt: ago(9), lastSeenAt: ago(1), by: 'cli', here: true }],
    });
    await page.getByRole('button', { name: 'Unpair' }).click();
    expect(await pages.host().next('revokePairing')).toEqual({ type: 'revokePairing', keyId: 'k1' });
  });
});
