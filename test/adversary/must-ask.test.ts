/** Acts that a person is asked about although every grant that can be given has been given, in real applications. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Effect } from '../../src/main/protocol/index.js';
import type { Selector } from '../../src/native/desktop.js';
import { startAgent, type TestAgent, type ToolAnswer } from '../support/agent.js';
import { startApp, type DesktopApp } from '../support/desktop-app.js';
import { openEntries, type Entries } from '../support/entries.js';
import { allowingAll, mustAsk } from '../support/every-grant.js';
import { eventually } from '../support/linux-desktop.js';
import { startHost, type TestHost } from '../support/host.js';
import { openPage, type Person } from '../support/person.js';
import { inside, openShopBrowser, type ShopBrowser } from '../support/shop-browser.js';

const ICON = '<svg width="24" height="24"><circle cx="12" cy="12" r="10"/></svg>';
const ACTS = `<title>Acts</title><button>Plain</button> <button>Pay</button> <button>Send</button> <button>Delete</button>
  <button>Publish</button> <button id="icon">${ICON}</button> <a href="#" onclick="return false">Unsubscribe</a>
  <p><canvas id="drawn" width="200" height="60" style="background: silver"></canvas>`;
const CHAT = `<title>Chat</title><textarea aria-label="Writing" onkeydown="event.key === 'Enter' && (document.title = 'Sent')"></textarea>
  <p><input aria-label="Line"><p contenteditable role="textbox" aria-multiline="true" aria-label="Rich">Hello</p>`;
const OTHER = '<title>Elsewhere</title><button>Other site</button>';
const PAGE = `<style>* { font-size: 24px }</style><script>
  document.write(location.hostname === 'localhost' ? ${JSON.stringify(OTHER)} : location.pathname === '/chat' ? ${JSON.stringify(CHAT)} : ${JSON.stringify(ACTS)})</script>`;
const LIMITS = { maxDepth: 80, maxNodes: 20_000, timeoutMs: 20_000 };
const never = new AbortController().signal;

let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let fixture: DesktopApp;
let shop: ShopBrowser;
let elsewhere: string;
let entries: Entries;
const programs = new Map<string, ChildProcess>();

beforeAll(async () => {
  entries = await openEntries();
  await entries.add('firefox', 'Firefox', '/usr/bin/true %u');
  vi.stubEnv('XDG_DATA_DIRS', entries.dataDirs);
  chaperone = await startHost({ backend: 'linux', display: 'virtual' });
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'chaperone-elsewhere-')));
  for (const file of [at('there.txt'), join(elsewhere, 'secret.txt')])
    await writeFile(file, 'What is there.\n'.repeat(9));
  for (const folder of ['in', '.git/hooks']) await mkdir(at(folder), { recursive: true });
  shop = await openShopBrowser(chaperone, PAGE);
}, 120_000);
afterAll(async () => {
  for (const one of programs.values()) one.kill('SIGKILL');
  await fixture.close();
  await agent.close();
  person.close();
  await shop.close();
  await chaperone.close();
  vi.unstubAllEnvs();
  await entries.close();
  await rm(elsewhere, { recursive: true, force: true });
});

const at = (name: string) => join(chaperone.workspace, name);
const call = (name: string, args: Record<string, unknown> = {}) => agent.call(name, args);
const allowed = async (name: string, args: Record<string, unknown> = {}) => {
  const { answer, cards } = await allowingAll(person, () => call(name, args));
  expect(answer.isError, answer.text).toBe(false);
  return cards;
};
const pointOf = (pid: number, selector: Selector) =>
  eventually(async () => {
    const [one] = (await shop.judge.find({ pid }, { ...selector, visibleOnly: true }, 1, LIMITS, never)).elements;
    if (one === undefined) throw new Error(`no ${JSON.stringify(selector)} yet`);
    return inside(one);
  });

const windowOf = async (pid: number) => {
  const { text } = await call('list_windows', { parent: `applications/${pid}` });
  return new RegExp(`applications/${pid}/windows/\\w+`, 'u').exec(text)?.[0] ?? '';
};

async function toFront(pid: number): Promise<void> {
  await eventually(async () => {
    const window = (await shop.judge.windows(never)).find(({ app, normal }) => app.pid === pid && normal);
    if (window === undefined) throw new Error('no window yet');
    await shop.judge.focusWindow(window.id, never);
  });
}

async function start(program: string, ...args: string[]): Promise<string> {
  const child = spawn(program, args, { env: { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' }, stdio: 'ignore' });
  programs.set(program, child);
  await toFront(child.pid ?? 0);
  return `applications/${child.pid}`;
}

type Row = readonly [what: string, act: () => Promise<ToolAnswer>];
const asksFor = (rows: readonly Row[], effects?: readonly Effect[]) =>
  test.each(rows)('%s', async (_what, act) => void (await mustAsk(person, act, effects)));

describe('in an application in which clicks and typing are allowed', () => {
  const parent = () => `applications/${fixture.pid}`;
  const press = (key: string, ...modifiers: string[]) => call('press_key', { key, modifiers, application: parent() });
  const click = (title: string) => call('click_element', { parent: parent(), title });

  beforeAll(async () => {
    fixture = await startApp('gtk', { ...chaperone.host.desktopEnv });
    await pointOf(fixture.pid, { role: 'AXButton', titleContains: 'Send' });
    await toFront(fixture.pid);
    await allowed('click_element', { parent: parent(), title: 'Remind me' });
    expect(await allowed('click_element', { parent: parent(), title: 'Name' })).toEqual([]);
  }, 120_000);

  asksFor([
    ['a button that sends', () => click('Send')],
    ['Enter in a field of one line', () => press('enter')],
    ['a line break in a field of one line', () => call('type_text', { text: 'Bob\n', application: parent() })],
    [
      'Enter in a text area beside a button that sends',
      async () => {
        await call('click_element', { parent: parent(), title: 'Story' });
        return press('enter');
      },
    ],
    ['keys that close a window', () => press('q', 'ctrl')],
    ['keys of the window manager', () => press('f4', 'alt')],
    ['keys that print', () => press('p', 'ctrl')],
    ['keys that send', () => press('enter', 'ctrl')],
    ['keys that open a launcher', () => press('f2', 'alt')],
    ['keys of the system', () => press('delete', 'ctrl', 'alt')],
    ['Enter that is held', () => call('hold_key', { key: 'enter', duration: 0.1, application: parent() })],
    ['closing its window', async () => call('close_window', { name: await windowOf(fixture.pid) })],
    ['ending it', () => call('quit_application', { name: parent() })],
    ['a plan with a step that sends', () => call('run_plan', { steps: [{ tool: 'click_element', arguments: { parent: parent(), title: 'Send' } }] })], // prettier-ignore
  ]);
});

describe('beside it', () => {
  asksFor([
    ['a command that writes', () => call('execute_shell_command', { command: 'touch', args: ['new'] })],
    ['a command in a shell', () => call('execute_shell_command', { command: 'ls; id', shell: true })],
    ['a program by its path', () => call('open_application', { application_id: '/usr/bin/galculator' })],
    ['another application', () => call('open_application', { application_id: 'galculator' })],
    ['a new clipboard', () => call('write_clipboard', { text: 'new' })],
    ['an empty clipboard', () => call('clear_clipboard')],
  ]);
  asksFor(
    [
      ['what is on the clipboard', () => call('get_clipboard')],
      ['what was on the clipboard', () => call('get_clipboard_history')],
      ['a picture of the whole screen', () => call('capture_screenshot')],
    ],
    ['disclose'],
  );
});

describe('in a terminal in which typing is allowed', () => {
  let terminal: string;
  beforeAll(async () => {
    terminal = await start('/usr/bin/xfce4-terminal', '--disable-server');
    await allowed('type_text', { text: 'l', application: terminal });
    expect(await allowed('type_text', { text: 's', application: terminal })).toEqual([]);
  }, 120_000);
  afterAll(() => programs.get('/usr/bin/xfce4-terminal')?.kill('SIGKILL'));

  asksFor([
    ['Enter', () => call('press_key', { key: 'enter', application: terminal })],
    ['a line break', () => call('type_text', { text: 'id\n', application: terminal })],
    [
      'the key that stands for Enter',
      () => call('press_key', { key: 'm', modifiers: ['ctrl'], application: terminal }),
    ],
  ]);
});

describe('in an editor in which clicks and typing are allowed', () => {
  let editor: string;
  const dialog = (tool: 'open' | 'save', path: string, more: object = {}) =>
    call(`automate_${tool}_file_dialog`, { application: editor, file_path: path, ...more });
  beforeAll(async () => {
    editor = await start('/usr/bin/mousepad', at('there.txt'));
    await allowed('press_key', { key: 'a', modifiers: ['ctrl'], application: editor });
    expect(await allowed('type_text', { text: 'nothing of it', application: editor })).toEqual([]);
  }, 120_000);

  asksFor([
    ['saving over what it replaced', () => call('press_key', { key: 's', modifiers: ['ctrl'], application: editor })],
    [
      'a file dropped on it',
      async () => {
        const { text } = await call('find_elements', { parent: editor, role: 'AXTextArea' });
        const element_id = /\be:\d+/u.exec(text)?.[0] ?? '';
        return call('drag_files', { element_id, file_paths: [join(elsewhere, 'secret.txt')] });
      },
    ],
  ]);

  describe('and that asks for a file', () => {
    beforeAll(async () => {
      await allowed('press_key', { key: 's', modifiers: ['ctrl', 'shift'], application: editor });
    }, 120_000);

    asksFor([
      ['a file outside the workspace', () => dialog('save', join(elsewhere, 'new.txt'))],
      [
        'a folder that is a link out of the workspace',
        async () => {
          await symlink(elsewhere, at('link'));
          return dialog('save', at('link/new.txt'));
        },
      ],
      ['a path that leaves the workspace', () => dialog('save', `${at('in')}/../../new.txt`)],
      ['a hidden file in the workspace', () => dialog('save', at('.bashrc'))],
      ['a file in a hidden folder', () => dialog('save', at('.git/hooks/pre-commit'))],
      ['a file that is there', () => dialog('save', at('there.txt'), { confirm_overwrite: true })],
      ['opening a file outside the workspace', () => dialog('open', join(elsewhere, 'secret.txt'))],
      ['Enter', () => call('press_key', { key: 'enter', application: editor })],
      ['its button', () => call('click_element', { parent: editor, title: 'Save', role: 'AXButton' })],
      [
        'a button that puts it in the place of another file',
        async () => {
          shop.byHand('key', 'Return');
          await pointOf(Number(editor.split('/')[1]), { role: 'AXButton', titleContains: 'Replace' });
          return call('click_element', { parent: editor, title: 'Replace', role: 'AXButton' });
        },
      ],
    ]);
  });
});

describe('on a site on which clicks and typing are allowed', () => {
  const parent = () => `applications/${shop.pid()}`;
  const click = (title: string) => call('click_element', { parent: parent(), title });
  const clickAt = async (selector: Selector) => call('click', await pointOf(shop.pid(), selector));
  const press = (key: string, ...modifiers: string[]) => call('press_key', { key, modifiers, application: parent() });
  const type = (text: string) => call('type_text', { text, application: parent() });
  const into = (title: string) => call('click_element', { parent: parent(), title });

  beforeAll(async () => {
    await shop.browse([`${shop.shopUrl}acts`]);
    await pointOf(shop.pid(), { role: 'AXButton', titleContains: 'Plain' });
    await allowed('click_element', { parent: parent(), title: 'Plain' });
    expect(await allowed('click_element', { parent: parent(), title: 'Plain' })).toEqual([]);
  }, 120_000);

  asksFor([
    ...['Pay', 'Send', 'Delete', 'Publish', 'Unsubscribe'].map((title) => [title, () => click(title)] as const),
    ['a button without a name', () => clickAt({ identifier: 'icon' })],
    ['a drawn area', () => clickAt({ identifier: 'drawn' })],
    ['keys that close the tab', () => press('w', 'ctrl')],
    ['its address field', () => click('Address and search bar')],
    ['opening a page of another site', () => call('open_url', { url: shop.shopUrl.replace('127.0.0.1', 'localhost') })],
    ['opening a page there that deletes', () => call('open_url', { url: `${shop.shopUrl}items/4/delete` })],
    ['opening the site in another browser', () => call('open_url', { url: shop.shopUrl, application: 'firefox' })],
    ['opening the site with another port', () => call('open_url', { url: shop.shopUrl.replace(/:\d+/u, ':1') })],
    ['opening the site with another scheme', () => call('open_url', { url: shop.shopUrl.replace('http:', 'https:') })],
  ]);

  describe('and on its page with a chat', () => {
    beforeAll(async () => {
      shop.openWindow(`${shop.shopUrl}chat`);
      await pointOf(shop.pid(), { role: 'AXTextArea', titleContains: 'Writing' });
    }, 120_000);

    asksFor([
      ['Enter in a text area', async () => (await into('Writing'), press('enter'))],
      ['a line break in a text area', () => type('Hello\n')],
      ['a line break that is written', () => call('write_element_value', { parent: parent(), title: 'Writing', value: 'a\nb' })], // prettier-ignore
      ['Enter in a field of one line', async () => (await into('Line'), press('enter'))],
      ['Enter in text that the page edits', async () => (await into('Rich'), press('enter'))],
      ['a line break in text that the page edits', () => type('Hello\n')],
      [
        'another site in the same browser',
        async () => {
          shop.openWindow(`${shop.shopUrl.replace('127.0.0.1', 'localhost')}`);
          await pointOf(shop.pid(), { titleContains: 'Other site' });
          return click('Other site');
        },
      ],
    ]);
  });
});
