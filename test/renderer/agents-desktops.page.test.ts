import { expect, test } from 'vitest';
import { ago, card, CLAUDE, CODEX, GRANT, STATUS } from '../support/page-samples.js';
import { complaints, pageTests } from '../support/page-test.js';

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
