import { formatEnglish, message, verbatim } from '../../src/messages/index.js';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { activitySchema, WireError, type Activity } from '../../src/main/protocol/index.js';
import { toPng, verifyEvidence } from '../../src/main/evidence/index.js';
import { caller, elementOf, endOf, places, planOf, runOne, startOf } from './support.js';

const place = places();
const json = async (path: string) => z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(path, 'utf8')));

describe('an execution', () => {
  it('leaves the contract folder, private, under the UTC date', async () => {
    const { workspace, stateDir, open } = await place();
    const recorder = await open();
    const { dir, start } = await runOne(recorder, workspace);
    expect(dir).toBe(join(workspace, 'artifacts/desktop/2026-11-21', start.executionId));
    expect((await readdir(dir)).sort()).toEqual(['ax.json', 'result.json', 'trace.jsonl']);
    for (const step of ['', '..', '../..', '../../..']) expect((await stat(join(dir, step))).mode & 0o777).toBe(0o700);
    for (const name of await readdir(dir)) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(workspace, 'artifacts/desktop/.gitignore'), 'utf8')).toBe('*\n');
    expect((await stat(join(stateDir, 'audit.jsonl'))).mode & 0o777).toBe(0o600);
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    expect(await verifyEvidence({ stateDir, workspace })).toMatchObject({
      ok: true,
      lines: 3,
      problems: [],
    });
  });

  it('[req:DS-8-6] tells in result.json who asked, what was decided, by whom, and what came of it', async () => {
    const { workspace, open } = await place();
    const recorder = await open();
    const start = startOf(workspace);
    const evidence = await recorder.begin(start);
    const plan = planOf({ target: { kind: 'element', element: elementOf() } });
    await evidence.finish(endOf({ plan, result: { big: 10n, bytes: new Uint8Array(5000) } }));
    const result = await json(join(evidence.dir ?? '', 'result.json'));
    expect(result).toMatchObject({
      executionId: start.executionId,
      requestDigest: start.requestDigest,
      tool: 'click_element',
      workspace,
      agent: { name: 'Claude Code', pid: 42 },
      peer: { pid: 43 },
      decision: { kind: 'allowed', by: 'person', where: 'popover', waitedMs: 1500 },
      effect: { class: 'input', verified: 'confirmed', before: { value: 'a' }, after: { value: 'b' } },
      plan: { text: 'secret' },
      result: { big: '10', bytes: { bytes: 5000 } },
      error: null,
      incomplete: null,
    });
    expect(result['plan']).not.toHaveProperty('pixels');
  });

  it('does not keep the text that goes into a password field', async () => {
    const { workspace, open } = await place();
    const evidence = await (await open()).begin(startOf(workspace));
    await evidence.finish(endOf({ plan: planOf({ target: { kind: 'focus', element: elementOf({}, true) } }) }));
    const text = await readFile(join(evidence.dir ?? '', 'result.json'), 'utf8');
    expect(text).not.toContain('"secret"');
    expect(text).toContain('(6 characters) goes into a password field');
  });

  it('without a folder writes one line and no file', async () => {
    const { workspace, stateDir, open } = await place();
    const recorder = await open();
    const evidence = await recorder.begin(startOf(workspace, { need: 'line', effect: 'read' }));
    await evidence.write('ax.json', '{}');
    evidence.trace({ a: 1 });
    expect(await evidence.finish(endOf())).toEqual({ incomplete: false, unrecorded: null, kept: [] });
    expect(evidence.dir).toBeNull();
    expect(existsSync(join(workspace, 'artifacts'))).toBe(false);
    await recorder.close();
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, lines: 1 });
  });

  it('finishes once, and takes a second picture under the same name', async () => {
    const { workspace, stateDir, open } = await place();
    const evidence = await (await open()).begin(startOf(workspace));
    await evidence.write('ax.json', 'one');
    await evidence.write('ax.json', 'two');
    const [first, second] = await Promise.all([
      evidence.finish(endOf()),
      evidence.finish(endOf({ outcome: 'failed' })),
    ]);
    expect([first, second]).toEqual([
      { incomplete: false, unrecorded: null, kept: [] },
      { incomplete: false, unrecorded: null, kept: [] },
    ]);
    expect(await readFile(join(evidence.dir ?? '', 'ax.json'), 'utf8')).toBe('two');
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, lines: 2 });
  });

  it('says incomplete when a promised picture could not even be made', async () => {
    const { workspace, open } = await place();
    const evidence = await (await open()).begin(startOf(workspace));
    evidence.lost('after.png', new Error('the window is gone'));
    expect(await evidence.finish(endOf())).toMatchObject({ incomplete: true });
    expect(await readFile(join(evidence.dir ?? '', 'result.json'), 'utf8')).toContain('the window is gone');
  });

  it('[req:DS-8-8] says incomplete when a file cannot be written, and when the result is no JSON', async () => {
    const { workspace, stateDir, open } = await place();
    const recorder = await open();
    const evidence = await recorder.begin(startOf(workspace));
    await writeFile(join(evidence.dir ?? '', 'after.png'), 'in the way');
    await evidence.write('after.png', new Uint8Array(3));
    expect(await evidence.finish(endOf())).toMatchObject({ incomplete: true });
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const other = await recorder.begin(startOf(workspace));
    expect(await other.finish(endOf({ result: loop }))).toMatchObject({ incomplete: true });
    const verdict = await verifyEvidence({ stateDir });
    expect(verdict.problems.map(({ kind, path }) => [kind, path])).toEqual([
      ['unrecorded', join(evidence.dir ?? '', 'after.png')],
    ]);
  });

  it('refuses to start after a file of it could not be written', async () => {
    const { workspace, open } = await place();
    const evidence = await (await open()).begin(startOf(workspace));
    await writeFile(join(evidence.dir ?? '', 'before.png'), 'in the way');
    await evidence.write('before.png', new Uint8Array(3));
    await expect(evidence.started()).rejects.toMatchObject({
      code: 'DESKTOP_HOST_NOT_READY',
      details: { reason: 'evidence' },
    });
    expect(await evidence.finish(endOf({ outcome: 'failed' }))).toMatchObject({ incomplete: true });
  });

  it('takes 1,000 parallel executions and loses none', async () => {
    const { workspace, stateDir, open } = await place();
    const recorder = await open();
    let told = 0;
    recorder.onRecorded(() => (told += 1));
    const starts = Array.from({ length: 1000 }, () => startOf(workspace));
    const all = await Promise.all(starts.map((start) => recorder.begin(start)));
    const ends = await Promise.all(all.map((evidence) => evidence.finish(endOf())));
    expect(ends.every(({ incomplete }) => !incomplete)).toBe(true);
    expect(await verifyEvidence({ stateDir, workspace })).toMatchObject({ ok: true, lines: 2000, problems: [] });
    await recorder.close();
    expect(told).toBe(1000);
  });
});

