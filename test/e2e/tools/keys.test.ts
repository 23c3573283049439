/** The key tools in real applications: GTK, Qt, Chromium and an editor, each judged by what it says itself, on an American and a German keyboard. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type DesktopApp } from '../../support/desktop-app.js';
import { eventually } from '../../support/eventually.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';
import type { RawWindow } from '../../support/sentinel.js';

let scene: InputScene;
beforeAll(async () => {
  scene = await openInputScene();
});
afterAll(() => scene.close());

const layout = (name: string) => void execFileSync('setxkbmap', [name], { env: scene.env });
const clipboard = async () =>
  (await promisify(execFile)('xclip', ['-selection', 'clipboard', '-o'], { env: scene.env })).stdout;

/** Y and Z in each other's places, a dead key, AltGr, and what no layout has. */
const TEXT = 'Zyz "quoted" \'q\' \\back\\ ß äÖü é ñ @€{}[]|~^` 世界 👋🏽\n\tend';
const typed = { text: TEXT, char_delay: 0.001 };

for (const kit of ['gtk', 'qt'] as const)
  describe(`typing into ${kit}`, () => {
    let app: DesktopApp;
    beforeAll(async () => {
      app = await startApp(kit, scene.env, ['--title', `Typed ${kit}`]);
      await scene.window(`Typed ${kit}`);
    });
    afterAll(() => app.close());
    const lastText = async () =>
      (await app.journal()).findLast(({ control, event }) => control === 'area' && event === 'changed')?.value;

    test('[req:KB-3] Command selects all, and Super types nothing: the letter is not there in either case', async () => {
      const parent = `applications/${app.pid}`;
      const found = await scene.act('wait_element', { parent, role: 'AXTextField', title: 'Name' });
      const { frame } = found.value['element'] as { frame: { x: number; y: number; width: number; height: number } };
      await scene.act('click', { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 });
      const entry = async () => (await app.journal()).findLast(({ control }) => control === 'entry')?.value;
      await scene.act('type_text', { text: 'before', char_delay: 0.001 });
      await eventually(entry).toBe('before');
      for (const key of ['super+a', 'Meta+a', 'win+space', 'super+KP_1', 'super+€'])
        expect(await scene.fails('press_key', { key }), key).toMatch(/DESKTOP_UNSUPPORTED.*has claimed super/);
      const caret = (place: string) => expect.stringMatching(`^(?:caret|selection) in AXTextField .*${place}$`);
      const moved = (value: unknown, before: string, after: string) =>
        expect(value).toMatchObject({ effect: 'confirmed', before: [caret(before)], after: [caret(after)] });
      moved((await scene.act('press_key', { key: 'left' })).value, 'at 6', 'at 5');
      moved((await scene.act('press_key', { key: 'home' })).value, 'at 5', 'at 0');
      expect((await scene.act('press_key', { key: 'home' })).value).toMatchObject({
        effect: 'unverified',
        before: [],
        after: [],
      });
      moved((await scene.act('press_key', { key: 'cmd+a' })).value, 'at 0', 'from 0 to 6');
      await scene.act('press_key', { key: 'z' });
      await eventually(entry).toBe('z');
      expect((await app.journal()).map(({ value }) => value)).not.toContain('a');
    });

    test(`[req:MT-T-type_text] case 26: all of it arrives, by keys and by accessibility, also after the layout has changed`, async () => {
      const parent = `applications/${app.pid}`;
      const found = await scene.act('wait_element', { parent, role: 'AXTextArea', title: 'Story' });
      const { frame } = found.value['element'] as { frame: { x: number; y: number; width: number; height: number } };
      await scene.act('click', { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 });
      let all = '';
      for (const name of ['us', 'de']) {
        layout(name);
        const { value } = await scene.act('type_text', { ...typed, application: parent });
        expect(value).toMatchObject({ typed: true, method: 'keys', characters: [...TEXT].length });
        all += TEXT;
        await eventually(lastText).toBe(all);
      }
      const { value } = await scene.act('type_text', { text: TEXT, application: parent });
      expect(value).toMatchObject({ method: 'accessibility', effect: 'confirmed' });
      await eventually(lastText).toBe(all + TEXT);
      layout('us');
    });
  });

describe('in a browser', () => {
  const PAGE = `<!doctype html><title>Typed page</title><textarea autofocus style="width:90vw;height:80vh"></textarea>
    <script>let times = 0;
    const t = document.querySelector('textarea'), tell = () => fetch('/told?' + ++times, { method: 'POST', body: t.value });
    t.oninput = tell; t.onfocus = tell; t.onkeydown = (e) => { if (e.key === 'Tab') { e.preventDefault(); document.execCommand('insertText', false, '\\t'); } };
    if (document.hasFocus() && document.activeElement === t) tell();</script>`;
  let server: Server;
  let told: string | null = null;
  let times = 0;
  let browser: ReturnType<typeof spawn>;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const time = Number(request.url?.split('?')[1]);
        // They come on several connections, in any order.
        if (request.method === 'POST' && time > times) [times, told] = [time, Buffer.concat(parts).toString()];
        response.setHeader('content-type', 'text/html').end(PAGE);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const profile = `--user-data-dir=${join(scene.chaperone.workspace, 'profile')}`;
    const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', '--force-renderer-accessibility', profile];
    browser = spawn('chromium', [...flags, `http://127.0.0.1:${port}/`], { env: scene.env, stdio: 'ignore' });
  });
  afterAll(async () => {
    browser.kill('SIGKILL');
    server.close();
  });

  test('[req:MT-T-type_text] case 26: all of it arrives, and a shortcut goes by the letter of the layout', async () => {
    await scene.window('Typed page - Chromium');
    await eventually(() => told).toBe('');
    layout('de');
    await scene.act('type_text', typed);
    await eventually(() => told).toBe(TEXT);
    // ctrl+z, which lies where an American keyboard has its Y.
    await scene.act('press_key', { key: 'a', modifiers: ['ctrl'] });
    await scene.act('press_key', { key: 'backspace' });
    await eventually(() => told).toBe('');
    await scene.act('press_key', { key: 'z', modifiers: ['ctrl'] });
    await eventually(() => told).toBe(TEXT);
    const moved = await scene.act('press_key', { key: 'home', modifiers: ['ctrl'] });
    expect(moved.value).toMatchObject({
      effect: 'confirmed',
      // The browser's own tab may tell of its memory at the same moment.
      after: expect.arrayContaining([expect.stringMatching(/^caret in AXTextArea.* at 0$/)]) as string[],
    });
    layout('us');
  });
});

