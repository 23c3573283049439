import { expect, test } from 'vitest';
import { ago, card, CODEX, STATUS } from '../support/page-samples.js';
import { complaints, pageTests } from '../support/page-test.js';
import { keepPicture } from '../support/keep-picture.js';

const pages = pageTests();

test.each([
  ['light', 'en-US', 'Rename', 'Your name for Codex', 'Save name', 'Remove name', 'Shop (Codex)'],
  ['dark', 'de-DE', 'Umbenennen', 'Ihr Name für Codex', 'Namen speichern', 'Namen entfernen', 'Shop (Codex)'],
  ['light', 'zh-CN', '重命名', '您给 Codex 起的名称', '保存名称', '移除名称', 'Shop（Codex）'],
] as const)(
  'Agents gives an agent a name, which the page then uses: %s, %s',
  async (colorScheme, locale, open, label, save, remove, full) => {
    const agents = [{ ...CODEX, since: ago(5), state: 'idle' as const }];
    const page = await pages.open({ status: { ...STATUS, agents } }, { colorScheme, locale });
    let refusal: string | null = 'It reads like you.';
    pages.host().answers.renameAgent = () => refusal ?? {};
    await page.evaluate(() => void (location.hash = '#/agents'));
    await page.getByRole('button', { name: open, exact: true }).click();
    await page.getByLabel(label).fill('You');
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByRole('status').getByText(refusal).waitFor();
    await pages.host().next('renameAgent');
    refusal = null;
    await page.getByLabel(label).fill('Shop');
    await keepPicture(page, `rename-${locale}`);
    await page.keyboard.press('Enter');
    expect(await pages.host().next('renameAgent')).toMatchObject({ id: CODEX.id, name: 'Shop' });
    await page.getByLabel(label).waitFor({ state: 'detached' });
    pages.host().say({ type: 'names', names: [{ id: CODEX.id, name: 'Shop' }] });
    await page.getByRole('heading', { name: full }).waitFor();
    await page.getByRole('button', { name: open, exact: true }).click();
    expect(await page.getByLabel(label).inputValue()).toBe('Shop');
    await page.getByRole('button', { name: remove, exact: true }).waitFor();
    await keepPicture(page, `renamed-${locale}`);
    await page.evaluate(() => void (location.hash = '#/'));
    pages.host().say({ type: 'approvalRequested', approval: card({ agent: CODEX }) });
    await page.locator('.who b', { hasText: full }).waitFor();
    expect(await page.locator('.agents .name').textContent()).toBe('Shop');
    expect(await page.locator('.agents .agent-initials').textContent()).toBe('SH');
    await keepPicture(page, `renamed-card-${locale}`);
    await page.locator('[data-part="exact"]').click();
    await expect.poll(async () => (await page.locator('.kv').allTextContents()).join()).toContain('Codex');
    await expect.poll(() => complaints(page)).toEqual([]);
  },
);
