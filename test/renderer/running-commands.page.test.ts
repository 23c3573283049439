import { expect, test } from 'vitest';
import { keepPicture } from '../support/keep-picture.js';
import { activity, ago } from '../support/page-samples.js';
import { complaints, pageTests, spread } from '../support/page-test.js';

const pages = pageTests();
const ID = '00000000-0000-4000-8000-000000000090';
const COMMAND = { id: ID, agent: 'Claude Code', command: 'npm run dev -- --port 5173', since: ago(8), processes: 3, outlives: false }; // prettier-ignore

test('[req:CM-4] Home lists commands that were kept running; a person ends them or lets them go on', async () => {
  const page = await pages.open({ activity: [activity({})] });
  const region = page.locator('section[aria-labelledby="h-commands"]');
  expect(await region.count()).toBe(0);
  pages.host().say({ type: 'commands', commands: [COMMAND] });
  await region.getByText('npm run dev -- --port 5173').waitFor();
  await region.getByText(/Claude Code, since .*, 3 processes/).waitFor();
  expect(await complaints(page)).toEqual([]);
  for (const width of [320, 880]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await spread(page)).toEqual([]);
    await keepPicture(page, `commands-${width}`);
  }
  await region.getByRole('button', { name: 'Keep after Chaperone ends' }).click();
  expect(await pages.host().next('outliveCommand')).toMatchObject({ id: ID, on: true });
  pages.host().say({ type: 'commands', commands: [{ ...COMMAND, outlives: true }] });
  await region.getByRole('button', { name: 'End with Chaperone' }).waitFor();
  await region.getByRole('button', { name: 'End', exact: true }).click();
  expect(await pages.host().next('endCommand')).toMatchObject({ id: ID });
  pages.host().say({ type: 'commands', commands: [] });
  await expect.poll(() => region.count()).toBe(0);
});
