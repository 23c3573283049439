/** Fields that were secret once, in real applications: what takes their place tells nothing, by no way. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DesktopBackend, Element, Selector } from '../../src/native/desktop.js';
import { startAgent, type TestAgent, type ToolAnswer } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';

const SECRET = 'correcthorse';
const SWAP = {
  styled: `secret.style.webkitTextSecurity = 'none'`,
  replaced: `const next = document.createElement('input'); next.value = secret.value; next.setAttribute('aria-label', 'Password'); next.id = 'other'; secret.replaceWith(next)`,
  redrawn: `login.innerHTML = login.innerHTML.replace('type="password"', 'type="text"').replace('id="secret"', 'id="b"')`,
  unlabelled: `const value = secret.value; login.querySelector('#row').innerHTML = '<input id="c">'; c.value = value`,
  moved: `const next = document.createElement('input'); next.value = secret.value; next.setAttribute('aria-label', 'Password'); secret.remove(); login.append(document.createElement('hr'), next)`,
  copied: `secret.type = 'text'; user.value = secret.value`,
};
/** Editable elements that show dots by their style, and how each then shows its text. */
const DOTS = 'contenteditable style="-webkit-text-security: disc"';
const SHOW = `secret.style.webkitTextSecurity = 'none'`;
const ANEW = `secret.innerHTML = secret.innerHTML`;
const EDITABLE = {
  rich: [`<div id="secret" ${DOTS}><p>${SECRET}</p><ul><li>${SECRET}</ul><ol><li><b>${SECRET}</b></ol></div>`, SHOW],
  shifted: [`<div id="secret" ${DOTS}><p>${SECRET}</p></div>`, `${SHOW}; ${ANEW}; secret.before(document.createElement('hr'), document.createElement('hr')); history.pushState(0, '', '/elsewhere')`],
  item: [`<ul><li id="secret" ${DOTS}>${SECRET}</ul>`, SHOW],
  part: [`<div contenteditable>Password: <span id="secret" style="-webkit-text-security: disc">${SECRET}</span></div>`, SHOW],
  lines: [`<textarea id="secret" style="-webkit-text-security: disc">${SECRET}\n${SECRET}</textarea>`, SHOW],
} as const; // prettier-ignore
type Swap = keyof typeof SWAP;
const pageOf = (
  how: Swap,
) => `<title>Swap ${how}</title><body style="font-size: 24px"><form id="login"><p><label>User <input id="user" value="ada"></label>
  <p id="row"><input id="secret" aria-label="Password" ${how === 'styled' ? 'style="-webkit-text-security: disc"' : 'type="password"'} value="${SECRET}"></form>
  <p><button onclick="${SWAP[how].replaceAll('"', '&quot;')}">Remind me</button>`;
const editablePageOf = (
  how: keyof typeof EDITABLE,
) => `<title>Edit ${how}</title><body style="font-size: 24px"><p>User ada
  ${EDITABLE[how][0]} <p><button onclick="${EDITABLE[how][1]}">Remind me</button>`;
const LIMITS = { maxDepth: 80, maxNodes: 20_000, timeoutMs: 20_000 };
const never = new AbortController().signal;
let linux: LinuxDesktop;
let chaperone: TestHost;
let agent: TestAgent;
let site: Server;
let judge: DesktopBackend;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  site = createServer(({ url = '' }, response) => {
    const how = url.slice(1);
    const name = how.slice(2);
    const editable = how.startsWith('e-') && name in EDITABLE ? editablePageOf(name as keyof typeof EDITABLE) : '';
    response.setHeader('content-type', 'text/html').end(how in SWAP ? pageOf(how as Swap) : editable);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  chaperone = await startHost({ backend: 'linux', display: 'current', env: linux.session.env, policy: 'unattended' });
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  judge = await linux.another();
}, 120_000);
afterAll(async () => {
  await agent.close();
  await chaperone.close();
  site.close();
  await judge.close();
  await linux.close();
});

async function works(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const answer = await agent.call(name, given);
  expect(answer.isError, `${name}: ${answer.text}`).toBe(false);
  return answer;
}

