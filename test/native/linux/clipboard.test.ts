import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { InputGuard } from '../../../src/native/desktop.js';
import { eventually, type FixtureApp, type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';

const free: InputGuard = () => Promise.resolve();
const signal = new AbortController().signal;
const running: FixtureApp[] = [];
const owners: ChildProcess[] = [];
let linux: LinuxDesktop;

beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill('SIGKILL');
  await Promise.all(running.splice(0).map((app) => app.end()));
});
afterAll(() => linux.close());

/** `xclip -i` as the owner of the clipboard, in the foreground so that it ends with the test. */
async function xclipOwns(content: string | Buffer, target = 'UTF8_STRING'): Promise<ChildProcess> {
  const file = join(linux.folder, `clip-${owners.length}-${Date.now()}`);
  await writeFile(file, content);
  const args = ['-selection', 'clipboard', '-t', target, '-i', '-quiet', file];
  const before = owners.at(-1);
  if ((await xclipBytes(target)).equals(Buffer.from(content))) throw new Error('another owner has the same already');
  const owner = spawn('xclip', args, { env: linux.session.env, stdio: 'ignore' });
  owners.push(owner);
  // One that has lost the clipboard ends; until then it would be the one to answer.
  if (before !== undefined && before.exitCode === null && before.signalCode === null) await once(before, 'exit');
  // Its content, as whoever had the clipboard before may offer the same target.
  await eventually(async () => expect((await xclipBytes(target)).equals(Buffer.from(content))).toBe(true));
  return owner;
}

/** What another program gets from the clipboard. */
async function xclip(target: string): Promise<string> {
  return (await xclipBytes(target)).toString();
}

function xclipBytes(target: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const args = ['-selection', 'clipboard', '-t', target, '-o'];
    const program = spawn('xclip', args, { env: linux.session.env, stdio: ['ignore', 'pipe', 'ignore'] });
    const parts: Buffer[] = [];
    program.stdout.on('data', (chunk: Buffer) => parts.push(chunk));
    program.once('error', reject);
    program.once('close', () => resolve(Buffer.concat(parts)));
  });
}

async function open(kit: 'gtk' | 'qt' = 'gtk'): Promise<FixtureApp> {
  const app = await linux.fixture({ kit });
  running.push(app);
  const window = await linux.window((one) => one.app.pid === app.pid);
  await linux.desktop.focusWindow(window.id, signal);
  return app;
}

it('reads what others put there, also long and in pieces', async () => {
  await xclipOwns('Grüße 世界 👋');
  expect(await linux.desktop.readClipboard(signal)).toEqual({ text: 'Grüße 世界 👋' });
  const long = 'x'.repeat(3_000_000) + 'end';
  await xclipOwns(long);
  expect((await linux.desktop.readClipboard(signal)).text === long).toBe(true);
  await xclipOwns('<b>bold</b>', 'text/html');
  expect(await linux.desktop.readClipboard(signal)).toEqual({ html: '<b>bold</b>' });
  await xclipOwns('file:///tmp/a%20b.txt\r\nfile:///tmp/c\r\n', 'text/uri-list');
  expect(await linux.desktop.readClipboard(signal)).toEqual({ files: ['/tmp/a b.txt', '/tmp/c'] });
});

it('gives others what it holds, in every form', async () => {
  const png = await sharp({ create: { width: 9, height: 7, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const text = 'Grüße 世界 👋';
  await linux.desktop.writeClipboard({ text, html: '<i>x</i>', png: new Uint8Array(png), files: ['/tmp/a b'] }, signal);
  expect(await xclip('UTF8_STRING')).toBe(text);
  expect(await xclip('text/html')).toBe('<i>x</i>');
  expect(await xclip('text/uri-list')).toBe('file:///tmp/a%20b\r\n');
  expect(await sharp(await xclipBytes('image/png')).metadata()).toMatchObject({ width: 9, height: 7, format: 'png' });
  expect((await xclip('TARGETS')).split('\n')).toEqual(
    expect.arrayContaining(['TARGETS', 'UTF8_STRING', 'image/png']) as string[],
  );
});

it('gives long text whole', async () => {
  const long = Array.from({ length: 100_000 }, (_, index) => `line ${index}`).join('\n');
  await linux.desktop.writeClipboard({ text: long }, signal);
  expect((await xclip('UTF8_STRING')) === long).toBe(true);
});

it('loses the clipboard to others, and knows it', async () => {
  await linux.desktop.writeClipboard({ text: 'ours' }, signal);
  await xclipOwns('theirs');
  expect((await linux.desktop.readClipboard(signal)).text).toBe('theirs');
});

it('says that the owner does not answer', async () => {
  const owner = await xclipOwns('stuck');
  owner.kill('SIGSTOP');
  await expect(linux.desktop.readClipboard(signal)).rejects.toMatchObject({ code: 'not_responding' });
  owner.kill('SIGCONT');
  await eventually(async () => expect((await linux.desktop.readClipboard(signal)).text).toBe('stuck'));
});

it.each(['gtk', 'qt'] as const)('pastes into %s and gives back what another program had', async (kit) => {
  const app = await open(kit);
  // Not what the kit before was given back.
  const theirs = `theirs before ${kit}`;
  await xclipOwns(theirs);
  const text = 'pasted 世界 👋';
  expect(await linux.desktop.paste(text, app.pid, free, signal)).toEqual({ restored: true });
  await eventually(async () => expect((await app.journal()).at(-1)).toMatchObject({ control: 'entry', value: text }));
  expect(await xclip('UTF8_STRING')).toBe(theirs);
});

it('[req:DS-4-19] shows the pasted text to nobody but its target', async () => {
  const app = await open();
  await linux.desktop.writeClipboard({ text: 'before' }, signal);
  const spied: string[] = [];
  // Right now the clipboard is set and the keys are not pressed yet.
  const guard: InputGuard = async () => void spied.push(await xclip('UTF8_STRING'));
  await linux.desktop.paste('for the target only', app.pid, guard, signal);
  expect(spied).toEqual(['']);
  await eventually(async () => expect((await app.journal()).at(-1)?.value).toBe('for the target only'));
  await eventually(async () => expect(await xclip('UTF8_STRING')).toBe('before'));
});

it('[req:DS-4-19] leaves the clipboard alone when somebody took it meanwhile', async () => {
  const app = await open();
  await linux.desktop.writeClipboard({ text: 'before' }, signal);
  const guard: InputGuard = async () => void (await xclipOwns('newer'));
  await linux.desktop.paste('lost', app.pid, guard, signal).catch(() => {});
  expect(await xclip('UTF8_STRING')).toBe('newer');
});

it('empties the clipboard again when nobody had it', async () => {
  const own = await openLinuxDesktop({ width: 640, height: 480 });
  try {
    const app = await own.fixture();
    const window = await own.window((one) => one.app.pid === app.pid);
    await own.desktop.focusWindow(window.id, signal);
    expect(await own.desktop.readClipboard(signal)).toEqual({});
    expect(await own.desktop.paste('once', app.pid, free, signal)).toEqual({ restored: true });
    expect(await own.desktop.readClipboard(signal)).toEqual({});
  } finally {
    await own.close();
  }
});
