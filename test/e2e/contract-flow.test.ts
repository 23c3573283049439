/** waitUntil, abort and confirm.issue: calls that take time, end early, or prepare another. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { holdTimers } from '../support/held-timers.js';
import { openRpc } from '../support/rpc.js';
import { CLICK_SEND, CONFIRM, MAIL, SEND, startScene, type Scene } from '../support/world.js';

let scene: Scene;
let finds: number[] = [];
let afterFind: () => void = () => undefined;
beforeEach(async () => {
  finds = [];
  afterFind = () => undefined;
  scene = await startScene({ policy: 'unattended' }, (desktop) => ({
    ...desktop,
    async find(...args) {
      finds.push(performance.now());
      const found = await desktop.find(...args);
      afterFind();
      return found;
    },
  }));
});
afterEach(() => scene.close());

const events = (...kinds: string[]) => scene.world.journal().filter(({ event }) => kinds.includes(event));
async function mailWindow(): Promise<string> {
  const windows = await scene.desktop.windows(AbortSignal.timeout(5000));
  return windows.find(({ title }) => title === 'New Message')?.id ?? '';
}
/** Resolves once it holds; the test's own time limit is the only other end. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
const banner = {
  role: 'AXStaticText' as const,
  title: 'Delivered',
  frame: { x: 300, y: 10, width: 80, height: 20 },
};
const DELIVERED = { selectorExists: { byRole: 'AXStaticText', titleContains: 'Delivered' } };

describe('desktop.waitUntil', () => {
  test('[req:BC-5.8-1] [req:DS-4-13] looks again and again, 500 ms apart unless told, and says how long it took', async () => {
    const window = await mailWindow();
    afterFind = () => {
      if (finds.length === 3) scene.world.addElement(window, banner);
    };
    const result = await scene.rpc.result('desktop.waitUntil', { condition: DELIVERED, timeoutMs: 60_000 });
    expect(result).toMatchObject({
      executionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ok: true,
      matched: 1,
      evidence: { dir: expect.any(String), axPath: 'ax.json' },
    });
    expect(finds).toHaveLength(4);
    const [first = 0, second = 0, third = 0, fourth = 0] = finds;
    for (const gap of [second - first, third - second, fourth - third]) expect(gap).toBeGreaterThanOrEqual(499);
    expect(result['elapsedMs']).toBeGreaterThanOrEqual(Math.floor(fourth - first));
    finds = [];
    expect(
      await scene.rpc.result('desktop.waitUntil', { condition: DELIVERED, pollMs: 10, timeoutMs: 60_000 }),
    ).toMatchObject({ ok: true, matched: 1 });
    expect(finds).toHaveLength(1);
  });

  test('[req:BC-5.8-2] past its limit it is a timeout that tells the real time', async () => {
    const error = await scene.rpc.error('desktop.waitUntil', { condition: DELIVERED, pollMs: 40, timeoutMs: 1_000 });
    expect(error).toMatchObject({ code: 'DESKTOP_TIMEOUT', retryable: true, details: { timeoutMs: 1_000 } });
    expect(error.details['elapsedMs']).toBeGreaterThanOrEqual(1_000);
    expect(finds.length).toBeGreaterThan(1);
  });

  test('[req:BC-5.8-3] needs a condition and a limit', async () => {
    for (const params of [
      { condition: DELIVERED },
      { timeoutMs: 100 },
      { condition: {}, timeoutMs: 100 },
      { condition: { windowExists: {} }, timeoutMs: 100 },
      { condition: DELIVERED, timeoutMs: 0 },
    ])
      expect(await scene.rpc.error('desktop.waitUntil', params)).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST' });
    expect(finds).toEqual([]);
  });
});

describe('desktop.abort', () => {
  const LONG = '1'.repeat(50_000);
  /** Takes keys and has no text field, so text goes in key by key. */
  const route = { app: { bundleId: 'simulated.calculator' } };

  test('[req:BC-5.9-1] [req:BC-5.9-2] ends typing in the middle: no key comes after the answer', async () => {
    const call = scene.rpc.call('desktop.typeText', { route, text: LONG, confirm: CONFIRM }, { requestId: 'typing' });
    await until(() => events('key').length > 20);
    const aborted = await scene.rpc.result('desktop.abort', { executionId: 'typing' });
    const { error } = await call;
    const count = scene.world.journal().length;
    expect(error).toMatchObject({ code: 'DESKTOP_ABORTED', retryable: false });
    expect(aborted).toEqual({ aborted: true, executionId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(events('key').length).toBeLessThan(LONG.length);
    await scene.rpc.result('desktop.find', { selector: {} });
    expect(scene.world.journal()).toHaveLength(count);
  });

  test('[req:DS-4-14] [req:BC-5.9-2] lets go of what was held', async () => {
    holdTimers(5000);
    const call = scene.rpc.call(
      'desktop.hotkey',
      { keys: ['shift', 'a', 'b'], options: { delayMs: 5000 }, confirm: CONFIRM },
      { requestId: 'holding' },
    );
    await until(() => events('keyup').some(({ value }) => value === 'a'));
    expect(events('keyup').map(({ value }) => value)).not.toContain('shift');
    await scene.rpc.result('desktop.abort', { executionId: 'holding' });
    expect((await call).error).toMatchObject({ code: 'DESKTOP_ABORTED' });
    expect(events('keyup').map(({ value }) => value)).toEqual(['a', 'shift']);
    expect(events('key').map(({ value }) => value)).not.toContain('shift+b');
  });

  test('[req:DS-4-3] knows a call by its request id, on any connection of this process', async () => {
    const other = await openRpc(scene.host.socketPath, scene.workspace);
    const wait = (requestId: string) =>
      scene.rpc.call('desktop.waitUntil', { condition: DELIVERED, pollMs: 20, timeoutMs: 60_000 }, { requestId });
    const [first, second] = [wait('first'), wait('second')];
    await until(() => finds.length > 2);
    const { executionId } = await other.result('desktop.abort', { executionId: 'first' });
    expect((await first).error).toMatchObject({ code: 'DESKTOP_ABORTED' });
    expect(executionId).not.toBe('first');
    await other.result('desktop.abort', { executionId: 'second' });
    expect((await second).error).toMatchObject({ code: 'DESKTOP_ABORTED' });
    other.close();
  });

  test('[req:BC-5.9-3] what has ended or never was cannot be aborted', async () => {
    const { executionId } = await scene.rpc.result('desktop.find', { selector: {} });
    for (const id of [executionId, 'never-was'])
      expect(await scene.rpc.error('desktop.abort', { executionId: id })).toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
        details: { reason: 'not_running' },
      });
    expect(await scene.rpc.error('desktop.abort')).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST' });
  });
});

