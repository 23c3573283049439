/** The same text a thousand times on sway: no character is lost, doubled or out of order. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestObjects } from '../../../src/native/linux/atspi/test-objects.js';
import { keysymsOf, ownWindow, typedIn, type Scene } from '../../../src/native/linux/self-test/scene.js';
import { waylandSocket } from '../../../src/native/linux/wayland/display.js';
import { openWaylandTestWindow } from '../../../src/native/linux/wayland/test-window.js';
import { openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';

const { signal } = new AbortController();
const free = (): Promise<void> => Promise.resolve();
const TEXT = 'Grüße, €5, 中文, 🙂';
const TIMES = 1000;

let linux: LinuxDesktop;
beforeAll(async () => {
  linux = await openLinuxDesktop({ width: 800, height: 600 }, { wayland: true });
});
afterAll(() => linux.close());

it('arrives whole each time', async () => {
  const { env } = linux.session;
  const window = await openWaylandTestWindow(waylandSocket(env) ?? '', 'Texts');
  const frame = async () => ({ x: 0, y: 0, ...window.state().size });
  const objects = await openTestObjects(env['DBUS_SESSION_BUS_ADDRESS'] ?? '', { title: 'Texts', frame });
  const scene: Scene = { desktop: linux.desktop, window, objects: async () => objects, corner: null, arrivesMs: 3000, signal }; // prettier-ignore
  await linux.desktop.focusWindow((await ownWindow(scene)).id, signal);
  const wanted = keysymsOf(TEXT).join();
  const lost: string[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await linux.desktop.typeText(TEXT, free, signal);
    await window.settle();
    const typed = typedIn(window.takeHeard()).join();
    if (typed !== wanted) lost.push(`${time}: ${typed}`);
  }
  await objects.close();
  await window.close();
  expect(lost).toEqual([]);
});
