/** What is on disk afterwards, whichever way a call ended. */
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { verifyEvidence } from '../../src/main/evidence/index.js';
import { holdTimers } from '../support/held-timers.js';
import { settle } from '../support/person.js';
import { CLICK_SEND, CONFIRM, MAIL, NOTES, SEND, startScene, type Scene } from '../support/world.js';

let scene: Scene;
afterEach(() => scene.close());

interface Line {
  kind: string;
  tool?: string;
  outcome?: string;
  requestId?: string;
  error?: { code: string } | null;
  execution?: { executionId: string; requestId: string; tool: string; dir: string | null };
}

async function lines(): Promise<Line[]> {
  const text = await readFile(join(scene.home, 'state', 'audit.jsonl'), 'utf8');
  return text.trimEnd().split('\n').map((line) => JSON.parse(line) as Line); // prettier-ignore
}

/** The one line that the call left at its end, and its result.json. */
async function ended(requestId: string) {
  const found = (await lines()).filter(({ kind, execution }) => kind === 'ended' && execution?.requestId === requestId);
  expect(found).toHaveLength(1);
  const dir = found[0]?.execution?.dir ?? '';
  const result = JSON.parse(await readFile(join(dir, 'result.json'), 'utf8')) as Record<string, unknown>;
  expect(result['executionId']).toBe(found[0]?.execution?.executionId);
  return { line: found[0], result };
}

const click = (requestId: string, params: object = CLICK_SEND, meta = {}) =>
  scene.rpc.call('desktop.click', { ...params }, { requestId, ...meta });
/** What the agent may not see, its workspace does not have. */
async function look(): Promise<void> {
  const looked = scene.rpc.result('desktop.observe', { route: MAIL });
  await settle(scene.person, await card(), 'allow');
  await looked;
}
const card = async () => (await scene.person.next('approvalRequested')).approval;

test('[req:DS-8-5] [req:DS-8-6] each way a call can end leaves result.json and one line; an earlier refusal leaves the line', async () => {
  scene = await startScene();
  await look();
  const done = click('done');
  await settle(scene.person, await card(), 'allow');
  await done;
  expect(await ended('done')).toMatchObject({
    line: { outcome: 'confirmed', error: null },
    result: {
      requestDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      plan: { target: { kind: 'element' } },
      decision: {
        kind: 'allowed',
        by: 'person',
        where: 'page',
        who: expect.any(String),
        at: expect.stringMatching(/^\d{4}-/),
        waitedMs: expect.any(Number),
      },
      effect: { class: 'input', verified: 'confirmed' },
      error: null,
    },
  });

  const denied = click('denied');
  await settle(scene.person, await card(), 'deny', { message: 'no' });
  await denied;
  expect(await ended('denied')).toMatchObject({
    line: { outcome: 'denied' },
    result: { decision: { kind: 'denied', message: 'no' }, error: { code: 'DESKTOP_CONFIRM_REQUIRED' } },
  });

  const drifted = click('drifted');
  const waiting = await card();
  scene.world.change(scene.world.find('send') ?? '', { title: 'Send to all' });
  await settle(scene.person, waiting, 'allow');
  await drifted;
  expect((await ended('drifted')).result).toMatchObject({ error: { code: 'DESKTOP_TARGET_CHANGED' } });

  const aborted = click('aborted', { ...CLICK_SEND });
  await card();
  await scene.rpc.result('desktop.abort', { executionId: 'aborted' });
  await aborted;
  expect((await ended('aborted')).result).toMatchObject({ error: { code: 'DESKTOP_ABORTED' } });

  const limit = holdTimers(90_000);
  const late = click('late', CLICK_SEND, { timeoutMs: 90_000 });
  await card();
  await limit.end();
  await late;
  expect(await ended('late')).toMatchObject({
    line: { outcome: 'waiting' },
    result: { error: { code: 'DESKTOP_TIMEOUT' } },
  });

  await click('unconfirmed', { route: MAIL, target: SEND });
  expect((await ended('unconfirmed')).result).toMatchObject({ error: { code: 'DESKTOP_CONFIRM_REQUIRED' } });

  const folders = await readdir(join(scene.workspace, 'artifacts/desktop'), { recursive: true });
  await click('wrong', { route: MAIL, confirm: CONFIRM });
  await click('meta', CLICK_SEND, { timeoutMs: undefined });
  await click('outside', CLICK_SEND, { workspacePath: '/' });
  for (const [requestId, code] of [
    ['wrong', 'DESKTOP_INVALID_REQUEST'],
    ['meta', 'DESKTOP_INVALID_REQUEST'],
    ['outside', 'DESKTOP_WORKSPACE_FORBIDDEN'],
  ])
    expect((await lines()).filter((line) => line.requestId === requestId)).toMatchObject([
      { kind: 'refused', tool: 'desktop.click', error: { code } },
    ]);
  expect(await readdir(join(scene.workspace, 'artifacts/desktop'), { recursive: true })).toEqual(folders);
  expect(await verifyEvidence({ stateDir: join(scene.home, 'state') })).toMatchObject({ ok: true, problems: [] });
});

