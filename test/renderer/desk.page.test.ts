/** Live, Agents and Health on a page, against a host that says what a test wants. */
import { title, type ConnectedAgent, type Finding, type ToPage } from '../../src/main/protocol/index.js';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { keepPicture } from '../support/keep-picture.js';
import type { Shown } from '../support/page-host.js';
import { activity, ago, card, CLAUDE, CODEX, GRANT, HEALTH, mailPicture, POLICY, STATUS } from '../support/page-samples.js'; // prettier-ignore
import { complaints, eventually, pageTests, reconnect, spread, unmarked } from '../support/page-test.js';
import { message, verbatim } from '../../src/messages/index.js';

const pages = pageTests();
const PICTURES = process.env['CHAPERONE_PICTURES'];
const at = new Date().toISOString();
const LONG = 'W'.repeat(10_000);
const HOSTILE = `<img src=x onerror="document.title='owned'"> invoice_\u202efdp.exe p\u200bay ${LONG}`;

const claude: ConnectedAgent = {
  ...CLAUDE,
  since: ago(84),
  state: 'waiting',
  currentCalls: [
    {
      executionId: card().executionId,
      tool: 'click',
      does: 'click',
      effect: 'input',
      subject: card().subject,
      waiting: true,
    },
  ],
  remembered: [
    { effect: 'disclose', what: 'screen' },
    { effect: 'disclose', what: 'app:com.apple.mail' },
  ],
  session: { name: 'Answer Maria', since: ago(30) },
};
const codex: ConnectedAgent = {
  ...CODEX,
  since: ago(50),
  state: 'paused',
  paused: { by: 'host', at: ago(2), reason: verbatim('You denied three requests within a minute.') },
};
const grant = { ...GRANT, agent: { ...GRANT.agent, startTime: CLAUDE.startTime } };
const mac = { ...HEALTH, issues: [{ title: verbatim('Screen Recording is missing'), fix: verbatim('Switch it on.'), about: 'screenRecording' }], platform: 'macOS 26.1', backend: 'macos', display: verbatim('Built-in'), system: 'macos' as const, screen: 'real' as const, permissions: { accessibility: 'granted' as const, screenRecording: 'missing' as const, 'automation: Mail': 'stale' as const } }; // prettier-ignore
const linux = { ...HEALTH, platform: 'Debian 12, X11', backend: 'linux (virtual)', display: verbatim(':99'), system: 'linux' as const, screen: 'virtual' as const, issues: [], permissions: { accessibility: 'granted' as const, screenRecording: 'granted' as const } }; // prettier-ignore
const FINDINGS: Finding[] = [
  { name: 'node', ok: true, seen: verbatim('v24.1.0'), fix: null, command: null },
  { name: 'virtual desktop', ok: false, seen: message('doctor.missing_programs', { programs: 'Xvfb, openbox' }), fix: message('doctor.install'), command: 'sudo apt-get install --no-install-recommends xvfb openbox at-spi2-core' },
]; // prettier-ignore
const full: Partial<Shown> = {
  status: { ...STATUS, agents: [claude, codex] },
  policy: POLICY,
  grants: [grant],
  health: linux,
  activity: [activity()],
};

