import { existsSync } from 'node:fs';
import { copyFile, readFile, rename, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually, waitFor } from '../support/eventually.js';
import { removeIndex } from '../../src/main/evidence/index-database.js';
import { changeLine, editName, indexOf, LONG, logOf, writeLongRecord } from '../support/long-record.js';
import { askIndex, forgeState, savedState } from '../support/record-index.js';
import { allIds, allPages, deleteAndDenyIn, disclosures, longRecordAt, told } from './long.js';
import { places, startOf } from './support.js';

const place = places();

const longRecord = (lines?: number) => longRecordAt(place, lines);

describe('a long record [req:DS-8-14]', () => {
  it('without an index serves calls before it is indexed, lists the latest actions meanwhile, and all of them then', async () => {
    const here = await place();
    const { interrupted, ids } = await writeLongRecord(here.stateDir, 5 * LONG);
    const recorder = await here.open({ checkRest: 3 });
    expect(recorder.recent(200).map(({ executionId }) => executionId)).toEqual(ids.slice(-200).reverse());
    const late = await disclosures(recorder, here, 2);
    expect(await recorder.interrupted(interrupted)).toMatchObject({ executionId: ids[0] });
    const page = await recorder.archive.page(null, {});
    expect(page).toMatchObject({ total: null, older: { percent: expect.any(Number) } });
    const newest = [...ids, ...late].reverse();
    expect(page.rows.map(({ executionId }) => executionId)).toEqual(newest.slice(0, 100));
    expect(await recorder.archive.page(null, { agent: 'Nobody' })).toMatchObject({
      rows: [],
      next: expect.any(Number),
    });
    expect(await recorder.archive.evidence(ids[1] ?? '')).toBeNull();
    expect([recorder.archive.isWhole(), recorder.integrity().state]).toEqual([false, 'checking']);
    expect(await told(recorder)).toEqual(['checking', 'unchanged']);
    expect(await allIds(recorder)).toEqual(newest);
    expect(await recorder.archive.page(null, {})).toMatchObject({ total: newest.length });
    expect(await recorder.archive.evidence(ids[1] ?? '')).toMatchObject({ previous: { seq: 1 } });
    await recorder.close();
    const again = await here.open();
    expect(again.archive.isWhole()).toBe(true);
    expect(await allIds(again)).toEqual(newest);
  }, 60_000);

  it('without an index is called changed where one of its lines was', async () => {
    const here = await place();
    await writeLongRecord(here.stateDir);
    await changeLine(here.stateDir, 3, editName);
    const recorder = await here.open();
    expect(recorder.recovered).toBeNull();
    expect(await told(recorder)).toEqual(['checking', 'changed']);
    expect(await allIds(recorder)).toHaveLength(LONG - 1);
  });

  it('whose head is missing is read whole beside the start: no call begins before', async () => {
    const here = await place();
    const { interrupted, ids } = await writeLongRecord(here.stateDir, 5 * LONG);
    await rm(join(here.stateDir, 'audit.head.json'));
    const recorder = await here.open();
    expect(recorder.integrity().state).toBe('checking');
    const begun = recorder
      .begin(startOf(here.workspace, { need: 'line', effect: 'read' }))
      .then(() => recorder.integrity().state);
    expect(await recorder.interrupted(interrupted)).toMatchObject({ executionId: ids[0] });
    expect(await begun).toBe('changed');
    expect(recorder.recovered).toMatchObject({ headMissing: true });
    expect(recorder.recent(200)).toHaveLength(200);
  });

  it('is not read to its end by a host that ends before, and then nothing begins', async () => {
    const here = await place();
    await writeLongRecord(here.stateDir);
    const recorder = await here.open();
    const begun = recorder.begin(startOf(here.workspace));
    const refused = expect(begun).rejects.toMatchObject({ code: 'DESKTOP_HOST_NOT_READY' });
    await recorder.close();
    await refused;
  });

  it('is read from its checkpoint on, and called unchanged only when all of it was checked', async () => {
    const { open, interrupted, ids } = await longRecord();
    const recorder = await open({ checkRest: 3 });
    expect(recorder.integrity().state).toBe('checking');
    expect(recorder.recent(100)).toHaveLength(100);
    expect(await recorder.interrupted(interrupted)).toMatchObject({ executionId: ids[0] });
    expect(await told(recorder)).toEqual(['checking', 'unchanged']);
    expect(recorder.recovered).toBeNull();
  });

  it('lists and shows its oldest actions like its latest', async () => {
    const { open, ids, workspace } = await longRecord();
    const recorder = await open();
    const late = await disclosures(recorder, { workspace }, 5);
    expect(await allIds(recorder)).toEqual([...ids, ...late].reverse());
    expect(await recorder.archive.evidence(ids[1] ?? '')).toMatchObject({
      activity: { executionId: ids[1], subject: { app: 'Mail 2' } },
      previous: { activity: { executionId: ids[0] } },
      newest: { activity: { executionId: late.at(-1) } },
    });
    const some = await recorder.archive.page(null, { agent: 'Agent 1', app: 'mail 4' });
    expect(some).toMatchObject({ total: ids.filter((_, at) => (at + 1) % 3 === 1 && (at + 1) % 7 === 4).length });
    expect(await recorder.archive.page(null, { agent: 'Agent' })).toMatchObject({ rows: [], total: 0 });
  });

  it('[req:GR-1] is searched part by part: a page may be empty and have a next one, and their number is told at the end', async () => {
    const here = await place();
    const { ids } = await writeLongRecord(here.stateDir, 20_000);
    const recorder = await here.open();
    await told(recorder);
    const { archive } = recorder;
    const first = await archive.page(null, { app: 'mail 4' });
    expect(first).toMatchObject({ rows: { length: 100 }, total: null });
    expect(await archive.page(null, {})).toMatchObject({ total: 20_000 });
    const fitting = ids.filter((_, at) => (at + 1) % 7 === 4).reverse();
    const pages = await allPages({ archive }, { app: 'mail 4' });
    expect(pages.flatMap(({ rows }) => rows.map(({ executionId }) => executionId))).toEqual(fitting);
    const none = await allPages({ archive }, { outcome: 'denied' });
    expect(none).toMatchObject([
      { rows: [], total: null },
      { rows: [], next: null },
    ]);
  });

  it('changed before its checkpoint is found by the check that follows the start', async () => {
    const { open, stateDir, warnings } = await longRecord();
    await changeLine(stateDir, 3, editName);
    const recorder = await open();
    expect(recorder.recovered).toBeNull();
    expect(await told(recorder)).toEqual(['checking', 'changed']);
    expect(warnings.join()).toContain('earlier lines of the audit log were changed');
    await recorder.close();
    expect(await readFile(logOf(stateDir), 'utf8')).toContain('"headMissing":false,"damaged":1');
    const again = await open();
    expect(await told(again)).toEqual(['checking', 'changed']);
  });

  it('changed after its checkpoint is found at the start', async () => {
    const { open, stateDir } = await longRecord();
    await changeLine(stateDir, -2, editName);
    const recorder = await open();
    expect(recorder.recovered).toMatchObject({ damaged: 1 });
    expect(recorder.integrity().state).toBe('changed');
    await eventually(() => recorder.integrity().state).toBe('changed');
  });

  it('whose last line before the checkpoint was exchanged is read whole', async () => {
    const { open, stateDir } = await longRecord();
    await changeLine(stateDir, linesBefore(stateDir), editName);
    const recorder = await open();
    await recorder.interrupted('any');
    expect(recorder.recovered).toMatchObject({ damaged: 1 });
  });

  it.each<[string, (text: string) => string]>([
    ['a call was taken out of', (text) => text.replace(/"interrupted":\[.*?\]/, '"interrupted":[]')],
    ['a byte was cut off', (text) => text.slice(0, -1)],
    ['no code is left of', (text) => text.slice(text.indexOf('\n') + 1)],
  ])('with a checkpoint that was forged (%s it) is indexed anew', async (_how, forge) => {
    const { open, stateDir, interrupted } = await longRecord();
    forgeState(stateDir, forge);
    const recorder = await open();
    expect(await recorder.interrupted(interrupted)).not.toBeNull();
    expect(await told(recorder)).toEqual(['checking', 'unchanged']);
  });

  it('with the checkpoint of another folder, or of another log, is read whole', async () => {
    const [here, other] = [await longRecord(), await longRecord(LONG + 500)];
    await removeIndex(indexOf(here.stateDir));
    await copyFile(indexOf(other.stateDir), indexOf(here.stateDir));
    const first = await here.open();
    expect(await first.interrupted(here.interrupted)).not.toBeNull();
    await first.close();
    await copyFile(logOf(other.stateDir), `${logOf(here.stateDir)}.other`);
    await rename(`${logOf(here.stateDir)}.other`, logOf(here.stateDir));
    await copyFile(join(other.stateDir, 'audit.head.json'), join(here.stateDir, 'audit.head.json'));
    const second = await here.open();
    expect(await second.interrupted(other.interrupted)).not.toBeNull();
    expect(await second.interrupted(here.interrupted)).toBeNull();
  });

  it('cut off before its checkpoint, or moved away, is read whole and its lines are missed', async () => {
    const cut = await longRecord();
    const lines = (await readFile(logOf(cut.stateDir), 'utf8')).split('\n');
    await truncate(logOf(cut.stateDir), Buffer.byteLength(`${lines.slice(0, LONG - 500).join('\n')}\n`));
    const shorter = await cut.open();
    await shorter.interrupted('any');
    expect(shorter.recovered).toMatchObject({ lost: 500 });

    const gone = await longRecord();
    await rename(logOf(gone.stateDir), `${logOf(gone.stateDir)}.1`);
    const empty = await gone.open();
    expect(empty.recovered).toMatchObject({ lost: LONG });
    expect(await empty.archive.page(null, {})).toMatchObject({ total: 0 });
  });

  it('has each action once after a stop between index and checkpoint, and after the index was lost', async () => {
    const here = await longRecord();
    const before = savedState(here.stateDir) ?? '';
    const recorder = await here.open();
    const late = await disclosures(recorder, here, 700);
    await recorder.close();
    expect(askIndex(here.stateDir, 'SELECT count(*) AS rows FROM actions')).toEqual([{ rows: LONG + 700 }]);
    forgeState(here.stateDir, () => before);
    const ids = [...here.ids, ...late].reverse();
    const again = await here.open();
    expect(await allIds(again)).toEqual(ids);
    await again.close();
    await removeIndex(indexOf(here.stateDir));
    const anew = await here.open();
    expect(await allIds(anew)).toEqual(ids);
    expect(await told(anew)).toEqual(['unchanged']);
  }, 120_000);

  it('keeps a late decision, a deletion and an open folder of actions that are on disk only', async () => {
    const here = await longRecord();
    const first = await here.open();
    const { deleted, denied } = await deleteAndDenyIn(first, here);
    await disclosures(first, here, 700);
    await first.close();
    const second = await here.open();
    expect(await second.archive.evidence(deleted)).toMatchObject({
      state: 'deleted',
      deleted: { reason: 'age' },
      files: [],
    });
    expect(await second.archive.evidence(denied)).toMatchObject({ activity: { outcome: 'denied' } });
    expect(await second.archive.page(null, { outcome: 'denied' })).toMatchObject({ total: 1 });
  }, 120_000);

  it('is checked from where the last host was stopped, and from the beginning up to there', async () => {
    const { open, stateDir, warnings } = await longRecord(20_000);
    const first = await open({ checkRest: 1 });
    // It is there for a moment only, before the end of the check.
    await waitFor(() => expect(existsSync(join(stateDir, 'audit.check'))).toBe(true), 5);
    await first.close();
    await changeLine(stateDir, 3, editName);
    const second = await open();
    expect(await told(second)).toEqual(['checking', 'changed']);
    expect(warnings.join()).toContain('earlier lines of the audit log were changed');
    expect(existsSync(join(stateDir, 'audit.check'))).toBe(false);
  }, 120_000);
});

function linesBefore(stateDir: string): number {
  return Number(/"lines":(\d+)/.exec(savedState(stateDir) ?? '')?.[1]);
}
