import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MenubarApp } from '../../src/main/serve/menubar-app.js';
import { openGabp, type Gabp } from '../support/gabp.js';
import { eventually } from '../support/eventually.js';
import { holdTimers } from '../support/held-timers.js';
import { settle } from '../support/person.js';
import { CLICK_SEND, CONFIRM, MAIL, NOTES, type Scene, eachScene } from '../support/world.js';

let scene: Scene;
let agent: Gabp;
eachScene((made) => ({ scene, agent } = made));

async function pause(on: boolean): Promise<void> {
  scene.person.send({ type: 'pause', on });
  await scene.person.next('status', ({ status }) => (status.paused !== null) === on);
}

interface Item {
  attentionId: string;
}

describe('while the person has paused agents [req:DS-3-13] [req:DS-3-14]', () => {
  test('seen is not solved: an ack lifts nothing, and calls stay refused', async () => {
    await pause(true);
    const { attention } = (await agent.request('attention/current')) as { attention: Item };
    for (let times = 0; times < 3; times += 1)
      expect(await agent.request('attention/ack', { attentionId: attention.attentionId })).toMatchObject({
        acknowledged: false,
        currentAttention: { attentionId: attention.attentionId, blocking: true },
      });
    const answer = await agent.tool('click', { x: 300, y: 300 });
    expect(answer.content[0]?.text).toContain('DESKTOP_HOST_NOT_READY');
    for (const [method, params] of [
      ['desktop.click', CLICK_SEND],
      ['desktop.observe', { route: MAIL }],
      ['desktop.confirm.issue', { intent: { method: 'desktop.click', params: CLICK_SEND } }],
    ] as const)
      expect(await scene.rpc.error(method, params)).toMatchObject({ details: { reason: 'paused' } });
    expect(await scene.rpc.result('desktop.health')).toBeDefined();
    await pause(false);
    expect(await agent.request('attention/ack', { attentionId: attention.attentionId })).toMatchObject({
      acknowledged: true,
      currentAttention: null,
    });
  });

  test('a call that acts is stopped, keys it holds come up, and what waits is denied [req:DS-6-33] [req:DS-4-14]', async () => {
    holdTimers(5000);
    const call = scene.rpc.call('desktop.hotkey', {
      route: NOTES,
      keys: ['ctrl', 'shift', 'x', 'y', 'z'],
      options: { delayMs: 5000 },
      confirm: CONFIRM,
    });
    const { approval } = await scene.person.next('approvalRequested');
    await settle(scene.person, approval, 'allow');
    const held = () => scene.world.journal().filter(({ event }) => event === 'key');
    while (held().length === 0) await new Promise((resolve) => setImmediate(resolve));
    const looking = agent.tool('get_clipboard');
    const { approval: waits } = await scene.person.next('approvalRequested');
    await pause(true);
    expect((await call).error).toMatchObject({ code: 'DESKTOP_ABORTED' });
    expect(await scene.person.next('approvalResolved', ({ id }) => id === waits.id)).toMatchObject({
      decision: 'deny',
    });
    expect((await looking).isError).toBe(true);
    const events = scene.world.journal().filter(({ event }) => event === 'key' || event === 'keyup');
    expect(events.filter(({ event }) => event === 'keyup')).toHaveLength(
      events.filter(({ event }) => event === 'key').length,
    );
  });

  test('a restart of the host lifts no pause [req:DS-6-34]', async () => {
    await pause(true);
    agent.close();
    await scene.restart();
    agent = await openGabp(scene);
    const answer = await agent.tool('click', { x: 300, y: 300 });
    expect(answer.content[0]?.text).toContain('DESKTOP_HOST_NOT_READY');
    expect(await agent.request('attention/current')).toMatchObject({ attention: { blocking: true } });
  });
});

describe('a person who takes over [req:DS-3-15]', () => {
  test('ends the act that runs, and no call runs until they are done', async () => {
    holdTimers(5000);
    const call = scene.rpc.call('desktop.hotkey', {
      route: NOTES,
      keys: ['a', 'b', 'c'],
      options: { delayMs: 5000 },
      confirm: CONFIRM,
    });
    const { approval } = await scene.person.next('approvalRequested');
    await settle(scene.person, approval, 'allow');
    const typed = () => scene.world.journal().filter(({ event }) => event === 'key');
    while (typed().length === 0) await new Promise((resolve) => setImmediate(resolve));
    await agent.request('events/subscribe', { channels: ['attention/cleared'] });
    scene.world.person.move({ x: 5, y: 5 });
    expect((await call).error).toMatchObject({ code: 'DESKTOP_ABORTED' });
    expect(await scene.rpc.error('desktop.click', CLICK_SEND)).toMatchObject({
      code: 'DESKTOP_HOST_NOT_READY',
      details: { reason: 'taken_over' },
    });
    await eventually(() => agent.events.map(({ channel }) => channel)).toContain('attention/cleared');
    expect(await agent.request('attention/current')).toEqual({ attention: null });
    const again = scene.rpc.call('desktop.click', CLICK_SEND);
    await scene.person.answer('allow');
    expect((await again).result).toMatchObject({ clicked: true });
  });
});

test('what waited for its turn does nothing behind a screen that was locked meanwhile [req:DS-3-13]', async () => {
  const lock = new Set<(locked: boolean) => void>();
  const shell: MenubarApp = {
    showPopover: () => undefined,
    openInBrowser: () => undefined,
    openPermission: () => false,
    relaunch: () => false,
    hotkey: { label: '', register: () => true, unregister: () => undefined },
    screenLock: {
      locked: () => false,
      on(listener) {
        lock.add(listener);
        return () => lock.delete(listener);
      },
    },
  };
  const policy = join(scene.workspace, 'policy.json');
  await writeFile(policy, JSON.stringify({ effects: { pointer: 'allow' } }), { mode: 0o600 });
  agent.close();
  await scene.restart({ menubarApp: shell, policy });
  agent = await openGabp(scene);
  const before = await scene.desktop.pointer(AbortSignal.timeout(5000));
  await agent.request('events/subscribe', { channels: ['call/progress'] });
  const asked = agent.tool('click', { x: 300, y: 300 });
  const cards = async () => (await agent.request('admin/approvals'))['approvals'] as { id: string }[];
  await expect.poll(cards).toHaveLength(1);
  const queued = agent.tool('mouse_move', { x: 7, y: 7 });
  await expect.poll(() => agent.events.map(({ payload }) => payload)).toContainEqual(expect.objectContaining({ state: 'queued' })); // prettier-ignore
  for (const tell of lock) tell(true);
  const [card] = await cards();
  const denied = () => agent.request('admin/deny', { id: card?.id }).then(() => true, () => false); // prettier-ignore
  await expect.poll(denied).toBe(true);
  expect((await asked).isError).toBe(true);
  expect((await queued).content[0]?.text).toMatch(/DESKTOP_HOST_NOT_READY[^]*locked/);
  expect(await scene.desktop.pointer(AbortSignal.timeout(5000))).toEqual(before);
});
