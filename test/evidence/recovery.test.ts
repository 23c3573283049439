import { appendFile, readFile, unlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { kinds, recordedAt, type Recording } from './recorded.js';
import { places, runOne } from './support.js';

const place = places();
const recorded = () => recordedAt(place);

describe('after a stop', () => {
  it('in the middle of a line, the rest is cut off and kept in a marked line', async () => {
    const record = await recorded();
    await appendFile(record.log, '{"v":1,"seq":10,"prev":"ab');
    expect(kinds(await record.verify())).toEqual(['torn']);
    const recorder = await record.open();
    expect(recorder.recovered).toMatchObject({
      torn: { bytes: 26, base64: Buffer.from('{"v":1,"seq":10,"prev":"ab').toString('base64') },
      lost: 0,
      ahead: 0,
    });
    expect(record.warnings).toHaveLength(1);
    await runOne(recorder, record.workspace);
    await recorder.close();
    expect(await record.verify()).toMatchObject({
      ok: true,
      lines: 13,
      notes: [{ code: 'record.cut_off', params: { bytes: 26 } }],
    });
  });

  it('between line and head, the lines are taken and the fact is marked', async () => {
    const record = await recorded();
    const head = await readFile(record.head);
    const recorder = await record.open();
    await runOne(recorder, record.workspace);
    await recorder.close();
    await writeFile(record.head, head);
    expect(kinds(await record.verify())).toEqual(['ahead']);
    await (await record.open()).close();
    expect(await record.verify()).toMatchObject({
      ok: true,
      lines: 13,
      notes: [{ code: 'record.not_counted', params: { lines: 3 } }],
    });
  });

  it('lines that were cut off stay missed for ever', async () => {
    const record = await recorded();
    await record.rewrite((await record.lines()).slice(0, -2));
    const recorder = await record.open();
    expect(recorder.recovered).toMatchObject({ lost: 2 });
    await runOne(recorder, record.workspace);
    await recorder.close();
    const verdict = await record.verify();
    expect(verdict.problems.filter(({ kind }) => kind === 'truncated')).toMatchObject([
      { line: 8, description: { code: 'record.were_missing', params: { lines: 2 } } },
    ]);
  });

  it.each<[string, (record: Recording) => Promise<unknown>]>([
    ['a lost head', (record) => unlink(record.head)],
    ['an unreadable head', (record) => writeFile(record.head, 'x')],
    [
      'an edited line',
      async (record) => record.rewrite((await record.lines()).map((line) => line.replace('"Mail"', '"Bank"'))),
    ],
    ['a lost log', (record) => unlink(record.log)],
  ])('%s stays a problem and the host goes on', async (_name, tamper) => {
    const record = await recorded();
    await tamper(record);
    const recorder = await record.open();
    expect(recorder.recovered).not.toBeNull();
    await runOne(recorder, record.workspace);
    await recorder.close();
    expect((await record.verify()).ok).toBe(false);
    const again = await record.open();
    expect(again.recovered === null || again.recovered.damaged > 0).toBe(true);
  });
});
