import { existsSync } from 'node:fs';
import { copyFile, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyEvidence } from '../../src/main/evidence/index.js';
import { formatEnglish } from '../../src/messages/index.js';
import { changeLine, editName, indexOf, LONG, logOf, writeLongRecord } from '../support/long-record.js';
import { forgeIndex } from '../support/record-index.js';
import { allIds, longRecordAt, settled } from './long.js';
import { places } from './support.js';

const place = places();

const progressOf = (stateDir: string) => join(stateDir, 'audit.verify');

/** As by Ctrl-C, once it has come half through. Says how many lines the next run leaves out. */
async function stopped(stateDir: string): Promise<void> {
  const onProgress = (share: number): void => {
    if (share > 0.5) throw new Error('stopped');
  };
  const run = verifyEvidence({ stateDir, keep: { fromStart: false, everyMs: 0 }, onProgress });
  await expect(run).rejects.toThrow('stopped');
  expect(existsSync(progressOf(stateDir))).toBe(true);
}

async function again(stateDir: string, fromStart = false) {
  const shares: number[] = [];
  const onProgress = (share: number) => void shares.push(share);
  const found = await verifyEvidence({ stateDir, keep: { fromStart }, onProgress });
  return {
    ...found,
    kinds: found.problems.map(({ kind }) => kind),
    wentOn: (shares[0] ?? 1) > 0.4,
    said: found.notes.map(formatEnglish).join(),
  };
}

describe('verify that was stopped [req:DS-8-16]', () => {
  it('goes on from there, says so, and the run after it checks all again', async () => {
    const { stateDir } = await longRecordAt(place);
    await stopped(stateDir);
    const second = await again(stateDir);
    expect(second).toMatchObject({ ok: true, lines: LONG, wentOn: true });
    expect(second.said).toContain('--from-start');
    expect(existsSync(progressOf(stateDir))).toBe(false);
    expect(await again(stateDir)).toMatchObject({ ok: true, wentOn: false, notes: [] });
  });

  it('checks all with --from-start', async () => {
    const { stateDir } = await longRecordAt(place);
    await stopped(stateDir);
    await changeLine(stateDir, 3, editName);
    expect(await again(stateDir, true)).toMatchObject({ ok: false, wentOn: false });
  });

  it('finds what changed after that place, and then checks all', async () => {
    const { stateDir } = await longRecordAt(place);
    await stopped(stateDir);
    await changeLine(stateDir, 3, editName);
    await changeLine(stateDir, -2, editName);
    const found = await again(stateDir);
    expect(found.problems.map(({ line }) => line)).toEqual(expect.arrayContaining([3, LONG - 1]));
    expect(found.notes).toEqual([]);
  });

  it.each<[string, (text: string) => string]>([
    ['more lines', (text) => text.replace(/"lines":\d+/, `"lines":${LONG - 1}`)],
    ['a byte less', (text) => text.slice(0, -1)],
    ['no code', (text) => text.slice(text.indexOf('\n') + 1)],
  ])('does not go on from a progress that was forged: %s', async (_how, forge) => {
    const { stateDir } = await longRecordAt(place);
    await stopped(stateDir);
    const text = await readFile(progressOf(stateDir), 'utf8');
    expect(forge(text)).not.toBe(text);
    await writeFile(progressOf(stateDir), forge(text));
    await changeLine(stateDir, 3, editName);
    expect(await again(stateDir)).toMatchObject({ ok: false, wentOn: false });
  });

  it('does not go on with the progress of another folder', async () => {
    const [here, other] = [await longRecordAt(place), await longRecordAt(place)];
    await stopped(other.stateDir);
    await copyFile(progressOf(other.stateDir), progressOf(here.stateDir));
    expect(await again(here.stateDir)).toMatchObject({ ok: true, wentOn: false });
  });

  it('does not go on in a log that was cut off, exchanged, or whose last checked line was changed', async () => {
    const cut = await longRecordAt(place);
    await stopped(cut.stateDir);
    await truncate(logOf(cut.stateDir), 200_000);
    const shorter = await again(cut.stateDir);
    expect(shorter.kinds).toEqual(expect.arrayContaining(['truncated', 'torn']));
    expect(shorter.notes).toEqual([]);

    const swapped = await longRecordAt(place);
    await stopped(swapped.stateDir);
    await copyFile(logOf(swapped.stateDir), `${logOf(swapped.stateDir)}.1`);
    await rename(`${logOf(swapped.stateDir)}.1`, logOf(swapped.stateDir));
    expect(await again(swapped.stateDir)).toMatchObject({ ok: true, wentOn: false, notes: [] });

    const changed = await longRecordAt(place);
    await stopped(changed.stateDir);
    const text = await readFile(progressOf(changed.stateDir), 'utf8');
    await changeLine(changed.stateDir, Number(/"lines":(\d+)/.exec(text)?.[1]), editName);
    expect(await again(changed.stateDir)).toMatchObject({ ok: false, wentOn: false, notes: [] });
  });

  it('is not kept where something is wrong', async () => {
    const { stateDir } = await place();
    await writeLongRecord(stateDir);
    await stopped(stateDir);
    expect(await again(stateDir)).toMatchObject({ ok: true, wentOn: true });
    await changeLine(stateDir, 3, editName);
    const onProgress = (share: number): void => {
      if (share > 0.5) throw new Error('stopped');
    };
    await expect(verifyEvidence({ stateDir, keep: { fromStart: false, everyMs: 0 }, onProgress })).rejects.toThrow();
    expect(existsSync(progressOf(stateDir))).toBe(false);
  });
});

describe('verify compares the index with the log [req:DS-8-15]', () => {
  it('tells of a row that hides an action, and has the next start make it anew', async () => {
    const { stateDir, open, ids } = await longRecordAt(place);
    forgeIndex(stateDir, 'UPDATE actions SET shown = 0 WHERE seq = 6');
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: false, problems: [{ kind: 'index', line: 6 }] });
    expect(existsSync(indexOf(stateDir))).toBe(true);
    expect(await again(stateDir)).toMatchObject({ ok: false, kinds: ['index'] });
    const recorder = await open();
    await settled(recorder);
    expect(await allIds(recorder)).toEqual(ids.toReversed());
    expect(await again(stateDir)).toMatchObject({ ok: true, problems: [] });
  });

  it('leaves the index where the log was changed too', async () => {
    const { stateDir } = await longRecordAt(place);
    await changeLine(stateDir, 7, editName);
    expect((await again(stateDir)).kinds).toEqual(expect.arrayContaining(['edited', 'index']));
    expect(existsSync(indexOf(stateDir))).toBe(true);
  });
});
