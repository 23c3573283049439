/** The popover with the real page, the real host and an agent that asks; in real Chromium pages on the stand-in. */
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/app.js';
import { createMachine } from '../support/electron/machine.js';
import { eventually } from '../support/eventually.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import type { DesktopBackend, Window } from '../../src/native/desktop.js';
import { openGabp, type Gabp } from '../support/gabp.js';
import { on } from '../support/host.js';
import { keepPicture } from '../support/keep-picture.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';
import { openPage, settle } from '../support/person.js';
import { rpcWhenUsed, type Rpc } from '../support/rpc.js';
import { CLICK_COPY } from '../support/world.js';

let browser: PageBrowser;
let app: TestApp;
let rpc: Rpc;
let gabp: Gabp;
let popover: Page;
let pages: Page[] = [];

beforeAll(async () => {
  browser = await startPageBrowser();
});
afterAll(() => browser.close());
afterEach(async () => {
  for (const page of pages) await page.context().close();
  pages = [];
  rpc.close();
  gabp.close();
  await app.close();
});

async function start(more: Partial<TestAppOptions> = {}, dark = false): Promise<void> {
  app = await startTestApp({ machine: { ...createMachine(browser.browser), dark }, assets: browser.dir, ...more });
  popover = await app.page();
  app.window().hide();
  rpc = rpcWhenUsed(app.running.host.socketPath, app.workspace);
  gabp = await openGabp({ home: app.home, host: app.running.host });
}

/** A page in the person's browser, paired by the link of "Open in browser". */
async function browserPage(): Promise<Page> {
  app.tray().menu?.choose('browser');
  const { page } = await browser.open();
  pages.push(page);
  await page.goto(app.told.opened.at(-1) ?? '');
  await page.getByText('Watching').first().waitFor();
  return page;
}

const click = () => rpc.call('desktop.click', CLICK_COPY);
const pressed = () => app.desktop.world.journal().filter(({ event }) => event === 'toggled').length;
const part = (page: Page, name: string) => page.locator(`article [data-part="${name}"]`);
const armed = (page: Page, name: string) => part(page, name).and(page.locator(':not([aria-disabled])'));
const cards = () => app.running.host.menubar.cards();