test('[req:DS-8-17] what reads nothing of the desktop and changes nothing leaves its line only', async () => {
  scene = await startScene();
  await scene.rpc.result('desktop.health', {}, { requestId: 'health' });
  const line = async () => (await lines()).filter(({ execution }) => execution?.requestId === 'health');
  await expect.poll(line).toMatchObject([{ kind: 'ended', outcome: 'confirmed', execution: { dir: null } }]);
  expect(await readdir(scene.workspace)).toEqual([]);
});

test('[req:DS-8-18] what the record says is kept by code and values, beside the English text', async () => {
  scene = await startScene();
  const denied = click('denied');
  await settle(scene.person, await card(), 'deny', { message: 'no' });
  await denied;
  const { line, result } = await ended('denied');
  for (const error of [line?.error, result['error']])
    expect(error).toMatchObject({
      code: 'DESKTOP_CONFIRM_REQUIRED',
      message: expect.stringContaining('said no: “no”'),
      text: { code: expect.stringMatching(/^[a-z_.]+$/), params: expect.objectContaining({}) },
    });
  expect(line?.execution).toMatchObject({ subject: { title: { code: 'title.click' }, target: 'Send' } });
});

test('[req:DS-8-4] card, result and activity come from memory: files changed behind its back change only what verify says', async () => {
  let tamper = async (): Promise<void> => undefined;
  scene = await startScene({}, (desktop) => ({
    ...desktop,
    async performAction(...args) {
      await tamper();
      return desktop.performAction(...args);
    },
  }));
  await look();
  const forged = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  tamper = async () => {
    const desktop = join(scene.workspace, 'artifacts/desktop');
    for (const name of await readdir(desktop, { recursive: true }))
      if (name.endsWith('before.png')) await writeFile(join(desktop, name), forged);
  };
  const work = click('forged');
  const before = await card();
  await settle(scene.person, before, 'allow');
  expect((await work).result).toMatchObject({ clicked: true, effect: 'confirmed' });
  const { activity } = await scene.person.next('activity', ({ activity: one }) => one.tool === 'desktop.click');
  const red = async (base64: string) => {
    const { channels } = await sharp(Buffer.from(base64, 'base64')).stats();
    return (channels[0]?.mean ?? 0) > 250 && (channels[1]?.mean ?? 0) < 5;
  };
  expect(activity.thumbnail).not.toBeNull();
  expect(await red(forged.toString('base64'))).toBe(true);
  expect(await red(activity.thumbnail?.base64 ?? '')).toBe(false);
  expect(await red(before.picture?.base64 ?? '')).toBe(false);
  const { problems } = await verifyEvidence({ stateDir: join(scene.home, 'state') });
  expect(problems).toMatchObject([{ kind: 'edited', path: expect.stringContaining('before.png') }]);
});

test('[req:DS-8-3] a hidden folder as workspace is asked for, though the same look was allowed elsewhere', async () => {
  scene = await startScene();
  const hidden = join(scene.workspace, '.git');
  await mkdir(hidden);
  const look = (workspacePath: string) =>
    scene.rpc.call('desktop.find', { route: MAIL, selector: { titleContains: 'Send' } }, { workspacePath });
  const first = look(scene.workspace);
  await settle(scene.person, await card(), 'allow');
  expect((await first).result).toMatchObject({ matched: 2 });
  expect((await look(scene.workspace)).result).toMatchObject({ matched: 2 });
  const asked = look(hidden);
  const shown = await card();
  expect(shown.workspace).toBe(hidden);
  await settle(scene.person, shown, 'deny');
  expect((await asked).error).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED' });
});

test('[req:DS-8-10] passwords and excluded applications are blank in pictures and missing in trees before anything is written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-policy-'));
  const policy = join(folder, 'policy.json');
  await writeFile(policy, JSON.stringify({ preset: 'unattended', excludedApps: ['simulated.notes'] }), { mode: 0o600 });
  scene = await startScene({ policy });
  await rm(folder, { recursive: true });
  const windows = await scene.desktop.windows(AbortSignal.timeout(5000));
  const notes = windows.find(({ title }) => title === 'Shopping')?.frame ?? { x: 0, y: 0, width: 0, height: 0 };
  const account = windows.find(({ title }) => title === 'Account')?.frame ?? { x: 0, y: 0, width: 0, height: 0 };
  const password = { x: account.x + 116, y: account.y + 28 + 54, width: 244, height: 28 };
  const seen = await scene.rpc.result('desktop.observe');
  const { dir } = seen['evidence'] as { dir: string };
  const blank = async ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => {
    const part = await sharp(`${dir}observe.png`)
      .extract({ left: x, top: y, width, height })
      .removeAlpha()
      .raw()
      .toBuffer();
    return new Set(part).size === 1;
  };
  expect(await blank(notes)).toBe(true);
  expect(await blank(password)).toBe(true);
  expect(await blank(account)).toBe(false);
  expect(await readFile(`${dir}ax.json`, 'utf8')).not.toContain('correct horse');
  for (const [method, params] of [
    ['desktop.find', { route: NOTES, selector: {} }],
    ['desktop.observe', { route: NOTES }],
  ] as const)
    expect((await scene.rpc.call(method, params)).error, method).toBeDefined();
  const written = await readdir(join(scene.workspace, 'artifacts/desktop'), { recursive: true });
  for (const name of written.filter((one) => /\.jsonl?$/.test(one)))
    expect(await readFile(join(scene.workspace, 'artifacts/desktop', name), 'utf8')).not.toMatch(/Milk|correct horse/);
});
