/** The host process on a folder with a long record. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { startKillable, type Killable } from '../support/killable.js';
import { changeLine, editName, LONG, writeLongRecord } from '../support/long-record.js';
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
  const person = await openPage(killable.host.url, killable.host.link);
  person.send({ type: 'activityPage', request: randomUUID(), before: null, filter: {} });
  const page = await person.next('activityPage');
  expect(page.damaged).toBe(0);
  expect(page.total).toBeGreaterThanOrEqual(LONG);
}, 180_000);
