/** Where the window manager says the focus is, and where the X server sends keys. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LinuxDesktop, openLinuxDesktop, windowManager } from '../../support/linux-desktop.js';

const signal = new AbortController().signal;
let linux: LinuxDesktop;
beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterAll(() => linux.close());

const xdotool = (...words: string[]) => execFileSync('xdotool', words, { env: linux.session.env }).toString();

it('a window does not have the focus while keys go to another, whatever the window manager last told', async () => {
  for (const title of ['Wanted', 'Other']) await linux.fixture({ title, second: true });
  const wanted = await linux.window(({ title }) => title === 'Wanted');
  const other = await linux.window(({ title }) => title === 'Other');
  await linux.desktop.focusWindow(wanted.id, signal);
  const manager = await windowManager(linux);
  process.kill(manager, 'SIGSTOP');
  try {
    xdotool('windowfocus', other.id);
    await expect(linux.desktop.focusWindow(wanted.id, signal)).rejects.toMatchObject({ code: 'failed' });
  } finally {
    process.kill(manager, 'SIGCONT');
  }
  await linux.desktop.focusWindow(wanted.id, signal);
  expect(Number(xdotool('getwindowfocus'))).toBe(Number(wanted.id));
});
