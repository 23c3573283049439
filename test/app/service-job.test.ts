/** Who serves the bridge service: launchd's own process, which another instance makes room for. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createServiceJob, type ServiceJob } from '../../src/main/app/options.js';
import { requestService } from '../../src/main/transport/xpc-client.js';
import type { LoadedAddon } from '../../src/native/xpc/index.js';
import { formatEnglish } from '../../src/messages/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { ASSETS, appTests } from '../support/app-tests.js';
import { AppStandIn } from '../support/electron/app.js';
import { createElectron } from '../support/electron/index.js';
import { createMachine } from '../support/electron/machine.js';
import { createSocketAddon } from '../support/socket-addon.js';
import { CLICK_COPY } from '../support/world.js';

let folder: string;
let loaded: Extract<LoadedAddon, { kind: 'loaded' }>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chp-job-'));
  loaded = { kind: 'loaded', addon: createSocketAddon(join(folder, 'service')) };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Status = AppStandIn['service'];
const LIST = (pid: number | null) => `{\n\t"Label" = "com.msgcode.desktop.bridge";\n${pid === null ? '' : `\t"PID" = ${pid};\n`}\t"LastExitStatus" = 0;\n};\n`; // prettier-ignore

/** launchd as the test has it, and SMAppService as the stand-in has it. */
function system(
  jobPid: number | null,
  { status = 'enabled' as Status, addon = loaded as LoadedAddon, team = 'TEAM1' as string | null } = {},
) {
  const app = new AppStandIn({ ...createMachine(null), team });
  app.service = status;
  const calls: string[] = [];
  const job = createServiceJob({
    app,
    addon,
    pid: 7,
    uid: 501,
    launchctl(args) {
      calls.push(args.join(' '));
      if (args[0] === 'list' && jobPid === -1) throw new Error('not there');
      return LIST(jobPid);
    },
  });
  return { job, calls, app };
}

describe('[req:MB-11] the service and launchd', () => {
  test('launchd says whose job it is', () => {
    for (const [pid, own, another] of [
      [7, true, false],
      [8, false, true],
      [null, false, false],
      [-1, false, false],
    ] as const) {
      const { job } = system(pid);
      expect([job.isOwn(), job.isAnother()], String(pid)).toEqual([own, another]);
    }
  });

  test.each(['not-found', 'not-registered'] as const)('a service that is %s is registered, and started by launchd', (status) => {
    const { job, calls, app } = system(null, { status });
    expect([job.start(), job.start()]).toEqual([true, true]);
    expect([app.registrations, app.loginItem.openAtLogin]).toEqual([1, false]);
    expect(calls).toEqual(Array(2).fill('kickstart gui/501/com.msgcode.desktop.bridge'));
  }); // prettier-ignore

  test('it is not registered where a person has switched it off, and never without the addon', () => {
    const off = system(null, { status: 'requires-approval' });
    expect([off.job.start(), off.app.registrations, off.calls]).toEqual([false, 0, []]);
    const bare = system(null, { status: 'not-found', addon: { kind: 'absent', reason: 'missing', why: '/x.node' } });
    expect([bare.job.start(), bare.app.registrations, bare.calls]).toEqual([false, 0, []]);
  });

  test('only its own process has launchd start it again', () => {
    const own = system(7);
    expect([own.job.restart(), own.calls.at(-1)]).toEqual([true, 'kickstart -k gui/501/com.msgcode.desktop.bridge']);
    const other = system(8);
    expect([other.job.restart(), other.calls]).toEqual([false, ['list com.msgcode.desktop.bridge']]);
  });

  test('only its own process offers it; others say why not', () => {
    const why = ({ job }: { job: ServiceJob }) => {
      job.start();
      const offer = job.offer();
      return offer.kind === 'available' ? null : formatEnglish(offer.why);
    };
    expect(why(system(7))).toBeNull();
    expect(why(system(8))).toContain('has not started this app for it');
    expect(why(system(null, { status: 'requires-approval' }))).toContain('Login Items');
    expect(why(system(null, { status: 'not-found', team: null }))).toContain('must be signed');
    expect(why(system(7, { addon: { kind: 'absent', reason: 'broken', why: 'no code' } }))).toContain('(no code)');
  });
});

describe('[req:MB-12] instances of the app', () => {
  const { start, machine, agent, waits } = appTests();
  let app: TestApp;
  const job = (over: Partial<ServiceJob>): ServiceJob => ({
    isOwn: () => false,
    isAnother: () => false,
    start: () => false,
    restart: () => false,
    offer: () => system(null).job.offer(),
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