describe('the workspace of a call', () => {
  it('may be the state folder, which is outside the root', async () => {
    const { stateDir, open } = await place();
    const recorder = await open();
    expect(await recorder.workspace(stateDir)).toEqual({ path: stateDir, hidden: false });
    await runOne(recorder, stateDir);
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true });
  });

  it('is checked again at the beginning', async () => {
    const { base, workspace, open } = await place();
    const recorder = await open();
    await expect(recorder.begin(startOf(base))).rejects.toMatchObject({ code: 'DESKTOP_WORKSPACE_FORBIDDEN' });
    await rename(workspace, `${workspace}2`);
    await expect(recorder.begin(startOf(workspace))).rejects.toMatchObject({ code: 'DESKTOP_WORKSPACE_FORBIDDEN' });
  });

  it('takes no execution id that is a path', async () => {
    const { workspace, open } = await place();
    await expect((await open()).begin(startOf(workspace, { executionId: '../../x' }))).rejects.toThrow(
      'not an execution id',
    );
  });

  it('[req:DS-8-2] refuses an evidence folder that a file or a link stands in for', async () => {
    const { workspace, open } = await place();
    const recorder = await open();
    await writeFile(join(workspace, 'artifacts'), '');
    await expect(recorder.begin(startOf(workspace))).rejects.toMatchObject({
      code: 'DESKTOP_WORKSPACE_FORBIDDEN',
      details: { reason: 'link' },
    });
  });
});

