import { spawn, execFile, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent, type ToolAnswer } from '../../support/agent.js';
import { startApp } from '../../support/desktop-app.js';
import { eventually } from '../../support/linux-desktop.js';
import { startHost, type TestHost } from '../../support/host.js';

const PAGE = `file://${join(import.meta.dirname, '../../support/apps/page.html')}`;

let chaperone: TestHost;
let agent: TestAgent;
let browser: ChildProcess;
let profile: string;
let parent = '';

beforeAll(async () => {
  chaperone = await startHost({ backend: 'linux', display: 'virtual', policy: 'unattended' });
  agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  profile = await mkdtemp(join(tmpdir(), 'chaperone-browser-'));
  browser = spawn(
    '/usr/bin/chromium',
    ['--no-sandbox', '--no-first-run', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${profile}`, PAGE],
    { env: { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' }, stdio: 'ignore', detached: true },
  );
  parent = await eventually(async () => {
    const { windows } = (await call('list_windows', {})).value as { windows: { name: string; title: string }[] };
    const found = windows.find((one) => one.title.startsWith('Form'));
    if (found === undefined) throw new Error('no browser window yet');
    return found.name;
  });
}, 120_000);
afterAll(async () => {
  const ended = once(browser, 'exit');
  if (browser.pid !== undefined) process.kill(-browser.pid, 'SIGKILL');
  await ended;
  await agent.close();
  await chaperone.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function call(name: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  const result = await agent.call(name, args);
  if (result.isError) throw new Error(result.text);
  return result;
}

/** The window's title as the X server has it: the page writes there what reached it. */
const told = (value: string) =>
  eventually(async () => {
    const { stdout } = await promisify(execFile)('wmctrl', ['-l'], {
      env: { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' },
    });
    expect(stdout).toContain(`${value} - Chromium`);
  });

describe('a web page in a real Chromium that nobody started for us', () => {
  test('is there as soon as its window is, and is found by role, title and id', async () => {
    const found = await call('find_elements', { parent, role: 'button', title: 'Send' });
    const elements = found.value['elements'] as { title: string; identifier: string }[];
    expect(elements.map((one) => one.title)).toEqual(['Send', 'Send later']);
    expect((await call('find_elements', { parent, identifier: 'send' })).value).toMatchObject({ total: 1 });
    const tree = String((await call('get_element_tree', { parent })).value['tree']);
    for (const line of [/WebArea “/, /Heading “Order”/, /TextField “Name” =“old”/, /ComboBox “Colour” =“Red”/])
      expect(tree).toMatch(line);
    expect(tree).not.toContain('\uFFFC');
  });

  test('a button is pressed once, the exact title before a longer one', async () => {
    await call('click_element', { parent, role: 'button', title: 'Send' });
    await told('send=1');
  });

  test('a text is replaced by keys, in one line and in several', async () => {
    const written = await call('write_element_value', { parent, role: 'text field', title: 'Name', value: 'Ada Löve' });
    expect(written.value, written.text).toMatchObject({ method: 'keys', value: 'Ada Löve', effect: 'confirmed' });
    await told('name=Ada Löve');
    const story = await call('write_element_value', { parent, role: 'text area', value: 'one two' });
    expect(story.value, story.text).toMatchObject({ value: 'one two', effect: 'confirmed' });
    await told('story=one two');
  });

  test('a check box, a list of choices, a slider and a fold are set and read back', async () => {
    expect((await call('set_element_state', { parent, role: 'checkbox', title: 'Agree', checked: true })).value).toMatchObject({ effect: 'confirmed' }); // prettier-ignore
    await told('agree=true');
    expect((await call('write_element_value', { parent, title: 'Colour', value: 'Blue' })).value).toMatchObject({ value: 'Blue', effect: 'confirmed' }); // prettier-ignore
    await told('colour=Blue');
    expect((await call('write_element_value', { parent, role: 'slider', title: 'Volume', value: 55 })).value).toMatchObject({ value: '55', effect: 'confirmed' }); // prettier-ignore
    await told('volume=55');
    expect((await call('set_element_state', { parent, title: 'More', role: 'toggle button', expanded: true })).value).toMatchObject({ effect: 'confirmed' }); // prettier-ignore
    await told('more=true');
  });

  test('a row of a tree that has rows inside is clicked on its own line', async () => {
    for (const title of ['Account', 'Drafts']) {
      await call('click_element', { parent, role: 'row', title });
      await told(`folder=${title}`);
    }
  });

  test('an empty number, a date, a time, a month and a week are written as HTML writes them', async () => {
    const values = { Amount: '42.5', Day: '2026-12-24', Clock: '14:05', Month: '2027-04', Week: '2026-W50', Start: '2025-01-31T00:59' }; // prettier-ignore
    for (const [title, value] of Object.entries(values)) {
      const written = await call('write_element_value', { parent, title, value });
      expect(written.value, written.text).toMatchObject({ value, effect: 'confirmed' });
      await told(`${title.toLowerCase()}=${value}`);
    }
    for (const value of ['2026-13-01', '2026-12', '24.12.2026', '2026-12-24T10:00']) {
      const { isError, text } = await agent.call('write_element_value', { parent, title: 'Day', value });
      expect([isError, text]).toEqual([true, expect.stringContaining('Write it as 2026-02-14')]);
    }
    await told('start=2025-01-31T00:59');
    await call('write_element_value', { parent, title: 'Amount', value: '' });
    await told('amount=');
  });

  test('[req:FD-1] a colour, several options, a suggestion and a field that formats what it gets are written', async () => {
    const values = { Tint: '#ff8800', Toppings: 'Corn\nBasil', City: 'Bern', Phone: '(555) 123-4567' };
    for (const [title, value] of Object.entries(values)) {
      const written = await call('write_element_value', { parent, title, value });
      expect(written.value, written.text).toMatchObject({ value, effect: 'confirmed' });
      await told(`${title.toLowerCase()}=${value.replace('\n', '+')}`);
    }
    expect((await call('write_element_value', { parent, title: 'Toppings', value: 'Ham' })).value).toMatchObject({ value: 'Ham' }); // prettier-ignore
    await told('toppings=Ham');
    const wrong = await agent.call('write_element_value', { parent, title: 'Tint', value: 'orange' });
    expect(wrong.text).toContain('Write it as #ff8800');
    // A button is not pressed by a colour that it cannot hold.
    const button = await agent.call('write_element_value', { parent, title: 'Send later', value: '#ff8800' });
    expect([button.isError, button.text]).toEqual([true, expect.stringContaining('no value that can be set')]);
    await told('toppings=Ham');
  });

  test('[req:MT-T-click_element] a field that is pressed is where keys go next, whatever was in front before', async () => {
    const other = await startApp('gtk', chaperone.host.desktopEnv ?? {}, ['--title', 'Other']);
    try {
      await call('wait_element', { parent: `applications/${other.pid}`, role: 'button', title: 'Send', timeout: 30 });
      await call('type_text', { text: 'first', application: `applications/${other.pid}` });
      await call('click_element', { parent, role: 'text field', title: 'Name' });
      const typed = await call('type_text', { text: '!' });
      expect(typed.text).toContain('Chromium');
      await told('name=Ada Löve!');
      const heard = (await other.journal()).filter(({ event }) => event === 'changed').map(({ value }) => value);
      expect(heard.at(-1)).toBe('first');
    } finally {
      await other.close();
    }
  });

  test('[req:MT-T-close_window] a page that asks before it is left says so, though its dialog is no window of its own', async () => {
    await call('click_element', { parent, role: 'button', title: 'Guard' });
    const { isError, text } = await agent.call('close_window', { name: parent });
    expect(isError).toBe(true);
    expect(text).toContain('“Leave site?” asks something first');
    const stay = /"title":"Cancel","element_id":"(e:\d+)"/.exec(text)?.[1];
    await call('click_element', { element_id: stay });
    expect((await call('get_window', { name: parent })).value).toMatchObject({ name: parent });
  });

  test('what a link leads to is there for the next call', async () => {
    await call('click_element', { parent, role: 'link', title: 'Next page' });
    await told('page=second');
    const finish = await call('wait_element', { parent, role: 'button', title: 'Finish', timeout: 30 });
    expect(finish.value['element']).toMatchObject({ title: 'Finish' });
    expect((await call('find_elements', { parent, role: 'heading' })).text).toContain('Second page');
  });
});
