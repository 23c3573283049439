/** What every desktop.* call has in common: envelope, meta, workspace, errors. */
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLICK_SEND, CONFIRM, MAIL, SEND, startScene, type Scene } from '../support/world.js';

let scene: Scene;
let broken = false;
beforeAll(async () => {
  scene = await startScene({ policy: 'unattended' }, (desktop) => ({
    ...desktop,
    find: (...args) => (broken ? Promise.reject(new Error('a bug in the backend')) : desktop.find(...args)),
  }));
});
afterAll(() => scene.close());

const METHODS = [
  'desktop.health',
  'desktop.doctor',
  'desktop.observe',
  'desktop.find',
  'desktop.waitUntil',
  'desktop.click',
  'desktop.typeText',
  'desktop.hotkey',
  'desktop.abort',
  'desktop.confirm.issue',
];
const pressed = () => scene.world.journal().filter(({ event }) => event === 'pressed');

/** Bytes out, bytes in: nothing of ours in between. */
async function exchange(body: string): Promise<Record<string, unknown>> {
  const socket = connect(scene.host.socketPath);
  await once(socket, 'connect');
  socket.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  let all = Buffer.alloc(0);
  for await (const chunk of socket) {
    all = Buffer.concat([all, chunk as Buffer]);
    const end = all.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/.exec(all.toString('latin1'))?.[1] ?? Infinity);
    if (end >= 0 && all.length >= end + 4 + length) {
      socket.destroy();
      expect(all.length).toBe(end + 4 + length);
      return JSON.parse(all.subarray(end + 4).toString('utf8')) as Record<string, unknown>;
    }
  }
  throw new Error('the host closed the connection');
}

const meta = (more: Record<string, unknown> = {}) => ({
  schemaVersion: 1,
  requestId: 'r-1',
  workspacePath: scene.workspace,
  timeoutMs: 60_000,
  ...more,
});

describe('the envelope', () => {
  test('[req:BC-1-1] [req:BC-3.2-1] is JSON-RPC 2.0 in UTF-8, one answer with the same id for one request', async () => {
    const request = { jsonrpc: '2.0', id: 'Grüße 你好', method: 'desktop.health', params: { meta: meta() } };
    const answer = await exchange(JSON.stringify(request));
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 'Grüße 你好', result: { hostVersion: '0.1.0' } });
    expect(answer).not.toHaveProperty('error');
  });

  test('[req:BC-3.3-1] a failure has the same id and a code of words, a message, retryable and details', async () => {
    const request = { jsonrpc: '2.0', id: 7, method: 'desktop.click', params: { meta: meta(), target: SEND } };
    const { id, error, ...rest } = await exchange(JSON.stringify(request));
    expect(id).toBe(7);
    expect(rest).toEqual({ jsonrpc: '2.0' });
    expect(error).toEqual({
      code: 'DESKTOP_CONFIRM_REQUIRED',
      message: expect.any(String),
      retryable: false,
      details: expect.objectContaining({ reason: 'missing' }),
    });
  });

  test('[req:BC-3.1-1] a request lacks nothing; without an id nothing is done', async () => {
    const whole = { jsonrpc: '2.0', id: 5, method: 'desktop.click', params: { meta: meta(), ...CLICK_SEND } };
    const before = pressed().length;
    for (const field of ['jsonrpc', 'method', 'params'])
      expect(await exchange(JSON.stringify({ ...whole, [field]: undefined })), field).toMatchObject({
        id: 5,
        error: { code: 'DESKTOP_INVALID_REQUEST' },
      });
    // Acts of one caller run one after another: had the first one run, there would be two presses.
    await scene.rpc.send({ ...whole, id: undefined });
    await scene.rpc.result('desktop.click', CLICK_SEND);
    expect(pressed()).toHaveLength(before + 1);
  });

  test('[req:BC-6-4] [req:DS-4-25] what is no request, no method or no JSON is an invalid request', async () => {
    const invalid = { error: { code: 'DESKTOP_INVALID_REQUEST' } };
    expect(await exchange(JSON.stringify({ jsonrpc: '2.0', id: 1, params: {} }))).toMatchObject({ id: 1, ...invalid });
    expect(await exchange('{"jsonrpc":"2.0",')).toMatchObject({
      id: null,
      error: { code: 'DESKTOP_INVALID_REQUEST', details: { reason: 'unreadable_json' } },
    });
    expect(await scene.rpc.error('desktop.nothing')).toMatchObject({
      code: 'DESKTOP_INVALID_REQUEST',
      details: { reason: 'unknown_method', methods: METHODS },
    });
    expect(await scene.rpc.error('desktop.find', { selector: { byRole: 7 } })).toMatchObject({
      code: 'DESKTOP_INVALID_REQUEST',
      message: expect.stringContaining('selector.byRole'),
    });
  });
});