describe('the activity list', () => {
  it('has the newest first, with a picture, and survives a restart without it', async () => {
    const { workspace, open } = await place();
    const recorder = await open();
    const seen: Activity[] = [];
    recorder.onRecorded((activity) => seen.push(activity));
    const start = startOf(workspace);
    const evidence = await recorder.begin(start);
    const rgb = new Uint8Array(300 * 200 * 3).fill(200);
    await evidence.write('after.png', await toPng({ width: 300, height: 200, rgb, origin: { x: 0, y: 0 }, scale: 1 }));
    await evidence.finish(endOf());
    const no = new WireError('DESKTOP_CONFIRM_REQUIRED', verbatim('The person said no.')).facts();
    const denied = await recorder.begin(startOf(workspace));
    const decision = {
      kind: 'denied' as const,
      reason: 'denied' as const,
      by: 'person',
      approvalId: null,
      message: verbatim('not now'),
      at: '',
      waitedMs: 1,
    };
    await denied.finish(endOf({ outcome: 'denied', verified: null, error: no, decision }));
    const failed = await recorder.begin(startOf(workspace));
    const why = message('display.gone', { display: ':7', why: message('display.none') });
    await failed.finish(
      endOf({ outcome: 'failed', verified: null, error: new WireError('DESKTOP_HOST_NOT_READY', why).facts() }),
    );
    const result: unknown = JSON.parse(await readFile(join(failed.dir ?? '', 'result.json'), 'utf8'));
    expect(result).toMatchObject({ error: { message: formatEnglish(why), text: why } });
    await recorder.close();
    expect(seen.map(({ outcome, note }) => [outcome, note])).toEqual([
      ['confirmed', null],
      ['denied', verbatim('not now')],
      ['failed', message('failure.not_ready', { why })],
    ]);
    expect(seen[0]?.thumbnail).toMatchObject({ mimeType: 'image/webp', width: 128, height: 80 });
    for (const activity of seen) activitySchema.parse(activity);
    expect(recorder.recent(10)).toEqual([...seen].reverse());
    expect(recorder.recent(1)).toHaveLength(1);
    const again = await open();
    expect(again.recent(10)).toEqual([...seen].reverse().map((activity) => ({ ...activity, thumbnail: null })));
  });

  it('keeps refusals in the log only', async () => {
    const { stateDir, open } = await place();
    const recorder = await open();
    const error = new WireError('DESKTOP_WORKSPACE_FORBIDDEN', verbatim('outside')).facts();
    await recorder.refused({
      caller,
      tool: 'desktop.click',
      requestId: randomUUID(),
      error,
      at: '2026-11-21T00:00:00.000Z',
    });
    expect(recorder.recent(10)).toEqual([]);
    expect(await readFile(join(stateDir, 'audit.jsonl'), 'utf8')).toContain('"kind":"refused"');
    expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, lines: 1 });
  });
});

describe('a call that an earlier life left open', () => {
  it('is known by its callId when it had started, in every later life', async () => {
    const { workspace, stateDir, open } = await place();
    const first = await open();
    const [started, waiting, done] = [startOf(workspace), startOf(workspace), startOf(workspace)];
    const evidence = await first.begin(started);
    await evidence.write('ax.json', '{}');
    await evidence.started();
    await first.begin(waiting);
    const finished = await first.begin(done);
    await finished.started();
    await finished.finish(endOf());
    expect(await first.interrupted(started.callId)).toBeNull();
    await first.close();
    for (let life = 2; life <= 3; life++) {
      const later = await open();
      expect(await later.interrupted(started.callId)).toMatchObject({
        executionId: started.executionId,
        startedAt: expect.any(String),
      });
      expect(await later.interrupted(waiting.callId)).toBeNull();
      expect(await later.interrupted(done.callId)).toBeNull();
      expect(await later.interrupted('constructor')).toBeNull();
      expect(later.recent(5)[0]).toMatchObject({
        executionId: started.executionId,
        outcome: 'failed',
        note: { code: 'stopped.host_ended' },
      });
      await later.close();
      expect(await verifyEvidence({ stateDir })).toMatchObject({ ok: true, lines: 8 });
    }
    await writeFile(join(evidence.dir ?? '', 'ax.json'), '{"forged":1}');
    expect((await verifyEvidence({ stateDir })).problems).toMatchObject([{ kind: 'edited' }]);
  });
});

describe('a state folder that cannot be used', () => {
  it('stops the recorder with the reason', async () => {
    const { base, stateDir, open } = await place();
    await writeFile(join(base, 'file'), '');
    await expect(open({ stateDir: join(base, 'file') })).rejects.toMatchObject({ code: 'DESKTOP_HOST_NOT_READY' });
    await mkdir(join(stateDir, 'audit.jsonl'), { recursive: true });
    await expect(open()).rejects.toMatchObject({ details: { reason: 'evidence' } });
  });
});
