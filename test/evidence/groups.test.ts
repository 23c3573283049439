import { readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/main/protocol/index.js';
import { verifyEvidence, type EvidenceRecorder } from '../../src/main/evidence/index.js';
import { eventually } from '../support/eventually.js';
import { endOf, places, runOne, startOf } from './support.js';

const place = places();

async function recording() {
  const at = await place();
  const recorder = await at.open();
  const path = join(at.stateDir, 'audit.jsonl');
  const finish = async (effect: Effect, callId = 'x', from: EvidenceRecorder = recorder) =>
    (await from.begin(startOf(at.workspace, { need: 'line', effect, callId }))).finish(endOf());
  return {
    ...at,
    recorder,
    finish,
    lines: async () => (await readFile(path, 'utf8')).split('\n').slice(0, -1),
    /** Nothing can be written while it is away. */
    takeLogAway: () => rename(path, `${path}.away`),
    putLogBack: () => rename(`${path}.away`, path),
    verify: () => verifyEvidence({ stateDir: at.stateDir }),
  };
}

describe('[req:DS-8-12] the line of a call', () => {
  it.each<Effect>(['read', 'bookkeeping'])('of %s is written soon, without another to push it', async (effect) => {
    const { finish, lines } = await recording();
    expect(await finish(effect)).toMatchObject({ incomplete: false });
    await eventually(async () => (await lines()).length).toBe(1);
  });

  it.each<Effect>(['disclose', 'pointer', 'input', 'dangerous'])(
    'of %s is on disk before its answer',
    async (effect) => {
      const { finish, lines, takeLogAway, putLogBack } = await recording();
      expect(await finish(effect)).toMatchObject({ incomplete: false });
      expect(await lines()).toHaveLength(1);
      await takeLogAway();
      expect(await finish(effect)).toMatchObject({ incomplete: true });
      await putLogBack();
      expect(await lines()).toHaveLength(1);
    },
  );

  it('comes before any line that was given later, and in the order of the calls', async () => {
    const { recorder, workspace, finish, lines, verify } = await recording();
    const ids = Array.from({ length: 600 }, (_, index) => `call-${index}`);
    for (const id of ids) await finish('read', id);
    await runOne(recorder, workspace);
    const written = (await lines()).map((line): unknown => JSON.parse(line).execution.callId);
    expect(written.slice(0, 600)).toEqual(ids);
    expect(written).toHaveLength(603);
    expect(await verify()).toMatchObject({ ok: true, lines: 603, problems: [] });
  });

  it('is written when the recorder closes, and told to who listens', async () => {
    const { recorder, finish, lines, verify } = await recording();
    const told: string[] = [];
    recorder.onRecorded(({ tool }) => told.push(tool));
    await finish('read');
    await finish('bookkeeping');
    await recorder.close();
    expect(await lines()).toHaveLength(2);
    expect(told).toHaveLength(2);
    expect(await verify()).toMatchObject({ ok: true, problems: [] });
  });
});

describe('[req:DS-8-12] a disclosure with a folder', () => {
  const disclose = async ({ recorder, workspace }: Awaited<ReturnType<typeof recording>>) =>
    recorder.begin(startOf(workspace, { effect: 'disclose' }));

  it('has both its lines on disk before its answer', async () => {
    const at = await recording();
    const evidence = await disclose(at);
    expect(await evidence.finish(endOf())).toEqual({ incomplete: false, unrecorded: null, kept: [] });
    expect((await at.lines()).map((line): unknown => JSON.parse(line).kind)).toEqual(['begun', 'ended']);
    expect(await at.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it('is in the log soon while it lasts', async () => {
    const at = await recording();
    await disclose(at);
    await eventually(async () => (await at.lines()).length).toBe(1);
  });

  it('is not to be answered while the log has no line of it, and the next one does not begin', async () => {
    const at = await recording();
    await at.takeLogAway();
    const evidence = await disclose(at);
    expect(await evidence.finish(endOf())).toMatchObject({
      incomplete: true,
      unrecorded: { code: 'DESKTOP_HOST_NOT_READY', details: { reason: 'evidence' } },
    });
    await expect(disclose(at)).rejects.toMatchObject({ details: { reason: 'evidence' } });
    await at.putLogBack();
    await at.recorder.close();
    expect((await at.lines()).map((line): unknown => JSON.parse(line).kind)).toEqual(['begun']);
    expect(await at.verify()).toMatchObject({ ok: true, problems: [] });
  });

  it('may be answered as incomplete where the log has the line of its beginning only', async () => {
    const at = await recording();
    const evidence = await disclose(at);
    await eventually(async () => (await at.lines()).length).toBe(1);
    await at.takeLogAway();
    expect(await evidence.finish(endOf())).toEqual({ incomplete: true, unrecorded: null, kept: [] });
    await at.putLogBack();
  });

  it('before an act leaves no line behind it unwritten', async () => {
    const at = await recording();
    await disclose(at);
    await at.recorder.begin(startOf(at.workspace));
    expect((await at.lines()).map((line): unknown => JSON.parse(line).execution.effect)).toEqual(['disclose', 'input']);
  });
});

it('nothing is written into a folder that was being made when the recorder closed, and none is made later', async () => {
  const { workspace, open } = await place();
  const recorder = await open();
  const begun = recorder.begin(startOf(workspace));
  await recorder.close();
  const before = await readdir(workspace, { recursive: true });
  expect(before).not.toEqual([]);
  await (await begun).write('before.png', new Uint8Array(9)).catch(() => undefined);
  await expect(recorder.begin(startOf(workspace))).rejects.toMatchObject({ code: 'DESKTOP_HOST_NOT_READY' });
  expect(await readdir(workspace, { recursive: true })).toEqual(before);
});

it('a call that ends while the recorder closes has its line', async () => {
  const { recorder, workspace, lines, verify } = await recording();
  const evidence = await recorder.begin(startOf(workspace));
  const ended = evidence.finish(endOf());
  await recorder.close();
  expect(await ended).toMatchObject({ incomplete: false });
  expect(await lines()).toHaveLength(2);
  expect(await verify()).toMatchObject({ ok: true, problems: [] });
});

describe('[req:DS-8-12] lines that cannot be written yet', () => {
  it('are written with the next one; until then reads say that their record is incomplete', async () => {
    const { recorder, workspace, finish, lines, warnings, takeLogAway, putLogBack, verify } = await recording();
    await takeLogAway();
    expect(await finish('read', 'kept')).toMatchObject({ incomplete: false });
    await eventually(() => warnings.join()).toContain('wait to be written');
    expect(await finish('read', 'told')).toMatchObject({ incomplete: true });
    await expect(recorder.begin(startOf(workspace))).rejects.toMatchObject({ details: { reason: 'evidence' } });
    await putLogBack();
    await runOne(recorder, workspace);
    expect(await finish('read', 'again')).toMatchObject({ incomplete: false });
    await recorder.close();
    const written = (await lines()).map((line): unknown => JSON.parse(line).execution.callId);
    expect([written[0], written.at(-1)]).toEqual(['kept', 'again']);
    expect(written).toHaveLength(5);
    expect(await verify()).toMatchObject({ ok: true, problems: [] });
  });

  it('are said to be lost when the recorder closes', async () => {
    const { recorder, finish, lines, warnings, takeLogAway, putLogBack } = await recording();
    await takeLogAway();
    await finish('read');
    await recorder.close();
    await putLogBack();
    expect(await lines()).toHaveLength(0);
    expect(warnings.join()).toContain('evidence is incomplete');
  });
});