describe('in an editor', () => {
  let file: string;
  let editor: ReturnType<typeof spawn>;
  beforeAll(async () => {
    file = join(scene.chaperone.workspace, 'letter.txt');
    await writeFile(file, 'Dear all,\nthis is it: über 世界.\n');
    editor = spawn('mousepad', [file], { env: scene.env, stdio: 'ignore' });
    const { name } = await scene.window(`${file} - Mousepad`);
    // The window is there before its text has the focus.
    await scene.act('wait_element_state', { parent: name, role: 'AXTextArea', condition: 'focused' });
  });
  afterAll(() => void editor.kill('SIGKILL'));

  test('[req:MT-T-press_key] case 22: select all, copy, move to the end, paste and save doubles the file', async () => {
    const before = await readFile(file, 'utf8');
    await scene.act('press_key', { key: 'a', modifiers: ['ctrl'] });
    await scene.act('press_key', { key: 'ctrl+c' });
    await eventually(clipboard).toBe(before);
    await scene.act('press_key', { key: 'End', modifiers: ['control'] });
    await scene.act('press_key', { key: 'v', modifiers: ['Control'] });
    // It is pasted once the text came by the display's server.
    await scene.window(`*${file} - Mousepad`);
    await scene.act('press_key', { key: 's', modifiers: ['ctrl'] });
    await eventually(() => readFile(file, 'utf8')).toBe(before + before);
  });

  test('[req:MT-T-press_key] case 23: two modifiers together select, and an unknown one is refused with the ones there are', async () => {
    await scene.act('press_key', { key: 'home', modifiers: ['ctrl'] });
    await scene.act('press_key', { key: 'end' });
    await scene.act('press_key', { key: 'left', modifiers: ['shift', 'ctrl'] });
    await scene.act('press_key', { key: 'home', modifiers: ['shift'] });
    await scene.act('press_key', { key: 'c', modifiers: ['ctrl'] });
    await eventually(clipboard).toMatch(/^(Dear |ear |ar |r )?all,$/);
    for (const modifiers of [['hyper'], ['a'], ['ctrl', 'enter']])
      expect(await scene.fails('press_key', { key: 'c', modifiers })).toMatch(
        /isn’t a valid modifier.*super, ctrl, alt, altgr, shift/,
      );
    expect(await scene.fails('press_key', { key: 'c', modifiers: ['fn'] })).toMatch(/DESKTOP_UNSUPPORTED/);
  });
});

describe('raw keys', () => {
  let raw: RawWindow;
  beforeAll(async () => {
    raw = await scene.raw({ title: 'Keys' });
    await scene.act('focus_window', { name: (await scene.window('Keys')).name });
    await raw.forget();
  });

  test('[req:MT-T-press_key] case 24: home, end, pages, arrows, keypad and volume arrive; an unknown key is refused with the names there are', async () => {
    const keys = {
      Home: 'Home',
      end: 'End',
      PageUp: 'Page_Up',
      page_down: 'Page_Down',
      ArrowLeft: 'Left',
      delete: 'Delete',
      f13: 'F13',
      KP_7: 'KP_7',
      volumeup: 'AudioRaiseVolume',
    };
    for (const key of Object.keys(keys)) await scene.act('press_key', { key, application: String(raw.pid) });
    await eventually(async () => (await raw.events('keydown')).map(({ key }) => key)).toEqual(Object.values(keys));
    expect(await scene.fails('press_key', { key: 'hyperspace' })).toMatch(/isn’t a valid key.*home, end, pageup/);
    expect(await scene.fails('press_key', { key: 'a\u0007' })).toMatch(/isn’t a valid key/);
  });

  test('[req:MT-T-type_text] with modifiers each character is a shortcut; what cannot be typed is refused before anything is', async () => {
    await raw.forget();
    await scene.act('type_text', { text: 'aZ', modifiers: ['ctrl'], application: String(raw.pid), use_ime: true });
    const pressed = async () => (await raw.events('keydown')).filter(({ text }) => text !== '');
    await eventually(async () => (await pressed()).map(({ key, modifiers }) => `${modifiers?.join('+')} ${key}`)).toEqual(['ctrl a', 'ctrl z']); // prettier-ignore
    await raw.forget();
    expect(await scene.fails('type_text', { text: 'ab\u0007c' })).toMatch(/U\+0007/);
    expect(await scene.fails('type_text', { text: 'ab', paste: true, modifiers: ['ctrl'] })).toMatch(
      /paste goes with neither/,
    );
    expect(await scene.fails('type_text', { text: 'x'.repeat(1000), char_delay: 2 })).toMatch(/more than 300 s/);
    expect(await raw.events('keydown')).toEqual([]);
  });
});
