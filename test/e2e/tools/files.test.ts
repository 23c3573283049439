/** Files handed to real applications: dropped on their windows, and through their own file dialogs. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { APPS } from '../../support/desktop-app.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';

let scene: InputScene;
let folder: string;
const started: ChildProcess[] = [];

beforeAll(async () => {
  scene = await openInputScene();
  folder = scene.chaperone.workspace;
  for (const name of ['first.txt', 'second.txt', 'fünf & “zwei” 100%.txt'])
    await writeFile(join(folder, name), `This is ${name}.\n`);
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await scene.close();
});

const at = (name: string) => join(folder, name);
function start(program: string, ...args: string[]): string {
  const child = spawn(program, args, { env: scene.env, stdio: 'ignore' });
  started.push(child);
  return `applications/${child.pid}`;
}
const elementIn = async (parent: string, more: Record<string, unknown>): Promise<string> => {
  const { value } = await scene.act('wait_element', { parent, timeout: 20, ...more });
  return (value['element'] as { elementId: string }).elementId;
};
const titles = async (parent: string) => {
  const { value } = await scene.act('list_windows', { parent });
  return (value['windows'] as { title: string }[]).map(({ title }) => title);
};

describe('dropping', () => {
  test('[req:MT-T-drag_files] files arrive as the application itself writes them down, whatever their names', async () => {
    const raw = await scene.raw({ title: 'Takes files', place: { x: 700, y: 60 }, drops: true });
    const paths = [at('first.txt'), at('fünf & “zwei” 100%.txt')];
    const element_id = await elementIn(`applications/${raw.pid}`, { title: 'Area' });
    const { value } = await scene.act('drag_files', { element_id, file_paths: paths, duration: 0.2 });
    expect(value).toMatchObject({ dropped: true, files: 2, effect: 'confirmed' });
    await eventually(() => raw.events('drop')).toHaveLength(1);
    expect((await raw.events('drop'))[0]?.uris).toEqual(paths.map((path) => pathToFileURL(path).href));
    expect(await raw.events('press')).toEqual([]);
    await raw.close();
  });

  test('an application that takes none is not said to have taken any; what is not there, or no path, is refused', async () => {
    const raw = await scene.raw({ title: 'Takes none', place: { x: 700, y: 60 } });
    const element_id = await elementIn(`applications/${raw.pid}`, { title: 'Area' });
    const drop = (...file_paths: string[]) => scene.fails('drag_files', { element_id, file_paths, duration: 0.1 });
    expect(await drop(at('first.txt'))).toMatch(/did not accept the files|takes no dropped files/);
    expect(await drop(at('none.txt'))).toMatch(/There is no .*none\.txt/);
    expect(await drop('first.txt')).toMatch(/absolute path/);
    expect(await drop(`${at('first.txt')}\r\nfile:///etc/passwd`)).toMatch(/without control characters/);
    expect(await scene.fails('drag_files', { element_id, file_paths: [] })).toMatch(/file_paths/);
    expect(await scene.fails('drag_files', { file_paths: [at('first.txt')] })).toMatch(/where to drop/);
    expect(await raw.events('drop', 'press')).toEqual([]);
    await raw.close();
  });
});

for (const [kit, program, shown, menu] of [
  ['gtk', 'mousepad', (path: string) => `${path} - Mousepad`, 'menu'],
  ['qt', 'featherpad', (path: string) => path, 'menu item'],
] as const)
  describe(`the file dialogs of ${program} (${kit})`, () => {
    let parent: string;
    const opened = (path: string) => eventually(() => titles(parent)).toContain(shown(path));

    beforeAll(async () => {
      parent = start(program, at('first.txt'));
      await scene.window(shown(at('first.txt')));
    });

    test('says that there is no dialog where none is open', async () => {
      const args = { application: parent, file_path: at('second.txt') };
      expect(await scene.fails('automate_open_file_dialog', args)).toMatch(/shows no file dialog/);
    });

    test('[req:MT-T-automate_open_file_dialog] opens a file: the application shows it', async () => {
      await scene.act('press_key', { key: 'o', modifiers: ['ctrl'], application: parent });
      await eventually(async () => (await titles(parent)).length).toBe(2);
      const { value } = await scene.act('automate_open_file_dialog', {
        application: parent,
        file_path: at('second.txt'),
      });
      expect(value).toMatchObject({ chosen: at('second.txt'), taken: true, effect: 'confirmed' });
      await opened(at('second.txt'));
    });

    test('[req:MT-T-automate_save_file_dialog] saves under a new name: the file is there, with the same text', async () => {
      const path = at(`copy of ${program}.txt`);
      // An item of a GTK menu that is pressed through accessibility runs its dialog inside the press, and both are deaf.
      await scene.act('click_element', { element_id: await elementIn(parent, { title: 'File', role: menu }) });
      const item = await scene.act('click_element', { element_id: await elementIn(parent, { title: 'Save As' }) });
      expect(item.value).toMatchObject({ method: 'pointer', effect: 'confirmed' });
      await eventually(async () => (await titles(parent)).length).toBe(2);
      const { value } = await scene.act('automate_save_file_dialog', { application: parent, file_path: path });
      expect(value).toMatchObject({ saved: path, replaced: false, effect: 'confirmed' });
      await eventually(() => readFile(path, 'utf8')).toBe('This is second.txt.\n');
    });

    test('[req:MT-T-automate_save_file_dialog] replaces a file only when told to', async () => {
      const path = at(`old of ${program}.txt`);
      await writeFile(path, 'old');
      await scene.act('press_key', { key: 's', modifiers: ['ctrl', 'shift'], application: parent });
      await eventually(async () => (await titles(parent)).length).toBe(2);
      const args = { application: parent, file_path: path };
      expect(await scene.fails('automate_save_file_dialog', args)).toMatch(/already exists/);
      expect(await readFile(path, 'utf8')).toBe('old');
      const { value } = await scene.act('automate_save_file_dialog', { ...args, confirm_overwrite: true });
      expect(value).toMatchObject({ saved: path, replaced: true });
      await eventually(() => readFile(path, 'utf8')).toBe('This is second.txt.\n');
    });

    test.runIf(kit === 'gtk')('only chooses a file that is written later, as one to print to', async () => {
      const path = at('printed.pdf');
      await scene.act('press_key', { key: 'p', modifiers: ['ctrl'], application: parent });
      await scene.act('wait_element', { parent, role: 'cell', title: 'Print to File', timeout: 30 });
      await scene.act('click_element', { parent, role: 'cell', title: 'Print to File' });
      await scene.act('click_element', { parent, role: 'button', title: '.pdf' });
      const chosen = await scene.act('automate_save_file_dialog', { application: parent, file_path: path });
      expect(chosen.value).toMatchObject({ saved: path, bytes: null, effect: 'unverified' });
      expect(chosen.text).toContain('has not written the file yet');
      await scene.act('click_element', { parent, role: 'button', title: 'Print' });
      await eventually(() => readFile(path, 'latin1').catch(() => '')).toMatch(/^%PDF/);
    });

    test('refuses paths that cannot be', async () => {
      const save = (file_path: string) => scene.fails('automate_save_file_dialog', { application: parent, file_path });
      expect(await save(at('nowhere/x.txt'))).toMatch(/no folder/);
      expect(await save(folder)).toMatch(/is not a file/);
      expect(await save('x.txt')).toMatch(/absolute path/);
      expect(await scene.fails('automate_open_file_dialog', { application: parent, file_path: folder })).toMatch(
        /isn’t a file/,
      );
    });
  });

describe('GTK 2, which tells nothing of its open menus and has no file chooser', () => {
  let parent: string;
  const pressed = async (...names: string[]) => {
    for (const name of names)
      await scene.act('click_element', { element_id: await elementIn(parent, { title: name }) });
  };
  const shown = async (title: string) => {
    const { value } = await scene.act('find_elements', { parent, title });
    return (value['elements'] as unknown[]).length;
  };
  const ask = (tool: string, name: string) =>
    scene.act(tool, { application: parent, file_path: at(name) }).then(({ value }) => value);

  beforeAll(async () => {
    parent = start(join(APPS, 'gtk2-editor.py'), at('first.txt'));
    await scene.window(at('first.txt'));
  });

  test('[req:AT-1] items of the open menu are found and pressed by name, those of a closed one are not shown', async () => {
    expect(await shown('Open…')).toBe(0);
    await pressed('File');
    expect([await shown('Open…'), await shown('Clear')]).toEqual([1, 0]);
    await pressed('More');
    expect(await shown('Clear')).toBe(1);
    await pressed('Clear');
    await eventually(() => shown('Clear')).toBe(0);
  });

  test('[req:AT-2] its dialog opens a file, also from its list of recent ones, and saves one', async () => {
    await pressed('File', 'Open…');
    expect(await ask('automate_open_file_dialog', 'second.txt')).toMatchObject({ chosen: at('second.txt') });
    await scene.window(at('second.txt'));
    // GTK 2 remembers that the field was open.
    await pressed('File', 'Open…');
    expect(await ask('automate_open_file_dialog', 'first.txt')).toMatchObject({ chosen: at('first.txt') });
    await scene.window(at('first.txt'));
    await pressed('File', 'Save As…');
    expect(await ask('automate_save_file_dialog', 'gtk2.txt')).toMatchObject({ saved: at('gtk2.txt') });
    expect(await readFile(at('gtk2.txt'), 'utf8')).toBe('This is first.txt.\n');
  });

  test('[req:AT-3] what it asks while its dialog stays open goes to the agent, whose answer lets the file be written', async () => {
    await pressed('File', 'Export…');
    const path = at('exported.txt');
    const answer = await scene.agent.call('automate_save_file_dialog', { application: parent, file_path: path });
    expect(answer.text).toMatch(/“Export as Text” asks something before the application uses .*exported\.txt/);
    const id = /"title":"Export","element_id":"([^"]+)"/.exec(answer.text)?.[1];
    await scene.act('click_element', { element_id: id });
    await eventually(() => readFile(path, 'utf8')).toBe('This is first.txt.\n');
  });
});
