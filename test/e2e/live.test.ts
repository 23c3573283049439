/** The page's live view of a real virtual desktop, and single agents held back, through the front door. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DesktopBackend } from '../../src/native/desktop.js';
import { openDesktop } from '../../src/native/open.js';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startApp, type DesktopApp } from '../support/desktop-app.js';
import { startHost, type TestHost } from '../support/host.js';
import { connectAs } from '../support/other.js';
import { keepPicture } from '../support/keep-picture.js';
import { startPageBrowser, type PageBrowser } from '../support/page-browser.js';
import { eventually } from '../support/page-test.js';
import { openPage } from '../support/person.js';
import { openRpc } from '../support/rpc.js';
import { message } from '../../src/messages/index.js';

const SCREEN = { width: 1440, height: 900 };
/** The ring lies around the window and close to it, in points of the desktop. */
const RING_DISTANCE = 40;

let browser: PageBrowser;
let chaperone: TestHost;
let app: DesktopApp;
let agent: TestAgent;
let page: Page;
let problems: string[];
let captures = 0;
let real: DesktopBackend;
const opened: DesktopApp[] = [];

beforeAll(async () => {
  browser = await startPageBrowser();
  chaperone = await startHost({
    backend: 'linux',
    display: 'virtual',
    assets: browser.dir,
    openDesktop: async (options) => {
      const found = await openDesktop({ ...options, size: SCREEN });
      real = found.desktop;
      const capture: typeof found.desktop.capture = (target, signal) => {
        if (target.kind === 'display') captures += 1;
        return found.desktop.capture(target, signal);
      };
      return { ...found, desktop: { ...found.desktop, capture } };
    },
  });
  app = await startApp('gtk', chaperone.host.desktopEnv ?? {}, ['--title', 'Letter']);
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  ({ page, problems } = await browser.open());
  await page.goto(chaperone.host.pairingLink());
  await page.locator('#views').waitFor();
});
afterAll(async () => {
  await agent.close();
  for (const one of [app, ...opened]) await one.close();
  await chaperone.close();
  await browser.close();
  expect(problems).toEqual([]);
});

