/** A press on Allow, on a real display, in a real Chromium: whose hand it was, and what agents hold or inject meanwhile. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import type { Rect } from '../../src/native/desktop.js';
import { APPS, startApp, type DesktopApp } from '../support/desktop-app.js';
import { holdTimers } from '../support/held-timers.js';
import { realPresses, startHost, type TestHost } from '../support/host.js';
import type { HostOptions } from '../../src/main/host/index.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { openPage, settle, type Person } from '../support/person.js';
import { openPersonDevice, type PersonDevice } from '../support/person-device.js';
import { openRawWindow, type RawWindow } from '../support/sentinel.js';

const run = promisify(execFile);
const AT = { x: 200, y: 200 };
let linux: LinuxDesktop;
let raw: RawWindow;
let chaperone: TestHost;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let agent: TestAgent;
let other: Person;
let hand: PersonDevice;

async function start(more: Partial<HostOptions> = {}): Promise<void> {
  const desktop = { backend: 'linux', display: 'current', env: linux.session.env } as const;
  chaperone = await startHost({ ...desktop, ...realPresses, ...more });
  context = await browser.newContext({ viewport: null });
  page = await context.newPage();
  await page.goto(chaperone.host.pairingLink());
  await page.locator('#views').waitFor();
  other = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
}

beforeAll(async () => {
  linux = await openLinuxDesktop();
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    headless: false,
    env: { ...linux.session.env, PATH: process.env['PATH'] ?? '' },
    args: ['--no-sandbox', '--no-first-run', '--disable-gpu', '--window-position=560,0', '--window-size=720,780'],
  });
});
afterAll(async () => {
  await browser.close();
  await linux.close();
});
beforeEach(async () => {
  raw = await openRawWindow(linux.session.env, { title: 'Raw' });
  await linux.window((one) => one.title === 'Raw');
  hand = await openPersonDevice(linux.session.display, linux.session.env);
});
afterEach(async ({ task }) => {
  // A press that was refused says why on the page.
  if (task.result?.state === 'fail') console.error(await page.locator('body').innerText());
  await agent.close();
  other.close();
  await context.close();
  await chaperone.close();
  await hand.close();
  await raw.close();
});

/** In points of the display, once the button takes presses. */
async function allowButton(): Promise<{ x: number; y: number }> {
  const button = page.locator('[data-part="allow"]:not([aria-disabled])');
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) throw new Error('there is no Allow');
  const inset = await page.evaluate(() => ({
    x: window.screenX + (window.outerWidth - window.innerWidth) / 2,
    y: window.screenY + window.outerHeight - window.innerHeight,
  }));
  return { x: Math.round(inset.x + box.x + box.width / 2), y: Math.round(inset.y + box.y + box.height / 2) };
}

const command = () => agent.call('execute_shell_command', { command: 'echo allowed; true', shell: true });
const holding = () => page.locator('[data-part="allow"][data-holding]').waitFor();
const refusal = (words: RegExp) => page.getByText(words).first().waitFor();

/** Holds the button down until `seen`. */
async function holdAsPerson(seen: () => Promise<unknown>): Promise<void> {
  await hand.move(await allowButton());
  await hand.button(true);
  await holding();
  await seen();
  await hand.button(false);
}

