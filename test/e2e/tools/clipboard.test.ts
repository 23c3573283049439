/** The clipboard tools through the real shim, on a real X server, judged by xclip and by real applications. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../support/desktop-app.js';
import { openInputScene, type InputScene } from '../../support/input-scene.js';
import { eventually } from '../../support/linux-desktop.js';

let scene: InputScene;
const others: ChildProcess[] = [];
beforeAll(async () => {
  scene = await openInputScene();
});
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
});
afterAll(() => scene.close());

const act = async (tool: string, args: Record<string, unknown> = {}) => (await scene.act(tool, args)).value;
const path = (name: string) => join(scene.chaperone.workspace, name);

function xclip(target = 'UTF8_STRING'): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const args = ['-selection', 'clipboard', '-t', target, '-o'];
    const reading = spawn('xclip', args, { env: scene.env, stdio: ['ignore', 'pipe', 'ignore'] });
    const parts: Buffer[] = [];
    reading.stdout.on('data', (chunk: Buffer) => parts.push(chunk));
    reading.once('error', reject);
    reading.once('close', () => resolve(Buffer.concat(parts)));
  });
}

/** Copied by another program. */
async function copied(content: string | Buffer, target = 'UTF8_STRING'): Promise<void> {
  const file = path(`copied-${others.length}`);
  await writeFile(file, content);
  const args = ['-selection', 'clipboard', '-t', target, '-i', '-quiet', file];
  others.push(spawn('xclip', args, { env: scene.env, stdio: 'ignore' }));
  await eventually(async () => expect((await xclip(target)).equals(Buffer.from(content))).toBe(true));
}

/** Copied by a program that offers all of these. */
async function offered(targets: Record<string, string>): Promise<void> {
  const file = path('targets.json');
  await writeFile(file, JSON.stringify(targets));
  const script = join(import.meta.dirname, '../../support/apps/clipboard-owner.py');
  others.push(spawn('/usr/bin/python3', [script, file], { env: scene.env, stdio: 'ignore' }));
  for (const [target, text] of Object.entries(targets))
    await eventually(async () => expect((await xclip(target)).toString()).toBe(text));
}

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 60 } } });

