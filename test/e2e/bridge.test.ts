import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { holdTimers } from '../support/held-timers.js';
import { startHost, type TestHost } from '../support/host.js';
import { openPage, settle, type Person } from '../support/person.js';
import { openRpc, type Rpc } from '../support/rpc.js';

let test_: TestHost;
let rpc: Rpc;
let person: Person;

beforeEach(async () => {
  test_ = await startHost();
  rpc = await openRpc(test_.host.socketPath, test_.workspace);
  person = await openPage(test_.host.url, test_.host.pairingLink());
});
afterEach(async () => {
  rpc.close();
  person.close();
  await test_.close();
});

const MAIL = { app: { bundleId: 'simulated.mail' } };
const SEND = { selector: { byRole: 'AXButton', titleContains: 'Send' } };

describe('desktop.* over JSON-RPC', () => {
  test('health and doctor tell versions, permissions and who is calling', async () => {
    expect(await rpc.result('desktop.health')).toMatchObject({
      hostVersion: '0.1.0',
      macos: 'n/a',
      permissions: { accessibility: 'granted', screenRecording: 'granted' },
      bridge: { schemaVersion: 1 },
      peer: { pid: process.pid },
    });
    expect(await rpc.result('desktop.doctor')).toMatchObject({
      healthy: true,
      issues: [],
      permissions: { accessibility: { granted: true, required: true } },
    });
  });

  test('a click is asked for, allowed in the page, done, verified, and on disk', async () => {
    await Promise.all([rpc.result('desktop.observe', { route: MAIL }), person.answer('allow')]);
    const [result] = await Promise.all([
      rpc.result('desktop.click', { route: MAIL, target: SEND, confirm: { phrase: 'CONFIRM' } }),
      person.answer('allow'),
    ]);
    expect(result).toMatchObject({
      clicked: true,
      effect: 'confirmed',
      evidence: { beforeScreenshot: 'before.png', afterScreenshot: 'after.png' },
    });
    const { dir } = result['evidence'] as { dir: string };
    expect((await readdir(dir)).sort()).toEqual(['after.png', 'before.png', 'result.json', 'trace.jsonl']);
    const kept: unknown = JSON.parse(await readFile(`${dir}result.json`, 'utf8'));
    expect(kept).toMatchObject({ decision: { kind: 'allowed', by: 'person', where: 'page' } });
  });

  test('without confirmation a click is refused whatever the policy', async () => {
    const error = await rpc.error('desktop.click', { route: MAIL, target: SEND });
    expect(error).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED', details: { reason: 'missing' } });
  });

  test('a token stands for exactly one approved call', async () => {
    const params = { route: MAIL, target: SEND };
    const [issued] = await Promise.all([
      rpc.result('desktop.confirm.issue', { intent: { method: 'desktop.click', params } }),
      person.answer('allow'),
    ]);
    const confirm = { token: issued['token'] };
    const wrong = await rpc.error('desktop.click', {
      ...params,
      target: { selector: { titleContains: 'Sign in' } },
      confirm,
    });
    expect(wrong).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED' });
    const [again] = await Promise.all([
      rpc.result('desktop.confirm.issue', { intent: { method: 'desktop.click', params } }),
      person.answer('allow'),
    ]);
    expect(await rpc.result('desktop.click', { ...params, confirm: { token: again['token'] } })).toMatchObject({
      clicked: true,
    });
    const spent = await rpc.error('desktop.click', { ...params, confirm: { token: again['token'] } });
    expect(spent).toMatchObject({ code: 'DESKTOP_CONFIRM_REQUIRED', details: { reason: 'used' } });
  });

  test('find, type, press and wait do what they say', async () => {
    const [found] = await Promise.all([
      rpc.result('desktop.find', { route: MAIL, selector: { byRole: 'AXTextField', titleContains: 'Subject' } }),
      person.answer('allow'),
    ]);
    const refs = found['elementRefs'] as { elementId: string; fingerprint: string }[];
    expect(refs).toHaveLength(1);
    const [typed] = await Promise.all([
      rpc.result('desktop.typeText', {
        route: MAIL,
        target: { elementRef: refs[0] },
        text: 'Grüße 你好 🎉',
        confirm: { phrase: 'CONFIRM' },
      }),
      person.answer('allow'),
    ]);
    expect(typed).toMatchObject({ typed: true, effect: 'confirmed', after: 'Grüße 你好 🎉' });
    const waited = await rpc.result('desktop.waitUntil', {
      route: MAIL,
      condition: { selectorExists: { valueContains: '你好' } },
      timeoutMs: 60_000,
    });
    expect(waited).toMatchObject({ ok: true, matched: 1 });
    const late = await rpc.error('desktop.waitUntil', {
      route: MAIL,
      condition: { selectorExists: { titleContains: 'Nowhere' } },
      timeoutMs: 80,
      pollMs: 20,
    });
    expect(late).toMatchObject({ code: 'DESKTOP_TIMEOUT', retryable: true });
    expect(late.details['elapsedMs']).toBeGreaterThanOrEqual(80);
  });

  test('observe leaves a picture and a tree', async () => {
    const [seen] = await Promise.all([rpc.result('desktop.observe', { route: MAIL }), person.answer('allow')]);
    const { dir, screenshotPath, axPath } = seen['evidence'] as { dir: string; screenshotPath: string; axPath: string };
    expect((await readFile(dir + screenshotPath)).subarray(1, 4).toString()).toBe('PNG');
    expect(await readFile(dir + axPath, 'utf8')).not.toContain('correct horse');
  });

  test('[req:DS-5-13] [req:DS-7-7] [req:DS-4-3] [req:BC-5.9-1] abort ends a waiting call and takes its card away', async () => {
    const call = rpc.call('desktop.click', { route: MAIL, target: SEND, confirm: { phrase: 'CONFIRM' } });
    const { approval } = await person.next('approvalRequested');
    const { executionId } = approval;
    expect(await rpc.result('desktop.abort', { executionId })).toEqual({ aborted: true, executionId });
    expect((await call).error).toMatchObject({ code: 'DESKTOP_ABORTED' });
    expect(await person.next('approvalResolved')).toMatchObject({ id: approval.id, reason: 'withdrawn' });
    expect(await rpc.error('desktop.abort', { executionId })).toMatchObject({
      code: 'DESKTOP_INVALID_REQUEST',
    });
  });

  test('[req:DS-4-22] [req:DS-4-23] a time limit while the person thinks is retryable, and the same call joins the same card', async () => {
    const call = { route: MAIL, target: SEND, confirm: { phrase: 'CONFIRM' } };
    const limit = holdTimers(90_000);
    const late = rpc.error('desktop.click', call, { timeoutMs: 90_000 });
    const { approval } = await person.next('approvalRequested');
    await limit.end();
    const first = await late;
    expect(first).toMatchObject({ code: 'DESKTOP_TIMEOUT', retryable: true });
    expect(first.details).toMatchObject({
      reason: 'awaiting_human',
      executionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      approvalId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const [second] = await Promise.all([rpc.result('desktop.click', call), settle(person, approval, 'allow')]);
    expect(second).toMatchObject({ clicked: true });
    expect(person.seen.filter((one) => one.type === 'approvalRequested')).toHaveLength(1);
  });
});
