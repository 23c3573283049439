import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { removeIndex } from '../../src/main/evidence/index-database.js';
import { verifyEvidence } from '../../src/main/evidence/index.js';
import { eventually } from '../support/eventually.js';
import { CLICK } from '../support/titles.js';
import { indexOf, logOf, writeLongRecord } from '../support/long-record.js';
import { askIndex, forgeIndex } from '../support/record-index.js';
import { allIds, deleteAndDenyIn, disclosures, longRecordAt, told } from './long.js';
import { endOf, places, runOne, startOf, type Place } from './support.js';

const place = places();

const rowsOf = (stateDir: string) => askIndex(stateDir, 'SELECT count(*) AS rows FROM actions');

/** A few actions, and their ids from the newest on. */
async function recorded(here: Place, count = 5): Promise<string[]> {
  const recorder = await here.open();
  const ids = await disclosures(recorder, here, count);
  await recorder.close();
  return ids.reverse();
}

describe('the index of the record', () => {
  it('is a file for this user only, and so is what is written beside it', async () => {
    const here = await place();
    const recorder = await here.open();
    await disclosures(recorder, here, 3);
    await recorder.archive.page(null, {});
    const files = (await readdir(here.stateDir)).filter((name) => name.startsWith('audit.sqlite'));
    expect(files).toContain('audit.sqlite');
    for (const name of files)
      expect([name, (await stat(join(here.stateDir, name))).mode & 0o777]).toEqual([name, 0o600]);
  });

  const DAMAGE: [string, (path: string) => Promise<unknown>][] = [
    ['gone', (path) => removeIndex(path)],
    ['empty', (path) => truncate(path, 0)],
    ['half of it', async (path) => truncate(path, Math.floor((await stat(path)).size / 2))],
    ['no database', (path) => writeFile(path, 'x'.repeat(10_000))],
    ['of another version', async (path) => new Database(path).exec('PRAGMA user_version = 99')],
    ['without a table', async (path) => new Database(path).exec('DROP TABLE changes')],
    ['a folder', async (path) => removeIndex(path).then(() => mkdir(path))],
    ['a link', async (path) => rename(path, `${path}.else`).then(() => symlink(`${path}.else`, path))],
  ]; // prettier-ignore

  it.each(DAMAGE)('that is %s at a start is made anew from the log', async (_what, damage) => {
    const here = await longRecordAt(place);
    await damage(indexOf(here.stateDir));
    const recorder = await here.open();
    await recorder.interrupted('any');
    expect(await allIds(recorder)).toEqual(here.ids.toReversed());
    expect(await recorder.interrupted(here.interrupted)).not.toBeNull();
    await recorder.close();
    expect((await stat(indexOf(here.stateDir))).isFile()).toBe(true);
    expect(await verifyEvidence({ stateDir: here.stateDir })).toMatchObject({ ok: true });
  });

  it('can be deleted while the host runs: that goes on, and the next start has everything', async () => {
    const here = await place();
    const recorder = await here.open();
    const early = await disclosures(recorder, here, 3);
    await removeIndex(indexOf(here.stateDir));
    const late = await disclosures(recorder, here, 3);
    expect(await allIds(recorder)).toEqual([...early, ...late].reverse());
    await recorder.close();
    const again = await here.open();
    expect(await allIds(again)).toEqual([...early, ...late].reverse());
  });

  it('is made anew at once where it turns out to be damaged while the host runs', async () => {
    const here = await longRecordAt(place);
    const recorder = await here.open();
    await told(recorder);
    const spoilt = new Database(indexOf(here.stateDir));
    spoilt.exec('DROP TABLE changes; DROP TABLE actions');
    spoilt.close();
    const late = await disclosures(recorder, here, 3);
    expect(await allIds(recorder)).toEqual([...here.ids, ...late].reverse());
    expect(here.warnings.join()).toContain('was damaged, and is made anew');
    await recorder.close();
    expect(await verifyEvidence({ stateDir: here.stateDir })).toMatchObject({ ok: true });
    const again = await here.open();
    expect(await allIds(again)).toEqual([...here.ids, ...late].reverse());
  });

  it('has neither a row too few nor one too many after a stop between a line and its row', async () => {
    const here = await longRecordAt(place);
    const recorder = await here.open();
    const late = await disclosures(recorder, here, 5);
    await recorder.close();
    // Two rows were not written yet; of another line there is one that the log does not have.
    forgeIndex(here.stateDir, 'DELETE FROM actions WHERE seq > (SELECT max(seq) - 2 FROM actions)');
    forgeIndex(here.stateDir, 'UPDATE actions SET seq = 900000 WHERE seq = (SELECT max(seq) FROM actions)');
    const again = await here.open();
    expect(await allIds(again)).toEqual([...here.ids, ...late].reverse());
    expect((await told(again)).at(-1)).toBe('unchanged');
  });

  it('keeps no word of a log that was taken away', async () => {
    const here = await longRecordAt(place);
    expect((await readFile(indexOf(here.stateDir))).includes('Mail 4')).toBe(true);
    await rename(logOf(here.stateDir), join(here.base, 'elsewhere.jsonl'));
    const recorder = await here.open();
    expect(await recorder.archive.page(null, { text: 'mail' })).toMatchObject({ rows: [], total: 0 });
    await recorder.close();
    for (const name of await readdir(here.stateDir))
      expect([name, (await readFile(join(here.stateDir, name))).includes('Mail 4')]).toEqual([name, false]);
  });

  it('waits for another program that writes to it, and the record does not', async () => {
    const here = await place();
    const recorder = await here.open();
    await disclosures(recorder, here, 2);
    await recorder.archive.page(null, {});
    const other = new Database(indexOf(here.stateDir));
    other.exec('BEGIN IMMEDIATE');
    const late = await disclosures(recorder, here, 3);
    expect(await verifyEvidence({ stateDir: here.stateDir, files: false })).toMatchObject({ ok: true, lines: 5 });
    expect((await recorder.archive.page(null, {})).rows).toHaveLength(2);
    other.exec('ROLLBACK');
    expect((await recorder.archive.page(null, {})).rows.map(({ executionId }) => executionId)).toEqual(
      expect.arrayContaining(late),
    );
    other.close();
  });

  it('of one state folder knows nothing of another’s', async () => {
    const [here, there] = [await place(), await place()];
    const [own, others] = [await recorded(here), await recorded(there)];
    expect(await allIds(await here.open())).toEqual(own);
    expect(await allIds(await there.open())).toEqual(others);
  });

  it('does not end the host by what is no text', async () => {
    const here = await longRecordAt(place);
    forgeIndex(here.stateDir, "UPDATE actions SET facts = CAST(x'ff61' AS TEXT) WHERE seq = 6");
    forgeIndex(here.stateDir, "UPDATE actions SET judged = CAST(x'ff61' AS TEXT) WHERE seq = 7");
    forgeIndex(here.stateDir, "UPDATE search SET words = CAST(x'ff61' AS TEXT) WHERE rowid = 8");
    expect(await verifyEvidence({ stateDir: here.stateDir })).toMatchObject({ problems: [{ kind: 'index', line: 6 }] });
    const recorder = await here.open();
    expect(await allIds(recorder)).toHaveLength(here.ids.length - 1);
    expect(await recorder.habits()).toMatchObject({ asked: 0 });
  });

  it('does not decide what is deleted', async () => {
    const here = await place();
    const recorder = await here.open();
    const { dir, start } = await runOne(recorder, here.workspace, { at: new Date().toISOString() });
    await recorder.archive.page(null, {});
    forgeIndex(here.stateDir, "UPDATE actions SET since = 1, facts = json_set(facts, '$.since', 1)");
    recorder.setRetention({ maxAgeDays: 1, maxBytes: null });
    await runOne(recorder, here.workspace, { at: '2026-01-01T00:00:00.000Z' });
    await eventually(() => askIndex(here.stateDir, 'SELECT count(*) AS gone FROM changes')).toEqual([{ gone: 1 }]);
    expect(existsSync(dir)).toBe(true);
    expect(await recorder.archive.evidence(start.executionId)).toMatchObject({ deleted: null });
  });
});

