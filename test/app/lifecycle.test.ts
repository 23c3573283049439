/** The app's life on the stand-in. The page is a small one that only listens: what it shows is the business of popover.test.ts. */
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../support/app.js';
import type { TestApp, TestAppOptions } from '../support/app.js';
import { createElectron } from '../support/electron/index.js';
import { createMachine } from '../support/electron/machine.js';
import type { Machine } from '../support/electron/machine.js';
import { eventually } from '../support/eventually.js';
import { startHost } from '../support/host.js';
import { launchChromium } from '../support/page-browser.js';
import { openRpc } from '../support/rpc.js';
import type { Rpc } from '../support/rpc.js';
import { CLICK_SEND } from '../support/world.js';
import { watchFaults } from '../../src/main/app/faults.js';
import { hostPaths, readBridge } from '../../src/main/host/discovery.js';

const ASSETS = join(import.meta.dirname, '../support/app-page');

let browser: Browser;
let machine: Machine;
let app: TestApp;
let agents: Rpc[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
afterEach(async () => {
  for (const agent of agents) agent.close();
  agents = [];
  await app.close();
});

async function start(more: Partial<TestAppOptions> = {}): Promise<TestApp> {
  machine = more.machine ?? createMachine(browser);
  app = await startTestApp({ machine, assets: ASSETS, ...more });
  return app;
}

async function agent(): Promise<Rpc> {
  const opened = await openRpc(app.running.host.socketPath, app.workspace);
  agents.push(opened);
  return opened;
}

const cards = () => app.running.host.desk.cards();
const waits = () => eventually(() => cards().length).toBe(1);
const pressed = () => app.desktop.world.journal().filter(({ event }) => event === 'pressed').length;
const menu = () => app.tray().menu;

describe('starting [req:AP-A-6]', () => {
  test('the first time it shows itself; after that it waits in the menu bar', async () => {
    const home = await mkdtemp(join(tmpdir(), 'chaperone-home-'));
    await start({ home });
    await eventually(() => app.window().shownAs).toBe('show');
    await app.close();
    await start({ home, machine });
    expect(app.window().isVisible()).toBe(false);
    await app.close();
    await rm(home, { recursive: true, force: true });
  });

  test('a second start shows the first one and ends, without a host of its own', async () => {
    await start();
    app.window().hide();
    const second = startTestApp({ machine, assets: ASSETS, home: app.home });
    await expect(second).rejects.toThrow('did not start');
    await eventually(() => app.window().isVisible()).toBe(true);
    expect(readBridge(hostPaths({ CHAPERONE_HOME: app.home }))?.socket).toBe(app.running.host.socketPath);
  });

  test('being activated again shows it', async () => {
    await start();
    app.window().hide();
    app.app.emit('activate');
    await eventually(() => app.window().isVisible()).toBe(true);
  });

  test('a host that a person started elsewhere is left alone, and the app says so', async () => {
    const host = await startHost();
    await start();
    const other = createElectron(machine);
    await expect(
      startTestApp({ machine, assets: ASSETS, home: host.home, before: (made) => Object.assign(other, made) }),
    ).rejects.toThrow('Another host runs');
    expect(await other.app.exited).toBe(1);
    await host.close();
  });

  test('[req:AP-A-9] a host that a shim started in the background makes room, and what is open stays open', async () => {
    const host = await startHost({ background: true });
    const rpc = await openRpc(host.host.socketPath, host.workspace);
    const work = rpc.call('desktop.click', CLICK_SEND).catch(() => null);
    await eventually(() => host.host.desk.cards().length).toBe(1);
    void host.host.ended.then(() => host.host.close());
    await start({ home: host.home });
    expect(app.running.host.desk.status().paused).toBeNull();
    expect(cards()).toMatchObject([{ orphaned: true, effect: 'input' }]);
    rpc.close();
    await Promise.race([work, Promise.resolve()]);
    await app.close();
    await host.close();
  });
});

describe('the window', () => {
  test('[req:DS-7-25] [req:AP-A-2] is 400 by 600, shut off from Node and the network, and no picture of the screen shows it', async () => {
    await start();
    const { options, contentProtected, onAllWorkspaces } = app.window();
    expect(options).toMatchObject({ width: 400, height: 600, frame: false, resizable: false, alwaysOnTop: true });
    expect(options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
    });
    expect({ contentProtected, onAllWorkspaces, sandboxed: app.app.sandboxed }).toEqual({
      contentProtected: true,
      onAllWorkspaces: true,
      sandboxed: true,
    });
    for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'display-capture'])
      expect(app.session().grants(permission)).toBe(false);
    expect(app.session().cancels('https://example.com/x')).toBe(true);
    expect(app.session().cancels(`${app.running.host.url}/`)).toBe(true);
    expect(app.session().cancels('file:///etc/passwd')).toBe(true);
  });

  test('has no developer tools once it is packaged', async () => {
    await start({ before: (standIn) => (standIn.app.isPackaged = true) });
    expect(app.window().options.webPreferences?.devTools).toBe(false);
  });

  test('[req:AP-A-2] goes nowhere: links open in the browser, if they are of the web', async () => {
    await start();
    const page = await app.page();
    await page.locator('#link').click();
    await eventually(() => app.told.opened).toEqual(['https://example.com/there']);
    await page.locator('#plain').click();
    await eventually(() => app.told.opened).toEqual(['https://example.com/there', 'https://example.com/here']);
    for (const address of ['file:///etc/passwd', 'x-apple.systempreferences:', 'javascript:1', 'vscode://x'])
      await page.evaluate((url) => void open(url), address);
    await eventually(() => app.window().webContents.opened.length).toBe(5);
    expect(app.told.opened).toHaveLength(2);
    expect(app.window().webContents.mainFrame.url).toBe('app://chaperone/index.html');
  });

  test('only hides when it is closed, and when the person goes elsewhere', async () => {
    await start();
    await eventually(() => app.window().isVisible()).toBe(true);
    expect(app.window().close()).toBe(false);
    expect(app.window().isVisible()).toBe(false);
    app.tray().emit('click', {}, app.tray().getBounds());
    await eventually(() => app.window().isFocused()).toBe(true);
    app.window().blur();
    await eventually(() => app.window().isVisible()).toBe(false);
  });

  test('[req:AP-A-8] heals a crash once; a second one at once is told, and the next look tries again', async () => {
    await start();
    const { webContents } = app.window();
    await app.page();
    await webContents.crash();
    await app.page();
    await webContents.crash();
    await eventually(() => app.notifications.map(({ title }) => title)).toContain(
      'The Chaperone popover stopped working',
    );
    expect(app.log.filter(({ msg }) => msg === 'app: the popover crashed')).toHaveLength(2);
    menu()?.choose('open');
    await app.page();
    await eventually(() => app.window().isVisible()).toBe(true);
  });
});

