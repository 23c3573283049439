/** Password fields of real applications, as an agent may see them: by no way does their text come out. */
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAgent, type TestAgent, type ToolAnswer } from '../support/agent.js';
import { startHost, type TestHost } from '../support/host.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';

const FILLED = 'correcthorse';
const TYPED = 'batterystaple';
const PAGE = `<title>Login</title><label>User <input value="ada" autofocus></label>
  <label>Password <input id="secret" type="password" value="${FILLED}" oninput="fetch('/entered/' + value)"></label>
  <p style="font-size: 30px"><button onclick="secret.type = 'text'">Remind me</button>`;
const entered: string[] = [];
let linux: LinuxDesktop;
let chaperone: TestHost;
let agent: TestAgent;
let site: Server;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  site = createServer((request, response) => {
    const [, told] = request.url?.split('/entered/') ?? [];
    if (told !== undefined) entered.push(told);
    response.setHeader('content-type', 'text/html').end(PAGE);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  chaperone = await startHost({ backend: 'linux', display: 'current', env: linux.session.env, policy: 'unattended' });
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
}, 120_000);
afterAll(async () => {
  await agent.close();
  await chaperone.close();
  site.close();
  await linux.close();
});

interface Login {
  pid: number;
  /** Resolves when the field holds that text, by the application's own word. */
  holds(text: string): Promise<void>;
}

async function openLogin(kit: 'Chromium' | 'Qt' | 'GTK'): Promise<Login> {
  if (kit !== 'Chromium') {
    const { pid, journal } = await linux.fixture({ kit: kit === 'Qt' ? 'qt' : 'gtk', title: 'Login', secret: FILLED });
    const last = async () => (await journal()).findLast(({ control }) => control === 'password')?.value;
    return { pid, holds: (text) => eventually(async () => expect(await last()).toBe(text)) };
  }
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', '--force-renderer-accessibility'];
  linux.run('/usr/bin/chromium', [...flags, `--user-data-dir=${join(linux.folder, 'profile')}`, address]);
  const { app } = await linux.window(({ title }) => title.startsWith('Login'));
  return { pid: app.pid, holds: (text) => eventually(async () => expect(entered).toContain(text)) };
}

async function works(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
  const answer = await agent.call(name, given);
  expect(answer.isError, `${name}: ${answer.text}`).toBe(false);
  return answer;
}

/** Everything that was written down of all calls. */
async function evidence(): Promise<string> {
  const folder = join(chaperone.workspace, 'artifacts');
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((one) => /\.jsonl?$/.test(one)).map((one) => readFile(join(folder, one), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

/** As the person does, so that no argument of a call holds it. */
const byHand = (...words: string[]) =>
  void execFileSync('xdotool', words, { env: { ...linux.session.env, PATH: '/usr/bin:/bin' } });

test.each(['Chromium', 'Qt'] as const)(
  '[req:DS-8-10] %s: neither trees, observations, copying nor change summaries tell a password',
  { timeout: 120_000 },
  async (kit) => {
    const { pid, holds } = await openLogin(kit);
    const parent = `applications/${pid}`;
    // From the field that has the keys first, Tab leads to the password's.
    await eventually(async () => {
      const { text } = await works('find_elements', { parent, role: 'AXTextField' });
      expect(text).toContain('secure');
      expect(text).toContain('focused');
    });
    const { value } = await works('get_element_tree', { parent });
    await works('write_clipboard', { text: 'as before' });
    const watch = await works('create_observation', { parent });
    byHand('key', 'Tab', 'key', 'ctrl+a');
    const copied = await works('press_key', { key: 'c', modifiers: ['ctrl'] });
    const clipboard = await works('get_clipboard');
    expect(clipboard.text).toContain('as before');
    byHand('type', TYPED);
    await holds(TYPED);
    const answers = [copied, clipboard];
    for (const [name, given] of [
      ['stream_observations', { name: watch.value['name'], timeout: 5 }],
      ['get_element_tree', { parent }],
      ['get_tree_changes', { snapshot: value['snapshot'] }],
    ] as const)
      answers.push(await works(name, given));
    // Neither as it is, nor as dots, which tell how long it is.
    const secret = new RegExp(`${FILLED}|${TYPED.slice(0, 5)}|[•●*]{3}`);
    for (const answer of answers) expect(`${answer.text} ${JSON.stringify(answer.value)}`).not.toMatch(secret);
    const fields = await works('find_elements', { parent, role: 'AXTextField' });
    const secure = (fields.value['elements'] as { value: string | null; states: string[] }[]).filter(({ states }) =>
      states.includes('secure'),
    );
    expect(secure.map((one) => one.value)).toEqual([null]);
    expect(await evidence()).not.toMatch(secret);
    await works('quit_application', { name: parent, force: true });
  },
);

test.each(['Chromium', 'GTK', 'Qt'] as const)(
  '[req:EG-6] %s: a password is not read from the picture, also while its field shows it',
  { timeout: 180_000 },
  async (kit) => {
    const { pid } = await openLogin(kit);
    const parent = `applications/${pid}`;
    await eventually(async () => {
      const { text } = await works('find_elements', { parent, role: 'AXTextField' });
      expect(text).toContain('secure');
    });
    if (kit === 'GTK') process.kill(pid, 'SIGUSR2');
    if (kit === 'Chromium') await works('click_element', { parent, role: 'AXButton', title: 'Remind me' });
    const judge = await linux.another();
    const limits = { maxDepth: 80, maxNodes: 20_000, timeoutMs: 20_000 };
    const never = new AbortController().signal;
    if (kit !== 'Qt')
      await eventually(async () => {
        const { matched } = await judge.find({ pid }, { valueContains: FILLED }, 1, limits, never);
        expect(matched).toBeGreaterThan(0);
      });
    await judge.close();
    expect((await works('find_text', { parent, text: 'Remind' })).value['total']).toBeGreaterThan(0);
    const part = FILLED.slice(2, 9);
    const answers = [
      await works('find_text', { parent, text: part }),
      await works('capture_screenshot', { include_ocr: true }),
      await works('get_element_tree', { parent }),
      await works('find_elements', { parent, role: 'AXTextField' }),
    ];
    expect(answers[0]?.value['total']).toBe(0);
    for (const answer of answers) expect(`${answer.text} ${JSON.stringify(answer.value)}`).not.toContain(part);
    expect((await agent.call('click_text', { parent, text: part })).text).toContain('no_match');
    expect(await evidence()).not.toContain(FILLED);
    await works('quit_application', { name: parent, force: true });
  },
);
