import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type FixtureApp, type LinuxDesktop, openLinuxDesktop, windowManager } from '../../support/linux-desktop.js';

const signal = new AbortController().signal;
let linux: LinuxDesktop;
let app: FixtureApp;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  app = await linux.fixture({ title: 'Moving', place: { x: 420, y: 60 } });
});
afterAll(async () => {
  await app.end();
  await linux.close();
});

it('[req:MT-T-minimize_window] [req:MT-T-restore_window] a window that has gone or come back is where it was, not on its way there', async () => {
  const { id, frame } = await linux.window((window) => window.app.pid === app.pid);
  const now = async () => (await linux.desktop.windows(signal)).find((window) => window.id === id);
  for (const minimized of [true, false, true, false]) {
    await linux.desktop.setWindowMinimized(id, minimized, signal);
    expect(await now()).toMatchObject({ minimized, frame });
  }
  await linux.desktop.setWindowMinimized(id, true, signal);
  await linux.desktop.focusWindow(id, signal);
  expect(await now()).toMatchObject({ minimized: false, focused: true, frame });
});

it('is not on its way there when the window manager pauses in between', async () => {
  const { id, frame } = await linux.window((window) => window.app.pid === app.pid);
  const now = async () => (await linux.desktop.windows(signal)).find((window) => window.id === id)?.frame;
  const manager = await windowManager(linux);
  for (const minimized of [true, false]) {
    const done = linux.desktop.setWindowMinimized(id, minimized, signal);
    await vi.waitUntil(async () => (await now())?.y !== frame.y, { timeout: 5_000, interval: 1 });
    process.kill(manager, 'SIGSTOP');
    setTimeout(() => process.kill(manager, 'SIGCONT'), 300);
    await done;
    expect(await now()).toEqual(frame);
  }
});
