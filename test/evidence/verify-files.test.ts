import { appendFile, copyFile, mkdir, rename, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyEvidence, type VerifyResult } from '../../src/main/evidence/index.js';
import { openAuditLog, prepareLog } from '../../src/main/evidence/audit-log.js';
import { LOG_START } from '../../src/main/evidence/log-lines.js';
import { kinds, recordedAt } from './recorded.js';
import { endOf, places, runOne, startOf } from './support.js';

const place = places();
const recorded = () => recordedAt(place);

const PLANTED = '../11111111-1111-4111-8111-111111111111';

describe('[req:DS-8-9] verify finds in the files', () => {
  it.each<[string, string, (dir: string) => Promise<unknown>]>([
    ['an edited one', 'edited', (dir) => appendFile(join(dir, 'result.json'), ' ')],
    ['an emptied one', 'edited', (dir) => truncate(join(dir, 'trace.jsonl'))],
    ['a missing one', 'missing', (dir) => unlink(join(dir, 'ax.json'))],
    ['a missing folder', 'missing', (dir) => rm(dir, { recursive: true })],
    ['a folder behind a link', 'missing', (dir) => rename(dir, `${dir}.moved`).then(() => symlink(`${dir}.moved`, dir))],
    ['a link to the same content', 'edited', async (dir) => {
      await rename(join(dir, 'ax.json'), join(dir, 'copy'));
      await symlink('copy', join(dir, 'ax.json'));
    }],
    ['a folder in place of a file', 'edited', (dir) => unlink(join(dir, 'ax.json')).then(() => mkdir(join(dir, 'ax.json')))],
    ['a planted picture', 'unrecorded', (dir) => writeFile(join(dir, 'after.png'), 'fake')],
    ['a planted execution', 'unrecorded', (dir) => mkdir(join(dir, PLANTED)).then(() => writeFile(join(dir, PLANTED, 'result.json'), '{}'))],
    ['a planted link', 'unrecorded', (dir) => symlink('.', join(dir, PLANTED))],
  ])('%s', async (_name, kind, tamper) => {
    const record = await recorded();
    await tamper(record.dirs[1] ?? '');
    const verdict = await record.verify();
    expect(verdict.ok).toBe(false);
    expect(kinds(verdict)).toContain(kind);
    expect(verdict.problems.every(({ path }) => path?.startsWith(record.workspace))).toBe(true);
  }); // prettier-ignore

  it('of the workspace asked for, and no other', async () => {
    const record = await recorded();
    await unlink(join(record.dirs[0] ?? '', 'ax.json'));
    expect(await verifyEvidence({ stateDir: record.stateDir, workspace: record.root })).toMatchObject({ ok: true });
    expect(await verifyEvidence({ stateDir: record.stateDir, workspace: record.workspace })).toMatchObject({
      ok: false,
    });
  });

  it('nothing in what the person adds beside them', async () => {
    const record = await recorded();
    await writeFile(join(record.dirs[0] ?? '', 'notes.txt'), 'mine');
    await writeFile(join(record.workspace, 'artifacts/desktop/README'), 'mine');
    await writeFile(join(record.dirs[0] ?? '', '../README'), 'mine');
    // Left by a stop between folder and line.
    await mkdir(join(record.dirs[0] ?? '', PLANTED));
    expect(await record.verify()).toMatchObject({ ok: true });
  });
});

describe('while a host is running', () => {
  it('verify sees a whole record at every moment', async () => {
    const { workspace, stateDir, open } = await place();
    const recorder = await open();
    let done = false;
    // A fixed amount of work: a writer that races a checker makes each check longer than the one before.
    const writing = (async () => {
      for (let pair = 0; pair < 25; pair++)
        await Promise.all([runOne(recorder, workspace), runOne(recorder, workspace)]);
    })().finally(() => (done = true));
    const verdicts: VerifyResult[] = [];
    while (!done) verdicts.push(await verifyEvidence({ stateDir, workspace }));
    await writing;
    verdicts.push(await verifyEvidence({ stateDir, workspace }));
    expect(verdicts.flatMap(({ problems }) => problems)).toEqual([]);
    expect(verdicts.at(-1)?.lines).toBe(150);
  });

  it('a log that is moved, replaced or written to stops every further line', async () => {
    for (const harm of [
      (log: string) => rename(log, `${log}.old`),
      (log: string) => rename(log, `${log}.old`).then(() => copyFile(`${log}.old`, log)),
      (log: string) => appendFile(log, 'x\n'),
      (log: string) => truncate(log, 10),
    ]) {
      const { workspace, stateDir, open } = await place();
      const recorder = await open();
      const { dir } = await runOne(recorder, workspace);
      const started = await recorder.begin(startOf(workspace));
      await harm(join(stateDir, 'audit.jsonl'));
      await expect(started.started()).rejects.toMatchObject({
        code: 'DESKTOP_HOST_NOT_READY',
        message: expect.stringContaining('restart Chaperone'),
      });
      await expect(recorder.begin(startOf(workspace))).rejects.toMatchObject({ details: { reason: 'evidence' } });
      expect(await started.finish(endOf())).toMatchObject({ incomplete: true });
      expect(dir).not.toBe('');
    }
  });

  it('a thousand lines at once stay in order', async () => {
    const { stateDir } = await place();
    const seen: number[] = [];
    await prepareLog(stateDir);
    const audit = await openAuditLog({
      stateDir,
      head: null,
      from: LOG_START,
      now: () => new Date(0),
      onEntry: (_entry, seq) => seen.push(seq),
      onDelayed: () => undefined,
    });
    const entry = {
      kind: 'recovered',
      at: 'x',
      torn: null,
      ahead: 0,
      lost: 0,
      headMissing: false,
      damaged: 0,
    } as const;
    const seqs = await Promise.all(Array.from({ length: 1000 }, () => audit.append(entry)));
    await audit.close();
    expect(seqs).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1));
    expect(seen).toEqual(seqs);
    await expect(audit.append(entry)).rejects.toMatchObject({ message: expect.stringContaining('closed') });
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, lines: 1000 });
  });
});
