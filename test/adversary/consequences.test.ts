/** Acts with consequences in real applications: a browser with a mail form, a shop and a login. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Element } from '../../src/native/desktop.js';
import type { Card } from '../../src/main/protocol/index.js';
import { startAgent, type TestAgent, type ToolAnswer } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { cardOf, openPage, settle, type Person } from '../support/person.js';
import { notesOf } from '../support/in-english.js';

const ICON = '<svg width="24" height="24"><circle cx="12" cy="12" r="10"/></svg>';
const SENT = 'onsubmit="done.push(\'sent\'); return false"';
const PAGES = new Map([
  [
    '/mail',
    `<title>Mail</title><form ${SENT}>
    <p><label>To <input id="to" value="bob@example.org"></label>
    <p><label>Message <textarea id="body" onkeydown="if (event.ctrlKey && event.key === 'Enter') done.push('sent')">Hello Bob</textarea></label>
    <p><input id="tick" type="checkbox" aria-label="Remind me">
    <button id="send">Send</button> <button type="button" id="icon" aria-label="Reply to all" onclick="done.push('replied')">${ICON}</button></form>`,
  ],
  [
    '/shop',
    `<title>Shop</title><table><tr><td>Total<td id="sum">49.90 €</table>
    <form ${SENT}><p><label>Number <input id="number" autocomplete="cc-number" value="4111111111111111"></label>
    <p><button type="button" id="next" onclick="done.push('next')">Continue</button></form>
    <p><button id="pay" onclick="done.push('paid')">Pay</button>`,
  ],
  [
    '/board',
    `<title>Board</title><button id="piece" draggable="true" ondragstart="event.dataTransfer.setData('text', 'x'); done.push('start')"
      ondragend="done.push('end ' + event.dataTransfer.dropEffect)" onclick="done.push('click')">Piece</button>
    <p><button id="box" style="padding: 60px" ondragover="event.preventDefault(); done.includes('over') || done.push('over')"
      ondrop="event.preventDefault(); done.push('drop')">Box</button>`,
  ],
  [
    '/login',
    `<title>Login</title><form ${SENT}><p><label>User <input id="user" value="ada"></label>
    <p><label>Password <input id="password" type="password" value="hunter2"></label><p><button id="go">Continue</button></form>`,
  ],
]);
const STYLE = '<style>body { font-size: 24px } input, textarea, button { font-size: 24px }</style><script>done = []</script>'; // prettier-ignore
const never = new AbortController().signal;
const LIMITS = { maxDepth: 80, maxNodes: 20_000, timeoutMs: 20_000 };

let linux: LinuxDesktop;
let chaperone: TestHost;
let site: Server;
let browser: Browser;
let page: Page;
let person: Person;
let agent: TestAgent;
let pid = 0;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  site = createServer((request, response) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<meta charset="utf-8">${STYLE}${PAGES.get(request.url ?? '') ?? ''}`),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  chaperone = await startHost({ backend: 'linux', display: 'current', env: linux.session.env });
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    headless: false,
    env: { ...linux.session.env, PATH: process.env['PATH'] ?? '' },
    args: ['--no-sandbox', '--no-first-run', '--disable-gpu'],
  });
  page = await (await browser.newContext({ viewport: null })).newPage();
  person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  person.allowLooking();
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
}, 120_000);
afterAll(async () => {
  await agent.close();
  person.close();
  await browser.close();
  site.close();
  await chaperone.close();
  await linux.close();
});

async function visit(name: string): Promise<void> {
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/${name}`);
  const window = await linux.window(({ title }) => title.toLowerCase().startsWith(name));
  pid = window.app.pid;
}

async function shown(identifier: string): Promise<Element> {
  return eventually(async () => {
    const { elements } = await linux.desktop.find({ pid }, { identifier }, 1, LIMITS, never);
    const [found] = elements;
    if (found?.frame == null) throw new Error(`no ${identifier} yet`);
    return found;
  });
}

/** Until accessibility tells it, where the host reads what an act is about. */
const told = (text: string) =>
  eventually(async () => {
    const found = [{ titleContains: text }, { valueContains: text }].map((one) => linux.desktop.find({ pid }, one, 1, LIMITS, never)); // prettier-ignore
    if ((await Promise.all(found)).every(({ matched }) => matched === 0)) throw new Error(`no ${text} yet`);
  });

const middle = async (identifier: string) => centreOf(await shown(identifier));

function centreOf(element: Element | undefined): { x: number; y: number } {
  if (element?.frame == null) throw new Error('it has no place');
  const { x, y, width, height } = element.frame;
  return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
}

const cards = () => person.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose');

/** The card of this act; or, where there is none, what the act answered. */
async function asked(act: () => Promise<ToolAnswer>): Promise<{ card: Card; call: Promise<ToolAnswer> }> {
  const call = act();
  return { card: await cardOf(person, call), call };
}