describe('a search of the record', () => {
  /** By the name of what was acted on. */
  async function named(names: readonly string[], more: { app?: string; agent?: string } = {}) {
    const here = await place();
    const recorder = await here.open();
    const found = new Map<string, string>();
    for (const target of names) {
      const subject = { title: CLICK, target, app: more.app ?? 'Mail', place: 'Inbox' };
      const start = startOf(here.workspace, { need: 'line', effect: 'disclose', subject });
      await (await recorder.begin(start)).finish(endOf());
      found.set(start.executionId, target);
    }
    const search = async (text: string) =>
      (await recorder.archive.page(null, { text })).rows.map(({ executionId }) => found.get(executionId));
    return { here, recorder, search };
  }

  it('finds whole words in names, titles, agents and tools, in any case, all of them at once', async () => {
    const { search } = await named(['Send now', 'Sender', 'Über uns', '发送邮件', 'C', 'Cancel']);
    expect(await search('send')).toEqual(['Send now']);
    expect(await search('SEND now')).toEqual(['Send now']);
    expect(await search('uber')).toEqual(['Über uns']);
    expect(await search('邮件')).toEqual(['发送邮件']);
    expect(await search('c')).toEqual(['C']);
    expect(await search('cancel click mail inbox claude')).toEqual(['Cancel']);
    expect(await search('cancel nowhere')).toEqual([]);
    expect(await search('  ')).toHaveLength(6);
    for (const text of ['"', "'", '*', 'send*', 'a OR b', 'NEAR(send', '-send', 'words:send', '\0', '\ud800', '('])
      await expect(search(text)).resolves.toBeInstanceOf(Array);
  });

  it('reads the whole record page by page, and together with other filters', async () => {
    const here = await place();
    const { ids } = await writeLongRecord(here.stateDir, 20_000);
    const recorder = await here.open();
    await told(recorder);
    const { archive } = recorder;
    const fitting = ids.filter((_, at) => (at + 1) % 7 === 4).reverse();
    const first = await archive.page(null, { text: 'mail 4' });
    expect(first).toMatchObject({ rows: { length: 100 }, total: fitting.length });
    const second = await archive.page(first.next, { text: 'mail 4' });
    expect([...first.rows, ...second.rows].map(({ executionId }) => executionId)).toEqual(fitting.slice(0, 200));
    const both = await archive.page(null, { text: 'mail 4', agent: 'Agent 1' });
    expect(both).toMatchObject({ total: ids.filter((_, at) => (at + 1) % 21 === 4).length, damaged: 0 });
    expect(await archive.page(null, { text: 'nowhere' })).toMatchObject({ rows: [], total: 0, next: null });
  }, 60_000);

  it('finds an action whose folder was deleted, as the list shows it', async () => {
    const here = await place();
    const recorder = await here.open();
    const { deleted, denied } = await deleteAndDenyIn(recorder, here);
    const { rows } = await recorder.archive.page(null, { text: 'send', agent: 'Claude Code' });
    expect(rows).toHaveLength(100);
    expect(await recorder.archive.evidence(deleted)).toMatchObject({ activity: { evidenceDir: null } });
    expect(await recorder.archive.page(null, { text: 'send', outcome: 'denied' })).toMatchObject({
      rows: [{ executionId: denied }],
    });
  });

  it('holds what control characters and very long names are made of', async () => {
    const names = [
      'a\0b\u001b[31m red',
      'x'.repeat(2_000_000),
      '\ud800lone',
      `${'word '.repeat(300_000)}`,
      '\u202etxt',
    ];
    const { here, recorder, search } = await named(names, { app: `App\0${'y'.repeat(1_000_000)}` });
    expect((await recorder.archive.page(null, {})).rows).toHaveLength(names.length);
    expect(await search('red')).toEqual([names[0]]);
    expect(await search('x'.repeat(1_000))).toEqual([names[1]]);
    expect(await recorder.archive.page(null, { app: 'APP\0yyy' })).toMatchObject({ total: names.length });
    await recorder.close();
    expect((await stat(indexOf(here.stateDir))).size).toBeLessThan(300_000);
    expect(rowsOf(here.stateDir)).toEqual([{ rows: names.length }]);
    expect(await verifyEvidence({ stateDir: here.stateDir })).toMatchObject({ ok: true });
  });
});