/** Where the button is now, so that several can be pressed at the same time. */
async function aim(page: Page, button: Locator): Promise<() => Promise<void>> {
  const box = await button.boundingBox();
  if (box === null) throw new Error('the button is not on the page');
  return () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

describe('a request [req:AP-A-4]', () => {
  test('opens the popover beside what the person does, calls once, and Allow there makes it happen, pressed in the popover only [req:PR-1]', async () => {
    await start();
    expect(popover.viewportSize()).toEqual({ width: 400, height: 600 });
    const work = click();
    await eventually(() => app.window().shownAs).toBe('showInactive');
    expect(app.window().isFocused()).toBe(false);
    expect(app.notifications).toMatchObject([
      { state: 'shown', silent: false, body: 'Click “Sender gets a copy” in Mail' },
    ]);
    expect(app.notifications[0]?.title).toMatch(/ wants to$/);
    await armed(popover, 'allow').waitFor();
    await keepPicture(popover, 'popover-light');
    const [card] = cards();
    await popover.evaluate((answer) => window.chaperone?.send(JSON.stringify(answer)), {
      type: 'approval',
      id: card?.id,
      digest: card?.digest,
      decision: 'allow',
    });
    await popover.getByText('No press on this request was reported').first().waitFor();
    expect(pressed()).toBe(0);
    await armed(popover, 'allow').click();
    expect((await work).error).toBeUndefined();
    expect(pressed()).toBe(1);
    expect(app.notifications).toMatchObject([{ state: 'closed' }]);
    expect(app.window().isVisible()).toBe(false);
  });

  test('is told of again until it is answered, and not to a person who is looking at it', async () => {
    await start({ remindAfterMs: [30, 60] });
    const work = click();
    await eventually(() => app.notifications.length).toBe(3);
    expect(app.notifications.map(({ state }) => state)).toEqual(['closed', 'closed', 'shown']);
    app.notifications[2]?.emit('click');
    await eventually(() => app.window().isFocused()).toBe(true);
    await armed(popover, 'deny').click();
    await work;
    expect(app.notifications.map(({ state }) => state)).toEqual(['closed', 'closed', 'closed']);
    void click();
    await armed(popover, 'deny').waitFor();
    expect(app.notifications).toHaveLength(3);
  });

  test('answered in the browser, where no grant is offered, takes the popover away again', async () => {
    await start();
    const page = await browserPage();
    const work = click();
    await eventually(() => app.window().isVisible()).toBe(true);
    await Promise.all([armed(page, 'allow').waitFor(), armed(popover, 'allow').waitFor()]);
    expect([await page.locator('.pick').count(), await popover.locator('.pick').count()]).toEqual([0, 1]);
    await armed(page, 'allow').click();
    expect((await work).error).toBeUndefined();
    expect(app.window().isVisible()).toBe(false);
  });

  test('[req:AP-A-5] pressed in popover and two browsers at once: one decision counts, the others are told', async () => {
    await start();
    const [page, other] = [await browserPage(), await browserPage()];
    const work = click();
    const answers: [Page, string][] = [[page, 'deny'], [popover, 'allow'], [other, 'deny']]; // prettier-ignore
    await Promise.all(answers.map(([each, name]) => armed(each, name).waitFor()));
    const presses = await Promise.all(answers.map(([each, name]) => aim(each, part(each, name))));
    // A press on buttons that have just moved does not count, and a person presses again.
    await eventually(async () => {
      if (cards().length > 0) await Promise.all(presses.map((now) => now()));
      return cards();
    }).toEqual([]);
    const { error } = await work;
    const allowed = error === undefined;
    expect(pressed()).toBe(allowed ? 1 : 0);
    const word = allowed ? 'Allowed' : 'Denied';
    for (const [each] of answers) await each.locator('article', { hasText: word }).waitFor();
    expect(cards()).toEqual([]);
  });
});

describe('what only the popover decides [req:DS-6-31]', () => {
  test('a dangerous act: the browser offers No and the way to the menu bar, the popover a hold', async () => {
    await start();
    const page = await browserPage();
    const work = gabp.tool('write_clipboard', { text: 'rm -rf /' });
    await part(page, 'elsewhere').waitFor();
    await expect.poll(() => part(page, 'allow').count()).toBe(0);
    await keepPicture(page, 'dangerous-in-browser');
    app.window().hide();
    await part(page, 'elsewhere').click();
    await eventually(() => app.window().isFocused()).toBe(true);
    await page.evaluate(() => undefined);
    const hold = armed(popover, 'allow');
    await hold.waitFor();
    await hold.hover();
    await popover.mouse.down();
    const answer = await work;
    await popover.mouse.up();
    expect(answer.isError).not.toBe(true);
    const again = gabp.tool('write_clipboard', { text: 'x' });
    await armed(page, 'deny').click();
    expect((await again).isError).toBe(true);
  });

  test('a page that sends Allow for it, or a grant, all the same is refused by the host', async () => {
    await start();
    const person = await openPage(app.running.host.url, app.running.host.pairingLink());
    void gabp.tool('write_clipboard', { text: 'x' });
    const { approval: dangerous } = await person.next('approvalRequested');
    await expect(settle(person, dangerous, 'allow')).rejects.toThrow('popover_only');
    await settle(person, dangerous, 'deny');
    const work = click();
    const { approval: ordinary } = await person.next('approvalRequested');
    expect(ordinary.grants.map(({ kind }) => kind)).toContain('time');
    await expect(settle(person, ordinary, 'allow', { grant: 'time' })).rejects.toThrow('popover_only');
    expect(cards()).toMatchObject([{ id: ordinary.id }]);
    await armed(popover, 'allow').waitFor();
    await armed(popover, 'allow-lasting').click();
    expect((await work).error).toBeUndefined();
    expect(await person.next('grants', ({ grants }) => grants.length === 1)).toBeDefined();
    person.close();
  });
});

describe('the bridge [req:AP-A-3]', () => {
  const said = (text: object) => JSON.stringify(text);
  const stop = said({ type: 'pause', on: true });
  const refusals = () => app.log.filter(({ msg }) => String(msg).includes('not the popover')).length;
  const paused = () => app.running.host.menubar.status().paused;

  test('is one object with two functions, and takes nothing from another frame, window or address', async () => {
    await start();
    const seen = await popover.evaluate(() => ({
      names: Object.keys(window.chaperone ?? {}),
      node: ['require', 'process', 'module', 'Buffer'].filter((name) => name in window),
    }));
    expect(seen).toEqual({ names: ['send', 'onMessage'], node: [] });
    const frame = await popover.evaluateHandle(() => document.body.appendChild(document.createElement('iframe')));
    const inner = await frame.asElement()?.contentFrame();
    await inner?.evaluate((text) => window.__ipcSend('chaperone:send', [text]), stop);
    await inner?.evaluate(() => window.__ipcSend('chaperone:open', []));
    expect([refusals(), paused()]).toEqual([2, null]);
    const other = app.openWindow({});
    const page = await other.webContents.page();
    await page.evaluate((text) => window.__ipcSend('chaperone:send', [text]), stop);
    expect([refusals(), paused()]).toEqual([3, null]);
    await popover.evaluate(() => history.replaceState(null, '', '/other.html'));
    await popover.evaluate((text) => window.chaperone?.send(text), stop);
    await eventually(refusals).toBe(4);
    expect(paused()).toBeNull();
    await popover.evaluate(() => history.replaceState(null, '', '/index.html#/activity'));
    await popover.evaluate((text) => window.chaperone?.send(text), stop);
    await eventually(() => paused()?.by).toBe('popover');
  });

  test('takes nothing that is no text, too much, or no message; a page that was cut off comes back', async () => {
    await start();
    // It is shown for a second only, so it is watched for from before the step.
    const cutOff = () =>
      popover.evaluate(
        () =>
          new Promise<void>((done) => {
            const said = () => [...document.querySelectorAll('.banner, .chip')].map((one) => one.textContent);
            const look = () => said().some((text) => text.includes('Not connected')) && done();
            new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
          }),
      );
    await popover.getByText('Watching').first().waitFor();
    const first = cutOff();
    await popover.evaluate(() => window.__ipcSend('chaperone:send', [{ type: 'pause', on: true }]));
    await first;
    await popover.getByText('Watching').first().waitFor();
    const second = cutOff();
    await popover.evaluate((text) => window.chaperone?.send(text), 'x'.repeat(13_000_000));
    await second;
    await popover.getByText('Watching').first().waitFor();
    await popover.evaluate(() => window.chaperone?.send('{"type":"pair","code":"x"}'));
    expect(paused()).toBeNull();
  });

  test('is gone with the window', async () => {
    await start();
    const { webContents } = app.window();
    const { mainFrame } = webContents;
    app.window().destroy();
    const event = { sender: webContents, senderFrame: mainFrame };
    Reflect.apply(app.electron.ipcMain.emit, app.electron.ipcMain, ['chaperone:send', event, stop]);
    expect([refusals(), paused()]).toEqual([1, null]);
    const work = click();
    await eventually(() => cards().length).toBe(1);
    app.tray().menu?.choose('stop');
    expect((await work).error?.code).toBe('DESKTOP_ABORTED');
  });

  test('keeps what the person sees over a reload', async () => {
    await start({}, true);
    const work = click();
    await armed(popover, 'allow').waitFor();
    await popover.reload();
    await armed(popover, 'allow').waitFor();
    await keepPicture(popover, 'popover-dark');
    await armed(popover, 'allow').click();
    expect((await work).error).toBeUndefined();
  });
});

describe('an agent', () => {
  test('[req:DS-6-28] [req:DS-6-29] gets no input into the app’s windows and no sight of them', async () => {
    const real = openSimulated();
    const ours = (window: Window | null) =>
      window?.app.id === 'simulated.mail' ? { ...window, app: { ...window.app, pid: process.pid } } : window;
    const desktop: DesktopBackend = {
      ...real,
      windows: async (signal) => (await real.windows(signal)).flatMap((one) => ours(one) ?? []),
      windowAt: async (at, signal) => ours(await real.windowAt(at, signal)),
      close: () => real.close(),
    };
    await start({ host: on(desktop, () => real.close()) });
    const mail = (await desktop.windows(AbortSignal.timeout(5000))).find((one) => one.app.pid === process.pid);
    if (mail === undefined) throw new Error('no window of the app');
    real.world.raiseWindow(mail.id);
    const work = gabp.tool('click', { x: mail.frame.x + 50, y: mail.frame.y + 50 });
    await eventually(() => cards().map(({ effect }) => effect)).toEqual(['disclose']);
    await armed(popover, 'allow').click();
    const answer = await work;
    expect(answer.content.map(({ text }) => text).join()).toContain('protected');
    expect([cards(), real.world.journal().filter(({ event }) => event === 'toggled')]).toEqual([[], []]);
  });
});
