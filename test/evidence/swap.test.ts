import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openCheckedFolder, openFolder, createKeptFolders } from '../../src/main/evidence/open-folder.js';
import { inWorkspace, makeExecutionFolder, writeNew } from '../../src/main/evidence/execution-folder.js';
import { WireError } from '../../src/main/protocol/index.js';
import { places, startOf } from './support.js';

const place = places();
const AT = '2026-11-21T12:00:00.000Z';
let attacker: ChildProcess | null = null;
const kept = createKeptFolders();

// It would put its links into the folders that are deleted next.
afterEach(async () => {
  const ended = attacker === null ? null : once(attacker, 'exit');
  attacker?.kill('SIGKILL');
  await ended;
  attacker = null;
});
afterAll(() => kept.close());

/** Puts a link to `outside` in the place of `victim` and back again, as fast as it can. */
const SWAP = `
  const fs = require('node:fs');
  const [victim, outside] = process.argv.slice(1);
  process.stdout.write('ready');
  // A new name each time: where the folder was made anew meanwhile, the old one cannot go back.
  for (let round = 0; ; round++) {
    const aside = victim + '.' + round;
    try { fs.renameSync(victim, aside); } catch {}
    try { fs.symlinkSync(outside, victim); } catch {}
    try { fs.unlinkSync(victim); } catch {}
    try { fs.renameSync(aside, victim); } catch {}
    // Now and then in peace for as long as a write takes, so that some come through.
    for (const until = performance.now() + (round % 7); performance.now() < until; ) {}
  }
`;

async function attack(victim: string, outside: string): Promise<void> {
  attacker = spawn(process.execPath, ['-e', SWAP, victim, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (attacker.stdout) await once(attacker.stdout, 'data');
}

const positive = (count: number) => count > 0;

/** True for a whole write, false for a refused one. */
async function writeOnce(workspace: string): Promise<boolean> {
  try {
    const folder = await makeExecutionFolder(kept, inWorkspace(workspace), AT, startOf(workspace).executionId);
    try {
      await writeNew(folder, 'before.png', 'picture');
    } finally {
      await folder.close();
    }
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (!(error instanceof WireError) && code !== 'ENOENT') throw error;
    return false;
  }
}

describe('a link swapped in and out while evidence is written', () => {
  it
    .skipIf(process.platform !== 'linux')
    .each([
      ['root/work'],
      ['root/work/artifacts'],
      ['root/work/artifacts/desktop'],
      ['root/work/artifacts/desktop/2026-11-21'],
    ])('[req:DS-8-2] at %s never leads one of 1,000 writes outside, and lets some through', async (step) => {
    const { base, workspace } = await place();
    const outside = join(base, 'outside');
    // All that a write through the link would need is there, so that only our care keeps it out.
    for (const below of ['', 'artifacts/desktop/2026-11-21', 'desktop/2026-11-21', '2026-11-21'])
      await mkdir(join(outside, below), { recursive: true });
    const before = (await readdir(outside, { recursive: true })).sort();
    await mkdir(join(workspace, 'artifacts/desktop/2026-11-21'), { recursive: true });
    await attack(join(base, step), outside);
    const counts = { whole: 0, refused: 0 };
    // Both must have been seen, or nothing was tried.
    for (let round = 0; round < 1000 || counts.whole === 0 || counts.refused === 0; round++) {
      if (await writeOnce(workspace)) counts.whole += 1;
      else counts.refused += 1;
    }
    expect((await readdir(outside, { recursive: true })).sort()).toEqual(before);
    expect(counts).toEqual({ whole: expect.toSatisfy(positive), refused: expect.toSatisfy(positive) });
  });

  it('is refused where it stands still', async () => {
    const { base, workspace } = await place();
    await mkdir(join(base, 'outside'));
    await symlink(join(base, 'outside'), join(workspace, 'artifacts'));
    await expect(
      makeExecutionFolder(kept, inWorkspace(workspace), AT, startOf(workspace).executionId),
    ).rejects.toMatchObject({
      code: 'DESKTOP_WORKSPACE_FORBIDDEN',
      details: { reason: 'link' },
    });
    expect(await readdir(join(base, 'outside'))).toEqual([]);
  });

  it('does not take a file where the folder has been moved to', async () => {
    const { base, workspace, open } = await place();
    const evidence = await (await open()).begin(startOf(workspace));
    await rename(join(workspace, 'artifacts'), join(base, 'elsewhere'));
    await evidence.write('before.png', new Uint8Array(9));
    await expect(evidence.started()).rejects.toMatchObject({ code: 'DESKTOP_HOST_NOT_READY' });
    expect(
      await readdir(join(base, 'elsewhere/desktop/2026-11-21', startOf(workspace).executionId)).catch(() => []),
    ).toEqual([]);
    expect(
      (await readdir(join(base, 'elsewhere'), { recursive: true })).filter((name) => name.endsWith('.png')),
    ).toEqual([]);
  });
});

describe.each(['handles', 'checked'] as const)('a folder held as %s', (style) => {
  it.skipIf(style === 'handles' && process.platform !== 'linux')(
    'opens no link, makes no file over one, and takes single names only',
    async () => {
      const { base, workspace } = await place();
      await mkdir(join(base, 'outside'));
      await symlink(join(base, 'outside'), join(workspace, 'link'));
      await symlink(join(base, 'outside/new'), join(workspace, 'file'));
      await expect(openFolder(join(workspace, 'link'), style)).rejects.toThrow();
      const folder = await openFolder(workspace, style);
      await expect(folder.open('link')).rejects.toThrow();
      await expect(folder.make('link', false)).rejects.toThrow();
      await expect(folder.create('file')).rejects.toMatchObject({ code: 'EEXIST' });
      await expect(folder.openFile('file')).rejects.toThrow();
      for (const name of ['..', '.', '', 'a/b', '../x', 'a\0'])
        await expect(async () => folder.create(name)).rejects.toThrow('not a file name');
      await writeNew(folder, 'real', 'x');
      expect((await folder.list()).sort()).toEqual(['file', 'link', 'real']);
      await expect(folder.make('real', false)).rejects.toThrow();
      await folder.close();
      expect(existsSync(join(base, 'outside/new'))).toBe(false);
    },
  );

  it.skipIf(style === 'handles' && process.platform !== 'linux')(
    'notices when it was exchanged for another',
    async () => {
      const { workspace } = await place();
      const folder = style === 'checked' ? await openCheckedFolder(workspace) : await openFolder(workspace);
      await rename(workspace, `${workspace}.old`);
      await mkdir(workspace);
      await expect(folder.create('x')).rejects.toThrow();
      await folder.close();
      expect(await readdir(workspace)).toEqual([]);
      expect(await readdir(`${workspace}.old`)).toEqual([]);
    },
  );
});