describe('case 36: what is on the clipboard', () => {
  test('[req:MT-T-write_clipboard] [req:MT-T-get_clipboard] text goes to other programs and comes from them, whole up to its limit', async () => {
    for (const text of ['Grüße 世界 👋\n"quotes" \\ $(x)', '   ', `${'long '.repeat(90_000)}end`]) {
      expect(await act('write_clipboard', { text })).toMatchObject({
        written: true,
        effect: 'confirmed',
        after: { types: ['text'] },
      });
      expect((await xclip()).toString() === text).toBe(true);
    }
    await copied('Zoë\n你好 🎉');
    expect(await act('get_clipboard')).toEqual({
      types: ['text'],
      text: 'Zoë\n你好 🎉',
      concealed: false,
      truncated: false,
      characters: 9,
    });
    await copied('x'.repeat(2_000_000));
    const cut = await scene.act('get_clipboard');
    expect(cut.value).toMatchObject({ truncated: true, characters: 2_000_000, text: 'x'.repeat(50_000) });
    expect(cut.text).toContain('Only the first 50000 of 2000000 characters');
  });

  test('[req:MT-T-write_clipboard] html both ways, with text beside it for fields without markup', async () => {
    await act('write_clipboard', { type: 'html', text: '<b>bold</b>', plain: 'bold' });
    expect((await xclip('text/html')).toString()).toBe('<b>bold</b>');
    expect((await xclip()).toString()).toBe('bold');
    expect(await act('get_clipboard')).toMatchObject({ types: ['text', 'html'], text: 'bold', html: '<b>bold</b>' });
    await copied('<i>copied</i>', 'text/html');
    const read = await act('get_clipboard');
    expect(read).toMatchObject({ types: ['html'], html: '<i>copied</i>' });
    expect(read).not.toHaveProperty('text');
  });

  test('[req:MT-T-write_clipboard] pictures both ways: from a file, from a screenshot, as a picture to the agent', async () => {
    await writeFile(path('red.jpg'), await picture(300, 200).jpeg().toBuffer());
    await act('write_clipboard', { type: 'image', image: 'red.jpg' });
    expect(await sharp(await xclip('image/png')).metadata()).toMatchObject({ width: 300, height: 200, format: 'png' });

    const shot = await scene.act('capture_screenshot', { max_width: 320 });
    const id = /image:(\w+)/.exec(shot.text)?.[1] ?? '';
    await act('write_clipboard', { type: 'image', image: id });
    expect(await sharp(await xclip('image/png')).metadata()).toMatchObject({ width: 320 });

    await copied(await picture(4000, 1000).png().toBuffer(), 'image/png');
    const read = await scene.act('get_clipboard');
    expect(read.images).toHaveLength(1);
    const given = Buffer.from(read.images[0]?.data ?? '', 'base64');
    expect(await sharp(given).metadata()).toMatchObject({ width: 1568, height: 392 });
    const dominant = (await sharp(given).stats()).dominant;
    expect([dominant.r > 150, dominant.g < 80]).toEqual([true, true]);
    const clipped = /Picture (\w+)/.exec(read.text)?.[1] ?? '';
    expect(await scene.fails('click', { x: 5, y: 5, space: `image:${clipped}` })).toContain(
      'is unknown or no longer stored',
    );
  });

  test('[req:MT-T-write_clipboard] files both ways, by absolute paths that exist', async () => {
    await writeFile(path('one file.txt'), '1');
    const files = [path('one file.txt'), scene.chaperone.workspace];
    await act('write_clipboard', { type: 'files', files });
    expect((await xclip('text/uri-list')).toString()).toBe(
      files.map((file) => `file://${file.replaceAll(' ', '%20')}\r\n`).join(''),
    );
    await copied('file:///tmp/a%20b\r\nfile:///usr\r\n', 'text/uri-list');
    expect(await act('get_clipboard')).toMatchObject({ types: ['files'], files: ['/tmp/a b', '/usr'] });
  });

  test('[req:MT-T-clear_clipboard] it is emptied for everybody', async () => {
    await copied('to be lost');
    expect(await act('clear_clipboard')).toMatchObject({ cleared: true, effect: 'confirmed', after: { types: [] } });
    expect((await xclip()).toString()).toBe('');
    const read = await scene.act('get_clipboard');
    expect(read.value).toMatchObject({ types: [], concealed: false });
    expect(read.text).toContain('The clipboard is empty.');
  });

  test('twenty writes at once all succeed, and the last one wins', async () => {
    const writes = Array.from({ length: 20 }, (_, index) =>
      scene.agent.call('write_clipboard', { text: `no. ${index}` }),
    );
    const answers = await Promise.all(writes);
    expect(answers.map(({ isError, value }) => [isError, value['effect']])).toEqual(
      answers.map(() => [false, 'confirmed']),
    );
    expect((await xclip()).toString()).toBe('no. 19');
    expect(await act('get_clipboard')).toMatchObject({ text: 'no. 19' });
  });

  test('commands that agents run with desktop: true find the same desktop', async () => {
    await copied('for a command');
    const args = ['-selection', 'clipboard', '-t', 'UTF8_STRING', '-o'];
    expect(await act('execute_shell_command', { command: 'xclip', args, desktop: true })).toMatchObject({
      stdout: 'for a command',
    });
  });

  test('a paste by typing gives back what the person had copied', async () => {
    const app = await startApp('gtk', scene.env, ['--title', 'Pasting']);
    await copied('the person’s own');
    const { name } = await scene.window('Pasting');
    await act('focus_window', { name });
    await scene.act('type_text', { text: 'pasted 世界', application: String(app.pid), paste: true });
    await eventually(async () =>
      expect((await app.journal()).findLast((line) => line.control === 'entry')?.value).toBe('pasted 世界'),
    );
    expect((await xclip()).toString()).toBe('the person’s own');
    await app.close();
  });
});