const go = (view: string) => page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${view}`) }).click(); // prettier-ignore
const screen = () => page.locator('.screen img');
const shown = () => screen().getAttribute('src');

/** Another window opens on the desktop; resolves when it is there. */
async function change(title: string): Promise<void> {
  opened.push(await startApp('gtk', chaperone.host.desktopEnv ?? {}, ['--title', title]));
  await shows(title);
}
const shows = (title: string) =>
  eventually(async () => (await real.windows(AbortSignal.timeout(10_000))).map((one) => one.title)).toContain(title);

/** The host has looked around and answered: whatever it was told before has been done. */
async function roundTrip(): Promise<void> {
  await go('Health');
  await page.getByText('Where things are').waitFor();
}

describe('the desktop live [req:DS-9-7]', () => {
  test('is drawn again when an application changes it, and captured for nobody once the page has gone', async () => {
    await go('Live');
    await screen().waitFor();
    const before = await shown();
    await change('Second letter');
    await eventually(shown).not.toBe(before);
    await go('Home');
    await roundTrip();
    const left = captures;
    await change('Third letter');
    await go('Home');
    await roundTrip();
    expect(captures).toBeLessThanOrEqual(left + 1);
  });

  test('[req:AP-L-4] rings the window an agent asks to touch, and says so in words', async () => {
    await shows('Letter');
    await go('Live');
    await screen().waitFor();
    const work = agent
      .call('type_text', { text: 'Dear Maria', application: `applications/${app.pid}` })
      .catch(() => null);
    await page.getByRole('status', { name: 'What happens now' }).getByText('Asks you').waitFor();
    const frame = (await real.windows(AbortSignal.timeout(10_000))).find(({ title }) => title === 'Letter')?.frame;
    const [picture, line] = [await screen().boundingBox(), await page.locator('.screen .ring .line').boundingBox()];
    if (frame === undefined || picture === null || line === null) throw new Error('no window, picture or ring');
    const scale = picture.width / SCREEN.width;
    const around = {
      left: (frame.x * scale - (line.x - picture.x)) / scale,
      top: (frame.y * scale - (line.y - picture.y)) / scale,
      right: (line.x + line.width - picture.x - (frame.x + frame.width) * scale) / scale,
      bottom: (line.y + line.height - picture.y - (frame.y + frame.height) * scale) / scale,
    };
    await keepPicture(page, 'live', { fullPage: true });
    for (const [side, distance] of Object.entries(around)) {
      expect(distance, `${side} of the ring, in points outside the window`).toBeGreaterThanOrEqual(0);
      expect(distance, `${side} of the ring, in points outside the window`).toBeLessThan(RING_DISTANCE);
    }
    await page.getByRole('button', { name: 'Take over' }).click();
    expect((await work)?.isError).toBe(true);
    await page.getByText('You took over the desktop.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('You took over the desktop.').waitFor({ state: 'hidden' });
  });

  test('is shown to no page that is not paired', async () => {
    await go('Home');
    await roundTrip();
    const left = captures;
    const stranger = await openPage(chaperone.host.url);
    stranger.send({ type: 'live', on: true });
    expect((await stranger.next('error')).code).toBe('pairing_needed');
    await change('Fourth letter');
    stranger.send({ type: 'frameTaken', seq: 0 });
    await stranger.next('error');
    expect(stranger.seen.filter(({ type }) => type === 'frame')).toEqual([]);
    expect(captures).toBeLessThanOrEqual(left + 1);
    stranger.close();
  });
});

describe('one agent held back', () => {
  test('[req:AP-G-2] stays paused when its program connects anew, until the person resumes it', async () => {
    const person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
    const first = connectAs({ path: chaperone.host.socketPath });
    const rpc = await openRpc(first.stream, chaperone.workspace);
    const work = rpc.call('desktop.find', { selector: { byRole: 'AXButton' } });
    const { status } = await person.next('status', ({ status }) => status.agents.some(({ pid }) => pid === first.pid));
    const id = status.agents.find(({ pid }) => pid === first.pid)?.id ?? '';
    await person.next('approvalRequested');
    person.send({ type: 'pauseAgent', id, on: true });
    await person.next('status', ({ status: now }) => now.agents.some((one) => one.id === id && one.state === 'paused'));
    expect((await work).error).toBeDefined();
    await first.close();
    const second = connectAs({ path: chaperone.host.socketPath });
    const again = await openRpc(second.stream, chaperone.workspace);
    const find = () => again.call('desktop.find', { selector: { byRole: 'AXButton' } });
    expect((await find()).error).toMatchObject({ code: 'DESKTOP_HOST_NOT_READY', details: { reason: 'paused' } });
    const { status: held } = await person.next('status', ({ status: now }) => now.agents.some(({ pid, state }) => pid === second.pid && state === 'paused')); // prettier-ignore
    expect(held).toMatchObject({ state: 'watching', paused: null });
    const twin = held.agents.find(({ pid }) => pid === second.pid);
    expect(twin).toMatchObject({
      state: 'paused',
      paused: { reason: message('pause.by', { who: 'person', did: 'one' }) },
    });
    person.send({ type: 'pauseAgent', id: twin?.id ?? '', on: false });
    await person.next('status', ({ status: now }) => now.agents.some(({ pid, state }) => pid === second.pid && state !== 'paused')); // prettier-ignore
    const asked = find();
    await person.answer('allow');
    expect((await asked).error).toBeUndefined();
    const { status: after } = await person.next('status', ({ status: now }) => now.agents.some(({ pid, remembered }) => pid === second.pid && (remembered ?? []).length > 0)); // prettier-ignore
    expect(after.agents.find(({ pid }) => pid === second.pid)?.remembered).toMatchObject([
      { effect: 'disclose', what: expect.stringMatching(/^app:/) },
      { effect: 'disclose', what: 'titles' },
    ]);
    person.send({ type: 'forgetAgent', id: twin?.id ?? '' });
    await person.next('status', ({ status: now }) => now.agents.some(({ pid, remembered }) => pid === second.pid && (remembered ?? []).length === 0)); // prettier-ignore
    const askedAgain = find();
    await person.answer('deny');
    expect((await askedAgain).error).toBeDefined();
    person.close();
    await second.close();
  });
});
