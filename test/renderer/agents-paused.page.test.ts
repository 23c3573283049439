/** Agents that are held back, on a page, against a host that says what a test wants. */
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { ago, CLAUDE, CODEX, STATUS } from '../support/page-samples.js';
import { complaints, pageTests, spread } from '../support/page-test.js';
import { message, verbatim } from '../../src/messages/index.js';

const pages = pageTests();

async function open(page: Page): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Agents/ })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
}

test('the command that paused agents is shown as one that works on this machine', async () => {
  const paused = { by: 'command', at: ago(1), reason: message('pause.by', { who: 'command', did: 'other' }) };
  const command = '/usr/bin/node /opt/chaperone/index.js';
  const page = await pages.open({ command, status: { ...STATUS, state: 'paused', paused } });
  const banner = page.getByRole('status').filter({ hasText: 'Agents are paused' });
  await banner.locator('code', { hasText: `${command} stop` }).waitFor();
  expect(await banner.innerText()).toContain(`${command} stop stopped agents.`);
  await expect.poll(() => complaints(page)).toEqual([]);
});

describe('agents', () => {
  test('[req:AP-G-3] that are paused and not connected are shown, and let go on', async () => {
    const paused = { by: 'page', at: ago(3), reason: verbatim('You paused this agent.') };
    const away = [
      { id: CODEX.id, agent: CODEX, paused },
      { id: 'old', agent: null, paused },
    ];
    const page = await pages.open(
      { status: { ...STATUS, agents: [], away } },
      { viewport: { width: 320, height: 700 } },
    );
    await open(page);
    const one = page.getByRole('article', { name: 'Codex' });
    await one.getByText('Not connected now.').waitFor();
    await one.getByText('You paused this agent.').waitFor();
    await one.getByRole('button', { name: 'Who it is' }).press('Enter');
    await one.getByText(CODEX.executable).waitFor();
    expect(await complaints(page)).toEqual([]);
    expect(await spread(page)).toEqual([]);
    await one.getByRole('button', { name: 'Resume Codex' }).press('Enter');
    expect(await pages.host().next('pauseAgent')).toMatchObject({ id: CODEX.id, on: false });
    await page.getByRole('button', { name: 'Resume An agent from earlier' }).press('Enter');
    expect(await pages.host().next('pauseAgent')).toMatchObject({ id: 'old', on: false });
  });

  test('that are idle while all are paused are not called idle', async () => {
    const agents = [{ ...CLAUDE, since: ago(5), state: 'idle' as const }];
    const paused = { by: 'page', at: ago(1), reason: verbatim('You stopped agents.') };
    const page = await pages.open({ status: { ...STATUS, state: 'paused', agents, paused } });
    await open(page);
    const one = page.getByRole('article', { name: 'Claude Code' });
    await expect.poll(() => one.locator('.chip').allInnerTexts()).toEqual(['Paused']);
    pages.host().say({ type: 'status', status: { ...STATUS, agents, paused: null } });
    await one.locator('.chip', { hasText: 'Idle' }).waitFor();
  });
});
