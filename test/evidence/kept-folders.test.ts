import { readdirSync, readlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKeptFolders, openFolder } from '../../src/main/evidence/open-folder.js';
import { verifyEvidence } from '../../src/main/evidence/index.js';
import { eventually } from '../support/eventually.js';
import { places, runOne, startOf } from './support.js';

const place = places();

/** Paths of the folders below `path` that this process holds open. */
function openBelow(path: string): string[] {
  const targets = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  return targets.filter((target) => target === path || target.startsWith(`${path}/`)).sort();
}

async function used() {
  const at = await place();
  const recorder = await at.open();
  await recorder.workspace(at.workspace);
  await runOne(recorder, at.workspace);
  const desktop = join(at.workspace, 'artifacts/desktop');
  return { ...at, recorder, desktop, day: join(desktop, '2026-11-21') };
}

describe.skipIf(process.platform !== 'linux')('a folder that is kept open', () => {
  it('is opened once for many calls, and closed with the recorder', async () => {
    const { recorder, workspace, day } = await used();
    for (let count = 0; count < 5; count++) await runOne(recorder, workspace);
    await Promise.all(Array.from({ length: 5 }, () => runOne(recorder, workspace)));
    expect(openBelow(workspace)).toEqual([workspace, day]);
    await recorder.close();
    expect(openBelow(workspace)).toEqual([]);
  });

  it('is closed when nothing has used it for a while, but not while something does', async () => {
    const { workspace } = await place();
    const kept = createKeptFolders(1);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const open = async () => ({ folder: await openFolder(workspace), keep: true });
    await kept.use(workspace, open, async () => undefined);
    const using = kept.use(workspace, open, () => ended);
    await eventually(async () => openBelow(workspace).length).toBe(1);
    await kept.use(workspace, open, async () => undefined);
    expect(openBelow(workspace)).not.toEqual([]);
    end();
    await using;
    await eventually(async () => openBelow(workspace)).toEqual([]);
    await kept.close();
  });

  it('is closed at once where its use failed', async () => {
    const { workspace } = await place();
    const kept = createKeptFolders();
    const open = async () => ({ folder: await openFolder(workspace), keep: true });
    await expect(kept.use(workspace, open, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(openBelow(workspace)).toEqual([]);
    await kept.close();
  });
});

describe('[req:DS-8-2] after calls that kept a folder open', () => {
  it('a workspace that was moved is refused, and gets no file', async () => {
    const { recorder, workspace, day } = await used();
    const before = await readdir(day);
    await rename(workspace, `${workspace}.old`);
    await expect(recorder.workspace(workspace)).rejects.toMatchObject({ details: { reason: 'missing' } });
    await expect(recorder.begin(startOf(workspace))).rejects.toMatchObject({ details: { reason: 'missing' } });
    expect(await readdir(day.replace(workspace, `${workspace}.old`))).toEqual(before);
  });

  it.each(['', 'artifacts', 'artifacts/desktop', 'artifacts/desktop/2026-11-21'])(
    'a link in the place of “%s” is not followed',
    async (step) => {
      const { base, recorder, workspace } = await used();
      const outside = join(base, 'outside');
      for (const below of ['artifacts/desktop/2026-11-21', 'desktop/2026-11-21', '2026-11-21'])
        await mkdir(join(outside, below), { recursive: true });
      const before = (await readdir(outside, { recursive: true })).sort();
      const victim = join(workspace, step);
      await rename(victim, join(base, 'aside'));
      await symlink(outside, victim.replace(/\/$/, ''));
      const aside = (await readdir(join(base, 'aside'), { recursive: true })).sort();
      await expect(recorder.begin(startOf(workspace))).rejects.toMatchObject({ code: 'DESKTOP_WORKSPACE_FORBIDDEN' });
      expect((await readdir(outside, { recursive: true })).sort()).toEqual(before);
      expect((await readdir(join(base, 'aside'), { recursive: true })).sort()).toEqual(aside);
    },
  );

  it('a path that leads through a link is looked at each time', async () => {
    const { base, root, workspace, recorder } = await used();
    const link = join(root, 'link');
    await symlink(workspace, link);
    expect(await recorder.workspace(link)).toEqual({ path: workspace, hidden: false });
    await rm(link);
    await symlink(base, link);
    await expect(recorder.workspace(link)).rejects.toMatchObject({ details: { reason: 'link' } });
  });

  it('a root that is a link is looked at each time', async () => {
    const { base, root, workspace, open } = await place();
    const linked = join(base, 'linked');
    await symlink(root, linked);
    const recorder = await open({ workspaceRoot: linked });
    expect(await recorder.workspace(workspace)).toEqual({ path: workspace, hidden: false });
    await rm(linked);
    await mkdir(linked);
    await expect(recorder.workspace(workspace)).rejects.toMatchObject({ details: { reason: 'outside' } });
  });
});

it('folders that were deleted meanwhile are made anew, and stay out of git', async () => {
  const { recorder, workspace, stateDir, desktop } = await used();
  await rm(join(workspace, 'artifacts'), { recursive: true });
  const { dir } = await runOne(recorder, workspace);
  expect(await readdir(dir)).toContain('result.json');
  expect(await readFile(join(desktop, '.gitignore'), 'utf8')).toBe('*\n');
  expect((await verifyEvidence({ stateDir })).problems.map(({ kind }) => kind)).toEqual(['missing']);
});
