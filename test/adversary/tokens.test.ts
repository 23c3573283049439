import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { holdTimers } from '../support/held-timers.js';
import { connectAs } from '../support/other.js';
import { settle } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { CLICK_SEND, CONFIRM, MAIL, SEND, startScene, type Scene } from '../support/world.js';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

/** A token that the person agreed to. */
async function token(method: string, params: object): Promise<string> {
  const [issued] = await Promise.all([
    scene.rpc.result('desktop.confirm.issue', { intent: { method, params } }),
    scene.person.answer('allow'),
  ]);
  return String(issued['token']);
}

const events = () => scene.world.journal().filter(({ event }) => event === 'pressed' || event === 'key');
const windowOf = async (title: string) =>
  (await scene.desktop.windows(AbortSignal.timeout(5000))).find((one) => one.title === title)?.id ?? '';

describe('a token that was agreed to', () => {
  test('is worth nothing to another process, not even a child, and stays good for its own [req:BC-4.2-2] [req:BC-4.2-6]', async () => {
    const given = await token('desktop.click', { route: MAIL, target: SEND });
    const thief = connectAs({ path: scene.host.socketPath });
    const rpc = await openRpc(thief.stream, scene.workspace);
    const stolen = { route: MAIL, target: SEND, confirm: { token: given } };
    expect(await rpc.error('desktop.click', stolen)).toMatchObject({
      code: 'DESKTOP_CONFIRM_REQUIRED',
      details: { reason: 'peer' },
    });
    expect(events()).toEqual([]);
    expect(await scene.rpc.result('desktop.click', stolen)).toMatchObject({ clicked: true });
    rpc.close();
    await thief.close();
  });

  test('is worth nothing for another method, other words, another workspace, or beside a right phrase, and good beside a wrong one [req:BC-4.2-1] [req:BC-4.2-3]', async () => {
    const text = {
      route: MAIL,
      target: { selector: { byRole: 'AXTextField', titleContains: 'Subject' } },
      text: 'Hello',
    };
    const given = await token('desktop.typeText', text);
    const attempts: [string, object, object?][] = [
      ['desktop.hotkey', { route: MAIL, keys: ['enter'] }],
      ['desktop.typeText', { ...text, text: 'Hello\n' }],
      ['desktop.typeText', { ...text, text: 'Hell\u043e' }],
      ['desktop.typeText', { ...text, options: { clearBefore: true } }],
      ['desktop.typeText', { ...text, target: { selector: { byRole: 'AXTextArea' } } }],
      ['desktop.typeText', text, { workspacePath: `${scene.workspace}/.` + '/..' }],
    ];
    for (const [method, params, meta] of attempts) {
      const call = { ...params, confirm: { token: given, ...CONFIRM } };
      const { error } = await scene.rpc.call(method, call, { ...meta });
      expect([method, error?.code]).toEqual([
        method,
        meta ? 'DESKTOP_WORKSPACE_FORBIDDEN' : 'DESKTOP_CONFIRM_REQUIRED',
      ]);
    }
    for (const wrong of ['', 'null', '00000000-0000-4000-8000-000000000000'])
      expect(await scene.rpc.error('desktop.typeText', { ...text, confirm: { token: wrong } })).toMatchObject({
        code: 'DESKTOP_CONFIRM_REQUIRED',
      });
    expect(scene.world.journal().filter(({ event }) => event === 'changed')).toEqual([]);
    const right = { ...text, confirm: { token: given, phrase: 'no' } };
    expect(await scene.rpc.result('desktop.typeText', right)).toMatchObject({ typed: true });
  });

  test('for the application in front is not spent on the one in front later [req:DS-4-8] [req:DS-4-12]', async () => {
    scene.world.raiseWindow(await windowOf('New Message'));
    const button = { target: SEND };
    const given = await token('desktop.click', button);
    const notes = await windowOf('Shopping');
    scene.world.addElement(notes, { role: 'AXButton', title: 'Send', frame: { x: 250, y: 10, width: 84, height: 28 } });
    scene.world.raiseWindow(notes);
    const error = await scene.rpc.error('desktop.click', { ...button, confirm: { token: given } });
    expect(error).toMatchObject({ code: 'DESKTOP_TARGET_CHANGED' });
    expect(events()).toEqual([]);
    const again = await scene.rpc.error('desktop.click', { ...button, confirm: { token: given } });
    expect(again).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED', details: { reason: 'used' } });
  });

  test('for keys gives them to the window that was agreed to, whatever is in front', async () => {
    scene.world.raiseWindow(await windowOf('New Message'));
    const given = await token('desktop.hotkey', { keys: ['x'] });
    scene.world.raiseWindow(await windowOf('Terminal'));
    await scene.rpc.call('desktop.hotkey', { keys: ['x'], confirm: { token: given } });
    const typed = scene.world.journal().filter(({ event }) => event === 'key' || event === 'changed');
    expect(new Set(typed.map(({ window }) => window))).toEqual(new Set(['New Message']));
  });

  test('ends when the person pauses agents, even where they go on afterwards [req:DS-4-9]', async () => {
    const given = await token('desktop.click', { route: MAIL, target: SEND });
    scene.person.send({ type: 'pause', on: true });
    await scene.person.next('status', ({ status }) => status.paused !== null);
    const call = { route: MAIL, target: SEND, confirm: { token: given } };
    expect(await scene.rpc.error('desktop.click', call)).toMatchObject({ code: 'DESKTOP_HOST_NOT_READY' });
    scene.person.send({ type: 'pause', on: false });
    await scene.person.next('status', ({ status }) => status.paused === null);
    expect(await scene.rpc.error('desktop.click', call)).toMatchObject({
      code: 'DESKTOP_CONFIRM_REQUIRED',
      details: { reason: 'paused' },
    });
    expect(events()).toEqual([]);
  });

  test('lives from the moment it is given, however long the person thought [req:DS-4-6]', async () => {
    const intent = { method: 'desktop.click', params: { route: MAIL, target: SEND } };
    const asked = Date.now();
    const issuing = scene.rpc.result('desktop.confirm.issue', { intent, ttlMs: 1000 });
    const { approval } = await scene.person.next('approvalRequested');
    while (Date.now() < asked + 20) await new Promise((resolve) => setImmediate(resolve));
    const answered = Date.now();
    await settle(scene.person, approval, 'allow');
    const { expiresAt } = await issuing;
    expect(Date.parse(String(expiresAt))).toBeGreaterThanOrEqual(answered + 1000);
  });

  test('is given by nobody but the person: no answer, no token [req:DS-4-5]', async () => {
    const intent = { method: 'desktop.click', params: { route: MAIL, target: SEND } };
    const limit = holdTimers(90_000);
    const waiting = scene.rpc.error('desktop.confirm.issue', { intent }, { timeoutMs: 90_000 });
    const { approval } = await scene.person.next('approvalRequested');
    await limit.end();
    expect(await waiting).toMatchObject({ code: 'DESKTOP_TIMEOUT' });
    const again = scene.rpc.error('desktop.confirm.issue', { intent });
    const [no] = await Promise.all([again, settle(scene.person, approval, 'deny')]);
    expect(no).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED', details: { reason: 'denied' } });
  });
});

describe('a phrase', () => {
  test('opens no door by itself, and not with another request’s id [req:BC-4.2-7] [req:DS-4-10]', async () => {
    for (const phrase of ['confirm', 'CONFIRM ', 'CONFIRM:', 'CONFIRM:other', 'CONFIRMED', ''])
      expect(await scene.rpc.error('desktop.click', { ...CLICK_SEND, confirm: { phrase } })).toMatchObject({
        code: 'DESKTOP_CONFIRM_REQUIRED',
        details: { reason: 'mismatch' },
      });
    const asked = scene.rpc.call('desktop.click', CLICK_SEND);
    const card = await scene.person.answer('deny');
    expect(card.tool).toBe('desktop.click');
    expect((await asked).error).toMatchObject({ details: { reason: 'denied' } });
    expect(events()).toEqual([]);
  });
});
