/** Parts of the app that need no window. */
import { CLICK } from '../support/titles.js';
import { createHash } from 'node:crypto';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createAlerts, Notices } from '../../src/main/app/alerts.js';
import { PAGE, isPage, serveFolder } from '../../src/main/app/scheme.js';
import { trayStatus } from '../../src/main/app/menubar-ui.js';
import { settingsAddress } from '../../src/main/app/system.js';
import { formatterFor } from '../../src/messages/catalogues.js';
import type { MenubarHost } from '../../src/main/host/index.js';
import type { Card, Health } from '../../src/main/protocol/index.js';
import { createElectron } from '../support/electron/index.js';
import { createMachine } from '../support/electron/machine.js';
import { STATUS, card as cardOf, shellCard } from '../support/page-samples.js';
import { inEnglish, verbatim, type Formatter } from '../../src/messages/index.js';

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

describe('what a notification says', () => {
  function alerts(
    words: Formatter = inEnglish,
    names: ReadonlyMap<string, string> = new Map(),
  ): {
    electron: ReturnType<typeof createElectron>;
    tell: Parameters<MenubarHost['onCard']>[0];
    asked: Card[];
  } {
    const electron = createElectron(createMachine(null));
    const asked: Card[] = [];
    let tell: Parameters<MenubarHost['onCard']>[0] = () => undefined;
    const made = createAlerts({
      notices: new Notices(electron.electron),
      shell: electron.electron.shell,
      menubar: {
        cards: () => asked,
        questions: () => [],
        nameOf: (id) => names.get(id) ?? null,
        deny: () => true,
        onChange: () => () => undefined,
        onCard: (listener) => {
          tell = listener;
          return () => undefined;
        },
      },
      popover: {
        show: () => Promise.resolve(),
        showInactive: () => undefined,
        hide: () => undefined,
        hasFocus: () => false,
      },
      words,
      platform: 'linux',
      remindAfterMs: [],
    });
    ends.push(made.close);
    return { electron, tell: (event) => tell(event), asked };
  }

  test('is plain: hidden characters are spelled out, line breaks and length cannot push words away', () => {
    const { electron, tell } = alerts();
    const card = cardOf({
      agent: { ...cardOf().agent, name: 'Claude\nCode\u202egpj' },
      subject: {
        title: CLICK,
        target: `Send\u200b${'!'.repeat(500)}`,
        app: 'Mail\u0000',
        place: null,
      },
    });
    tell({ kind: 'requested', card });
    const [shown] = electron.notifications;
    expect(`${shown?.title}${shown?.body}`).not.toMatch(/[\n\u0000\u200b\u202e]/);
    expect(shown?.title).toMatch(/^Claude Code⟦.+⟧gpj wants to$/);
    expect(shown?.body).toMatch(/^Click “Send⟦.+⟧!+…” in Mail⟦.+⟧$/);
    expect(electron.told.beeps).toBe(1);
  });

  test.each([
    ['German', formatterFor(['de-AT']), '„Send“ in Mail anklicken', 'Einen Shell-Befehl ausführen'],
    ['Chinese', formatterFor(['zh-Hans-CN']), '在 Mail 中点击“Send”', '运行 shell 命令'],
  ])('is in %s without the host’s English', (_name, words, click, shell) => {
    const { electron, tell } = alerts(words);
    for (const card of [cardOf(), shellCard()]) tell({ kind: 'requested', card });
    expect(electron.notifications.map(({ body }) => body)).toEqual([click, shell]);
  });

  test('has the name that the person gave, and the program behind it', () => {
    const card = cardOf();
    const { electron, tell } = alerts(inEnglish, new Map([[card.agent.id, 'Shop']]));
    tell({ kind: 'requested', card });
    expect(electron.notifications.map(({ title }) => title)).toEqual(['Shop (Claude Code) wants to']);
  });

  test('is taken back when the one who asked has gone, and said again when it is back', () => {
    const { electron, tell } = alerts();
    const card = cardOf();
    tell({ kind: 'requested', card });
    tell({ kind: 'changed', card: { ...card, orphaned: true } });
    expect(electron.notifications.map(({ state }) => state)).toEqual(['closed']);
    tell({ kind: 'changed', card });
    expect(electron.notifications.map(({ state }) => state)).toEqual(['closed', 'shown']);
  });
});