async function go(page: Page, view: 'Live' | 'Agents' | 'Health'): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${view}`) }).click(); // prettier-ignore
  await page.getByRole('heading', { level: 1, name: view }).waitFor();
}

async function answerCheck(more: Partial<Extract<ToPage, { type: 'check' }>> = {}): Promise<void> {
  const { request } = await pages.host().next('check');
  const places = [
    { name: 'state' as const, path: '/home/ana/.local/state/chaperone' },
    { name: 'evidence' as const, path: '/home/ana/…/artifacts/desktop' },
  ];
  pages.host().say({ type: 'check', request, at, findings: FINDINGS, record: null, places, ...more });
}

async function frame(seq: number, more: Partial<Extract<ToPage, { type: 'frame' }>> = {}): Promise<void> {
  const picture = { ...(await mailPicture(1280, 720)), target: null };
  pages.host().say({ type: 'frame', seq, at, picture, pointer: { x: 1080, y: 80 }, ring: { x: 206, y: 48, width: 1006, height: 672 }, noFrameReason: null, ...more }); // prettier-ignore
}

async function prepare(page: Page, view: 'Live' | 'Agents' | 'Health'): Promise<void> {
  await go(page, view);
  if (view === 'Live') {
    await pages.host().next('live');
    await frame(1);
    await pages.host().next('frameTaken');
  }
  if (view === 'Health') {
    await answerCheck();
    await page.getByText('Where things are').waitFor();
  }
}

describe('every view of the desk', () => {
  test.each([
    [320, 'light'],
    [880, 'dark'],
    [2000, 'light'],
    ...(PICTURES === undefined ? [] : ([[320, 'dark'], [880, 'light'], [2000, 'dark']] as const)),
  ] as const)('fits at %i and pleases axe, %s', async (width, colorScheme) => {
    const page = await pages.open(full, { viewport: { width, height: 900 }, colorScheme });
    for (const view of ['Live', 'Agents', 'Health'] as const) {
      if (view === 'Health') pages.host().say({ type: 'health', health: mac });
      await prepare(page, view);
      for (const fold of await page.locator('[data-fold-button]').all()) await fold.click();
      expect(await spread(page), view).toEqual([]);
      expect(await complaints(page), view).toEqual([]);
      if (PICTURES !== undefined) await page.evaluate(() => scrollTo(0, 0));
      await keepPicture(page, `${view.toLowerCase()}-${width}-${colorScheme}`, { fullPage: true });
    }
  }, 120_000); // prettier-ignore
});

describe('the desktop live', () => {
  test('[req:AP-L-1] [req:AP-L-2] comes picture by picture while it is looked at, and not to a hidden tab', async () => {
    const page = await pages.open(full);
    const host = pages.host();
    await go(page, 'Live');
    expect(await host.next('live')).toMatchObject({ on: true, still: false });
    await frame(1);
    expect(await host.next('frameTaken')).toMatchObject({ seq: 1 });
    const src = await page.locator('.screen img').getAttribute('src');
    await frame(2, { picture: null, pointer: { x: 0, y: 0 }, ring: null });
    expect(await host.next('frameTaken')).toMatchObject({ seq: 2 });
    expect(await page.locator('.screen img').getAttribute('src')).toBe(src);
    await expect.poll(() => page.locator('.screen .ring').count()).toBe(0);
    await frame(3, { picture: null, noFrameReason: 'pairing' });
    await host.next('frameTaken');
    await page.getByText('A pairing link is open').waitFor();
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    expect(await host.next('live')).toMatchObject({ on: false });
    await page.evaluate(() => {
      Reflect.deleteProperty(document, 'visibilityState');
      document.dispatchEvent(new Event('visibilitychange'));
    });
    expect(await host.next('live')).toMatchObject({ on: true });
    await page.getByRole('link', { name: 'Home', exact: true }).first().click();
    expect(await host.next('live')).toMatchObject({ on: false });
    expect(host.received.every(({ type }) => ['pair', 'resume', 'authenticate', 'visibility', 'live', 'frameTaken', 'earlier'].includes(type))).toBe(true);
  }); // prettier-ignore

  test('looks again after the connection was lost, and says meanwhile that the picture is old', async () => {
    const page = await pages.open(full);
    const host = pages.host();
    await prepare(page, 'Live');
    host.goAway();
    await page.getByText('Not connected. This is the last picture.').waitFor();
    await expect.poll(() => page.locator('.screen img').count()).toBe(1);
    host.comeBack();
    await reconnect(page);
    expect(await host.next('live')).toMatchObject({ on: true });
  });

  test('[req:AP-L-5] of the screen in front of the person is a single picture, on request', async () => {
    const page = await pages.open({ ...full, health: mac });
    const host = pages.host();
    await go(page, 'Live');
    await page.getByText('This is the screen in front of you').waitFor();
    await page.getByRole('button', { name: 'Take a picture' }).click();
    expect(await host.next('live')).toMatchObject({ on: true, still: true });
    await frame(1);
    await page.getByText(/^Taken at .* It is not stored\.$/).waitFor();
    await page.getByRole('button', { name: 'Take another' }).click();
    await host.next('live');
    expect(await host.next('live')).toMatchObject({ on: true, still: true });
    await frame(2);
    host.goAway();
    await page.getByText('Not connected').waitFor();
    host.comeBack();
    await reconnect(page);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await host.next('pause');
    expect(host.received.filter((message) => message.type === 'live' && message.on)).toHaveLength(2);
  });
});

describe('[req:AP-G-1] agents', () => {
  test('are shown with what they do and may do, and held back by keyboard alone', async () => {
    const page = await pages.open(full);
    const host = pages.host();
    await go(page, 'Agents');
    const one = page.getByRole('article', { name: 'Claude Code' });
    for (const words of ['Click “Send” in Mail', 'Asks you', /^Claude Code can see, click and type in/, 'See the whole screen', 'See what com.apple.mail shows', 'Policy: Standard.', 'a claim, not checked', 'Answer Maria'])
      await one.getByText(words).first().waitFor();
    const press = async (name: string, type: Parameters<typeof host.next>[0]) => {
      await one.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      return host.next(type);
    };
    expect(await press('Pause Claude Code', 'pauseAgent')).toMatchObject({ id: CLAUDE.id, on: true });
    expect(await press('Stop this', 'abort')).toMatchObject({ executionId: claude.currentCalls?.[0]?.executionId });
    expect(await press('Revoke', 'revokeGrant')).toMatchObject({ id: grant.id });
    expect(await press('Ask again', 'forgetAgent')).toMatchObject({ id: CLAUDE.id });
    await one.getByRole('button', { name: 'Who it is' }).press('Enter');
    for (const words of [CLAUDE.executable, String(CLAUDE.pid), String(CLAUDE.cwd)]) await one.getByText(words).waitFor();
    const other = page.getByRole('article', { name: 'Codex' });
    await other.getByText('You denied three requests within a minute.').waitFor();
    await other.getByRole('button', { name: 'Resume Codex' }).press('Enter');
    expect(await host.next('pauseAgent')).toMatchObject({ id: CODEX.id, on: false });
    await page.getByRole('button', { name: 'Take over' }).press('Enter');
    await host.next('takeOver');
    await page.getByRole('button', { name: 'Pause all' }).press('Enter');
    expect(await host.next('pause')).toMatchObject({ on: true });
  }); // prettier-ignore

  test('may be none, or fifty', async () => {
    const page = await pages.open({ ...full, status: { ...STATUS, agents: [] } }, { viewport: { width: 320, height: 700 } });
    await go(page, 'Agents');
    await page.getByText('No agent is connected').waitFor();
    await go(page, 'Live');
    await page.getByText('No agent is connected.').waitFor();
    const agents = Array.from({ length: 50 }, (_, index) => ({ ...claude, id: `a${index}`, name: `Agent ${index}`, pid: index + 1 }));
    pages.host().say({ type: 'status', status: { ...STATUS, agents } });
    await go(page, 'Agents');
    await eventually(() => page.getByRole('article').count()).toBe(50);
    expect(await spread(page)).toEqual([]);
  }); // prettier-ignore

  test('whose pause is theirs alone leave Stop alive and can be resumed from any view', async () => {
    const page = await pages.open(full);
    const banner = page.locator('.banner');
    await banner.getByText('Codex is paused').waitFor();
    await banner.getByRole('button', { name: 'Resume Codex' }).click();
    expect(await pages.host().next('pauseAgent')).toMatchObject({ id: CODEX.id, on: false });
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await pages.host().next('pause')).toMatchObject({ on: true });
  });
});

describe('[req:AP-H-1] health', () => {
  test('says what is missing and how to mend it, and checks again when asked', async () => {
    const page = await pages.open({ ...full, health: mac });
    const host = pages.host();
    await go(page, 'Health');
    await answerCheck();
    expect(host.received.find(({ type }) => type === 'check')).toMatchObject({ record: false });
    await page.getByText('Open Screen Recording in System Settings.').waitFor();
    await page.getByText('tccutil reset AppleEvents dev.chaperone.app').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Open System Settings' }).count()).toBe(0);
    await page.getByText(/Checked /).first().waitFor();
    await page.getByRole('button', { name: 'Check again' }).press('Enter');
    const record = { ok: false, lines: 1_284, problems: [verbatim('Line 7 was edited.')], problemCount: 3, notes: [] };
    await answerCheck({ record });
    await page.getByText('3 faults in 1,284 lines.').waitFor();
    await page.getByText('Line 7 was edited.').waitFor();
    await page.getByText('sudo apt-get install --no-install-recommends xvfb openbox at-spi2-core').waitFor();
    await page.getByText('/home/ana/.local/state/chaperone').waitFor();
    await page.getByText(mac.hostVersion, { exact: true }).waitFor();
  }); // prettier-ignore

  test('has a row for each application that scripts may or may not control, and how to allow it', async () => {
    const automation = [
      { application: 'Finder', state: 'granted' as const },
      { application: 'Notes: <b>old</b>', state: 'missing' as const },
    ];
    const page = await pages.open({ ...full, health: { ...mac, automation } });
    await go(page, 'Health');
    await page.getByText('Automation: Finder').waitFor();
    await page.getByText('Automation: Notes: <b>old</b>').waitFor();
    await page.getByText('Open Automation in System Settings.').waitFor();
  });

  test('[req:MP-6] names the program that the settings list, and what to drag there', async () => {
    const grantee = { name: 'Terminal', path: '/System/Applications/Utilities/Terminal.app' };
    const page = await pages.open({ ...full, health: { ...mac, grantee } });
    await go(page, 'Health');
    await page.getByText(`macOS lists Terminal for these: ${grantee.path}`).waitFor();
    await page.getByText('Switch on Terminal.').waitFor();
    await page.getByText(`drag it there from the Finder: ${grantee.path}`).first().waitFor();
    await page.getByText('Choose Terminal in the list').waitFor();
    // It resets the app's own entry only.
    expect(await page.getByText('tccutil reset').count()).toBe(0);
  });

  test('[req:MP-7] offers to start the app again where the system demands it', async () => {
    const page = await pages.open({ ...full, health: { ...mac, relaunch: true }, popover: 'there' });
    await go(page, 'Health');
    await page.getByText('was switched on while Chaperone was running').waitFor();
    await page.getByRole('button', { name: 'Relaunch' }).click();
    expect(await pages.host().next('relaunch')).toEqual({ type: 'relaunch' });
  });

  test('opens the system’s settings where there is a menu bar that can', async () => {
    const page = await pages.open({ ...full, health: mac, popover: 'there' });
    await go(page, 'Health');
    await page.getByRole('button', { name: 'Open System Settings' }).first().click();
    expect(await pages.host().next('openPermission')).toMatchObject({ pane: 'screenRecording' });
  });

  test('what keeps agents from the desktop is said on every view', async () => {
    const page = await pages.open(full);
    for (const [condition, words] of [
      ['locked', 'The screen is locked'],
      ['display_lost', 'The desktop is gone'],
      ['taken_over', 'You have the desktop'],
      ['permission', 'A permission is missing'],
    ] as const) {
      pages.host().say({ type: 'status', status: { ...STATUS, attention: { condition, summary: 'x' } } });
      await page.locator('.banner').getByText(words).waitFor();
      await page.locator('.top .chip').getByText('On hold').waitFor();
    }
  });
});

test('hostile text in every field of these views stays text', async () => {
  const hostile = verbatim(HOSTILE);
  const agent: ConnectedAgent = {
    ...claude, name: HOSTILE, tile: HOSTILE, claim: HOSTILE, executable: HOSTILE, script: HOSTILE, cwd: HOSTILE,
    state: 'paused', paused: { by: 'x', at, reason: verbatim(HOSTILE) }, session: { name: HOSTILE, since: at },
    currentCalls: [{ executionId: card().executionId, tool: HOSTILE, does: 'click', effect: 'input', waiting: false, subject: { title: title('verbatim', { text: HOSTILE }), target: HOSTILE, app: HOSTILE, place: HOSTILE } }, { executionId: activity().executionId, tool: HOSTILE, does: 'click', effect: null, subject: null, waiting: false }],
    remembered: [{ effect: 'disclose', what: `app:${HOSTILE}` }, { effect: 'input', what: `action:${HOSTILE}` }],
  }; // prettier-ignore
  const own = { ...grant, label: hostile, agent: { ...grant.agent, executable: HOSTILE, script: HOSTILE, pid: null, startTime: null } }; // prettier-ignore
  const health = { ...linux, backend: HOSTILE, display: hostile, platform: HOSTILE, permissions: { [HOSTILE]: 'missing' as const }, issues: [{ title: hostile, fix: hostile }, { title: message('health.hotkey_taken', { keys: HOSTILE }), fix: hostile, about: HOSTILE }] }; // prettier-ignore
  const page = await pages.open({ ...full, health, grants: [own], status: { ...STATUS, agents: [agent] } }, { viewport: { width: 320, height: 700 } }); // prettier-ignore
  for (const view of ['Live', 'Agents', 'Health'] as const) {
    await go(page, view);
    if (view === 'Health')
      await answerCheck({ findings: [{ name: HOSTILE, ok: false, seen: hostile, fix: hostile, command: HOSTILE }], places: [{ name: 'state', path: HOSTILE }], record: { ok: false, lines: 1, problems: [hostile], problemCount: 2, notes: [hostile] } }); // prettier-ignore
    if (view === 'Health') await page.getByText('Where things are').waitFor();
    for (const fold of await page.locator('[data-fold-button]').all()) await fold.click();
    expect(await spread(page), view).toEqual([]);
    expect(await unmarked(page), view).toEqual([]);
    expect(await page.title()).not.toContain('owned');
  }
}, 60_000);