describe('meta', () => {
  test('[req:BC-4.1-1] [req:DS-4-1] every method is served, and wants all four fields, naming the one that is missing', async () => {
    for (const method of METHODS)
      for (const field of ['schemaVersion', 'requestId', 'workspacePath', 'timeoutMs']) {
        const error = await scene.rpc.error(method, {}, { [field]: undefined });
        expect(error, `${method} ${field}`).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST' });
        expect(error.details['reason'], `${method} ${field}`).toBe('invalid_params');
        expect(error.message, `${method} ${field}`).toContain(`meta.${field}`);
      }
    expect(await scene.rpc.error('desktop.health', {}, { timeoutMs: 0 })).toMatchObject({
      message: expect.stringContaining('meta.timeoutMs'),
    });
    expect(await scene.rpc.error('desktop.health', { meta: undefined })).toMatchObject({
      code: 'DESKTOP_INVALID_REQUEST',
      message: expect.stringContaining('meta'),
    });
  });

  test.each([0, 2, '1', 1.5])('[req:BC-4.1-2] schemaVersion %j is refused', async (schemaVersion) => {
    const error = await scene.rpc.error('desktop.health', {}, { schemaVersion });
    expect(error).toMatchObject({ code: 'DESKTOP_INVALID_REQUEST', message: expect.stringContaining('schemaVersion') });
  });

  test('[req:BC-4.1-3] timeoutMs ends a call whatever holds it up', async () => {
    const notes = (await scene.desktop.apps(AbortSignal.timeout(1000))).find(({ id }) => id === 'simulated.notes');
    if (notes === undefined) throw new Error('no notes');
    scene.world.hang(notes.pid, 'silent');
    const route = { app: { bundleId: 'simulated.notes' } };
    const calls = [
      scene.rpc.error('desktop.find', { route, selector: {} }, { timeoutMs: 100 }),
      scene.rpc.error('desktop.observe', { route }, { timeoutMs: 100 }),
      scene.rpc.error('desktop.click', { route, target: SEND, confirm: CONFIRM }, { timeoutMs: 100 }),
      scene.rpc.error(
        'desktop.waitUntil',
        { condition: { selectorExists: { titleContains: 'Nowhere' } }, timeoutMs: 60_000 },
        { timeoutMs: 100 },
      ),
    ];
    for (const call of calls) expect(await call).toMatchObject({ code: 'DESKTOP_TIMEOUT', retryable: true });
    scene.world.recover(notes.pid);
  });

  test('[req:BC-0-2] [req:BC-4.2-9] [req:DS-4-2] acts are refused without confirmation even unattended; the other methods take none', async () => {
    const acts: [string, Record<string, unknown>][] = [
      ['desktop.click', { route: MAIL, target: SEND }],
      ['desktop.typeText', { route: MAIL, text: 'x' }],
      ['desktop.hotkey', { route: MAIL, keys: ['enter'] }],
    ];
    const before = scene.world.journal().length;
    for (const [method, params] of acts)
      for (const confirm of [undefined, {}, { approver: 'user', approvedAt: '2026-02-09T12:00:00Z' }])
        expect(await scene.rpc.error(method, { ...params, confirm })).toMatchObject({
          code: 'DESKTOP_CONFIRM_REQUIRED',
          details: { reason: 'missing' },
        });
    expect(scene.world.journal()).toHaveLength(before);
    for (const method of ['desktop.health', 'desktop.doctor', 'desktop.observe']) await scene.rpc.result(method);
    await scene.rpc.result('desktop.find', { selector: {} });
    await scene.rpc.result('desktop.waitUntil', { condition: { selectorExists: {} }, timeoutMs: 60_000 });
    expect(await scene.rpc.error('desktop.abort', { executionId: 'x' })).toMatchObject({
      details: { reason: 'not_running' },
    });
  });

  test('[req:BC-4.2-8] approvedAt and approver are taken and needed by nobody', async () => {
    const before = pressed().length;
    const confirm = { ...CONFIRM, approvedAt: '2026-02-09T12:00:00Z', approver: 'user' };
    expect(await scene.rpc.result('desktop.click', { ...CLICK_SEND, confirm })).toMatchObject({ clicked: true });
    expect(await scene.rpc.result('desktop.click', CLICK_SEND)).toMatchObject({ clicked: true });
    expect(pressed()).toHaveLength(before + 2);
  });
});

