import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { verifyEvidence } from '../../src/main/evidence/index.js';
import { hostPaths } from '../../src/main/host/discovery.js';
import { openGabp, type Gabp } from '../support/gabp.js';
import { CLICK_COPY, MAIL, startScene, type Scene } from '../support/world.js';

/** The title of the window that is clicked in: the agent does not name it. */
const SECRET = 'New Message';
const ALL = ['after.png', 'before.png', 'result.json', 'trace.jsonl'];

let scene: Scene;
let agent: Gabp;
afterEach(() => scene.close());

type Rule = 'allow' | 'ask' | 'ask_once_per_session' | 'deny';

async function start(disclose: Rule, more: object = {}): Promise<void> {
  scene = await startScene();
  onTestFinished(() => agent.close());
  await use(disclose, more);
}

/** Starts the host anew with this policy. */
async function use(disclose: Rule, more: object = {}): Promise<void> {
  const file = join(scene.home, 'policy-of-test.json');
  const effects = { disclose, input: 'ask', pointer: 'ask' };
  writeFileSync(file, JSON.stringify({ preset: 'standard', effects, ...more }), { mode: 0o600 });
  await scene.restart({ policy: file });
  scene.person = await scene.page(scene.host.pairingLink());
  agent = await openGabp(scene);
}

/** Everything that the agent can read: the files of its workspace. */
function filesOf(folder: string): Map<string, string> {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return new Map(
    names
      .filter((entry) => entry.isFile() && entry.name !== '.gitignore')
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name)).toString('latin1')]),
  );
}