describe('the tray', () => {
  test('[req:AP-A-1] says in picture, words and number how things stand', async () => {
    await start();
    const image = () => app.tray().image.replace(/.*\//, '');
    expect([image(), app.tray().tooltip]).toEqual(['idle.png', 'Chaperone: No agents']);
    const work = (await agent()).call('desktop.click', CLICK_SEND);
    await eventually(() => [image(), app.tray().tooltip, app.app.badge]).toEqual([
      'waiting.png',
      'Chaperone: Waiting for you, 1',
      1,
    ]);
    menu()?.choose('pause');
    expect((await work).error).toMatchObject({ details: { reason: 'paused' } });
    await eventually(image).toBe('paused.png');
    expect(app.app.badge).toBe(0);
    expect(menu()?.items.map(({ id }) => id)).not.toContain('pause');
    menu()?.choose('resume');
    await eventually(image).toBe('watching.png');
  });

  test('opens a freshly paired page, the log folder, and shows the address', async () => {
    await start();
    const { url } = app.running.host;
    expect(menu()?.items.find(({ id }) => id === 'address')?.label).toBe(url);
    menu()?.choose('browser');
    menu()?.choose('browser');
    menu()?.choose('logs');
    const [first, second, folder] = app.told.opened;
    expect(first).toMatch(new RegExp(`^${url}/#pair=[\\w-]{43}$`));
    expect(second).not.toBe(first);
    expect(folder).toBe(join(app.home, 'state'));
  });

  test('speaks the person’s language', async () => {
    await start({ before: (standIn) => (standIn.app.languages = ['fr-FR', 'de-AT', 'en']) });
    expect(app.tray().tooltip).toBe('Chaperone: Keine Agenten');
  });

  test('on a Mac has its menu on the other button, a template picture and the number beside it', async () => {
    await start({ platform: 'darwin' });
    expect(app.tray().menu).toBeNull();
    app.tray().emit('right-click');
    expect(app.tray().poppedUp?.items.map(({ id }) => id)).toContain('stop');
    void (await agent()).call('desktop.click', CLICK_SEND);
    await eventually(() => [app.tray().title, app.tray().image.replace(/.*\//, '')]).toEqual([
      '1',
      'waitingTemplate.png',
    ]);
  });

  test('[req:AP-A-6] launches it at login, with a file every Linux desktop reads, or by the Mac’s own list', async () => {
    await start();
    const file = join(app.home, 'config/autostart/dev.chaperone.app.desktop');
    menu()?.choose('login');
    expect(readFileSync(file, 'utf8')).toContain('Exec="/opt/chap erone/app" "--quiet"\n');
    expect(menu()?.items.find(({ id }) => id === 'login')?.checked).toBe(true);
    menu()?.choose('login');
    expect(existsSync(file)).toBe(false);
    await app.close();
    await start({ platform: 'darwin' });
    app.tray().emit('right-click');
    app.tray().poppedUp?.choose('login');
    expect(app.app.loginItem).toEqual({ openAtLogin: true });
  });
});

describe('stopping everything [req:DS-6-35]', () => {
  const stops: [string, () => void][] = [
    ['the tray’s item', () => menu()?.choose('stop')],
    ['the hotkey', () => app.shortcuts.held.get('Control+Alt+Super+.')?.()],
  ];
  test.each(stops)('%s denies what waits and pauses agents', async (_name, stop) => {
    await start();
    const rpc = await agent();
    const work = rpc.call('desktop.click', CLICK_SEND);
    await waits();
    stop();
    expect((await work).error).toMatchObject({ details: { reason: 'stop' } });
    expect(app.running.host.desk.status()).toMatchObject({
      state: 'paused',
      paused: { reason: 'You stopped agents.' },
    });
    expect(pressed()).toBe(0);
  });

  test('a hotkey that another program holds is told in health, and let go at the end where it was had', async () => {
    machine = createMachine(browser);
    machine.taken.add('Control+Alt+Super+.');
    await start({ machine });
    expect(app.running.host.desk.health()?.issues.map(({ title }) => title)).toContain(
      'The hotkey Ctrl+Alt+Super+. does not stop agents: it could not be registered',
    );
    await app.close();
    await start();
    expect(app.running.host.desk.health()?.issues).toEqual([]);
    await app.close();
    expect(app.shortcuts.held.size).toBe(0);
  });
});

describe('a locked screen', () => {
  test('[req:DS-3-13] refuses what agents ask for until it is unlocked', async () => {
    await start({ before: ({ powerMonitor }) => (powerMonitor.locked = true) });
    const rpc = await agent();
    const refused = { code: 'DESKTOP_HOST_NOT_READY', details: { reason: 'locked' } };
    expect(await rpc.error('desktop.click', CLICK_SEND)).toMatchObject(refused);
    app.powerMonitor.lock(false);
    void rpc.call('desktop.click', CLICK_SEND);
    await waits();
    app.powerMonitor.lock(true);
    expect(cards()).toHaveLength(1);
    expect(await rpc.error('desktop.observe', {})).toMatchObject(refused);
    app.powerMonitor.lock(false);
  });
});

describe('ending', () => {
  test('[req:AP-A-7] denies what waits, closes the host once, and leaves nobody paused', async () => {
    await start();
    const work = (await agent()).call('desktop.click', CLICK_SEND);
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

  test('does not hold up a system that shuts down', async () => {
    await start();
    app.powerMonitor.emit('shutdown');
    app.app.quit();
    expect(await app.app.exited).toBe(0);
  });

  test('comes with the host’s own end', async () => {
    await start();
    const { stop } = await import('../../src/main/cli/stop.js');
    process.env['CHAPERONE_HOME'] = app.home;
    await stop({ host: true }).finally(() => delete process.env['CHAPERONE_HOME']);
    expect(await app.app.exited).toBe(0);
  });

  test('[req:AP-A-8] an error nobody caught is logged and told, and the app ends in order; a signal ends it too', async () => {
    await start();
    const emitter = new EventEmitter();
    const lines: string[] = [];
    watchFaults({
      process: emitter,
      electron: app.electron,
      log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    });
    emitter.emit('unhandledRejection', new Error('of no consequence'));
    emitter.emit('uncaughtException', new Error('out of the blue'));
    expect(await app.app.exited).toBe(0);
    expect(lines.join('')).toMatch(/of no consequence.*\n.*out of the blue/);
    expect(app.notifications.map(({ title }) => title)).toContain('Chaperone had to end');
    await start();
    watchFaults({ process: emitter, electron: app.electron, log: pino({ level: 'silent' }) });
    emitter.emit('SIGTERM');
    expect(await app.app.exited).toBe(0);
  });
});
