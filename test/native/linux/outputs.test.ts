/** Several outputs of sway, scaled, turned and plugged in: what a picture shows at a place is what a click there hits, to the pixel. */
import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Rect } from '../../../src/native/desktop.js';
import {
  centreOf,
  look,
  ownWindow,
  pointAt,
  untilHeard,
  whileOver,
  type Scene,
} from '../../../src/native/linux/self-test/scene.js';
import { marksOf } from '../../../src/native/linux/self-test/window.js';
import { waylandSocket } from '../../../src/native/linux/wayland/display.js';
import { openWaylandTestWindow } from '../../../src/native/linux/wayland/test-window.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';

const { signal } = new AbortController();
const free = (): Promise<void> => Promise.resolve();
let linux: LinuxDesktop;
let scene: Scene;

/** Each with its pixels, its place and its size in points. */
const OUTPUTS = [
  ['HEADLESS-1', 'resolution 1280x800 position 0 0 scale 1', { x: 0, y: 0, width: 1280, height: 800 }],
  ['HEADLESS-2', 'resolution 1200x900 position 1280 0 scale 1.5', { x: 1280, y: 0, width: 800, height: 600 }],
  ['HEADLESS-3', 'resolution 1000x1600 position 1280 600 scale 2 transform 90', { x: 1280, y: 600, width: 800, height: 500 }],
  ['HEADLESS-4', 'resolution 1300x700 position 2080 0 scale 1.25 transform 270', { x: 2080, y: 0, width: 560, height: 1040 }],
  ['HEADLESS-5', 'resolution 1366x768 position 0 800 scale 1.3', { x: 0, y: 800, width: 1050, height: 590 }],
] as const; // prettier-ignore

const sway = (...command: string[]): void =>
  void execFileSync('swaymsg', ['-s', linux.session.env['SWAYSOCK'] ?? '', '--', ...command]);

beforeAll(async () => {
  linux = await openLinuxDesktop({ width: 1280, height: 800 }, { wayland: true });
  for (const [name, settings] of OUTPUTS) {
    if (name !== 'HEADLESS-1') sway('create_output');
    sway(`output ${name} ${settings}`);
  }
  const window = await openWaylandTestWindow(waylandSocket(linux.session.env) ?? '', 'Marks');
  const objects = () => Promise.reject(new Error('none'));
  scene = { desktop: linux.desktop, window, objects, corner: null, arrivesMs: 3000, signal };
});
afterEach(() => linux.desktop.releaseAll());
afterAll(async () => {
  await scene.window.close();
  await linux.close();
});

async function place(at: { x: number; y: number }): Promise<void> {
  await linux.desktop.setWindowFrame((await ownWindow(scene)).id, at, signal);
  await eventually(async () => expect(await look(scene)).not.toBeNull());
}

/** Each mark is found in the picture, and clicked there. */
async function judge(): Promise<void> {
  for (const { name } of marksOf(scene.window.state().size)) {
    const at = await pointAt(scene, name);
    scene.window.takeHeard();
    await linux.desktop.button('left', true, whileOver(scene), signal);
    await linux.desktop.button('left', false, whileOver(scene), signal);
    const heard = await untilHeard(scene, name, (all) => all.some((one) => one.kind === 'button' && !one.down));
    const press = heard.find((one) => one.kind === 'button' && one.down);
    expect(press).toMatchObject({ at: { x: expect.closeTo(at.x + 0.5, 0), y: expect.closeTo(at.y + 0.5, 0) } });
  }
}

const inside = ({ x, y }: Rect, dx: number, dy: number) => ({ x: x + dx, y: y + dy });

it('tells of all outputs as sway has them', async () => {
  const displays = await linux.desktop.displays(signal);
  expect(displays.map(({ name, frame }) => [name, frame])).toEqual(OUTPUTS.map(([name, , frame]) => [name, frame]));
});

