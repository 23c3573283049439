/** A program of gabp-apps.json that is written while the person is asked about its entry. */
import { appendFile, chown, copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { openGabp } from '../support/gabp.js';
import { launched, PEER, startApps } from '../support/gabp-apps.js';
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

describe('[req:GC-1] what was confirmed starts with the next host unasked only as it was', () => {
  /** Confirmed, stopped with its host, and changed before the next one. */
  async function restarted(entry: (folder: string) => object, change: (folder: string) => Promise<unknown>) {
    const folder = await mkdtemp(join(tmpdir(), 'chaperone-game-'));
    for (const file of ['game.mjs', 'settings.json', 'library.so']) await writeFile(join(folder, file), '');
    await copyFile(PEER, join(folder, 'peer.mjs'));
    const apps = await startApps({ game: entry(folder) });
    onTestFinished(async () => {
      await apps.close();
      await rm(folder, { recursive: true });
    });
    await apps.start('game');
    await change(folder);
    await apps.scene.restart();
    const person = await apps.scene.page(apps.scene.host.pairingLink());
    const again = await openGabp(apps.scene);
    onTestFinished(() => again.close());
    const state = async () => JSON.stringify(await again.request('admin/apps'));
    await eventually(state).toMatch(/"state":"(connected|asking)"/);
    const asks = (await state()).includes('asking');
    const cards = () =>
      person.seen.flatMap((one) => {
        if (one.type === 'connected') return one.approvals;
        return one.type === 'approvalRequested' ? [one.approval] : [];
      });
    if (asks) await eventually(() => cards().length).toBeGreaterThan(0);
    return { notes: cards()[0]?.notes ?? null, folder };
  }

  const traps = JSON.stringify({ traps: [] });
  const entry = (folder: string) =>
    launched([], { start: 'auto' }, {
      command: [process.execPath, 'peer.mjs', traps, `--settings=${join(folder, 'settings.json')}`],
      env: { GAME_LIBRARIES: `/none:${join(folder, 'library.so')}` },
      folder,
    }); // prettier-ignore

  test('where nothing changed', async () => {
    expect((await restarted(entry, async () => undefined)).notes).toBeNull();
  });

  test.each(['peer.mjs', 'settings.json', 'library.so'])('not where %s was written, which the request names', async (name) => {
    const { notes, folder } = await restarted(entry, (folder) => appendFile(join(folder, name), '\n'));
    const files = [join(folder, name)];
    expect(notes).toContainEqual({ code: 'note.app_files_changed', params: { files } });
  }); // prettier-ignore

  test('not where a file of the same content belongs to another user', async () => {
    const { notes } = await restarted(entry, (folder) => chown(join(folder, 'peer.mjs'), 65_534, 65_534));
    expect(notes).toContainEqual(expect.objectContaining({ code: 'note.app_files_changed' }));
  });

  test('not where an interpreter is told its code by no file', async () => {
    const code = (folder: string) => `import(${JSON.stringify(join(folder, 'peer.mjs'))})`;
    const inline = (folder: string) =>
      launched([], { start: 'auto' }, { command: [process.execPath, '-e', code(folder), traps], folder });
    expect((await restarted(inline, async () => undefined)).notes).not.toBeNull();
  });
});
