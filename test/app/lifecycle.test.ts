/** How the app begins and ends, on the stand-in. */
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { inEnglish } from '../../src/messages/index.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { EarlyQuit } from '../../src/main/app/start.js';
import { handleProcessEvents } from '../../src/main/app/process-events.js';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { startAgent } from '../support/agent.js';
import { ASSETS, appTests } from '../support/app-tests.js';
import { createHome } from '../support/command.js';
import { createElectron, type StandIn } from '../support/electron/index.js';
import { eventually } from '../support/eventually.js';
import { on, startHost } from '../support/host.js';
import { holdTimers } from '../support/held-timers.js';
import { connectAs } from '../support/other.js';
import { openPage, settle } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { CLICK_COPY, CONFIRM, NOTES } from '../support/world.js';

const { start, machine, menu, agent, waits } = appTests();
let app: TestApp;
const cards = () => app.running.host.menubar.cards();

describe('starting [req:AP-A-6]', () => {
  test('the first time it shows itself; after that it waits in the menu bar', async () => {
    const home = await mkdtemp(join(tmpdir(), 'chaperone-home-'));
    app = await start({ home });
    await eventually(() => app.window().shownAs).toBe('show');
    app = await start({ home, machine: machine() });
    expect(app.window().isVisible()).toBe(false);
    // One that runs still writes there.
    await app.close();
    await rm(home, { recursive: true, force: true });
  });

  test('a second start shows the first one and ends, without a host of its own', async () => {
    app = await start();
    app.window().hide();
    const second = startTestApp({ machine: machine(), assets: ASSETS, home: app.home });
    await expect(second).rejects.toThrow('did not start');
    await eventually(() => app.window().isVisible()).toBe(true);
    expect(readBridge(hostPaths({ CHAPERONE_HOME: app.home }))?.socket).toBe(app.running.host.socketPath);
  });

  test('being activated again shows it', async () => {
    app = await start();
    app.window().hide();
    app.app.emit('activate');
    await eventually(() => app.window().isVisible()).toBe(true);
  });

  test('a host that a person started elsewhere is left alone, and the app says so in the person’s language', async () => {
    const host = await startHost();
    app = await start();
    const other = createElectron(machine());
    await expect(
      startTestApp({
        machine: machine(),
        assets: ASSETS,
        home: host.home,
        before: (made) => {
          made.app.languages = ['de-AT'];
          Object.assign(other, made);
        },
      }),
    ).rejects.toThrow(/: Ein anderer Host \(PID \d+\) läuft schon/);
    expect(await other.app.exited).toBe(1);
    await host.close();
  });

  test('[req:AP-A-9] a host that a shim started in the background makes room, and what is open stays open', async () => {
    const host = await startHost({ background: true });
    const other = connectAs({ path: host.host.socketPath });
    const rpc = await openRpc(other.stream, host.workspace);
    void rpc.call('desktop.click', CLICK_COPY);
    await eventually(() => host.host.menubar.cards().length).toBe(1);
    void host.host.ended.then(() => host.host.close());
    app = await start({ home: host.home });
    expect(app.running.host.menubar.status().paused).toBeNull();
    expect(cards()).toMatchObject([{ orphaned: true, effect: 'input' }]);
    rpc.close();
    await other.close();
    await host.close();
  });
});

describe('[req:AP-A-9] a host that an agent’s shim started and uses, as a process of its own', () => {
  const home = createHome();
  afterAll(() => home.close());

  test('is ended by the app, which shows what is open', async () => {
    const other = await startAgent(home.path, { env: { CHAPERONE_BACKEND: 'simulated' }, ownProcess: true });
    const work = other.call('open_application', { application_id: 'Notes' });
    await eventually(async () => (await home.run(['approvals', 'list'])).stdout).toMatch(/1/);
    const [before] = home.hosts();
    // A shim's host works in the user's own home folder: with another root the call that comes back would be another request.
    app = await start({ home: home.path, host: { workspaceRoot: userInfo().homedir } });
    expect(readBridge(hostPaths({ CHAPERONE_HOME: home.path }))?.metadata.pid).toBe(process.pid);
    await eventually(() => home.hosts()).not.toContain(before);
    // The call has come back: it may change what the request says, and the answer is to what the person reads.
    await eventually(cards).toMatchObject([{ effect: 'input', orphaned: false }]);
    const person = await openPage(app.running.host.url, app.running.host.pairingLink());
    const [approval] = cards();
    if (approval === undefined) throw new Error('no card');
    await settle(person, approval, 'deny');
    expect(await work).toMatchObject({ isError: true });
    person.close();
    await other.close();
  });
});

describe('a locked screen', () => {
  test('[req:DS-3-13] refuses what agents ask for until it is unlocked', async () => {
    app = await start({ before: ({ powerMonitor }) => (powerMonitor.locked = true) });
    const rpc = await agent();
    const refused = { code: 'DESKTOP_HOST_NOT_READY', details: { reason: 'locked' } };
    expect(await rpc.error('desktop.click', CLICK_COPY)).toMatchObject(refused);
    app.powerMonitor.lock(false);
    void rpc.call('desktop.click', CLICK_COPY);
    await waits();
    app.powerMonitor.lock(true);
    expect(cards()).toHaveLength(1);
    expect(await rpc.error('desktop.observe', {})).toMatchObject(refused);
    app.powerMonitor.lock(false);
  });
});