/** From now on clicks and typing there need no card. */
async function grantBy(act: () => Promise<ToolAnswer>): Promise<void> {
  const first = await asked(act);
  expect(first.card.effect).toBe('input');
  await settle(person, first.card, 'allow', { grant: 'session' });
  expect(await first.call).toMatchObject({ isError: false });
  const before = cards().length;
  expect(await act()).toMatchObject({ isError: false });
  expect(cards()).toHaveLength(before);
}

/** Asked about in spite of the grant, and not done once `change` has changed what it is about. */
async function refused(act: () => Promise<ToolAnswer>, change: () => unknown, facts: string[]): Promise<void> {
  const { card: one, call } = await asked(act);
  expect(one).toMatchObject({ effect: 'dangerous', grants: [] });
  expect([one, ...(one.steps ?? [])].flatMap(notesOf)).toEqual(expect.arrayContaining(facts));
  await change();
  await settle(person, one, 'allow');
  const { text } = await call;
  expect(text).toContain('DESKTOP_TARGET_CHANGED');
  expect(text).toContain('content_changed');
}

async function allowed(act: () => Promise<ToolAnswer>): Promise<Card> {
  const { card: one, call } = await asked(act);
  await settle(person, one, 'allow');
  expect((await call).text).not.toContain('DESKTOP_');
  return one;
}

const inApp = (more: object) => ({ parent: `applications/${pid}`, ...more });
const click = (identifier: string) => agent.call('click_element', inApp({ identifier }));
const clickTitled = (title: string) => agent.call('click_element', inApp({ role: 'AXButton', title }));
const key = (name: string, modifiers: string[] = []) =>
  agent.call('press_key', { key: name, modifiers, application: `applications/${pid}` });

describe('in Chromium', { timeout: 300_000 }, () => {
  const set = async (id: string, value: string) => {
    await page.evaluate(
      ([of, to]) => {
        const element = document.getElementById(of);
        if (element instanceof HTMLInputElement) element.value = to;
        else if (element !== null) element.textContent = to;
      },
      [id, value] as const,
    );
    await told(value);
  };
  const done = () => page.evaluate(() => (window as unknown as { done: string[] }).done);
  const isDone = (what: string[]) => eventually(async () => expect(await done()).toEqual(what));

  test('what is dragged when the person presses Allow on another card is given up: nothing is dropped or clicked [req:PR-5] [req:PR-8]', async () => {
    await visit('board');
    const [piece, box] = [await middle('piece'), await middle('box')];
    await allowed(() => agent.call('left_mouse_down', piece));
    expect((await agent.call('mouse_move', { ...box, smooth: true })).text).toContain('The pointer is at');
    await isDone(['start', 'over']);
    const { card: one, call } = await asked(() => agent.call('execute_shell_command', { command: 'true' }));
    expect(await settle(person, one, 'allow')).toContain('press_again');
    expect(await call).toMatchObject({ isError: false });
    await isDone(['start', 'over', 'end none']);
    expect((await agent.call('left_mouse_up')).text).toContain('You hold no left button');
    expect(await done()).toEqual(['start', 'over', 'end none']);
  });

  test('a mail form: no grant covers sending, however it is done, and another recipient stops it [req:AC-9]', async () => {
    await visit('mail');
    await shown('send');
    await grantBy(() => click('tick'));
    const [body, tick, send, icon] = [await middle('body'), await middle('tick'), await middle('send'), await middle('icon')]; // prettier-ignore
    const ways: (() => Promise<ToolAnswer>)[] = [
      () => click('send'),
      // The picture inside the button is what is hit.
      () => agent.call('click', icon),
      () => agent.call('drag', { start_x: body.x, start_y: body.y, end_x: send.x, end_y: send.y }),
      async () => (await page.focus('#to'), key('enter')),
      async () => (await page.focus('#body'), key('enter', ['ctrl'])),
      async () => {
        await agent.call('click', tick);
        await key('tab');
        await eventually(async () => expect(await page.evaluate(() => document.activeElement?.id)).toBe('send'));
        return key('space');
      },
      () =>
        agent.call('run_plan', {
          steps: [
            { tool: 'click_element', arguments: inApp({ identifier: 'tick' }) },
            { tool: 'click_element', arguments: inApp({ identifier: 'send' }) },
          ],
        }),
    ];
    for (const act of ways) {
      await set('to', 'bob@example.org');
      await refused(act, () => set('to', 'eve@example.org'), ['“To”: “bob@example.org”', '“Message”: “Hello Bob”']);
    }
    expect(await done()).toEqual([]);
    await allowed(() => click('send'));
    await isDone(['sent']);
  });

  test('a shop: the amount is on the card, and another one stops it; the number of a card is not told [req:AC-9]', async () => {
    await visit('shop');
    await shown('pay');
    await refused(
      () => click('pay'),
      () => set('sum', '499.00 €'),
      ['“Total”: “49.90 €”'],
    );
    expect(await done()).toEqual([]);
    const next = await allowed(() => click('next'));
    expect(next.effect).toBe('dangerous');
    expect(notesOf(next)).toContain('“Number”: “••••••••••••••11”');
    await isDone(['next']);
  });

  test('a login: its button and Enter are asked about, and the password is not told [req:AC-9]', async () => {
    await visit('login');
    await shown('go');
    const submit = await allowed(() => click('go'));
    await page.focus('#password');
    const enter = await asked(() => key('enter'));
    await settle(person, enter.card, 'deny');
    await enter.call;
    for (const one of [submit, enter.card]) {
      expect(one.effect).toBe('dangerous');
      expect(notesOf(one)).toContain('“User”: “ada”');
      expect(JSON.stringify({ ...one, picture: null })).not.toContain('hunter2');
    }
    await isDone(['sent']);
  });
});

