/** A program of gabp-apps.json that is written while the person is asked about its entry. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { appendFile, chown, copyFile, mkdir, mkdtemp, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
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
  await expect(starting).rejects.toThrow('replaced or written after it was approved');
  expect(await state('game')).toBe('stopped');
  expect(await list()).toMatchObject([{ name: 'game', confirmed: false }]);
  await expect(stat(join(folder, 'reached'))).rejects.toThrow('ENOENT');
});

test('[req:RF-5] nor one beside which a module is put while its card is open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-game-'));
  await writeFile(join(folder, 'game.mjs'), `import { writeFileSync } from 'node:fs'; writeFileSync('reached', '');`);
  const apps = await startApps({ game: launched([], {}, { command: [process.execPath, 'game.mjs'], folder }) });
  onTestFinished(async () => {
    await apps.close();
    await rm(folder, { recursive: true });
  });
  const starting = apps.agent.request('admin/apps/start', { name: 'game' });
  starting.catch(() => undefined);
  const { approval } = await apps.scene.person.next('approvalRequested');
  await writeFile(join(folder, 'package.json'), '{}');
  await settle(apps.scene.person, approval, 'allow');
  await expect(starting).rejects.toThrow('replaced or written after it was approved');
  expect(await apps.list()).toMatchObject([{ name: 'game', confirmed: false }]);
  await expect(stat(join(folder, 'reached'))).rejects.toThrow('ENOENT');
});

describe('[req:GC-1] [req:GC-13] what was confirmed starts with the next host unasked only as it was', () => {
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

  /** What runs the peer, beside or below the folder of the entry. */
  const run = `"${process.execPath}" peer.mjs '${traps}'`;
  const python = `import os\ndef go(): os.execv(${JSON.stringify(process.execPath)}, ['node', 'peer.mjs', '${traps}'])\n`;
  const loaded: Record<string, string> = {
    'main.py': 'import module\nmodule.go()\n',
    'module.py': python,
    'named.py': `${python}go()\n`,
    'main.mjs': `import './dependency.mjs';\n`,
    'dependency.mjs': `process.argv[2] = '${traps}';\nawait import('./peer.mjs');\n`,
    'bin/above.mjs': `import '../dependency.mjs';\n`,
    'wrap.sh': '#!/bin/sh\n. ./settings.sh\n',
    'settings.sh': `exec ${run}\n`,
    'bin/helper': `#!/bin/sh\nexec ${run}\n`,
  };
  const started = (command: string[], launch: object) => (folder: string) =>
    launched([], { start: 'auto' }, {
      command: command.map((word) => word.replace('DIR', folder)),
      folder,
      ...launch,
    }); // prettier-ignore
  async function withLoaded(command: string[], change: (folder: string) => Promise<unknown>, launch: object = {}) {
    const made = (folder: string) => {
      mkdirSync(join(folder, 'bin'));
      mkdirSync(join(folder, 'v1'));
      symlinkSync('v1', join(folder, 'link'));
      for (const [name, text] of Object.entries(loaded)) writeFileSync(join(folder, name), text, { mode: 0o700 });
      return started(command, launch)(folder);
    };
    return restarted(made, change);
  }
  const [PYTHON, NODE] = ['/usr/bin/python3', process.execPath];

  test.each<[string, string[], string, object?]>([
    ['a module beside a Python script', [PYTHON, 'DIR/main.py'], 'module.py'],
    ['a module that takes the place of Python’s own', [PYTHON, '-s', 'DIR/main.py'], 'os.py'],
    ['a module that Node imports', [NODE, 'DIR/main.mjs'], 'dependency.mjs'],
    ['a module above a script', [NODE, 'bin/above.mjs'], 'dependency.mjs'],
    ['a package above the folder', [NODE, 'DIR/bin/above.mjs'], 'node_modules', { folder: '/' }],
  ])('not where %s was written, which the request names', async (_, command, name, launch = {}) => {
    const write = (folder: string) =>
      name === 'node_modules' ? mkdir(join(folder, name)) : appendFile(join(folder, name), '\n');
    const { notes, folder } = await withLoaded(command, write, launch);
    expect(notes).toContainEqual({ code: 'note.app_files_changed', params: { files: [join(folder, name)] } });
  });

  test('not where a linked folder beside the script leads elsewhere', async () => {
    const { notes, folder } = await withLoaded([PYTHON, 'main.py'], async (folder) => {
      await rm(join(folder, 'link'));
      await symlink('bin', join(folder, 'link'));
    });
    const files = expect.arrayContaining([join(folder, 'link')]) as unknown;
    expect(notes).toContainEqual({ code: 'note.app_files_changed', params: { files } });
  });

  test.each([
    ['a Python script with its modules', [PYTHON, 'DIR/main.py']],
    ['a Node script with its modules', [NODE, 'DIR/main.mjs']],
    ['a script with modules above it', [NODE, 'bin/above.mjs']],
  ])('where nothing changed of %s', async (_, command) => {
    expect((await withLoaded(command, async () => undefined)).notes).toBeNull();
  });

  test.each([
    ['a module by its name', [PYTHON, '-m', 'named'], 'unnamed', PYTHON],
    ['a script of a shell', ['DIR/wrap.sh'], 'starts', 'DIR/wrap.sh'],
    ['a shell with a script', ['/bin/sh', 'DIR/wrap.sh'], 'loads', '/bin/sh'],
    ['a program by its name', ['/usr/bin/env', 'PATH=DIR/bin:/usr/bin:/bin', 'helper'], 'starts', '/usr/bin/env'],
    ['a script by another program', ['/usr/bin/nice', 'DIR/bin/helper'], 'starts', '/usr/bin/nice'],
    ['a program that its script is told', [NODE, 'DIR/peer.mjs', traps, '--exec=sh'], 'starts', '--exec=sh'],
    ['a script that its script is told', [NODE, 'DIR/peer.mjs', traps, 'DIR/wrap.sh'], 'starts', 'DIR/wrap.sh'],
    [
      'modules named by an option',
      [NODE, '--import', 'DIR/dependency.mjs', 'DIR/peer.mjs', traps],
      'loads',
      '--import',
    ],
  ])('not where the entry runs %s, and the request says why', async (_, command, why, what) => {
    const { notes, folder } = await withLoaded(command, async () => undefined);
    const params = { why, what: what.replace('DIR', folder) };
    expect(notes).toContainEqual({ code: 'note.app_asked_each_start', params });
  });

  test.each([
    [{ PYTHONPATH: '/none' }, 'PYTHONPATH'],
    [{ PATH: '/usr/bin' }, 'PATH'],
  ])('not where the variables are %o', async (env, what) => {
    const { notes } = await withLoaded([PYTHON, 'DIR/main.py'], async () => undefined, { env });
    expect(notes).toContainEqual({ code: 'note.app_asked_each_start', params: { why: 'loads', what } });
  });

  test('not where a link beside the script leads out of its folder', async () => {
    const { notes, folder } = await withLoaded([PYTHON, 'main.py'], (folder) => symlink(PEER, join(folder, 'out.mjs')));
    expect(notes).toContainEqual({ code: 'note.app_asked_each_start', params: { why: 'other', what: folder } });
  });

  test('not where there is more beside the script than is compared', async () => {
    const { notes, folder } = await withLoaded([PYTHON, 'main.py'], (folder) =>
      writeFile(join(folder, 'large.bin'), '').then(() => truncate(join(folder, 'large.bin'), 65 * 1024 * 1024)),
    );
    expect(notes).toContainEqual({ code: 'note.app_asked_each_start', params: { why: 'other', what: folder } });
  });
});
