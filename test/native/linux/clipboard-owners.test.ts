/** The clipboard among other owners: what password managers hide, what the person copies, and who keeps it after our end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { ClipboardContent } from '../../../src/native/desktop.js';
import { readCookie, connectX } from '../../../src/native/linux/x11/connection.js';
import { openSelection } from '../../../src/native/linux/x11/selection.js';
import { eventually, type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';

const signal = new AbortController().signal;
const others: ChildProcess[] = [];
let linux: LinuxDesktop;

beforeAll(async () => {
  linux = await openLinuxDesktop({ width: 800, height: 600 });
});
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
});
afterAll(() => linux.close());

function program(name: string, args: string[]): ChildProcess {
  const started = spawn(name, args, { env: linux.session.env, stdio: 'ignore' });
  others.push(started);
  return started;
}

async function copiedByXclip(text: string): Promise<void> {
  const file = join(linux.folder, `copied-${others.length}-${text.length}`);
  await writeFile(file, text);
  program('xclip', ['-selection', 'clipboard', '-i', '-quiet', file]);
  await eventually(async () => expect(await xclip()).toBe(text));
}

function xclip(target = 'UTF8_STRING'): Promise<string> {
  return output('xclip', ['-selection', 'clipboard', '-t', target, '-o']);
}

function output(name: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const reading = spawn(name, args, { env: linux.session.env, stdio: ['ignore', 'pipe', 'ignore'] });
    const parts: Buffer[] = [];
    reading.stdout.on('data', (chunk: Buffer) => parts.push(chunk));
    reading.once('error', reject);
    reading.once('close', () => resolve(Buffer.concat(parts).toString()));
  });
}

/** Another program owns the clipboard with these targets, as a password manager does. */
async function owns(targets: Record<string, string>): Promise<void> {
  const file = join(linux.folder, 'targets.json');
  await writeFile(file, JSON.stringify(targets));
  program('/usr/bin/python3', [join(import.meta.dirname, '../../support/apps/clipboard-owner.py'), file]);
  for (const [target, text] of Object.entries(targets))
    await eventually(async () => expect(await xclip(target)).toBe(text));
}

it('gives nothing of what a password manager marks as secret, and says so', async () => {
  await owns({ UTF8_STRING: 'hunter2', 'x-kde-passwordManagerHint': 'secret' });
  expect(await linux.desktop.readClipboard(signal)).toEqual({ concealed: true });
});

it('[req:RA-11] gives nothing of a secret that is copied while it reads what was there before', async () => {
  const x = await connectX(linux.session.display, await readCookie(linux.session.display, linux.session.env), () => {});
  const other = await openSelection(x);
  const told = (text: string) => ({ type: 'UTF8_STRING', format: 8 as const, data: Buffer.from(text) });
  const offer = new Map([['UTF8_STRING', told('before')]]);
  let requests = 0;
  await other.own(offer, async () => {
    requests += 1;
    // The targets have been told: what is asked for from here on is of a password manager.
    if (requests > 1) offer.set('UTF8_STRING', told('hunter2')).set('x-kde-passwordManagerHint', told('secret'));
    return true;
  });
  expect(await linux.desktop.readClipboard(signal)).toEqual({ concealed: true });
  await other.close();
  await x.close();
});

it('gives what carries another hint, and names the forms that it does not read', async () => {
  await owns({ UTF8_STRING: 'public', 'x-kde-passwordManagerHint': 'public', 'application/x-colour': 'red' });
  expect(await linux.desktop.readClipboard(signal)).toEqual({ text: 'public', others: ['application/x-colour'] });
});

it('hears of each copy by another program, and of none of its own', async () => {
  await linux.desktop.writeClipboard({}, signal);
  const told: (ClipboardContent | null)[] = [];
  const stop = linux.desktop.onClipboardChange((written) => told.push(written));
  await copiedByXclip('first');
  await eventually(async () => expect(told).toEqual([null]));
  await copiedByXclip('and the second');
  await eventually(async () => expect(told).toEqual([null, null]));
  await linux.desktop.writeClipboard({ text: 'ours' }, signal);
  await copiedByXclip('the third one');
  await eventually(async () => expect(told).toEqual([null, null, { text: 'ours' }, null]));
  stop();
});

it('keeps its content when it takes the clipboard back at once', async () => {
  const other = await linux.another();
  for (let round = 0; round < 30; round += 1) {
    const both = [linux.desktop, other].map((desktop) => desktop.writeClipboard({ text: 'either' }, signal));
    await Promise.allSettled(both);
    await linux.desktop.writeClipboard({ text: `ours ${round}` }, signal);
    expect(await other.readClipboard(signal)).toEqual({ text: `ours ${round}` });
  }
  await other.close();
});

it('hands the clipboard to the manager at its end, and takes it along where there is none', async () => {
  const first = await linux.another();
  await first.writeClipboard({ text: 'gone with its owner' }, signal);
  await first.close();
  expect(await xclip()).toBe('');

  program('xfce4-clipman', []);
  await eventually(async () => expect(await managerRuns()).toBe('yes'));
  const second = await linux.another();
  await second.writeClipboard({ text: 'kept by the manager' }, signal);
  await second.close();
  await eventually(async () => expect(await xclip()).toBe('kept by the manager'));
});

const ASK_FOR_MANAGER = `
import ctypes
x = ctypes.CDLL('libX11.so.6')
x.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x.XOpenDisplay(None))
print('yes' if x.XGetSelectionOwner(display, x.XInternAtom(display, b'CLIPBOARD_MANAGER', 0)) else 'no')
`;

function managerRuns(): Promise<string> {
  return output('/usr/bin/python3', ['-c', ASK_FOR_MANAGER]).then((said) => said.trim());
}
