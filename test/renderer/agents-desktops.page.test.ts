import { expect, test } from 'vitest';
import { activity, ago, card, CLAUDE, CODEX, GRANT, STATUS } from '../support/page-samples.js';
import { complaints, pageTests } from '../support/page-test.js';
import { keepPicture } from '../support/keep-picture.js';
import { evidence, idOf } from '../support/record-samples.js';
import { title } from '../../src/main/protocol/index.js';

const pages = pageTests();

test('Agents names the desktop of an agent that has its own, and only of that one', async () => {
  const agents = [CLAUDE, CODEX].map((agent) => ({ ...agent, since: ago(5), state: 'idle' as const }));
  const own = { id: GRANT.id, agent: card({ agent: CODEX }).agent, since: ago(4), taken: false, kept: false };
  const page = await pages.open({ status: { ...STATUS, agents, desktops: [own] } });
  await page.getByRole('navigation').getByRole('link', { name: /^Agents/ }).click(); // prettier-ignore
  const [codex, claude] = [CODEX, CLAUDE].map(({ name }) => page.getByRole('article', { name }));
  await codex?.getByText('Codex works on a desktop of its own.').waitFor();
  expect(await claude?.innerText()).not.toContain('desktop of its own');
  await expect.poll(() => complaints(page)).toEqual([]);
  pages.host().say({ type: 'status', status: { ...STATUS, agents, desktops: [{ ...own, taken: true }] } });
  await codex?.getByText('You took this desktop over. Codex waits and sees nothing of it.').waitFor();
});

test('Activity and the evidence say that an act was on its own desktop; a plain command is not red', async () => {
  const runs = { subject: { title: title('title.run_shell_command'), target: null, app: null, place: null } };
  const command = { effect: 'dangerous', tool: 'execute_shell_command', ...runs } as const;
  const own = activity({ seq: 41, executionId: idOf(41), desktop: 'own' });
  const rows = [activity({ seq: 40, ...command }), activity({ seq: 39, ...command, plain: true }), own];
  const page = await pages.open({ activity: rows });
  pages.host().answers.evidence = () => ({ evidence: evidence({ activity: own }) });
  const shown = page.locator('#activity .row');
  await shown.filter({ hasText: 'Mail, Lease renewal, on its own desktop' }).waitFor();
  const tone = (index: number) => shown.nth(index).locator('.t svg').getAttribute('class');
  expect(await shown.nth(0).innerText()).not.toContain('desktop');
  expect([await tone(0), await tone(1)].map((found) => found?.includes('k-danger'))).toEqual([true, false]);
  await keepPicture(page, 'activity-own-desktop');
  await shown.nth(2).click();
  await page.locator('.toolrow').getByText('on its own desktop').waitFor();
  await keepPicture(page, 'evidence-own-desktop');
  await expect.poll(() => complaints(page)).toEqual([]);
});
