/** A program of gabp-apps.json that is written while the person is asked about its entry. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launched, startApps } from '../support/gabp-apps.js';
import { settle } from '../support/person.js';

test('[req:RF-5] a program that is replaced while its card is open is not started, and its entry not confirmed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-game-'));
  const script = join(folder, 'game.mjs');
  await writeFile(script, '// as it was read');
  const apps = await startApps({ game: launched([], {}, { command: [process.execPath, script], folder }) });
  onTestFinished(async () => {
    await apps.close();
    await rm(folder, { recursive: true });
  });
  const { agent, scene, state, list } = apps;
  const starting = agent.request('admin/apps/start', { name: 'game' });
  starting.catch(() => undefined);
  const { approval } = await scene.person.next('approvalRequested');
  await writeFile(script, `import { writeFileSync } from 'node:fs'; writeFileSync('reached', '');`);
  await settle(scene.person, approval, 'allow');
  await expect(starting).rejects.toThrow('not the one that was approved');
  expect(await state('game')).toBe('stopped');
  expect(await list()).toMatchObject([{ name: 'game', confirmed: false }]);
  await expect(stat(join(folder, 'reached'))).rejects.toThrow('ENOENT');
});