describe('the workspace', () => {
  test('[req:BC-2.1-2] [req:BC-2.1-3] must really lie in the root: no parent, no link out, no folder that only begins alike', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'chaperone-outside-'));
    const sibling = `${scene.workspace}-sibling`;
    const link = join(scene.workspace, 'link');
    await mkdir(sibling);
    await symlink(outside, link);
    const before = pressed().length;
    for (const workspacePath of [outside, sibling, link, join(scene.workspace, '..'), '/', scene.home])
      for (const method of ['desktop.click', 'desktop.health'])
        expect(await scene.rpc.error(method, CLICK_SEND, { workspacePath }), workspacePath).toMatchObject({
          code: 'DESKTOP_WORKSPACE_FORBIDDEN',
        });
    expect(pressed()).toHaveLength(before);
    const below = join(scene.workspace, 'project');
    await mkdir(below);
    const { evidence } = await scene.rpc.result('desktop.click', CLICK_SEND, { workspacePath: below });
    expect((evidence as { dir: string }).dir.startsWith(`${below}/artifacts/desktop/`)).toBe(true);
    await Promise.all([outside, sibling].map((folder) => rm(folder, { recursive: true })));
  });

  test('[req:BC-2.2-1] [req:BC-2.2-2] [req:DS-8-1] keeps evidence below artifacts/desktop/<date>/<executionId>', async () => {
    const { executionId, evidence } = await scene.rpc.result('desktop.observe', { route: MAIL });
    const { dir } = evidence as { dir: string };
    const day = new Date().toISOString().slice(0, 10);
    expect([day, new Date(Date.now() - 60_000).toISOString().slice(0, 10)]).toContain(dir.split('/').at(-3));
    expect(dir).toBe(`${scene.workspace}/artifacts/desktop/${dir.split('/').at(-3)}/${String(executionId)}/`);
    expect((await readFile(`${dir}observe.png`)).subarray(1, 4).toString()).toBe('PNG');
    expect(JSON.parse(await readFile(`${dir}ax.json`, 'utf8'))).toMatchObject({ app: { id: 'simulated.mail' } });
    expect(JSON.parse(await readFile(`${dir}result.json`, 'utf8'))).toMatchObject({ executionId });
    const acted = (await scene.rpc.result('desktop.click', CLICK_SEND))['evidence'] as { dir: string };
    expect(JSON.parse(await readFile(`${acted.dir}result.json`, 'utf8'))).toMatchObject({ tool: 'desktop.click' });
    const trace = (await readFile(`${acted.dir}trace.jsonl`, 'utf8')).trim().split('\n');
    expect(trace.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({ step: 'click', method: 'accessibility' }),
    );
    expect(await readFile(`${scene.workspace}/artifacts/desktop/.gitignore`, 'utf8')).toBe('*\n');
  });
});

describe('failures', () => {
  test('[req:BC-6-3] what nobody foresaw is an internal error, and the host goes on', async () => {
    broken = true;
    expect(await scene.rpc.error('desktop.find', { selector: {} })).toMatchObject({
      code: 'DESKTOP_INTERNAL_ERROR',
      message: expect.stringContaining('a bug in the backend'),
    });
    broken = false;
    expect(await scene.rpc.result('desktop.find', { route: MAIL, selector: {} })).toHaveProperty('elementRefs');
  });

  test('[req:BC-6-2] without a permission nothing that needs it is done', async () => {
    const before = scene.world.journal().length;
    scene.world.setPermission('accessibility', 'missing');
    for (const [method, params] of [
      ['desktop.find', { selector: {} }],
      ['desktop.observe', {}],
      ['desktop.click', CLICK_SEND],
      ['desktop.typeText', { text: 'x', confirm: CONFIRM }],
      ['desktop.hotkey', { keys: ['enter'], confirm: CONFIRM }],
    ] as const)
      expect(await scene.rpc.error(method, params), method).toMatchObject({
        code: 'DESKTOP_PERMISSION_MISSING',
        retryable: false,
      });
    scene.world.setPermission('accessibility', 'granted');
    scene.world.setPermission('screenRecording', 'missing');
    expect(await scene.rpc.error('desktop.observe')).toMatchObject({ code: 'DESKTOP_PERMISSION_MISSING' });
    scene.world.setPermission('screenRecording', 'granted');
    expect(scene.world.journal()).toHaveLength(before);
  });

  test('[req:BC-6-1] a host that cannot serve says so, and that it may pass', async () => {
    scene.world.lose('the display went away');
    for (const [method, params] of [
      ['desktop.find', { selector: {} }],
      ['desktop.click', CLICK_SEND],
    ] as const)
      expect(await scene.rpc.error(method, params)).toMatchObject({
        code: 'DESKTOP_HOST_NOT_READY',
        retryable: true,
        details: { reason: 'display_lost' },
      });
  });
});
