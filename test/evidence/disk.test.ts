import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, statfs, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { verifyEvidence } from '../../src/main/evidence/index.js';
import { endOf, places, runOne, startOf } from './support.js';

const place = places();
const mounts: string[] = [];

/** A disk of `kib` KiB, or null where none may be mounted. */
async function smallDisk(kib: number): Promise<string | null> {
  const at = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-disk-')));
  const mounted =
    process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', at]).status === 0;
  if (mounted) mounts.push(at);
  else await rm(at, { recursive: true });
  return mounted ? at : null;
}

afterAll(async () => {
  for (const at of mounts) {
    // SQLite lets go of a file when its last statement was collected, which is later.
    execFileSync('umount', ['-l', at]);
    await rm(at, { recursive: true });
  }
});

const canMount = (await smallDisk(64)) !== null;
if (!canMount) console.log('full-disk tests are skipped: this user may not mount a tmpfs');

/** Fills a disk but for `spare` pages of 4 KiB. */
async function fill(disk: string, spare: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail - spare) * bsize));
}

const full = {
  code: 'DESKTOP_HOST_NOT_READY',
  retryable: true,
  message: expect.stringMatching(/^Nothing was done\. Cannot write .*disk is full/),
  details: { reason: 'evidence', errno: 'ENOSPC' },
};

describe.skipIf(!canMount)('a full disk', () => {
  it('[req:DS-8-7] under the workspace: the call is refused before anything is done, and nothing is left', async () => {
    const { base, stateDir, open } = await place();
    const disk = await smallDisk(256);
    if (disk === null) throw new Error('no disk');
    const workspace = join(disk, 'work');
    await mkdir(workspace);
    const recorder = await open({ workspaceRoot: disk });
    await fill(disk, 0);
    await expect(recorder.begin(startOf(workspace))).rejects.toMatchObject(full);
    expect(existsSync(join(workspace, 'artifacts/desktop/.gitignore'))).toBe(false);
    await rm(join(disk, 'ballast'));
    await runOne(recorder, workspace);
    expect(await readFile(join(workspace, 'artifacts/desktop/.gitignore'), 'utf8')).toBe('*\n');
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, problems: [] });
    expect(base).not.toBe(disk);
  });

  it('[req:DS-8-8] under the workspace after the start: the result is incomplete and the record still whole', async () => {
    const { stateDir, open } = await place();
    const disk = await smallDisk(512);
    if (disk === null) throw new Error('no disk');
    const workspace = join(disk, 'work');
    await mkdir(workspace);
    const recorder = await open({ workspaceRoot: disk });
    const evidence = await recorder.begin(startOf(workspace));
    await evidence.started();
    evidence.trace({ step: 1 });
    await fill(disk, 2);
    await evidence.write('after.png', new Uint8Array(100_000));
    evidence.trace({ step: 'x'.repeat(20_000) });
    expect(await evidence.finish(endOf({ result: 'y'.repeat(20_000) }))).toMatchObject({ incomplete: true });
    expect((await readdir(evidence.dir ?? '')).sort()).toEqual(['trace.jsonl']);
    expect(await readFile(join(evidence.dir ?? '', 'trace.jsonl'), 'utf8')).toMatch(/^\{.*"step":1\}\n$/);
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, problems: [], lines: 3 });
    expect(recorder.recent(1)).toHaveLength(1);
  });

  it.each([0, 1, 2, 3, 4])(
    '[req:DS-8-7] under the log, with %i pages left: refused or recorded, never half',
    async (spare) => {
      const { root, workspace, open } = await place();
      const disk = await smallDisk(256);
      if (disk === null) throw new Error('no disk');
      const stateDir = join(disk, 'state');
      const recorder = await open({ stateDir });
      const first = await recorder.begin(startOf(workspace));
      const lines = async () => (await readFile(join(stateDir, 'audit.jsonl'), 'utf8')).split('\n').length - 1;
      await fill(disk, spare);
      let written = await lines();
      let refused = 0;
      while (refused < 3) {
        const begun = await recorder.begin(startOf(workspace)).catch((error: unknown) => {
          expect(error).toMatchObject(full);
          return null;
        });
        if (begun) written += 1;
        else refused += 1;
        expect(await lines()).toBe(written);
      }
      await expect(first.started()).rejects.toMatchObject(full);
      expect(await first.finish(endOf({ outcome: 'failed' }))).toMatchObject({ incomplete: true });
      expect((await verifyEvidence({ stateDir })).problems).toEqual([]);
      expect((await readdir(join(workspace, 'artifacts/desktop/2026-11-21'))).length).toBe(written);
      await rm(join(disk, 'ballast'));
      await runOne(recorder, workspace);
      expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, lines: written + 3 });
      expect(root).not.toBe('');
      await recorder.close();
    },
  );
});

describe.skipIf(process.getuid?.() === 0)('a workspace without permission to write', () => {
  it('is refused with the reason', async () => {
    const { workspace, open } = await place();
    await chmod(workspace, 0o500);
    await expect((await open()).begin(startOf(workspace))).rejects.toMatchObject({
      code: 'DESKTOP_HOST_NOT_READY',
      message: expect.stringContaining('no permission'),
    });
  });
});

describe.skipIf(!canMount)('a read-only workspace', () => {
  it('is refused with the reason', async () => {
    const { stateDir, open } = await place();
    const disk = await smallDisk(64);
    if (disk === null) throw new Error('no disk');
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    await expect((await open({ workspaceRoot: disk })).begin(startOf(disk))).rejects.toMatchObject({
      message: expect.stringContaining('read-only'),
      details: { errno: 'EROFS' },
    });
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, lines: 0 });
  });
});