describe('desktop.confirm.issue', () => {
  const params = { route: MAIL, target: SEND };
  const issue = (more: object = {}) =>
    scene.rpc.result('desktop.confirm.issue', { intent: { method: 'desktop.click', params }, ...more });

  test('[req:BC-5.10-1] [req:BC-5.10-2] [req:BC-5.10-4] gives a random token for a minute, bound to method, parameters and caller', async () => {
    const before = Date.now();
    const given = await issue();
    const after = Date.now();
    const { peer } = await scene.rpc.result('desktop.health');
    expect(given).toEqual({
      token: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
      scope: { method: 'desktop.click', paramsDigest: expect.stringMatching(/^[0-9a-f]{16}$/) },
      peer,
    });
    const life = (result: Record<string, unknown>, from: number) => Date.parse(String(result['expiresAt'])) - from;
    expect(life(given, after)).toBeLessThanOrEqual(60_000);
    expect(life(given, before)).toBeGreaterThanOrEqual(60_000);
    const later = Date.now();
    expect(life(await issue({ ttlMs: 300_000 }), later)).toBeGreaterThanOrEqual(300_000);
    expect((await issue())['token']).not.toBe(given['token']);
  });

  test('[req:BC-5.10-3] the digest is SHA-256 over canonical JSON, whatever the order of keys', async () => {
    const canonical =
      '{"route":{"app":{"bundleId":"simulated.mail"}},"target":{"selector":{"byRole":"AXButton","titleContains":"Send"}}}';
    const turned = { target: { selector: { titleContains: 'Send', byRole: 'AXButton' } }, route: MAIL };
    const expected = createHash('sha256').update(canonical).digest('hex').slice(0, 16);
    for (const one of [params, turned]) {
      const { scope } = await issue({ intent: { method: 'desktop.click', params: one } });
      expect(scope).toEqual({ method: 'desktop.click', paramsDigest: expected });
    }
    const { token } = await issue({ intent: { method: 'desktop.click', params: turned } });
    expect(await scene.rpc.result('desktop.click', { ...params, confirm: { token } })).toMatchObject({ clicked: true });
  });

  test('[req:BC-5.10-5] [req:DS-4-9] [req:BC-4.2-5] [req:BC-4.2-6] works once; the second use is refused and nothing is pressed', async () => {
    const { token } = await issue();
    expect(await scene.rpc.result('desktop.click', { ...params, confirm: { token } })).toMatchObject({ clicked: true });
    expect(events('pressed')).toHaveLength(1);
    const refused = { code: 'DESKTOP_CONFIRM_REQUIRED', details: { reason: 'used' } };
    expect(await scene.rpc.error('desktop.click', { ...params, confirm: { token } })).toMatchObject(refused);
    expect(events('pressed')).toHaveLength(1);
  });

  test('[req:DS-4-9] [req:BC-4.2-3] [req:BC-4.2-6] is refused for anything else, as scope', async () => {
    const others: [string, Record<string, unknown>][] = [
      ['desktop.click', { ...params, target: { selector: { titleContains: 'Sign in' } } }],
      ['desktop.click', { target: SEND }],
      ['desktop.hotkey', { keys: ['enter'] }],
    ];
    for (const [method, other] of others) {
      const { token } = await issue();
      expect(await scene.rpc.error(method, { ...other, confirm: { token } })).toMatchObject({
        code: 'DESKTOP_CONFIRM_REQUIRED',
        details: { reason: 'scope' },
      });
    }
    expect(scene.world.journal()).toEqual([]);
  });

  test('[req:DS-4-7] is used up by an act that fails', async () => {
    const { token } = await issue();
    scene.world.change(scene.world.find('send') ?? '', { title: 'Send later' });
    expect(await scene.rpc.error('desktop.click', { ...params, confirm: { token } })).toMatchObject({
      code: 'DESKTOP_TARGET_CHANGED',
    });
    scene.world.change(scene.world.find('send') ?? '', { title: 'Send' });
    expect(await scene.rpc.error('desktop.click', { ...params, confirm: { token } })).toMatchObject({
      code: 'DESKTOP_CONFIRM_REQUIRED',
      details: { reason: 'used' },
    });
    expect(events('pressed')).toEqual([]);
  });

  test('[req:BC-4.2-4] [req:BC-4.2-6] [req:DS-4-6] [req:DS-4-9] is refused once its life has ended, and lives ten minutes at most', async () => {
    const { token, expiresAt } = await issue({ ttlMs: 30 });
    await until(() => Date.now() > Date.parse(String(expiresAt)));
    expect(await scene.rpc.error('desktop.click', { ...params, confirm: { token } })).toMatchObject({
      code: 'DESKTOP_CONFIRM_REQUIRED',
      details: { reason: 'expired' },
    });
    expect(events('pressed')).toEqual([]);
    const intent = { method: 'desktop.click', params };
    expect(await scene.rpc.error('desktop.confirm.issue', { intent, ttlMs: 600_001 })).toMatchObject({
      code: 'DESKTOP_INVALID_REQUEST',
    });
  });

  test('[req:BC-5.10-6] is given for click, typeText and hotkey only', async () => {
    for (const method of ['desktop.find', 'desktop.abort', 'desktop.confirm.issue', 'desktop.nothing'])
      expect(await scene.rpc.error('desktop.confirm.issue', { intent: { method, params: CLICK_SEND } })).toMatchObject({
        code: 'DESKTOP_INVALID_REQUEST',
        details: { reason: 'no_confirm' },
      });
    for (const [method, given] of [
      ['desktop.typeText', { text: 'x' }],
      ['desktop.hotkey', { keys: ['enter'] }],
    ] as const)
      expect(await scene.rpc.result('desktop.confirm.issue', { intent: { method, params: given } })).toMatchObject({
        scope: { method },
      });
    expect(await scene.rpc.error('desktop.confirm.issue', { intent: { method: 'desktop.click' } })).toMatchObject({
      code: 'DESKTOP_INVALID_REQUEST',
    });
  });
});
