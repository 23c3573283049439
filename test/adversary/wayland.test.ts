/** The paired page on a Wayland desktop: where no program is told of others' input, and places are known to the compositor alone. */
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.js';
import { startApp, type DesktopApp } from '../support/desktop-app.js';
import { realPresses, startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { openPage, type Person } from '../support/person.js';

const never = new AbortController().signal;
const free = (): Promise<void> => Promise.resolve();
let chaperone: TestHost;
let agent: TestAgent;
let app: DesktopApp;

afterEach(async () => {
  await app.close();
  await agent.close();
  await chaperone.close();
});

describe.each([
  ['sway', true],
  ['GNOME', 'gnome'],
] as const)('a person’s own session of %s', (_, wayland) => {
  let linux: LinuxDesktop;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    linux = await openLinuxDesktop(undefined, { wayland });
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      headless: false,
      env: { ...linux.session.env, PATH: process.env['PATH'] ?? '' },
      args: [
        '--no-sandbox',
        '--no-first-run',
        '--disable-gpu',
        '--ozone-platform=wayland',
        '--force-renderer-accessibility',
      ],
    });
  });
  afterAll(async () => {
    await browser.close();
    await linux.close();
  });

  async function start(policy?: string): Promise<void> {
    const desktop = { backend: 'linux', display: 'current', env: linux.session.env } as const;
    chaperone = await startHost({ ...desktop, ...realPresses, ...(policy === undefined ? {} : { policy }) });
    const context = await browser.newContext({ viewport: null });
    page = await context.newPage();
    await page.goto(chaperone.host.pairingLink());
    await page.locator('#views').waitFor();
    agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
    app = await startApp('gtk', linux.session.env, ['--title', 'Work']);
    await linux.window((one) => one.title === 'Work');
    for (const one of (await linux.desktop.windows(never)).filter(({ normal }) => normal))
      await linux.desktop.setWindowFrame(one.id, one.title === 'Work' ? { x: 20, y: 20 } : { x: 460, y: 0, width: 800, height: 780 }, never); // prettier-ignore
  }
  afterEach(() => page.context().close());

  test('keeps its page out of pictures, and its buttons from agents', async () => {
    await start('unattended');
    const browserWindow = async () => {
      const found = (await linux.desktop.windows(never)).find((one) => one.normal && one.app.pid !== app.pid);
      if (found === undefined) throw new Error('there is no browser');
      return found;
    };
    const { frame, app: shown } = await browserWindow();
    const middle = { x: Math.round(frame.x + frame.width / 2), y: Math.round(frame.y + frame.height / 2) };
    expect(await agent.call('click', middle)).toMatchObject({ isError: true });
    const { text } = await agent.call('get_element_tree', { parent: `applications/${shown.pid}` });
    expect(text).not.toContain('Chaperone');
    const [image] = (await agent.call('capture_screenshot', {})).images;
    const { data, info } = await sharp(Buffer.from(image?.data ?? '', 'base64'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const factor = info.width / 1280;
    const at = (Math.round(middle.y * factor) * info.width + Math.round(middle.x * factor)) * 3;
    const row = data.subarray(at, at + 300);
    // One colour, where the page has text and lines.
    expect(
      new Set(Array.from({ length: 100 }, (_, index) => row.subarray(index * 3, index * 3 + 3).toString('hex'))).size,
    ).toBe(1);
  });

  test('takes no Allow of its page: another program may have pressed it', async () => {
    await start();
    const call = agent.call('execute_shell_command', { command: 'expr', args: ['allowed'] });
    const button = page.locator('[data-part="allow"]:not([aria-disabled])');
    await button.waitFor();
    // By other hands than the agent's: the second backend here is another program to the host.
    const shown = await linux.window((one) => one.normal && one.app.pid !== app.pid);
    const limits = { maxDepth: 99, maxNodes: 20_000, timeoutMs: 20_000 };
    const { elements } = await linux.desktop.find({ pid: shown.app.pid }, { titleContains: 'llow' }, 20, limits, never);
    const places = elements.map(({ role, title, frame }) => ({ role, title, frame }));
    const place = places.find(({ role, frame }) => role === 'AXButton' && frame !== null)?.frame;
    if (place == null) throw new Error(`there is no Allow: ${JSON.stringify(places)}`);
    await linux.desktop.movePointer({ x: place.x + place.width / 2, y: place.y + place.height / 2 }, never);
    await linux.desktop.button('left', true, free, never);
    await delay(1500);
    await linux.desktop.button('left', false, free, never);
    await page.locator('[data-part="deny"]').first().waitFor();
    expect(await Promise.race([call.then(() => 'done'), delay(500, 'waiting')])).toBe('waiting');
    await page.locator('[data-part="deny"]').first().click();
    expect((await call).text).not.toContain('allowed');
  });
});

describe('a private Wayland desktop', () => {
  let person: Person;
  afterEach(() => person.close());

  test('serves agents, with decisions on the person’s own display', async () => {
    chaperone = await startHost({ backend: 'linux', display: 'virtual', wayland: true });
    const { desktopEnv } = chaperone.host;
    expect(desktopEnv).toMatchObject({ XDG_SESSION_TYPE: 'wayland' });
    person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
    person.allowLooking();
    agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
    app = await startApp('gtk', desktopEnv ?? {}, ['--title', 'Work']);
    await eventually(async () => expect((await agent.call('list_windows', {})).text).toContain('Work'));
    const typing = agent.call('type_text', { text: 'Grüße, €5, 中文, 🙂', application: `applications/${app.pid}` });
    await person.answer('allow');
    expect((await typing).isError).toBe(false);
    await eventually(async () =>
      expect((await app.journal()).findLast(({ event }) => event === 'changed')?.value).toBe('Grüße, €5, 中文, 🙂'),
    );
  });
});