describe('Allow, held in Chromium', () => {
  test('by a person’s own device runs the command [req:PR-1]', async () => {
    await start();
    const call = command();
    await holdAsPerson(async () => expect((await call).text).toContain('allowed'));
  });

  test('by what an approved command has left behind never comes: it is ended when the command returns [req:PR-20]', async () => {
    await start();
    const file = (name: string) => join(chaperone.workspace, name);
    const waits = `echo $$ > ${file('pid')}; until [ -e ${file('go')} ]; do sleep 0.05; done; exec xdotool mousemove $(cat ${file('go')}) mousedown 1`;
    await writeFile(file('later.sh'), waits);
    const left = agent.call('execute_shell_command', {
      command: `setsid -f sh ${file('later.sh')} > /dev/null 2>&1; until [ -s ${file('pid')} ]; do sleep 0.05; done`,
      shell: true,
      desktop: true,
    });
    await other.answer('allow');
    const { value } = await left;
    const pid = Number(await readFile(file('pid'), 'utf8'));
    expect(value).toMatchObject({ left_running: false, left_behind: { kept: [] } });
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    // A hold starts over where the page still moves the button, because of the first request.
    await page.getByText('Just answered').waitFor();
    await page
      .getByText(/^Ran `/)
      .first()
      .waitFor();
    const call = command();
    const { x, y } = await allowButton();
    await writeFile(file('go'), `${x} ${y}`);
    // Had it moved or pressed anything, the person's own Allow would be refused now.
    await holdAsPerson(async () => expect((await call).text).toContain('allowed'));
  });

  test('by another program’s XTEST is refused, and let in by --accept-synthetic-input [req:PR-2] [req:PR-3]', async () => {
    await start();
    const press = async (seen: () => Promise<unknown>) => {
      const { x, y } = await allowButton();
      await run('xdotool', ['mousemove', `${x}`, `${y}`, 'mousedown', '1'], { env: linux.session.env });
      await holding();
      await seen();
      await run('xdotool', ['mouseup', '1'], { env: linux.session.env });
    };
    const call = command();
    await press(() => refusal(/another program sent input/));
    const { approval } = await other.next('approvalRequested');
    await settle(other, approval, 'deny');
    expect((await call).text).toContain('DESKTOP_CONFIRM_REQUIRED');
    await agent.close();
    other.close();
    await context.close();
    await chaperone.close();
    await start({ acceptSyntheticInput: true });
    const again = command();
    await press(async () => expect((await again).text).toContain('allowed'));
    const connected = other.seen.findLast((one) => one.type === 'connected');
    expect(JSON.stringify(connected)).toContain('health.synthetic_input');
  });
});

/** A window that shows and takes no input. */
async function layOver({ x, y, width, height }: Rect): Promise<DesktopApp> {
  const place = [
    '--place',
    `${Math.round(x)},${Math.round(y)}`,
    '--size',
    `${Math.round(width)},${Math.round(height)}`,
  ];
  const given = [...place, '--unmanaged', '--click-through'];
  const app = await startApp('qt', linux.session.env, given, join(APPS, 'overlay.py'));
  await eventually(async () => {
    const shown = await linux.desktop.stack(AbortSignal.timeout(5_000));
    expect(shown).toContainEqual(expect.objectContaining({ pid: app.pid }));
  });
  return app;
}

test('a press through another program’s window that is drawn over the card counts for nothing, also where it goes as the press begins; elsewhere it is in nobody’s way [req:PR-21]', async () => {
  const covered: string[] = [];
  await start();
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => String(payload).includes('"covered"') && covered.push(String(payload)))); // prettier-ignore
  await page.reload();
  const call = command();
  const allow = await allowButton();
  const card = await page.locator('.card').boundingBox();
  const button = await page.locator('[data-part="allow"]').boundingBox();
  if (card === null || button === null) throw new Error('there is no card');
  const [left, top] = [allow.x - button.x - button.width / 2, allow.y - button.y - button.height / 2];
  const onTitle = { x: left + card.x, y: top + card.y, width: card.width, height: 40 };

  const fake = await layOver(onTitle);
  await holdAsPerson(() => refusal(/another window covers this request/));
  await eventually(async () => expect(covered).toHaveLength(1));
  expect(covered[0]).toContain('overlay');
  await hand.move(await allowButton());
  await hand.button(true);
  await holding();
  await fake.close();
  await eventually(async () => expect(covered).toHaveLength(2));
  await hand.button(false);

  const bubble = await layOver({ x: left + card.x, y: 2, width: card.width, height: 20 });
  await holdAsPerson(async () => expect((await call).text).toContain('allowed'));
  await bubble.close();
});

test('a press on a page whose window another program moves meanwhile counts for nothing; one on it where it then stands does [req:PR-22]', async () => {
  await start();
  const call = command();
  const named = ['search', '--onlyvisible', '--name', 'Chaperone.*Chromium'];
  const id = (await run('xdotool', named, { env: linux.session.env })).stdout.trim();
  await holdAsPerson(async () => {
    await run('xdotool', ['windowmove', id, '550', '4'], { env: linux.session.env });
    await refusal(/page’s window moved/);
  });
  await holdAsPerson(async () => expect((await call).text).toContain('allowed'));
});

describe('a held button', () => {
  test('is covered by one card, and let go outside its window without dropping or clicking [req:PR-7] [req:PR-8]', async () => {
    await start();
    other.allowLooking();
    const down = agent.call('left_mouse_down', AT);
    await other.answer('allow');
    expect((await down).isError).toBe(false);
    expect((await agent.call('mouse_move', { x: 250, y: 250 })).isError).toBe(false);
    const up = await agent.call('left_mouse_up', { x: 700, y: 700 });
    expect(up.value).toMatchObject({ released: 'left button', dropped: false });
    const [release] = await eventually(async () => {
      const found = await raw.events('release');
      if (found.length === 0) throw new Error('still down');
      return found;
    });
    expect(release?.x === undefined || release.x > 460 || (release.y ?? 0) > 360).toBe(true);
    const cards = other.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose');
    expect(cards).toHaveLength(1);
  });

  test('is let go when the person presses Allow on another card, which then needs a new press [req:PR-5]', async () => {
    await start();
    other.allowLooking();
    const down = agent.call('left_mouse_down', AT);
    await other.answer('allow');
    await down;
    const call = command();
    const { approval } = await other.next('approvalRequested', (one) => one.approval.effect === 'dangerous');
    expect((await raw.events('release')).length).toBe(0);
    expect(await settle(other, approval, 'allow')).toContain('press_again');
    expect((await call).text).toContain('allowed');
    await eventually(async () => expect(await raw.events('release')).toHaveLength(1));
    const left = await agent.call('left_mouse_up');
    expect(left.text).toContain('You hold no left button');
  });

  test('that runs out of time clicks nothing: GTK', async () => {
    const app = await linux.fixture({ place: { x: 60, y: 60 } });
    const limit = holdTimers(29_000);
    await start({ holdMs: 29_000, policy: 'unattended' });
    const window = await linux.window((one) => one.app.pid === app.pid);
    const limits = { maxDepth: 60, maxNodes: 5_000, timeoutMs: 30_000 };
    const scope = { pid: window.app.pid };
    const found = await linux.desktop.find(scope, { titleContains: 'Send' }, 5, limits, AbortSignal.timeout(30_000));
    const send = found.elements.find(({ role }) => role === 'AXButton')?.frame;
    if (send == null) throw new Error('no Send');
    const at = { x: Math.round(send.x + send.width / 2), y: Math.round(send.y + send.height / 2) };
    const pressed = async () =>
      (await app.journal()).filter((one) => one.control === 'send' && one.event === 'pressed');
    await agent.call('left_mouse_down', at);
    const up = await agent.call('left_mouse_up');
    expect(up.value, up.text).toMatchObject({ dropped: true });
    await eventually(async () => {
      if ((await pressed()).length !== 1) throw new Error('a release in place is a click');
    });
    await agent.call('left_mouse_down', at);
    await limit.end();
    // Another click is refused as long as the button is down.
    await eventually(async () => {
      const { text } = await agent.call('click', { x: 1000, y: 700 });
      if (text.includes('held down already')) throw new Error(text);
    });
    expect(await pressed()).toHaveLength(1);
  });
});
