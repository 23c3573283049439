/** The tools on the macOS backend over its stand-ins, through host, shim and page, each judged by what the applications say they got. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TestAgent } from '../../support/agent.js';
import { eventually } from '../../support/eventually.js';
import type { TestHost } from '../../support/host.js';
import type { Mac } from '../../support/macos/mac.js';
import { macTools } from '../../support/macos/mac-tools.js';
import { cardOf, settle, type Person } from '../../support/person.js';
import { MAIN_TITLE, SECRET, type Apps, type Entry } from '../../contract/fixture.js';

let mac: Mac;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;
let apps: Apps;
let parent: string;

macTools((made) => {
  ({ mac, chaperone, person, agent, apps } = made);
  parent = `applications/${apps.pid}`;
});

const value = async (name: string, args: Record<string, unknown> = {}) => {
  const answer = await agent.call(name, args);
  if (answer.isError) throw new Error(`${name}: ${answer.text}`);
  return answer.value;
};
/** Allowed by the person. */
const act = async (name: string, args: Record<string, unknown>) => {
  const running = agent.call(name, args);
  await settle(person, await cardOf(person, running), 'allow');
  const answer = await running;
  if (answer.isError) throw new Error(`${name}: ${answer.text}`);
  return answer.value;
};
const told = (control: Entry['control'], event: Entry['event']) =>
  eventually(async () =>
    (await apps.journal()).filter((one) => one.control === control && one.event === event).map((one) => one.value),
  );

describe('[req:DS-9-5] tools on macOS', () => {
  test('see applications, windows, elements and displays, and no password', async () => {
    expect(await value('list_applications')).toMatchObject({
      applications: [{ title: 'Fixture' }, { title: 'Second' }].map(() => expect.any(Object)),
    });
    const { windows } = await value('list_windows', { parent });
    expect(windows).toEqual([expect.objectContaining({ title: MAIN_TITLE })]);
    const tree = await value('get_element_tree', { parent });
    expect(JSON.stringify(tree)).toContain('Remind me');
    expect(JSON.stringify(tree)).not.toContain(SECRET);
    expect(await value('list_displays')).toMatchObject({
      displays: [{ frame: { width: 1440, height: 900 }, scale: 2 }],
    });
  });

  test('press a button once the person allows it, and not before', async () => {
    const running = agent.call('click_element', { parent, title: 'Send' });
    const card = await cardOf(person, running);
    expect(await apps.journal()).toEqual([]);
    expect(JSON.stringify(card)).toContain('Send');
    await settle(person, card, 'allow');
    expect(await running).toMatchObject({ isError: false });
    await told('send', 'pressed').toEqual(['']);
  });

  test('press nothing where the person denies it', async () => {
    const running = agent.call('click_element', { parent, title: 'Send' });
    await settle(person, await cardOf(person, running), 'deny');
    expect(await running).toMatchObject({ isError: true });
    expect(await apps.journal()).toEqual([]);
  });

  test('write, type and press keys', async () => {
    expect(await act('write_element_value', { parent, role: 'AXTextField', title: 'Name', value: 'Grüße 👋' })).toMatchObject({ value: 'Grüße 👋' }); // prettier-ignore
    await told('entry', 'changed').toEqual(['Grüße 👋']);
    await act('type_text', { application: parent, text: ' and more', char_delay: 0.001 });
    await eventually(async () => (await apps.journal()).at(-1)?.value).toBe('Grüße 👋 and more');
    await act('press_key', { key: 'a', modifiers: ['cmd'] });
    await act('press_key', { key: 'backspace' });
    await eventually(async () => (await apps.journal()).at(-1)?.value).toBe('');
  });

  test('click and scroll by the pointer', async () => {
    await act('click', { x: 170, y: 265 });
    await told('send', 'pressed').toEqual(['']);
    await told('send', 'pointer').toEqual(['left']);
    await act('scroll', { x: 300, y: 400, delta_y: 2 });
    await told('area', 'scrolled').not.toEqual([]);
  });

  test('move windows, take pictures and use the clipboard', async () => {
    const { windows } = await value('list_windows', { parent });
    const [{ name }] = windows as [{ name: string }];
    await act('move_window', { name, x: 40, y: 60 });
    expect((await mac.desktop.windows(new AbortController().signal))[0]?.frame).toMatchObject({ x: 40, y: 60 });
    const picture = await agent.call('capture_window_screenshot', { window: name });
    expect(picture.isError).not.toBe(true);
    await act('write_clipboard', { text: 'copied' });
    expect(mac.script.pasted()).toBe('copied');
  });

  test('refuse to drop files, with what to do instead', async () => {
    const file = join(chaperone.workspace, 'a.txt');
    await writeFile(file, 'text');
    const { elements } = await value('find_elements', { parent, title: 'Send' });
    const [{ elementId }] = elements as [{ elementId: string }];
    const running = agent.call('drag_files', { file_paths: [file], element_id: elementId });
    await settle(person, await cardOf(person, running), 'allow');
    expect(await running).toMatchObject({ isError: true, text: expect.stringContaining('Open them with') });
  });
});