const inWorkspace = () => filesOf(join(scene.workspace, 'artifacts'));
const stateOf = () => hostPaths({ CHAPERONE_HOME: scene.home }).state;
const kept = () => filesOf(join(stateOf(), 'evidence'));
const keptFolders = () =>
  readdirSync(join(stateOf(), 'evidence'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.length === 36)
    .map((entry) => join(entry.parentPath, entry.name));
const names = (files: Map<string, string>) => [...files.keys()].sort();

/** One click that the person allows. */
async function click(): Promise<{ id: string; evidence: Record<string, unknown> }> {
  const call = scene.rpc.result('desktop.click', CLICK_COPY);
  await scene.person.answer('allow');
  const result = await call;
  return { id: String(result['executionId']), evidence: { ...(result['evidence'] as object) } };
}

async function asPerson(question: 'evidence' | 'verifyEvidence', executionId: string) {
  const request = randomUUID();
  scene.person.send({ type: question, request, executionId });
  return scene.person.match((one) => 'request' in one && one.request === request);
}

async function fileForPerson(executionId: string, name: string): Promise<string> {
  const request = randomUUID();
  scene.person.send({ type: 'evidenceFile', request, executionId, name, offset: 0 });
  const answer = await scene.person.match((one) => 'request' in one && one.request === request);
  expect(answer).toMatchObject({ fileState: 'as_written' });
  return answer.type === 'evidenceFile' ? Buffer.from(answer.base64, 'base64').toString('latin1') : '';
}

describe('evidence of a window that its agent may not see [req:PL-3]', () => {
  test('lies with Chaperone; the workspace has neither its pictures nor its texts, and says so', async () => {
    await start('deny');
    const { evidence } = await click();
    expect(names(inWorkspace())).toEqual(['result.json']);
    const result = inWorkspace().get('result.json') ?? '';
    for (const one of [SECRET, 'sha256', stateOf(), scene.home])
      expect([one, result.includes(one)]).toEqual([one, false]);
    expect(JSON.parse(result)).toMatchObject({ kept: { files: expect.arrayContaining(ALL) }, plan: null, files: [] });
    expect(names(kept())).toEqual(ALL);
    expect(kept().get('result.json')).toContain(SECRET);
    expect(evidence['kept']).toEqual(expect.arrayContaining(ALL));
    expect(JSON.stringify(evidence)).not.toContain(stateOf());
  });

  test('is shown to the person, is verified in both places, and is not given to the agent', async () => {
    await start('deny');
    const { id } = await click();
    const found = await asPerson('evidence', id);
    expect(found).toMatchObject({
      evidence: {
        files: ['before.png', 'after.png', 'trace.jsonl', 'result.json'].map((name) => ({
          ...{ name, kept: true, fileState: 'as_written' },
        })),
      },
    });
    expect(await fileForPerson(id, 'before.png')).toBe(kept().get('before.png'));
    expect(await fileForPerson(id, 'result.json')).toContain(SECRET);
    expect(await asPerson('verifyEvidence', id)).toMatchObject({ verdict: { ok: true } });
    await agent.close();
    await use('ask');
    for (const name of ALL) {
      const read = agent.request('resources/read', { uri: `gabp://chaperone/evidence/${id}/${name}` }).then(
        () => 'read',
        (error: Error) => error.message,
      );
      await scene.person.answer('allow');
      expect([name, await read]).toEqual([name, expect.stringContaining('Chaperone keeps')]);
    }
    expect(await asPerson('verifyEvidence', id)).toMatchObject({ verdict: { ok: true } });
    const verify = () => verifyEvidence({ stateDir: stateOf() });
    expect(await verify()).toMatchObject({ ok: true });
    const [folder = ''] = keptFolders();
    writeFileSync(join(folder, 'before.png'), 'another picture');
    expect((await verify()).problems.map(({ kind, path }) => [kind, path])).toEqual([
      ['edited', join(folder, 'before.png')],
    ]);
    expect(await asPerson('verifyEvidence', id)).toMatchObject({ verdict: { ok: false } });
    rmSync(folder, { recursive: true });
    expect((await verify()).problems.map(({ kind }) => kind)).toEqual(['missing']);
  });

  test('of somebody else in its place is found', async () => {
    await start('deny');
    await click();
    const [folder = ''] = keptFolders();
    const foreign = join(dirname(folder), randomUUID());
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'before.png'), 'not ours');
    const { problems } = await verifyEvidence({ stateDir: stateOf() });
    expect(problems.map(({ kind, path }) => [kind, path])).toEqual([['unrecorded', foreign]]);
  });

  test('is deleted with the rest, by age and by size', async () => {
    await start('deny', { evidence: { maxBytes: 100_000 } });
    const { id } = await click();
    const [first = ''] = keptFolders();
    const sizes = () => [...inWorkspace(), ...kept()].map(([, text]) => text.length);
    for (let written = 0; written <= 100_000; written += sizes().reduce((sum, size) => sum + size, 0)) await click();
    await expect.poll(() => existsSync(first)).toBe(false);
    expect(await asPerson('evidence', id)).toMatchObject({ evidence: { deleted: { reason: 'quota' }, files: [] } });
    expect(await verifyEvidence({ stateDir: stateOf() })).toMatchObject({ ok: true });
  });

  test('of a call that fails, is denied or finds nothing lies there too', async () => {
    await start('deny');
    const denied = scene.rpc.call('desktop.click', CLICK_COPY);
    await scene.person.answer('deny');
    await denied;
    expect(names(inWorkspace())).toEqual(['result.json']);
    for (const text of inWorkspace().values()) expect(text).not.toContain(SECRET);
  });
});

describe('evidence of a window that its agent may see [req:PL-3]', () => {
  test('lies in the workspace, with all its files', async () => {
    await start('allow');
    const { evidence } = await click();
    expect(names(inWorkspace())).toEqual(ALL);
    expect(inWorkspace().get('result.json')).toContain(SECRET);
    expect(kept().size).toBe(0);
    expect(evidence).not.toHaveProperty('kept');
  });

  test('after an Allow of a request to see and act there, what that act showed lies in the workspace', async () => {
    await start('ask');
    const { evidence } = await click();
    expect(readdirSync(String(evidence['dir'])).sort()).toEqual(ALL);
    expect(kept().size).toBe(0);
  });

  test('once it has been shown it lies in the workspace', async () => {
    await start('ask_once_per_session');
    const looked = scene.rpc.call('desktop.observe', { route: MAIL });
    await scene.person.answer('allow');
    expect((await looked).error).toBeUndefined();
    const { evidence } = await click();
    expect(readdirSync(String(evidence['dir'])).sort()).toEqual(ALL);
    expect(kept().size).toBe(0);
  });
});
