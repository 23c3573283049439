/** Applications that draw on Wayland themselves: each is clicked, typed into and pictured once, and says itself what it has taken. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';
import { startTyped, type TypedApp } from '../../support/typed-apps.js';

const { signal } = new AbortController();
const free = (): Promise<void> => Promise.resolve();
const TEXT = 'Grüße, €5, 中文';
/** More than there are keys for at once. */
const MANY = Array.from({ length: 120 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('');
let linux: LinuxDesktop;
let app: TypedApp;

beforeAll(async () => {
  linux = await openLinuxDesktop({ width: 1280, height: 800 }, { wayland: true });
});
afterEach(() => app.end());
afterAll(() => linux.close());

/** foot tells of nothing through accessibility. */
it.each(['GTK 4', 'Chromium', 'foot'] as const)('%s takes a click and a text, and has a picture', async (kit) => {
  app = await startTyped(linux, kit);
  const window = await eventually(async () => {
    const found = (await linux.desktop.windows(signal)).find(({ title }) => title === app.title);
    if (found === undefined) throw new Error('no such window');
    return found;
  });
  const { desktop } = linux;
  const { x, y, width, height } = window.frame;
  await desktop.focusWindow(window.id, signal);
  await desktop.movePointer({ x: x + width / 2, y: y + height / 2 }, signal);
  await eventually(async () => {
    // A page takes the focus once it is drawn.
    await desktop.button('left', true, free, signal);
    await desktop.button('left', false, free, signal);
    await desktop.typeText('a', free, signal);
    await eventuallySoon(async () => expect(await app.text()).toMatch(/a$/));
  });
  const before = await app.text();
  // Chromium takes no character beyond the first 65,536 from a key of Wayland.
  const text = TEXT + MANY + (kit === 'Chromium' ? '' : '🙂');
  await desktop.typeText(text, free, signal);
  await eventually(async () => expect(await app.text()).toBe(before + text));
  const picture = await desktop.capture({ kind: 'window', windowId: window.id }, signal);
  expect([picture.width, picture.height]).toEqual([width, height]);
  expect(new Set(picture.rgb).size).toBeGreaterThan(8);
});

async function eventuallySoon(attempt: () => Promise<void>): Promise<void> {
  for (let left = 40; left > 0; left -= 1) {
    if (await attempt().then(() => true, () => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await attempt();
} // prettier-ignore
