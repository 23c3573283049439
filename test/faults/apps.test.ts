import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openGabp } from '../support/gabp.js';
import { holdTimers } from '../support/held-timers.js';
import { isAct, settle } from '../support/person.js';
import { CLICK_SEND, CONFIRM, MAIL, NOTES, startScene, type Scene } from '../support/world.js';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
  scene.person.allowLooking();
});
afterEach(() => scene.close());

const CLICK_LOCKED = { route: NOTES, target: { selector: { byRole: 'AXCheckBox' } }, confirm: CONFIRM };
const pidOf = async (id: string) =>
  (await scene.desktop.apps(AbortSignal.timeout(5000))).find((app) => app.id === id)?.pid ?? 0;

/** The lane is free and the host is well: another application can be acted on. */
async function expectOthersServed(): Promise<void> {
  expect(await scene.rpc.result('desktop.health')).toBeDefined();
  const call = scene.rpc.call('desktop.click', CLICK_LOCKED);
  const { approval } = await scene.person.next('approvalRequested', isAct);
  await settle(scene.person, approval, 'allow');
  const answer = await call;
  expect(answer.result, JSON.stringify(answer)).toMatchObject({ clicked: true });
}

describe('an application that does not answer', () => {
  test.each(['refuse', 'silent'] as const)(
    '(%s) ends the call in time, and others are served [req:BC-4.1-3]',
    async (how) => {
      scene.world.hang(await pidOf('simulated.mail'), how);
      const error = await scene.rpc.error('desktop.click', CLICK_SEND, { timeoutMs: 700 });
      expect(error).toMatchObject({ code: 'DESKTOP_TIMEOUT', retryable: true });
      await expectOthersServed();
      scene.world.recover(await pidOf('simulated.mail'));
      const call = scene.rpc.call('desktop.click', CLICK_SEND);
      await scene.person.answer('allow');
      expect((await call).result).toMatchObject({ clicked: true });
    },
  );

  test('after Allow, ends the act in time and lets the lane go', async () => {
    const limit = holdTimers(90_000);
    const call = scene.rpc.call('desktop.click', CLICK_SEND, { timeoutMs: 90_000 });
    const { approval } = await scene.person.next('approvalRequested', isAct);
    scene.world.hang(await pidOf('simulated.mail'), 'silent');
    await settle(scene.person, approval, 'allow');
    await scene.person.next('status', ({ status }) => status.state === 'acting');
    await limit.end();
    expect((await call).error).toMatchObject({ code: 'DESKTOP_TIMEOUT' });
    await expectOthersServed();
  });

  test('is given up by Stop, and by the agent’s own abort, where no time was set', async () => {
    const agent = await openGabp(scene);
    for (const give of ['abort', 'stop'] as const) {
      scene.world.recover(await pidOf('simulated.mail'));
      const call = agent.tool('click', { x: 90, y: 498 });
      const { approval } = await scene.person.next('approvalRequested', isAct);
      scene.world.hang(await pidOf('simulated.mail'), 'silent');
      await settle(scene.person, approval, 'allow');
      await scene.person.next('status', ({ status }) => status.state === 'acting');
      if (give === 'abort') await scene.rpc.result('desktop.abort', { executionId: approval.executionId });
      else scene.person.send({ type: 'abort' });
      expect((await call).isError).toBe(true);
    }
    await expectOthersServed();
    agent.close();
  });

  test('dying in the middle of a call, takes its keys along and nothing else', async () => {
    const pid = await pidOf('simulated.mail');
    const call = scene.rpc.call('desktop.hotkey', {
      route: MAIL,
      keys: ['a', 'b', 'c'],
      options: { delayMs: 300 },
      confirm: CONFIRM,
    });
    const { approval } = await scene.person.next('approvalRequested', isAct);
    await settle(scene.person, approval, 'allow');
    const keys = () => scene.world.journal().filter(({ event }) => event === 'key');
    while (keys().length === 0) await new Promise((resolve) => setImmediate(resolve));
    scene.world.kill(pid);
    const { error } = await call;
    expect(error?.code).toMatch(/DESKTOP_TARGET_CHANGED|DESKTOP_ELEMENT_NOT_FOUND/);
    expect(keys().every((key) => key.pid === pid)).toBe(true);
    await expectOthersServed();
  });
});

describe('a desktop that is gone', () => {
  test('is said so: calls are refused, health and doctor and the page still answer [req:BC-6-1] [req:DS-3-13]', async () => {
    const agent = await openGabp(scene);
    const waiting = scene.rpc.call('desktop.click', CLICK_SEND);
    const { approval } = await scene.person.next('approvalRequested', isAct);
    scene.world.lose('the X server ended');
    // Whether a press is a person's cannot be told any more, so nothing is allowed; a No counts as ever.
    await expect(settle(scene.person, approval, 'allow')).rejects.toThrow('couldn’t tell whether it was yours');
    await settle(scene.person, approval, 'deny');
    expect((await waiting).error).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED' });
    for (const [method, params] of [
      ['desktop.click', CLICK_SEND],
      ['desktop.observe', { route: MAIL }],
      ['desktop.find', { route: MAIL, selector: {} }],
      ['desktop.hotkey', { keys: ['a'], confirm: CONFIRM }],
    ] as const) {
      const error = await scene.rpc.error(method, params);
      expect(error).toMatchObject({ code: 'DESKTOP_HOST_NOT_READY' });
      expect(error.message).toContain('X server ended');
    }
    expect(await scene.rpc.result('desktop.health')).toMatchObject({ bridge: { schemaVersion: 1 } });
    expect(await scene.rpc.result('desktop.doctor')).toMatchObject({ healthy: false });
    const answer = await agent.tool('capture_screenshot');
    expect(answer.content[0]?.text).toContain('DESKTOP_HOST_NOT_READY');
    expect(await agent.request('attention/current')).toMatchObject({
      attention: { severity: 'fatal', blocking: true },
    });
    const asking = agent.tool('send_message', { text: 'Still there?' });
    await scene.person.reply('yes');
    expect((await asking).structuredContent).toMatchObject({ reply: 'yes' });
    agent.close();
  });
});

describe('a permission that was taken away', () => {
  const look = async () => {
    scene.person.send({ type: 'check', request: randomUUID(), record: false });
    await scene.person.next('check');
  };

  test('is named, opens attention, and the call goes on once it is back [req:BC-6-2] [req:DS-3-13]', async () => {
    scene.world.setPermission('accessibility', 'missing');
    expect(await scene.rpc.error('desktop.click', CLICK_SEND)).toMatchObject({ code: 'DESKTOP_PERMISSION_MISSING' });
    await look();
    const agent = await openGabp(scene);
    expect(await agent.request('attention/current')).toMatchObject({
      attention: { blocking: true, summary: expect.stringContaining('Accessibility') },
    });
    expect((await agent.tool('list_windows')).content[0]?.text).toContain('DESKTOP_PERMISSION_MISSING');
    scene.world.setPermission('accessibility', 'granted');
    await look();
    expect(await agent.request('attention/current')).toEqual({ attention: null });
    agent.close();
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    await scene.person.answer('allow');
    expect((await call).result).toMatchObject({ clicked: true });
  });
});
