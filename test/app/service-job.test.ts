/** Who serves the bridge service: launchd's own process, which another instance makes room for. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as electron from 'electron';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createServiceJob, type ServiceJob } from '../../src/main/app/service-job.js';
import { requestService } from '../../src/main/transport/xpc-client.js';
import type { LoadedAddon } from '../../src/native/xpc/index.js';
import { formatEnglish } from '../../src/messages/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { ASSETS, appTests } from '../support/app-tests.js';
import { createElectron } from '../support/electron/index.js';
import { createSocketAddon } from '../support/socket-addon.js';
import { CLICK_COPY } from '../support/world.js';

let folder: string;
let loaded: Extract<LoadedAddon, { kind: 'loaded' }>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chp-job-'));
  loaded = { kind: 'loaded', addon: createSocketAddon(join(folder, 'service')) };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LIST = (pid: number | null) => `{\n\t"Label" = "com.msgcode.desktop.bridge";\n${pid === null ? '' : `\t"PID" = ${pid};\n`}\t"LastExitStatus" = 0;\n};\n`; // prettier-ignore

/** launchd and SMAppService as the test has them. */
type Status = ReturnType<typeof electron.app.getLoginItemSettings>['status'];

function system(jobPid: number | null, before: Status, addon: LoadedAddon = loaded) {
  let status: Status = before;
  const calls: string[] = [];
  const set: unknown[] = [];
  const job = createServiceJob({
    app: {
      getLoginItemSettings: () => ({ openAtLogin: false, openAsHidden: false, wasOpenedAtLogin: false, wasOpenedAsHidden: false, restoreState: false, status, executableWillLaunchAtLogin: false, launchItems: [] }), // prettier-ignore
      setLoginItemSettings: (settings) => {
        set.push(settings);
        status = 'enabled';
      },
    },
    addon,
    pid: 7,
    uid: 501,
    launchctl(args) {
      calls.push(args.join(' '));
      if (args[0] === 'list' && jobPid === -1) throw new Error('not there');
      return LIST(jobPid);
    },
  });
  return { job, calls, set };
}

describe('[req:MB-11] the service and launchd', () => {
  test('launchd says whose job it is', () => {
    for (const [pid, own, another] of [
      [7, true, false],
      [8, false, true],
      [null, false, false],
      [-1, false, false],
    ] as const) {
      const { job } = system(pid, 'enabled');
      expect([job.isOwn(), job.isAnother()], String(pid)).toEqual([own, another]);
    }
  });

  test('it is registered once, not where a person has switched it off, and never without the addon', () => {
    const first = system(null, 'not-registered');
    expect([first.job.start(), first.job.start()]).toEqual([true, true]);
    expect(first.set).toEqual([
      { type: 'agentService', serviceName: 'com.msgcode.desktop.bridge.plist', openAtLogin: true },
    ]);
    expect(first.calls).toEqual(Array(2).fill('kickstart gui/501/com.msgcode.desktop.bridge'));
    const off = system(null, 'requires-approval');
    expect([off.job.start(), off.set, off.calls]).toEqual([false, [], []]);
    const bare = system(null, 'not-registered', { kind: 'absent', reason: 'missing', why: '/x.node' });
    expect([bare.job.start(), bare.set, bare.calls]).toEqual([false, [], []]);
  });

  test('only its own process offers it; others say why not', () => {
    const why = ({ job }: { job: ServiceJob }) => {
      const offer = job.offer();
      return offer.kind === 'available' ? null : formatEnglish(offer.why);
    };
    expect(why(system(7, 'enabled'))).toBeNull();
    expect(why(system(8, 'enabled'))).toContain('has not started this app for it');
    expect(why(system(null, 'requires-approval'))).toContain('Login Items');
    expect(why(system(7, 'enabled', { kind: 'absent', reason: 'broken', why: 'no code' }))).toContain('(no code)');
  });
});

describe('[req:MB-12] instances of the app', () => {
  const { start, machine, agent, waits } = appTests();
  let app: TestApp;
  const job = (over: Partial<ServiceJob>): ServiceJob => ({
    isOwn: () => false,
    isAnother: () => false,
    start: () => false,
    offer: () => system(null, 'enabled').job.offer(),
    ...over,
  });
  const own = () => job({ isOwn: () => true, offer: () => ({ kind: 'available', addon: loaded.addon, requirement: null }) }); // prettier-ignore

  test('one that a person opened has launchd start the service’s and ends; where that fails it serves the socket', async () => {
    app = await start();
    const standIn = createElectron(machine());
    let held: boolean | null = null;
    const home = await mkdtemp(join(tmpdir(), 'chaperone-home-'));
    const serviceJob = job({
      start: () => (held = [...machine().locks.keys()].some((key) => key.startsWith(home))) || true,
    });
    await expect(
      startTestApp({
        machine: standIn.app.machine,
        assets: ASSETS,
        home,
        serviceJob,
        before: (made) => Object.assign(standIn, made),
      }),
    ).rejects.toThrow('did not start');
    expect(await standIn.app.exited).toBe(0);
    expect(held).toBe(false);
    await rm(home, { recursive: true, force: true });
    app = await start({ serviceJob: job({}) });
    expect(await (await agent()).result('desktop.health')).toMatchObject({
      bridge: { doors: ['socket'], serviceClosed: expect.stringContaining('has not started this app') },
    });
    expect(app.running.host.menubar.health()?.issues.map(({ title }) => formatEnglish(title))).toContainEqual(
      expect.stringContaining('The bridge service is not open'),
    );
  });

  test('one that launchd started takes the other’s place, and what waited is still asked', async () => {
    let started = false;
    app = await start({ serviceJob: job({ isAnother: () => started }) });
    const waiting = (await agent()).call('desktop.click', CLICK_COPY);
    await waits();
    const home = app.home;
    started = true;
    const second = await startTestApp({ machine: machine(), assets: ASSETS, home, serviceJob: own() });
    expect(await app.app.exited).toBe(0);
    expect(second.running.host.menubar.cards()).toHaveLength(1);
    void waiting.catch(() => undefined);
    const request = { jsonrpc: '2.0', id: 1, method: 'desktop.health', params: { meta: { schemaVersion: 1, requestId: 'r', workspacePath: second.workspace, timeoutMs: 5000 } } }; // prettier-ignore
    expect(await requestService(request, 5000, loaded)).toMatchObject({
      result: { bridge: { doors: ['service', 'socket'] }, peer: { pid: process.pid } },
    });
    await second.close();
  });
});

describe('a caller from the command line', () => {
  test('[req:MB-13] learns in one sentence that there is no service, and that none answers', async () => {
    await expect(requestService({}, 1000)).rejects.toThrow('exists on macOS only');
    const absent = { kind: 'absent', reason: 'missing', why: '/x.node' } as const;
    await expect(requestService({}, 1000, absent)).rejects.toThrow('/x.node');
    await expect(requestService({}, 1000, loaded)).rejects.toThrow('did not answer');
  });

  test('the LaunchAgent is the app itself, for the name the host answers on', () => {
    const plist = readFileSync(
      join(import.meta.dirname, '../../scripts/package/com.msgcode.desktop.bridge.plist'),
      'utf8',
    );
    expect(plist).toContain('<string>Contents/MacOS/Chaperone</string>');
    expect(plist).not.toContain('Nothing registers it');
  });
});