describe('in GTK', { timeout: 300_000 }, () => {
  test('sending, paying and deleting: no grant covers them, and another recipient or amount stops them [req:AC-9]', async () => {
    const journal = join(linux.folder, 'mail');
    const app = linux.run(join(import.meta.dirname, '../support/apps/gtk-mail.py'), ['--journal', journal]);
    ({ pid } = app);
    await linux.window((one) => one.app.pid === pid && one.title === 'Letter');
    const lines = async () => (await readFile(journal, 'utf8')).split('\n').filter((line) => !line.includes('later') && line !== ''); // prettier-ignore
    const facts = ['“To”: “bob@example.org”', '“Message”: “Hello Bob”'];
    await grantBy(() => clickTitled('Later'));
    const deleting = await asked(() => clickTitled('Delete letter'));
    await settle(person, deleting.card, 'deny');
    await deleting.call;
    expect(deleting.card.effect).toBe('dangerous');
    await refused(
      () => clickTitled('Pay'),
      () => (process.kill(pid, 'SIGUSR2'), told('499.00 €')),
      [...facts, '“Total: 49.90 €”'],
    );
    await refused(
      () => clickTitled('Send'),
      () => (process.kill(pid, 'SIGUSR1'), told('eve@example.org')),
      facts,
    );
    expect(await lines()).toEqual([]);
    const [send] = (await linux.desktop.find({ pid }, { role: 'AXButton', titleContains: 'Send' }, 1, LIMITS, never)).elements; // prettier-ignore
    const sent = await allowed(() => agent.call('click', centreOf(send)));
    expect(sent.effect).toBe('dangerous');
    await eventually(async () => expect(await lines()).toEqual([expect.stringContaining('eve@example.org')]));
    await app.end();
  });

  test('an editor and a calculator stay what they were: editing keys, C and AC [req:AC-7]', async () => {
    const application = () => `applications/${pid}`;
    const typed = () => agent.call('type_text', { text: 'send it, then delete it', application: application() });
    const acts: [string, (() => Promise<ToolAnswer>)[]][] = [
      ['mousepad', [typed, ...['delete', 'backspace'].map((name) => () => key(name))]],
      ['galculator', ['9', 'C', 'AC'].map((title) => () => agent.call('click_element', inApp({ title })))],
    ];
    for (const [program, [first = typed, ...more]] of acts) {
      const app = linux.run(program);
      ({ pid } = app);
      await linux.window((one) => one.app.pid === app.pid);
      await grantBy(first);
      const before = cards().length;
      for (const act of more) expect(await act()).toMatchObject({ isError: false });
      expect(cards()).toHaveLength(before);
      await app.end();
    }
  });
});

test('without accessibility: a grant for typing there does not cover a click, whatever it hits [req:AC-10]', async () => {
  const app = linux.run('xmessage', ['-geometry', '300x200+700+500', '-buttons', 'Send:7', 'A letter to Bob']);
  ({ pid } = app);
  const { frame } = await eventually(async () => {
    const found = (await linux.desktop.windows(never)).find((one) => one.app.pid === pid);
    if (found === undefined || !found.focused || found.frame.x < 700) throw new Error('no window in its place yet');
    return found;
  });
  const on = { x: frame.x + 20, y: frame.y + 20 };
  expect(await linux.desktop.elementAt(on, never)).toBeNull();
  await grantBy(() => agent.call('type_text', { text: 'x', application: `applications/${pid}` }));
  const { card: one, call } = await asked(() => agent.call('click', on));
  expect(notesOf(one)).toContain('Chaperone can’t identify what is at this place, so check the picture.');
  await settle(person, one, 'deny');
  expect((await call).isError).toBe(true);
  await app.end();
}, 300_000);