describe('[req:AP-A-12] a screen that the person cannot see', () => {
  test.each([
    ['another user has it', 'user-did-resign-active', 'user-did-become-active'],
    ['the machine sleeps', 'suspend', 'resume'],
  ])('while %s, nothing is done', async (_name, begins, ends) => {
    app = await start();
    const rpc = await agent();
    app.powerMonitor.emit(begins);
    expect(await rpc.error('desktop.click', CLICK_COPY)).toMatchObject({ details: { reason: 'locked' } });
    // The screen is locked as it goes, and unlocked last.
    app.powerMonitor.lock(true);
    app.powerMonitor.emit(ends);
    expect(await rpc.error('desktop.click', CLICK_COPY)).toMatchObject({ details: { reason: 'locked' } });
    app.powerMonitor.lock(false);
    void rpc.call('desktop.click', CLICK_COPY);
    await waits();
  });
});

describe('ending', () => {
  test('[req:AP-A-7] denies what waits, closes the host once, and leaves nobody paused', async () => {
    app = await start();
    const work = (await agent()).call('desktop.click', CLICK_COPY);
    await waits();
    const { socketPath } = app.running.host;
    menu()?.choose('quit');
    app.app.quit();
    const { error } = await work;
    expect(error?.message).toContain('The person quit Chaperone.');
    expect(await app.app.exited).toBe(0);
    expect([existsSync(socketPath), app.tray().destroyed, app.app.windows.size]).toEqual([false, true, 0]);
    const kept: unknown = JSON.parse(readFileSync(join(app.home, 'state/approvals.json'), 'utf8'));
    expect(kept).toMatchObject({ cards: [], pauses: { all: null } });
  });

  test('[req:AP-A-7] lets what acts end, and whoever asked has the answer', async () => {
    app = await start();
    const keys = holdTimers(4_000);
    const rpc = await agent();
    const typing = { route: NOTES, keys: ['a', 'b'], options: { delayMs: 4_000 }, confirm: CONFIRM };
    const work = rpc.call('desktop.hotkey', typing);
    await waits();
    const person = await openPage(app.running.host.url, app.running.host.pairingLink());
    const [approval] = cards();
    if (approval === undefined) throw new Error('no card');
    await settle(person, approval, 'allow');
    await eventually(() => app.running.host.menubar.status().state).toBe('acting');
    menu()?.choose('quit');
    await keys.end();
    expect((await work).result).toMatchObject({ sent: true });
    expect(await app.app.exited).toBe(0);
    person.close();
  });

  test('while the app starts is in order too: nothing of the host is open, or writes, after the app', async () => {
    app = await start();
    const home = await mkdtemp(join(tmpdir(), 'chaperone-early-'));
    const ended: string[] = [];
    const desktop = openSimulated();
    const opens = on(desktop, async () => {
      ended.push('desktop');
      await desktop.close();
    });
    let quit = (): void => undefined;
    const openDesktop: typeof opens.openDesktop = (parts) => {
      quit();
      return opens.openDesktop(parts);
    };
    const before = ({ app: starting }: StandIn): void => {
      quit = () => starting.quit();
      void starting.exited.then(() => ended.push('app'));
    };
    const starting = startTestApp({
      machine: { ...machine(), locks: new Map() },
      assets: ASSETS,
      home,
      before,
      host: { openDesktop },
    });
    await expect(starting).rejects.toThrow('did not start');
    await eventually(() => ended).toEqual(['desktop', 'app']);
    expect(readBridge(hostPaths({ CHAPERONE_HOME: home }))).toBeNull();
    await rm(home, { recursive: true });
  });

  test('does not hold up a system that shuts down', async () => {
    app = await start();
    app.powerMonitor.emit('shutdown');
    app.app.quit();
    expect(await app.app.exited).toBe(0);
  });

  test('does not hold up a system that shuts down while the app starts', () => {
    const [starting, power] = [new EventEmitter(), new EventEmitter()];
    const early = new EarlyQuit(starting, power);
    const preventDefault = vi.fn();
    power.emit('shutdown');
    starting.emit('before-quit', { preventDefault });
    expect(preventDefault).not.toHaveBeenCalled();
    expect(early.release()).toBe(true);
    expect([starting.listenerCount('before-quit'), power.listenerCount('shutdown')]).toEqual([0, 0]);
  });

  test('comes with the host’s own end', async () => {
    app = await start();
    const { stop } = await import('../../src/main/cli/status.js');
    process.env['CHAPERONE_HOME'] = app.home;
    await stop({ host: true }, inEnglish).finally(() => delete process.env['CHAPERONE_HOME']);
    expect(await app.app.exited).toBe(0);
  });

  test('[req:AP-A-8] an error nobody caught is logged and told, and the app ends in order; a signal ends it too', async () => {
    app = await start();
    const emitter = new EventEmitter();
    const lines: string[] = [];
    handleProcessEvents({
      process: emitter,
      electron: app.electron,
      log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    });
    emitter.emit('unhandledRejection', new Error('of no consequence'));
    emitter.emit('uncaughtException', new Error('out of the blue'));
    expect(await app.app.exited).toBe(0);
    expect(lines.join('')).toMatch(/of no consequence.*\n.*out of the blue/);
    expect(app.notifications.map(({ title }) => title)).toContain('Chaperone had to quit');
    app = await start();
    handleProcessEvents({ process: emitter, electron: app.electron, log: pino({ level: 'silent' }) });
    emitter.emit('SIGTERM');
    expect(await app.app.exited).toBe(0);
  });
});