describe.each(OUTPUTS)('on %s, %s', (name, settings, frame) => {
  it.each([[37, 41], [100, 160]])('the marks are where the picture shows them (%j, %j)', async (dx, dy) => {
    await place(inside(frame, dx, dy));
    await judge();
  }); // prettier-ignore

  it('a picture of the whole output has every pixel of it, upright', async () => {
    await place(inside(frame, 20, 30));
    const corner = await look(scene);
    const whole = await linux.desktop.capture({ kind: 'display', displayId: name }, signal);
    const [, wide = 0, high = 0] = /resolution (\d+)x(\d+)/.exec(settings)?.map(Number) ?? [];
    expect([whole.width, whole.height]).toEqual(/transform \d/.test(settings) ? [high, wide] : [wide, high]);
    const { cornerIn } = await import('../../../src/native/linux/self-test/picture.js');
    const found = cornerIn(whole, scene.window.state().size);
    expect(found?.x).toBeCloseTo(corner?.x ?? -1, 0);
    expect(found?.y).toBeCloseTo(corner?.y ?? -1, 0);
  });
});

it.each(['90', '180', '270', 'flipped', 'flipped-90', 'flipped-180', 'flipped-270', 'normal'])(
  'an output that is turned while it is used is upright in pictures: %s',
  async (transform) => {
    await place({ x: 30, y: 40 });
    sway(`output HEADLESS-1 transform ${transform}`);
    await place({ x: 30, y: 40 });
    await judge();
  },
);

it('a window over the edge of two outputs is one in the picture, and is hit on both', async () => {
  await place({ x: 1080, y: 120 });
  await judge();
});

it('elements of an application are clicked on each output', async () => {
  const app = await linux.fixture({ title: 'Fixture' });
  const [{ id } = { id: '' }] = (await linux.desktop.windows(signal)).filter(({ title }) => title === 'Fixture');
  for (const [name, , frame] of OUTPUTS) {
    await linux.desktop.setWindowFrame(id, inside(frame, 24, 36), signal);
    const before = (await app.journal()).length;
    const limits = { maxDepth: 30, maxNodes: 1000, timeoutMs: 5000 };
    const { elements } = await linux.desktop.find({ pid: app.pid, windowId: id }, { titleContains: 'Send' }, 1, limits, signal); // prettier-ignore
    const { x, y, width, height } = elements[0]?.frame ?? { x: 0, y: 0, width: 0, height: 0 };
    await linux.desktop.movePointer({ x: x + width / 2, y: y + height / 2 }, signal);
    await linux.desktop.button('left', true, free, signal);
    await linux.desktop.button('left', false, free, signal);
    await eventually(async () => expect((await app.journal()).slice(before).map(({ control }) => control), name).toContain('send')); // prettier-ignore
  }
  await app.end();
});

/** This sway cannot unplug outputs without a screen. */
it('an output that changes during a drag leaves nothing pressed, and all goes on', async () => {
  await place(inside(OUTPUTS[1][2], 60, 60));
  await pointAt(scene, 'top left');
  await linux.desktop.button('left', true, whileOver(scene), signal);
  await pointAt(scene, 'button');
  sway('output HEADLESS-2 scale 1 transform 180');
  await linux.desktop.releaseAll();
  // sway ends what was pressed itself where outputs change: the window is told that the pointer has left it.
  await untilHeard(scene, 'release', (all) =>
    all.some((one) => one.kind === 'leave' || (one.kind === 'button' && !one.down)),
  );
  await linux.desktop.focusWindow((await ownWindow(scene)).id, signal);
  await place({ x: 60, y: 60 });
  await judge();
  sway('output HEADLESS-2 scale 1.5 transform normal');
});

it('an output that is plugged in is used at once', async () => {
  sway('create_output');
  sway('output HEADLESS-6 resolution 800x600 position 2640 0 scale 1');
  const whole = await linux.desktop.capture({ kind: 'display', displayId: 'HEADLESS-6' }, signal);
  expect([whole.width, whole.height]).toEqual([800, 600]);
  await place({ x: 2740, y: 80 });
  await judge();
  await place(inside(OUTPUTS[1][2], 60, 60));
  await judge();
  expect(centreOf(scene, 'button').onScreen.x).toBeGreaterThan(1280);
});
