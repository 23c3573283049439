/** Window, tray and stop, on the stand-in. The page is a small one that only listens: what it shows is the business of popover.test.ts. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TestApp } from '../support/app.js';
import { appTests } from '../support/app-tests.js';
import { display } from '../support/electron/screen.js';
import { eventually } from '../support/eventually.js';
import { openPage } from '../support/person.js';
import { CLICK_COPY } from '../support/world.js';
import { formatEnglish, message } from '../../src/messages/index.js';

const { start, menu, agent, waits, pressed } = appTests();
let app: TestApp;

describe('the window', () => {
  test('[req:DS-7-25] [req:AP-A-2] is 400 by 600, shut off from Node and the network, and no picture of the screen shows it', async () => {
    app = await start();
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
    app = await start({ before: (standIn) => (standIn.app.isPackaged = true) });
    expect(app.window().options.webPreferences?.devTools).toBe(false);
  });

  test('[req:AP-A-2] goes nowhere: links open in the browser, if they are of the web', async () => {
    app = await start();
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
    app = await start();
    await eventually(() => app.window().isVisible()).toBe(true);
    expect(app.window().close()).toBe(false);
    expect(app.window().isVisible()).toBe(false);
    app.tray().emit('click', {}, app.tray().getBounds());
    await eventually(() => app.window().isFocused()).toBe(true);
    app.window().blur();
    await eventually(() => app.window().isVisible()).toBe(false);
  });

  test('[req:AP-A-17] on macOS does not make this app the active one, and the next request is in sight', async () => {
    app = await start({ platform: 'darwin' });
    await eventually(() => app.window().isFocused()).toBe(true);
    app.window().close();
    expect([app.window().isVisible(), app.app.active]).toEqual([false, false]);
    void (await agent()).call('desktop.click', CLICK_COPY);
    await eventually(() => app.window().isVisible()).toBe(true);
  });

  test('[req:AP-A-8] heals a crash once; a second one at once is told, and the next look tries again', async () => {
    app = await start();
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

describe('[req:AP-A-13] several displays', () => {
  const LEFT = display({ x: 0, y: 0, width: 1600, height: 900 });
  const RIGHT = display({ x: 1600, y: -200, width: 1920, height: 1200 });

  test('the popover is under the icon of the display it is opened on, and moves there when displays change', async () => {
    app = await start();
    const { screen } = app;
    await eventually(() => app.window().isVisible()).toBe(true);
    app.window().close();
    screen.replace('display-added', [LEFT, RIGHT]);
    app.tray().emit('click', {}, app.tray().getBounds());
    await eventually(() => app.window().isFocused()).toBe(true);
    expect(screen.getDisplayNearestPoint(app.window().place)).toEqual(LEFT);
    app.window().hide();
    app.tray().bounds = { x: 3400, y: -200, width: 24, height: 24 };
    menu()?.choose('open');
    await eventually(() => app.window().isVisible()).toBe(true);
    expect(screen.getDisplayNearestPoint(app.window().place)).toEqual(RIGHT);
    app.tray().bounds = { x: 1500, y: 0, width: 24, height: 24 };
    screen.replace('display-removed', [LEFT]);
    const { x, y } = app.window().place;
    expect([x >= 0 && x + 400 <= 1600, y]).toEqual([true, 24]);
  });
});

describe('the tray', () => {
  test('[req:AP-A-1] says in picture, words and number how things stand', async () => {
    app = await start();
    const image = () => app.tray().image.replace(/.*\//, '');
    expect([image(), app.tray().tooltip]).toEqual(['idle.png', 'Chaperone: No agents']);
    const work = (await agent()).call('desktop.click', CLICK_COPY);
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

  test('keeps its menu while nothing in it changes, so that an open one stays open', async () => {
    app = await start();
    const menus: string[] = [];
    const tray = app.tray();
    const set = tray.setContextMenu.bind(tray);
    tray.setContextMenu = (given) => {
      menus.push(JSON.stringify(given?.items));
      set(given);
    };
    const work = (await agent()).call('desktop.click', CLICK_COPY);
    await waits();
    menu()?.choose('stop');
    await work;
    await eventually(() => menus.at(-1)).toContain('"id":"resume"');
    expect(menus.length).toBeGreaterThan(1);
    expect(menus.filter((one, index) => one === menus[index - 1])).toEqual([]);
  });

  test('[req:AP-A-8] opens a freshly paired page, the log folder, and shows the address', async () => {
    app = await start();
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
    app = await start({ before: (standIn) => (standIn.app.languages = ['fr-FR', 'de-AT', 'en']) });
    expect(app.tray().tooltip).toBe('Chaperone: Keine Agenten');
  });

  test('on a Mac has its menu on the other button, a template picture and the number beside it', async () => {
    app = await start({ platform: 'darwin' });
    expect(app.tray().menu).toBeNull();
    app.tray().emit('right-click');
    expect(app.tray().poppedUp?.items.map(({ id }) => id)).toContain('stop');
    void (await agent()).call('desktop.click', CLICK_COPY);
    await eventually(() => [app.tray().title, app.tray().image.replace(/.*\//, '')]).toEqual([
      '1',
      'waitingTemplate.png',
    ]);
  });

  test('[req:PW-7] tells of every page that is paired, with the program that opened it, and how to undo that', async () => {
    app = await start();
    const { host } = app.running;
    const pages = [await openPage(host.url, host.pairingLink()), await openPage(host.url, host.pairingLink())];
    await eventually(() => app.notifications.length).toBe(2);
    for (const { title, body } of app.notifications) {
      expect(title).toBe('A page was paired');
      expect(body).toMatch(/^Opened by node.*unpair it in Settings\.$/);
    }
    for (const page of pages) page.close();
  });

  test('[req:AP-A-6] launches it at login, with a file every Linux desktop reads, or by the Mac’s own list', async () => {
    app = await start();
    const file = join(app.home, 'config/autostart/dev.chaperone.app.desktop');
    menu()?.choose('login');
    expect(readFileSync(file, 'utf8')).toContain('Exec="/opt/chap erone/app" "--quiet"\n');
    expect(menu()?.items.find(({ id }) => id === 'login')?.checked).toBe(true);
    menu()?.choose('login');
    expect(existsSync(file)).toBe(false);
    app = await start({ platform: 'darwin' });
    app.tray().emit('right-click');
    app.tray().poppedUp?.choose('login');
    expect(app.app.loginItem).toEqual({ openAtLogin: true });
  });
});

test('[req:AP-A-6] a login item that cannot be written is told, and ends nothing', async () => {
  app = await start();
  writeFileSync(join(app.home, 'config/autostart'), 'no folder');
  menu()?.choose('login');
  expect(app.notifications.map(({ title }) => title)).toEqual(['Launch at login could not be changed']);
  expect(menu()?.items.find(({ id }) => id === 'login')?.checked).toBe(false);
  expect(app.running.host.menubar.status().state).toBe('watching');
});

describe('stopping everything [req:DS-6-35]', () => {
  const stops: [string, () => void][] = [
    ['the tray’s item', () => menu()?.choose('stop')],
    ['the hotkey', () => app.shortcuts.held.get('Control+Alt+Super+.')?.()],
  ];
  test.each(stops)('%s denies what waits and pauses agents', async (_name, stop) => {
    app = await start();
    const rpc = await agent();
    const work = rpc.call('desktop.click', CLICK_COPY);
    await waits();
    stop();
    expect((await work).error).toMatchObject({ details: { reason: 'stop' } });
    expect(app.running.host.menubar.status()).toMatchObject({
      state: 'paused',
      paused: { reason: message('pause.by', { who: 'person', did: 'other' }) },
    });
    expect(pressed()).toBe(0);
  });

  test('a hotkey that another program holds is told in health, and let go at the end where it was had', async () => {
    app = await start({ before: ({ shortcuts }) => shortcuts.taken.add('Control+Alt+Super+.') });
    expect(app.running.host.menubar.health()?.issues.map(({ title }) => formatEnglish(title))).toContain(
      'The hotkey Ctrl+Alt+Super+. does not stop agents: it could not be registered',
    );
    expect(menu()?.items.find(({ id }) => id === 'stop')?.label).toBe('Stop everything');
    app = await start();
    expect(menu()?.items.find(({ id }) => id === 'stop')?.label).toBe('Stop everything (Ctrl+Alt+Super+.)');
    expect(app.running.host.menubar.health()?.issues).toEqual([]);
    await app.close();
    expect(app.shortcuts.held.size).toBe(0);
  });
});
