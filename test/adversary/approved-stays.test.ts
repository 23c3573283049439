/** What a person allowed is what runs: not after a restart, not once it was taken back, and not another macro under the same name. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAgent } from '../support/agent.js';
import { holdTimers } from '../support/held-timers.js';
import { connectAs } from '../support/other.js';
import { openPage, press, settle } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { CLICK_COPY, CONFIRM, NOTES, startScene, type Scene } from '../support/world.js';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

const textOf = (identifier: string) => scene.world.text(scene.world.find(identifier) ?? '');

test('[req:RA-3] an Allow from before a restart does nothing when it is sent again, paired or not; on the card shown anew a press of its own acts once', async () => {
  const ticks = () => scene.world.journal().filter(({ event }) => event === 'toggled');
  void scene.rpc.call('desktop.click', CLICK_COPY).catch(() => undefined);
  const { approval } = await scene.person.next('approvalRequested');
  await scene.restart();

  const stranger = await openPage(scene.host.url);
  press(stranger, approval, 'allow');
  expect(await stranger.next('error', ({ about }) => about === approval.id)).toMatchObject({ code: 'pairing_needed' });
  const again = await openPage(scene.host.url, scene.host.pairingLink());
  const { id, digest } = approval;
  const replayed = async (more: object) => {
    again.send({ type: 'approval', id, digest, decision: 'allow', ...more });
    return (await again.next('error', ({ about }) => about === id)).code;
  };
  // Its buttons are dead for half a second.
  await expect.poll(() => replayed({})).toBe('no_press');
  again.send({ type: 'press', id, digest: '0'.repeat(64) });
  expect(await replayed({})).toBe('no_press');
  expect(await replayed({ digest: '0'.repeat(64) })).toBe('stale');
  const rpc = await openRpc(scene.host.socketPath, scene.workspace);
  const call = rpc.call('desktop.click', CLICK_COPY);
  await again.next('approvalChanged', (changed) => !changed.approval.orphaned);
  expect(ticks()).toEqual([]);
  await settle(again, approval, 'allow');
  expect((await call).result).toMatchObject({ clicked: true });
  expect(ticks()).toHaveLength(1);
  press(again, approval, 'allow');
  expect(await again.next('error', ({ about }) => about === id)).toMatchObject({ code: 'settled' });
  expect(ticks()).toHaveLength(1);
  for (const one of [stranger, again, rpc]) one.close();
});

test('[req:RA-4] a grant taken back while an act under it waits for its turn: the act does not run', async () => {
  const type = (text: string) =>
    scene.rpc.call('desktop.typeText', {
      route: NOTES,
      target: { selector: { byRole: 'AXTextArea' } },
      text,
      confirm: CONFIRM,
    });
  const first = type('first');
  await scene.person.answer('allow', { grant: 'session' });
  expect((await first).result).toMatchObject({ typed: true });
  const { grants } = await scene.person.next('grants');
  const id = grants[0]?.id ?? '';

  const other = connectAs({ path: scene.host.socketPath });
  const busy = await openRpc(other.stream, scene.workspace);
  holdTimers(5_000);
  const keys = { route: NOTES, keys: ['a', 'b', 'c', 'd'], options: { delayMs: 5_000 }, confirm: CONFIRM };
  const holding = busy.call('desktop.hotkey', keys, { requestId: 'busy' });
  await scene.person.answer('allow');
  await expect.poll(() => scene.world.journal().filter(({ event }) => event === 'key').length).toBeGreaterThan(0);
  const waiting = type('second');
  await scene.person.next('grants', (news) => news.grants.some((one) => one.id === id && (one.used ?? 0) > 0));
  scene.person.send({ type: 'revokeGrant', id });
  await scene.person.next('grants', (news) => news.grants.every((one) => one.id !== id));
  await busy.result('desktop.abort', { executionId: 'busy' });
  await holding;
  expect((await waiting).error).toBeDefined();
  expect(JSON.stringify(scene.world.journal())).not.toContain('second');
  busy.close();
  await other.close();
});

test('[req:RA-5] a macro that is replaced on disk or deleted while its card is open: what the card showed is what runs, or nothing', async () => {
  const agent = await startAgent(scene.home, { cwd: scene.workspace });
  const steps = (value: string) => [
    { tool: 'write_element_value', arguments: { parent: 'simulated.mail', identifier: 'to', value } },
  ];
  const made = await agent.call('create_macro', { display_name: 'To', steps: steps('shown@example.org') });
  const name = made.value['name'] as string;
  const nested = await agent.call('create_macro', {
    display_name: 'Outer',
    steps: [{ tool: 'execute_macro', arguments: { macro: name } }],
  });
  expect(nested.text).toContain('cannot be a step');

  const file = join(scene.home, 'state', 'macros.json');
  const work = agent.call('execute_macro', { macro: name });
  const { approval } = await scene.person.next('approvalRequested');
  expect(JSON.stringify(approval.steps)).toContain('shown@example.org');
  const kept = readFileSync(file, 'utf8');
  expect(kept).toContain('shown@example.org');
  writeFileSync(file, kept.replaceAll('shown@example.org', 'other@example.org'), { mode: 0o600 });
  await settle(scene.person, approval, 'allow');
  expect((await work).isError).toBe(false);
  expect(textOf('to')).toBe('shown@example.org');

  const second = agent.call('execute_macro', { macro: name });
  const { approval: again } = await scene.person.next('approvalRequested', (one) => one.approval.id !== approval.id);
  expect(again.digest).not.toBe('');
  await agent.call('delete_macro', { name });
  await settle(scene.person, again, 'allow');
  await second;
  expect(textOf('to')).toBe('shown@example.org');
  await agent.close();
});