describe('the state of the tray [req:AP-A-1]', () => {
  const health = (state: 'granted' | 'stale'): Health => ({
    hostVersion: '1',
    platform: 'x',
    backend: 'x',
    display: verbatim('x'),
    permissions: { accessibility: state },
    issues: [],
  });
  const desk = {
    status: () => STATUS,
    health: () => health('granted'),
    cards: () => [],
    questions: () => [],
    nameOf: () => null,
  };

  test('puts a permission that does not work first, then a pause, then what waits', () => {
    const cards = () => [cardOf()];
    const status = () => ({ ...STATUS, state: 'paused' as const });
    expect(trayStatus({ ...desk, cards, status, health: () => health('stale') })).toEqual({
      state: 'missing',
      waiting: 1,
      tasks: [],
    });
    expect(trayStatus({ ...desk, cards, status })).toEqual({ state: 'paused', waiting: 1, tasks: [] });
    const [one, two] = [cardOf(), cardOf()];
    const together = () => [one, two].map((card) => ({ ...card, group: one.id }));
    expect(trayStatus({ ...desk, cards: together })).toMatchObject({ state: 'waiting', waiting: 1 });
    expect(trayStatus({ ...desk, cards, status: () => ({ ...STATUS, state: 'acting' }) })).toEqual({
      state: 'waiting',
      waiting: 1,
      tasks: [],
    });
    expect(trayStatus({ ...desk, status: () => ({ ...STATUS, state: 'acting' }) }).state).toBe('acting');
    expect(trayStatus({ ...desk, status: () => ({ ...STATUS, agents: [] }) }).state).toBe('idle');
  });
});

describe('the popover’s own address', () => {
  const dir = mkdtempSync(join(tmpdir(), 'chaperone-scheme-'));
  writeFileSync(join(dir, 'index.html'), '<p>page</p>');
  writeFileSync(join(dir, '.secret.html'), 'no');
  symlinkSync('/etc', join(dir, 'etc'));
  const serve = serveFolder(dir);
  const get = (url: string, method = 'GET') => serve({ url, method });

  test('serves the page under a policy that lets it talk to nobody', async () => {
    const response = await get(`${PAGE}?x#/activity`);
    expect([response.status, await response.text()]).toEqual([200, '<p>page</p>']);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy.split('; ')).toContain("script-src 'self'");
  });

  test('names what is built into the page by its hash, and nothing for other files', async () => {
    const text = 'document.title = "x"';
    writeFileSync(join(dir, 'other.html'), `<script>${text}</script><script type="x">no</script>`);
    writeFileSync(join(dir, 'code.js'), `<script>${text}</script>`);
    const policyOf = async (name: string) =>
      (await get(`app://chaperone/${name}`)).headers.get('content-security-policy')?.split('; ');
    const hash = createHash('sha256').update(text).digest('base64');
    expect(await policyOf('other.html')).toContain(`script-src 'self' 'sha256-${hash}'`);
    expect(await policyOf('code.js')).toContain("script-src 'self'");
  });

  test.each([
    ['another folder', 'app://chaperone/../../etc/passwd'],
    ['a dressed up way out', 'app://chaperone/%2e%2e%2f%2e%2e%2fetc%2fhosts.html'],
    ['a hidden file', 'app://chaperone/.secret.html'],
    ['a file of no kind the page has', 'app://chaperone/etc/passwd'],
    ['the folder itself', 'app://chaperone/'],
    ['another host', 'app://elsewhere/index.html'],
    ['another scheme', 'https://chaperone/index.html'],
    ['a name with a zero', 'app://chaperone/index.html%00.js'],
    ['a name that cannot be read', 'app://chaperone/%ff.html'],
  ])('gives nothing for %s', async (_name, url) => {
    expect((await get(url)).status).toBe(404);
  });

  test('only reads, and only its page is its page', async () => {
    expect((await get(PAGE, 'POST')).status).toBe(404);
    expect(
      [PAGE, `${PAGE}#/x`, `${PAGE}?x`, 'app://chaperone/', 'app://chaperone/index.html.evil'].map(isPage),
    ).toEqual([true, true, false, false, false]);
  });
});

describe('settings panes', () => {
  test('come from a fixed table, on a Mac only', () => {
    expect(settingsAddress('screenRecording', 'darwin')).toMatch(
      /^x-apple\.systempreferences:.*Privacy_ScreenCapture$/,
    );
    expect(settingsAddress('accessibility', 'linux')).toBeNull();
  });
});

test('the app speaks the first of the person’s languages there is, and English where none fits', () => {
  const quit = (wanted: string[]) => formatterFor(wanted).text('app.menu.quit');
  expect(quit(['pt-BR', 'de'])).toBe('Chaperone beenden');
  expect(quit(['zh-Hans-CN'])).toBe('退出 Chaperone');
  expect(quit(['pt-BR'])).toBe('Quit Chaperone');
});
