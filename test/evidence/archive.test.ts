import { CLICK } from '../support/titles.js';
import { appendFile, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createImaging, type EvidenceRecorder } from '../../src/main/evidence/index.js';
import { endOf, places, runOne, startOf, type Place } from './support.js';
import { eventually } from '../support/eventually.js';

const place = places();

/** A line each, without a folder. */
async function lines(recorder: EvidenceRecorder, { workspace }: Place, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = startOf(workspace, {
      need: 'line',
      effect: index % 2 === 0 ? 'read' : 'disclose',
      subject: { title: CLICK, target: null, app: index % 3 === 0 ? 'Mail' : 'Safari', place: null },
    });
    const evidence = await recorder.begin(start);
    await evidence.finish(endOf({ outcome: index % 5 === 0 ? 'failed' : 'confirmed', at: start.at }));
    ids.push(start.executionId);
  }
  await eventually(() => recorder.archive.page(null, {}).then(({ total }) => total)).toBeGreaterThanOrEqual(count);
  return ids;
}

const idsOf = (page: { rows: { executionId: string }[] }) => page.rows.map((row) => row.executionId);

describe('pages of the record', () => {
  it('[req:AP-R-1] come newest first, of this life and earlier ones, each row once', async () => {
    const here = await place();
    const first = await here.open();
    const early = await lines(first, here, 150);
    await first.close();
    const { archive, ...second } = await here.open();
    const late = await lines({ archive, ...second }, here, 80);
    const found: string[] = [];
    let before: number | null = null;
    const sizes: number[] = [];
    do {
      const page = await archive.page(before, {});
      expect(page).toMatchObject({ total: 230, damaged: 0, agents: ['Claude Code'] });
      sizes.push(page.rows.length);
      found.push(...idsOf(page));
      before = page.next;
    } while (before !== null);
    expect(sizes).toEqual([100, 100, 30]);
    expect(found).toEqual([...early, ...late].reverse());
  });

  it('[req:AP-R-2] hold what a filter picks out of all there is', async () => {
    const here = await place();
    const recorder = await here.open();
    const ids = await lines(recorder, here, 60);
    const wanted = ids.filter((_, index) => index % 2 === 1 && index % 3 === 0 && index % 5 === 0).reverse();
    const page = await recorder.archive.page(null, {
      effect: 'disclose',
      outcome: 'failed',
      app: 'maIL',
      agent: 'Claude Code',
    });
    expect(idsOf(page)).toEqual(wanted);
    expect(page).toMatchObject({ total: 2, next: null });
    expect(await recorder.archive.page(null, { agent: 'codex' })).toMatchObject({ rows: [], total: 0, next: null });
  });

  it('leave out, and count, lines that were edited while the host ran', async () => {
    const here = await place();
    const recorder = await here.open();
    const [, changed = ''] = await lines(recorder, here, 3);
    const log = join(here.stateDir, 'audit.jsonl');
    const text = await readFile(log, 'utf8');
    await writeFile(log, text.replace(/(?<=.*\n.*)"text":"Click/, '"text":"Clock'));
    const page = await recorder.archive.page(null, {});
    expect(page).toMatchObject({ damaged: 1, total: 3 });
    expect(idsOf(page)).not.toContain(changed);
    expect(await recorder.archive.evidence(changed)).toBe('damaged');
    expect(await recorder.archive.verify(changed)).toMatchObject({
      ok: false,
      problems: [{ code: 'record.line_unreadable' }],
    });
  });
});

describe('the evidence of one action', () => {
  it('is told with its place in the record, its files and its decision, also by a later life', async () => {
    const here = await place();
    const first = await here.open();
    const before = await runOne(first, here.workspace);
    const one = await runOne(first, here.workspace);
    await first.close();
    const { archive } = await here.open();
    const after = await archive.evidence(one.start.executionId);
    expect(after).toMatchObject({
      state: 'ended', tool: 'click_element', agent: { name: 'Claude Code' }, dir: one.dir, deleted: null, lineDamaged: false,
      activity: { executionId: one.start.executionId, outcome: 'confirmed' },
      previous: { activity: { executionId: before.start.executionId } },
    }); // prettier-ignore
    if (after === null || after === 'damaged') throw new Error('no evidence');
    expect(after.newest).toEqual({
      ...after.line,
      activity: expect.objectContaining({ executionId: one.start.executionId }),
    });
    expect(after.files.every(({ fileState }) => fileState === 'as_written')).toBe(true);
    const name = after.files.find((file) => file.name === 'result.json')?.name ?? 'ax.json';
    const part = await archive.file(one.start.executionId, name, 0);
    expect(Buffer.from(part?.base64 ?? '', 'base64')).toEqual(await readFile(join(one.dir, name)));
    expect(await archive.verify(one.start.executionId)).toMatchObject({
      ok: true,
      problems: [],
      recordProblemCount: 0,
    });
  });

  it('[req:AP-R-7] gives no byte of a file that was edited, planted, exchanged for a link or taken away', async () => {
    const here = await place();
    const { archive, ...recorder } = await here.open();
    const { dir, start } = await runOne({ archive, ...recorder }, here.workspace);
    const { executionId } = start;
    const fileState = async (name: 'result.json' | 'observe.png') => {
      const part = await archive.file(executionId, name, 0);
      expect(part?.base64).toBe('');
      const told = await archive.evidence(executionId);
      if (told === null || told === 'damaged') throw new Error('no evidence');
      expect(part?.fileState).toBe(told.files.find((file) => file.name === name)?.fileState ?? 'missing');
      return part?.fileState;
    };
    const result = join(dir, 'result.json');
    const content = await readFile(result, 'utf8');
    await appendFile(result, ' ');
    expect(await fileState('result.json')).toBe('edited');
    await writeFile(result, content.replace('"schemaVersion": 1', '"schemaVersion": 2'));
    expect(await fileState('result.json')).toBe('edited');
    expect(await archive.verify(executionId)).toMatchObject({ ok: false, problems: [{ code: 'record.file_edited' }] });
    await unlink(result);
    expect(await fileState('result.json')).toBe('missing');
    await writeFile(join(here.base, 'copy.json'), content);
    await symlink(join(here.base, 'copy.json'), result);
    expect(await fileState('result.json')).toBe('edited');
    expect(await fileState('observe.png')).toBe('missing');
    await writeFile(join(dir, 'observe.png'), 'not ours');
    expect(await fileState('observe.png')).toBe('unrecorded');
    await rm(dir, { recursive: true });
    expect(await fileState('result.json')).toBe('missing');
  });

  it('[req:AP-R-7] of one that retention deleted is its line and when that was', async () => {
    const here = await place();
    const now = () => new Date('2026-11-21T12:00:00.000Z');
    const first = await here.open({ now });
    const { start } = await runOne(first, here.workspace, { at: '2026-09-01T00:00:00.000Z' });
    await first.close();
    const second = await here.open({ now, retention: { maxAgeDays: 30, maxBytes: null } });
    await second.close();
    const { archive } = await here.open({ now });
    expect(await archive.evidence(start.executionId)).toMatchObject({
      state: 'deleted', files: [], deleted: { at: now().toISOString(), reason: 'age' }, lineDamaged: false,
      activity: { outcome: 'confirmed', evidenceDir: null },
    }); // prettier-ignore
    expect(await archive.file(start.executionId, 'result.json', 0)).toMatchObject({ fileState: 'missing', base64: '' });
    expect(await archive.thumbnails([start.executionId])).toEqual([{ executionId: start.executionId, picture: null }]);
  });

  it('that an earlier life left unfinished says so', async () => {
    const here = await place();
    const first = await here.open();
    const start = startOf(here.workspace);
    const evidence = await first.begin(start);
    await evidence.started();
    expect(await first.archive.evidence(start.executionId)).toMatchObject({
      state: 'open',
      activity: null,
      line: null,
    });
    await first.close();
    const { archive } = await here.open();
    expect(await archive.evidence(start.executionId)).toMatchObject({
      state: 'abandoned', activity: { outcome: 'failed', note: { code: 'stopped.host_ended' } },
    }); // prettier-ignore
    expect((await archive.page(null, {})).rows).toHaveLength(1);
  });

  it('nobody knows is none, whatever its name', async () => {
    const { archive } = await (await place()).open();
    for (const id of ['00000000-0000-4000-8000-000000000000', '../../etc/passwd']) {
      expect(await archive.evidence(id)).toBeNull();
      expect(await archive.file(id, 'result.json', 0)).toBeNull();
      expect(await archive.verify(id)).toBeNull();
    }
  });

  it('has a small picture, made from the file of an earlier life, once that file is what was written', async () => {
    const here = await place();
    const first = await here.open();
    const pixels = { width: 4, height: 4, rgb: new Uint8Array(48).fill(200), scale: 1, origin: { x: 0, y: 0 } };
    const png = await createImaging().png(pixels);
    const made = [];
    for (let index = 0; index < 2; index += 1) {
      const start = startOf(here.workspace);
      const evidence = await first.begin(start);
      await evidence.write('after.png', png);
      await evidence.finish(endOf({ at: start.at }));
      made.push({ id: start.executionId, dir: evidence.dir ?? '' });
    }
    await first.close();
    const [whole, edited] = made;
    await appendFile(join(edited?.dir ?? '', 'after.png'), 'x');
    const { archive } = await here.open();
    const pictures = await archive.thumbnails(made.map(({ id }) => id));
    expect(pictures).toEqual([
      { executionId: whole?.id, picture: expect.objectContaining({ mimeType: 'image/webp', width: 128, height: 80 }) },
      { executionId: edited?.id, picture: null },
    ]);
    expect((await archive.page(null, {})).rows.map((row) => row.thumbnail !== null)).toEqual([false, true]);
  });
});