async function evidence(): Promise<string> {
  const folder = join(chaperone.workspace, 'artifacts');
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((one) => /\.jsonl?$/.test(one)).map((one) => readFile(join(folder, one), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

const byHand = (...words: string[]) =>
  void execFileSync('xdotool', words, { env: { ...linux.session.env, PATH: '/usr/bin:/bin' } });

/** The field that shows the secret, as the application has it. */
const exposed = (pid: number, field: Selector = { roles: ['AXTextField'] }): Promise<Element> =>
  eventually(async () => {
    const { elements } = await judge.find({ pid }, { ...field, valueContains: SECRET }, 9, LIMITS, never);
    const one = elements.at(-1);
    if (one?.frame == null) throw new Error('not shown yet');
    return one;
  });

/** Tries to read the secret by every tool that reads. */
async function tellsNothing(pid: number, field: Element): Promise<void> {
  const parent = `applications/${pid}`;
  const part = SECRET.slice(2, 9);
  const answers = [
    await works('get_element_tree', { parent }),
    await works('find_elements', { parent, role: 'AXTextField' }),
    await works('find_elements', { parent, role: 'AXStaticText' }),
    await agent.call('find_elements', { parent, title: part }),
    await works('find_text', { parent, text: part }),
    await works('capture_screenshot', { include_ocr: true }),
  ];
  expect(answers[4]?.value['total']).toBe(0);
  for (const { text, value } of answers) expect(`${text} ${JSON.stringify(value)}`).not.toContain(part);
  const { x, y, width, height } = field.frame ?? { x: 0, y: 0, width: 0, height: 0 };
  const [middle, across] = [Math.round(x + width / 2), Math.round(y + height / 2)];
  byHand('mousemove', `${middle}`, `${across}`, 'click', '1');
  await works('write_clipboard', { text: 'as before' });
  const copied = [
    await agent.call('press_key', { key: 'a', modifiers: ['ctrl'] }),
    await agent.call('press_key', { key: 'c', modifiers: ['ctrl'] }),
    await agent.call('type_text', { text: 'x' }),
    await agent.call('get_clipboard'),
    await agent.call('get_element', { element_id: '0' }),
  ];
  for (const { text, value } of copied) expect(`${text} ${JSON.stringify(value)}`).not.toContain(part);
  expect(await evidence()).not.toContain(part);
}

test.each(['gtk', 'qt'] as const)(
  '[req:SF-1] %s: a plain field in the place of a password’s',
  { timeout: 180_000 },
  async (kit) => {
    const app = linux.run('/usr/bin/python3', [join(import.meta.dirname, '../support/apps/secret-swap.py'), kit, SECRET], kit === 'qt' ? { QT_ACCESSIBILITY: '1', QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1' } : {}); // prettier-ignore
    await linux.window(({ title, app: { pid } }) => title === 'Swap' && pid === app.pid);
    await works('capture_screenshot');
    process.kill(app.pid, 'SIGUSR2');
    await tellsNothing(app.pid, await exposed(app.pid));
    process.kill(app.pid, 'SIGKILL');
  },
);

test.each(Object.keys(EDITABLE) as (keyof typeof EDITABLE)[])(
  '[req:SF-6] Chromium: an editable element that shows dots, %s',
  { timeout: 180_000 },
  async (how) => {
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/e-${how}`;
    const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', '--force-renderer-accessibility'];
    linux.run('/usr/bin/chromium', [...flags, `--user-data-dir=${join(linux.folder, how)}`, address]);
    const { app: browser } = await linux.window(({ title }) => title.startsWith(`Edit ${how}`));
    const parent = `applications/${browser.pid}`;
    await eventually(async () => expect((await works('get_element_tree', { parent })).text).toContain('secure'));
    await works('click_element', { parent, role: 'AXButton', title: 'Remind me' });
    const field = await exposed(browser.pid, {});
    const { text } = await works('get_element_tree', { parent });
    expect(text).toContain('User ada');
    if (how === 'part') expect(text).toContain('Password:');
    await tellsNothing(browser.pid, field);
    await works('quit_application', { name: parent, force: true });
  },
);

test.each(Object.keys(SWAP) as Swap[])('[req:SF-1] Chromium: %s', { timeout: 180_000 }, async (how) => {
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/${how}`;
  const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', '--force-renderer-accessibility'];
  linux.run('/usr/bin/chromium', [...flags, `--user-data-dir=${join(linux.folder, how)}`, address]);
  const { app: browser } = await linux.window(({ title }) => title.startsWith(`Swap ${how}`));
  const parent = `applications/${browser.pid}`;
  await eventually(async () => {
    const { text } = await works('find_elements', { parent, role: 'AXTextField' });
    expect(text).toContain('secure');
  });
  await works('click_element', { parent, role: 'AXButton', title: 'Remind me' });
  await tellsNothing(browser.pid, await exposed(browser.pid));
  if (how !== 'copied') expect((await works('find_elements', { parent, role: 'AXTextField' })).text).toContain('ada');
  await works('quit_application', { name: parent, force: true });
});
