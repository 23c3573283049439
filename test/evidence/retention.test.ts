import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile, appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyEvidence } from '../../src/main/evidence/index.js';
import { KEEP_ALL } from '../../src/main/protocol/index.js';
import { places, runOne, startOf } from './support.js';

const place = places();
const now = () => new Date('2026-11-21T12:00:00.000Z');
const ago = (days: number) => new Date(now().getTime() - days * 86_400_000).toISOString();

describe('retention', () => {
  it('[req:DS-8-11] deletes by age, leaves a line, and the record stays whole', async () => {
    const { workspace, stateDir, open } = await place();
    const first = await open({ now });
    const old = await runOne(first, workspace, { at: ago(31) });
    const recent = await runOne(first, workspace, { at: ago(29) });
    await first.close();
    const second = await open({ now, retention: { maxAgeDays: 30, maxBytes: null } });
    await second.close();
    expect(existsSync(old.dir)).toBe(false);
    expect(existsSync(dirname(old.dir))).toBe(false);
    expect(existsSync(recent.dir)).toBe(true);
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, lines: 7, problems: [] });
    expect(second.recent(9).map(({ evidenceDir }) => evidenceDir)).toEqual([recent.dir, null]);
  });

  it('[req:DS-8-11] keeps below a quota as calls end, the oldest going first', async () => {
    const { workspace, stateDir, open } = await place();
    const recorder = await open({ now, retention: { maxAgeDays: null, maxBytes: 4000 } });
    const dirs: string[] = [];
    for (let n = 0; n < 6; n++) dirs.push((await runOne(recorder, workspace, { at: ago(0) })).dir);
    const open1 = await recorder.begin(startOf(workspace, { at: ago(0) }));
    await recorder.close();
    const left = dirs.filter((dir) => existsSync(dir));
    expect(left.length).toBeGreaterThan(0);
    expect(left).toEqual(dirs.slice(-left.length));
    expect(left.length).toBeLessThan(6);
    expect(existsSync(open1.dir ?? '')).toBe(true);
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, problems: [] });
  });

  it('does not cover up what was wrong before, and leaves what is not ours', async () => {
    const { workspace, stateDir, open } = await place();
    const first = await open({ now });
    const { dir } = await runOne(first, workspace, { at: ago(40) });
    await first.close();
    await appendFile(join(dir, 'result.json'), ' ');
    await writeFile(join(dir, 'notes.txt'), 'mine');
    await (await open({ now, retention: { maxAgeDays: 30, maxBytes: null } })).close();
    expect(await readdir(dir)).toEqual(['notes.txt']);
    const verdict = await verifyEvidence({ stateDir });
    expect(verdict.problems).toMatchObject([
      {
        kind: 'missing',
        description: { code: 'record.before_deletion', params: { what: { code: 'record.file_edited' } } },
      },
    ]);
  });

  it('finishes a deletion that a stop had cut short', async () => {
    const { workspace, stateDir, open } = await place();
    const first = await open({ now });
    const { dir } = await runOne(first, workspace, { at: ago(40) });
    await first.close();
    await (await open({ now, retention: { maxAgeDays: 30, maxBytes: null } })).close();
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, 'before.png'), 'left');
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true });
    await (await open({ now })).close();
    expect(existsSync(dir)).toBe(false);
  });

  it('deletes nothing through a link', async () => {
    const { base, workspace, stateDir, open } = await place();
    const first = await open({ now });
    const { dir } = await runOne(first, workspace, { at: ago(40) });
    await first.close();
    const { rename, symlink } = await import('node:fs/promises');
    await rename(join(workspace, 'artifacts'), join(base, 'elsewhere'));
    await symlink(join(base, 'elsewhere'), join(workspace, 'artifacts'));
    await (await open({ now, retention: { maxAgeDays: 30, maxBytes: null } })).close();
    expect(existsSync(join(dir, 'result.json'))).toBe(true);
    expect((await verifyEvidence({ stateDir })).ok).toBe(false);
  });

  it('without settings keeps everything', async () => {
    const { workspace, open } = await place();
    const recorder = await open({ now, retention: KEEP_ALL });
    const { dir } = await runOne(recorder, workspace, { at: ago(4_000) });
    await recorder.close();
    expect(existsSync(dir)).toBe(true);
  });
});
