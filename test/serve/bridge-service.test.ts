/** The bridge service in front of a real host, with other processes as callers; a Unix socket carries what NSXPC would. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostBridgeService, serviceIssues } from '../../src/main/host/bridge-service.js';
import { inEnglish, verbatim, type Message } from '../../src/messages/index.js';
import { eventually } from '../support/eventually.js';
import { connectAs, type Other } from '../support/other.js';
import { auditToken, createSocketAddon, openCaller, type SocketAddon } from '../support/socket-addon.js';
import { CLICK_COPY, startScene, type Scene } from '../support/world.js';

let folder: string;
let scene: Scene;
let addon: SocketAddon;
const others: Other[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chp-service-'));
  addon = createSocketAddon(join(folder, 'service'));
  scene = await startScene({ service: { kind: 'available', addon, requirement: null } });
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

function caller() {
  const other = connectAs({ path: join(folder, 'service') });
  others.push(other);
  return { ...openCaller(other.stream), pid: other.pid, other };
}

function request(method: string, params: object = {}, id: unknown = randomUUID()): string {
  const meta = { schemaVersion: 1, requestId: randomUUID(), workspacePath: scene.workspace, timeoutMs: 60_000 };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { meta, ...params } });
}

const english = (why: Message | null) => (why === null ? null : inEnglish.format(why));

describe('a program that calls the service', () => {
  test('[req:MB-7] [req:MB-8] is answered by the same methods, as the process that the kernel names, and learns which doors are open', async () => {
    const { message, pid } = caller();
    const { id, result, error } = await message(request('desktop.health', {}, 'h'));
    expect([id, error]).toEqual(['h', undefined]);
    expect(result).toMatchObject({
      bridge: {
        service: 'com.msgcode.desktop.bridge',
        schemaVersion: 1,
        doors: ['service', 'socket'],
        serviceClosed: null,
      },
      peer: {
        pid,
        auditTokenDigest: createHash('sha256')
          .update(auditToken(pid, process.getuid?.() ?? 0))
          .digest('hex')
          .slice(0, 16),
      },
    });
    expect(addon.options).toMatchObject({ service: 'com.msgcode.desktop.bridge', requirement: null });
  });

  test('[req:MB-6] gets exactly one reply to each message, whatever it is, and to the right one', async () => {
    const { message, extra } = caller();
    const invalid = { code: 'DESKTOP_INVALID_REQUEST' };
    const waiting = message(request('desktop.click', CLICK_COPY, 'same'));
    await eventually(() => scene.host.menubar.cards().length).toBe(1);
    const answers = await Promise.all([
      message('{'),
      message('[]'),
      message(JSON.stringify({ jsonrpc: '2.0', method: 'desktop.health' })),
      message(JSON.stringify({ jsonrpc: '2.0', id: 1, result: 1 })),
      message(request('desktop.nothing', {}, 5)),
      message(request('session/hello', {}, 6)),
      message(request('desktop.health', {}, 'same')),
    ]);
    expect(answers).toMatchObject([
      { id: null, error: { ...invalid, details: { reason: 'unreadable_json' } } },
      { id: null, error: { ...invalid, details: { reason: 'batch' } } },
      { id: null, error: { ...invalid, details: { reason: 'no_id' } } },
      { id: null, error: { ...invalid, details: { reason: 'no_id' } } },
      { id: 5, error: { ...invalid, details: { reason: 'unknown_method' } } },
      { id: 6, error: { ...invalid, details: { reason: 'unknown_method' } } },
      { id: 'same', error: { ...invalid, details: { reason: 'duplicate_id' } } },
    ]);
    scene.host.menubar.finish(verbatim('Done.'));
    expect((await waiting).error).toBeDefined();
    expect([extra, addon.refused]).toEqual([[], 0]);
  });

  test('[req:MB-9] needs the same approval as on the socket; a token is for its own process only', async () => {
    const [one, two] = [caller(), caller()];
    const intent = { method: 'desktop.click', params: { route: CLICK_COPY.route, target: CLICK_COPY.target } };
    const issued = one.message(request('desktop.confirm.issue', { intent }));
    await scene.person.answer('allow');
    const { result } = await issued;
    expect(result).toMatchObject({ peer: { pid: one.pid } });
    const act = { ...intent.params, confirm: { token: result?.['token'] } };
    expect((await two.message(request('desktop.click', act))).error).toMatchObject({
      code: 'DESKTOP_CONFIRM_REQUIRED',
      details: { reason: 'peer' },
    });
  });

  test('is answered with an error when the host ends, and its card waits for it when it ends', async () => {
    const gone = caller();
    void gone.message(request('desktop.click', CLICK_COPY));
    await eventually(() => scene.host.menubar.cards().length).toBe(1);
    await gone.other.close();
    await eventually(() => scene.host.menubar.cards()[0]?.orphaned).toBe(true);
    const stays = caller();
    const waiting = stays.message(request('desktop.click', CLICK_COPY));
    await eventually(() => scene.host.menubar.cards().length).toBe(2);
    void scene.host.close();
    expect((await waiting).error).toMatchObject({ code: expect.stringMatching(/^DESKTOP_/) });
    await stays.closed;
  });

  test('may send no more than the addon takes', async () => {
    const { message } = caller();
    const large = 'x'.repeat((addon.options?.maxBytes ?? 0) - 20);
    await expect(message(`"${large}${'x'.repeat(40)}"`).then(({ error }) => error)).resolves.toMatchObject({
      details: { reason: 'too_large' },
    });
  });
});

describe('without the service', () => {
  const paths = () => ({ config: folder, state: folder, runtime: folder, isolated: true });
  const available = () => ({ kind: 'available', addon, requirement: null }) as const;

  test('[req:MB-8] the socket serves, and health says in one sentence why', async () => {
    const plain = await startScene();
    const { bridge } = await plain.rpc.result('desktop.health');
    expect(bridge).toMatchObject({ doors: ['socket'], serviceClosed: 'The bridge service exists on macOS only.' });
    await plain.close();
    const why = verbatim('Its native part is missing.');
    const service = hostBridgeService({ paths: paths(), service: { kind: 'unavailable', why } });
    expect(serviceIssues({ service: { kind: 'unavailable', why } }, service)).toMatchObject([{ title: why }]);
    expect(serviceIssues({}, service)).toEqual([]);
  });

  test('[req:MB-10] a code-signing requirement is asked of every caller, and one that cannot be read closes the service', () => {
    const open = () => {
      const service = hostBridgeService({ paths: paths(), service: available() });
      const listener = service.open({ peerOf: () => { throw new Error('nobody'); }, onConnection: () => undefined }); // prettier-ignore
      void listener?.close();
      return [listener !== null, english(service.whyClosed())];
    };
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'service.json');
    const closed = [false, `The bridge service is not open: the requirement in ${file} cannot be read.`];
    addon = createSocketAddon(join(folder, 'other'));
    for (const [text, expected] of [
      ['{"requirement": "anchor apple generic"}', [true, null]],
      ['{"requirement": "!"}', closed],
      ['{"requirement": ""}', closed],
      ['{"requirements": "anchor apple"}', closed],
      ['{', closed],
    ] as const) {
      writeFileSync(file, text);
      expect(open(), text).toEqual(expected);
      if (expected[0]) expect(addon.options?.requirement).toBe('anchor apple generic');
    }
  });
});