describe('what is kept from agents', () => {
  test('what a password manager marks as secret: only that it is there', async () => {
    await offered({ UTF8_STRING: 'hunter2', 'x-kde-passwordManagerHint': 'secret' });
    const read = await scene.act('get_clipboard');
    expect(read.value).toEqual({ types: [], concealed: true, truncated: false, characters: 0 });
    expect(read.text).toContain('marked as secret');
    expect(JSON.stringify(read)).not.toContain('hunter2');
  });

  test('files outside the workspace, whatever way they are named, and what is no picture', async () => {
    const outside = join(await mkdtemp(`${scene.chaperone.workspace}-outside-`), 'picture.png');
    await picture(2, 2).png().toFile(outside);
    await symlink(outside, path('link.png'));
    await mkdir(path('folder.png'), { recursive: true });
    await writeFile(path('text.png'), 'no picture');
    await copied('untouched');
    const up = relative(scene.chaperone.workspace, outside);
    for (const image of [outside, up, 'link.png', 'folder.png', 'text.png', '.', 'image:none'])
      expect(await scene.fails('write_clipboard', { type: 'image', image })).toContain('DESKTOP_INVALID_REQUEST');
    expect(await scene.fails('write_clipboard', { type: 'files', files: [path('missing')] })).toContain('There is no');
    expect((await xclip()).toString()).toBe('untouched');
    await rm(dirname(outside), { recursive: true });
  });

  test('calls that do not say what they mean', async () => {
    const says = (args: object) => scene.fails('write_clipboard', { ...args });
    expect(await says({})).toContain('text');
    expect(await says({ text: '' })).toContain('text');
    expect(await says({ type: 'rtf', text: 'x' })).toContain('type');
    expect(await says({ type: 'image', text: 'x' })).toContain('image');
    expect(await says({ text: 'x', files: ['/a'] })).toContain('files');
    expect(await says({ type: 'files', files: ['relative'] })).toContain('files');
    expect(await says({ text: 'x', typ: 'html' })).toContain('typ');
    expect(await says({ text: 'half \ud83d' })).toContain('text');
    expect(await scene.fails('get_clipboard_history', { limit: 101 })).toContain('limit');
  });
});

describe('[req:MT-T-get_clipboard_history] earlier contents', () => {
  const texts = async (args = {}) =>
    ((await act('get_clipboard_history', args))['entries'] as { text: string }[]).map(({ text }) => text);

  test('case 36: from the first permission on, the person’s copies too, newest first, without secrets and loans', async () => {
    const first = await act('get_clipboard_history');
    expect(first).toMatchObject({ entries: [], total: 0 });
    expect(Date.parse(String(first['recording_since']))).not.toBeNaN();

    const app = await startApp('gtk', scene.env, ['--title', 'Copying']);
    const { name } = await scene.window('Copying');
    await act('focus_window', { name });
    await copied('copied by the person');
    await eventually(async () => expect(await texts()).toEqual(['copied by the person']));
    await act('write_clipboard', { text: 'written by the agent' });
    await offered({ UTF8_STRING: 'hunter2', 'x-kde-passwordManagerHint': 'secret' });
    await copied('a secret came before');
    await eventually(async () => expect(await texts({ limit: 1 })).toEqual(['a secret came before']));
    await scene.act('type_text', { text: 'lent to the field', application: String(app.pid), paste: true });
    await act('write_clipboard', { text: 'the last one' });

    const { entries, total } = (await act('get_clipboard_history')) as { entries: object[]; total: number };
    expect(entries.map((one) => (one as { text: string }).text)).toEqual([
      'the last one',
      'a secret came before',
      'written by the agent',
      'copied by the person',
    ]);
    expect(total).toBe(4);
    expect(entries.at(-1)).toMatchObject({ types: ['text'], application: 'Gtk-fixture.py', truncated: false });
    expect(await texts({ limit: 2, offset: 1 })).toEqual(['a secret came before', 'written by the agent']);
    await act('clear_clipboard');
    expect(await texts({ limit: 1 })).toEqual(['the last one']);
    await app.close();
  });
});
