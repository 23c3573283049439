import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openGabp } from '../support/gabp.js';
import { eventually } from '../support/eventually.js';
import { startKillable, type Killable } from '../support/killable.js';
import { openPage, settle } from '../support/person.js';
import { openRpc, type Rpc } from '../support/rpc.js';
import { CONFIRM, MAIL } from '../support/world.js';

let host: Killable;
beforeEach(async () => {
  host = await startKillable();
});
afterEach(() => host.close());

const page = () => openPage(host.host.url, host.host.link);
/** What is sent before the host knows which program connected uses nothing that was given earlier. */
async function caller(): Promise<Rpc> {
  const rpc = await openRpc(host.host.socketPath, host.workspace);
  await rpc.result('desktop.health');
  return rpc;
}
const SUBJECT = { selector: { byRole: 'AXTextField', titleContains: 'Subject' } };
const TYPE = { route: MAIL, target: SUBJECT, text: 'once', confirm: CONFIRM };

/** Rejects with the answer of a call that should not have one yet. */
async function endedEarly(call: Promise<unknown>): Promise<never> {
  throw new Error(`answered already: ${JSON.stringify(await call)}`);
}

test('killed while a person thinks: the same card is there again, and one Allow acts once [req:DS-5-14] [req:DS-5-12]', async () => {
  const [person, rpc] = [await page(), await caller()];
  void rpc.call('desktop.typeText', TYPE);
  const { approval } = await person.next('approvalRequested');
  await host.kill();
  await host.start();

  const [again, repeated] = [await page(), await caller()];
  expect(lastConnected(again).approvals).toMatchObject([
    { id: approval.id, digest: approval.digest, text: 'once', orphaned: true },
  ]);
  const call = repeated.call('desktop.typeText', TYPE);
  await again.next('approvalChanged', (changed) => !changed.approval.orphaned);
  await settle(again, approval, 'allow');
  expect((await call).result).toMatchObject({ typed: true, after: 'once' });
  expect(again.seen.filter(({ type }) => type === 'approvalRequested')).toEqual([]);
  const verified = await host.command.run(['evidence', 'verify']);
  expect(verified.stderr + verified.stdout).not.toMatch(/edited|missing|truncated/);
  expect(verified.code).toBe(0);
});

test('killed between an Allow and the caller’s return: the decision waited on disk and acts once [req:DS-5-12] [req:DS-5-14]', async () => {
  const [person, rpc] = [await page(), await caller()];
  void rpc.call('desktop.typeText', TYPE);
  const { approval } = await person.next('approvalRequested');
  rpc.close();
  await person.next('approvalChanged', (changed) => changed.approval.orphaned);
  await settle(person, approval, 'allow');
  await host.kill();
  await host.start();
  const [again, repeated] = [await page(), await caller()];
  expect((await repeated.call('desktop.typeText', TYPE)).result).toMatchObject({ typed: true, after: 'once' });
  const third = repeated.call('desktop.typeText', TYPE);
  await again.answer('deny');
  expect((await third).error).toMatchObject({ details: { reason: 'denied' } });
});

test('killed while a question waits: the answer given afterwards reaches the agent that comes back [req:DS-5-14] [req:DS-7-1] [req:CH-6-2]', async () => {
  const [person, agent] = [await page(), await openGabp(host)];
  agent.tool('send_message', { text: 'Which colour?' }).catch(() => undefined);
  const asked = await person.next('agentMessage');
  await host.kill();
  await host.start();

  const again = await page();
  expect(lastConnected(again)).toMatchObject({ pendingAckIds: [asked.ack_id], pendingAckId: asked.ack_id });
  again.send({ type: 'ack', id: asked.ack_id, message: 'green' });
  await again.next('userMessage', ({ ack_id }) => ack_id === asked.ack_id);
  const back = await openGabp(host);
  const answer = await back.tool('send_message', { text: 'Which colour?' });
  expect(answer.structuredContent).toMatchObject({ reply: 'green' });
  back.close();
});

test('killed in the middle of an act: its outcome is said to be unknown, and it is not run again [req:DS-5-15]', async () => {
  const [person, rpc] = [await page(), await caller()];
  const keys = { route: MAIL, keys: [...'abcdefgh'], options: { delayMs: 5000 }, confirm: CONFIRM };
  const ended = endedEarly(rpc.call('desktop.hotkey', keys, { requestId: 'half-done' }));
  const { approval } = await Promise.race([person.next('approvalRequested'), ended]);
  await settle(person, approval, 'allow');
  const audit = () => readFileSync(join(host.home, 'state/audit.jsonl'), 'utf8');
  await Promise.race([eventually(audit).toMatch(/"kind":"started"/), ended]);
  await host.kill();
  await host.start();

  const [again, repeated] = [await page(), await caller()];
  expect(await repeated.error('desktop.hotkey', keys, { requestId: 'half-done' })).toMatchObject({
    code: 'DESKTOP_ABORTED',
    details: { reason: 'outcome_unknown' },
  });
  expect(again.seen.filter(({ type }) => type === 'approvalRequested')).toEqual([]);
  expect(audit()).toMatch(/"kind":"abandoned"/);
  const anew = repeated.call('desktop.hotkey', { ...keys, options: { delayMs: 0 } }, { requestId: 'new' });
  const { approval: card } = await Promise.race([again.next('approvalRequested'), endedEarly(anew)]);
  await settle(again, card, 'allow');
  expect((await anew).result).toMatchObject({ sent: true });
});

test('killed among reads: what was written is whole, and only reads of the last moment are missing [req:DS-8-13]', async () => {
  const rpc = await caller();
  const audit = () => readFileSync(join(host.home, 'state/audit.jsonl'), 'utf8');
  await rpc.result('desktop.health', {}, { requestId: 'long-ago' });
  await eventually(audit).toContain('long-ago');
  for (let round = 0; round < 5; round += 1) {
    const reads = Array.from({ length: 40 }, () => rpc.result('desktop.health'));
    await Promise.all(reads);
    void rpc.call('desktop.health').catch(() => undefined);
  }
  await host.kill();
  const left = audit();
  await host.start();
  expect(audit().startsWith(left.slice(0, left.lastIndexOf('\n') + 1))).toBe(true);
  expect(left).toContain('long-ago');
  const verified = await host.command.run(['evidence', 'verify']);
  expect(verified.stderr + verified.stdout).not.toMatch(/edited|missing|truncated/);
  expect(verified.code).toBe(0);
});

function lastConnected(person: Awaited<ReturnType<typeof openPage>>) {
  const found = person.seen.findLast((one) => one.type === 'connected');
  if (found?.type !== 'connected') throw new Error('the page was not greeted');
  return found;
}
