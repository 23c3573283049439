/** The host process on a folder with a long record. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startKillable, type Killable } from '../support/killable.js';
import { removeIndex } from '../../src/main/evidence/index-database.js';
import { changeLine, editName, indexOf, LONG, writeLongRecord } from '../support/long-record.js';
import { forgeState, savedState } from '../support/record-index.js';
import { openPage } from '../support/person.js';
import { openRpc } from '../support/rpc.js';

let host: Killable | null = null;
afterEach(() => host?.close());

/** A host that was killed after it had read a long record. */
async function killed(): Promise<{ killable: Killable; stateDir: string; ids: string[] }> {
  const killable = await startKillable();
  host = killable;
  await killable.kill();
  const stateDir = join(killable.home, 'state');
  const { ids } = await writeLongRecord(stateDir, LONG);
  await killable.start();
  await eventually(() => savedState(stateDir)).not.toBeNull();
  await killable.kill();
  return { killable, stateDir, ids };
}

async function record({ command }: Killable): Promise<string> {
  const { stdout } = await command.type(['status']);
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}

test('a host that was killed goes on from the checkpoint of its long record, and the page lists the oldest action [req:DS-8-14]', async () => {
  const { killable, ids } = await killed();
  await killable.start();
  const person = await openPage(killable.host.url, killable.host.link);
  person.send({ type: 'evidence', request: randomUUID(), executionId: ids[1] ?? '' });
  expect(await person.next('evidence')).toMatchObject({ evidence: { activity: { executionId: ids[1] } } });
  await eventually(() => record(killable)).toBe('record: verified');
  const rpc = await openRpc(killable.host.socketPath, killable.workspace);
  expect((await rpc.call('desktop.health')).result).toBeDefined();
}, 180_000);

test('a host without an index answers a call at once, and its page lists the latest actions at once and all of them then [req:DS-8-14]', async () => {
  const killable = await startKillable();
  host = killable;
  await killable.kill();
  const stateDir = join(killable.home, 'state');
  const { ids } = await writeLongRecord(stateDir, 40_000);
  await removeIndex(indexOf(stateDir));
  await killable.start();
  const rpc = await openRpc(killable.host.socketPath, killable.workspace);
  const person = await openPage(killable.host.url, killable.host.link);
  const list = async () => {
    person.send({ type: 'activityPage', request: randomUUID(), before: null, filter: { agent: 'Agent 1' } });
    return person.next('activityPage');
  };
  expect((await rpc.call('desktop.health')).result).toBeDefined();
  const first = await list();
  expect(first.older).toBeDefined();
  const fitting = ids.filter((_, at) => (at + 1) % 3 === 1 && at > 0).reverse();
  expect(first.rows.map(({ executionId }) => executionId)).toEqual(fitting.slice(0, 100));
  await eventually(async () => (await list()).older).toBeUndefined();
  const last = await list();
  expect(last.rows.map(({ executionId }) => executionId)).toEqual(fitting.slice(0, 100));
  person.send({ type: 'evidence', request: randomUUID(), executionId: ids[1] ?? '' });
  expect(await person.next('evidence')).toMatchObject({ evidence: { activity: { executionId: ids[1] } } });
}, 180_000);

test('a line changed before the checkpoint is told by the host that checks it, and by verify [req:DS-8-9]', async () => {
  const { killable, stateDir } = await killed();
  await changeLine(stateDir, 3, editName);
  await killable.start();
  const seen = new Set<string>();
  await eventually(async () => {
    const told = await record(killable);
    seen.add(told);
    return told;
  }).toContain('not verified');
  expect([...seen]).not.toContain('record: verified');
  const verified = await killable.command.run(['evidence', 'verify']);
  expect(verified.code).toBe(1);
  expect(verified.stdout).toContain('line 3 was edited');
}, 180_000);

test('a forged checkpoint changes nothing of what the host knows [req:DS-8-14]', async () => {
  const { killable, stateDir } = await killed();
  forgeState(stateDir, (text) => text.replace(/"shown":\d+/, '"shown":7'));
  await killable.start();
  await eventually(() => record(killable)).toBe('record: verified');
  const person = await openPage(killable.host.url, killable.host.link);
  person.send({ type: 'activityPage', request: randomUUID(), before: null, filter: {} });
  const page = await person.next('activityPage');
  expect(page.damaged).toBe(0);
  expect(page.total).toBeGreaterThanOrEqual(LONG);
}, 180_000);
