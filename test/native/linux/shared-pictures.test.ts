/** Pictures that several calls get, beside what the server shows to a connection that asks for each. */
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Capture, CaptureTarget, Rect } from '../../../src/native/desktop.js';
import { openAreaPictures, openScreenDamage } from '../../../src/native/linux/x11/screen-capture.js';
import { overlaps } from '../../../src/base/rect.js';
import type { XConnection } from '../../../src/native/linux/x11/connection.js';
import { connectToDisplay } from '../../support/x-connection.js';
import { openPixelReader, type PixelReader } from '../../../src/native/linux/x11/pixel-reader.js';
import { windowId } from '../../../src/native/linux/windows.js';
import { type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';
import { openXApplication, type XApplication } from '../../support/x-application.js';
import { closeScene, type Operation, OPERATIONS, openScene } from '../../support/x-operations.js';

declare module 'x11' {
  interface XClient {
    ClearArea(window: number, x: number, y: number, width: number, height: number, exposures: number): void;
  }
}

const signal = new AbortController().signal;
const AREA: Rect = { x: 0, y: 0, width: 400, height: 300 };
const region = { kind: 'region', rect: AREA } as const;

let linux: LinuxDesktop;
let app: XApplication;
let x: XConnection;
let pixels: PixelReader;
const shown: number[] = [];

beforeAll(async () => void (linux = await openLinuxDesktop()));
afterAll(() => linux.close());
beforeEach(async () => {
  const { env } = linux.session;
  app = await openXApplication(env);
  x = await connectToDisplay(env);
  pixels = await openPixelReader(x);
});
afterEach(async () => {
  pixels.close();
  // Else the server would clear them away during the next test.
  for (const window of shown.splice(0)) await app.request((done) => app.x.client.DestroyWindow(window, done));
  await app.close();
  await x.close();
});

const capture = (target: CaptureTarget = region): Promise<Capture> => linux.desktop.capture(target, signal);

/** Red, green and blue at a point of the screen. */
function colourAt({ rgb, origin, width }: Capture, left: number, top: number): number[] {
  const at = ((top - origin.y) * width + left - origin.x) * 3;
  return [...rgb.subarray(at, at + 3)];
}

async function show(at: Rect, colour: number): Promise<number> {
  const window = await app.create(app.x.root, at, true);
  shown.push(window);
  await app.request((done) => app.x.client.ChangeWindowAttributes(window, { backgroundPixel: colour }, done));
  await app.request((done) => app.x.client.MapWindow(window, done));
  return window;
}

/** Resolves once the server has done it: nothing but the pixels tells of it. */
async function paint(window: number, colour: number, { x: left, y, width, height }: Rect): Promise<void> {
  app.x.send((done) => app.x.client.ChangeWindowAttributes(window, { backgroundPixel: colour }, done)).catch(() => {});
  app.x.client.ClearArea(window, left, y, width, height, 0);
  await app.x.sync();
}

/** Whether two pictures with `work` between them are one; asked until they are, because other programs paint when they like. */
const expectSame = (target: CaptureTarget, work: () => Promise<unknown>) =>
  expect
    .poll(async () => {
      const first = await capture(target);
      await work();
      return (await capture(target)) === first;
    })
    .toBe(true);

const bytesOf = (colour: number): number[] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

describe('a picture of a part of the screen', () => {
  it('[req:PI-5] is the one before while nothing is painted in it, whatever is painted elsewhere', async () => {
    const inside = await show({ x: 20, y: 30, width: 50, height: 40 }, 0x336699);
    const outside = await show({ x: 600, y: 400, width: 50, height: 40 }, 0x336699);
    let colour = 0x112233;
    await expectSame(region, () => paint(outside, (colour += 1), { x: 0, y: 0, width: 50, height: 40 }));
    const first = await capture();
    await paint(inside, 0x778899, { x: 49, y: 39, width: 1, height: 1 });
    const next = await capture();
    expect(next).not.toBe(first);
    expect([colourAt(next, 69, 69), colourAt(next, 68, 69)]).toEqual([bytesOf(0x778899), bytesOf(0x336699)]);
  });

  it('[req:PI-5] shows each pixel that was painted before it was asked for', async () => {
    const window = await show({ x: 20, y: 30, width: 50, height: 40 }, 0);
    for (let colour = 1; colour <= 300; colour += 1) {
      await paint(window, colour, { x: colour % 50, y: 7, width: 1, height: 1 });
      expect(colourAt(await capture(), 20 + (colour % 50), 37)).toEqual(bytesOf(colour));
    }
  });

  it('[req:PI-5] shows what the server has not yet put together: painted and asked for in one message', async () => {
    const areas = await openAreaPictures(app.x, { onChange: () => () => {} }, pixels);
    const window = await show({ x: 20, y: 30, width: 50, height: 40 }, 0);
    for (let colour = 1; colour <= 500; colour += 1) {
      void paint(window, colour, { x: 0, y: 0, width: 50, height: 40 });
      expect(colourAt(await areas.capture(AREA), 30, 40)).toEqual(bytesOf(colour));
    }
    areas.close();
  });

  it('shows what a program paints on the root window itself, and inside another window', async () => {
    const outer = await show({ x: 20, y: 30, width: 50, height: 40 }, 0x336699);
    const inner = await app.create(outer, { x: 5, y: 5, width: 10, height: 10 });
    await app.request((done) => app.x.client.MapWindow(inner, done));
    await capture();
    await paint(inner, 0xaabbcc, { x: 0, y: 0, width: 10, height: 10 });
    expect(colourAt(await capture(), 27, 37)).toEqual(bytesOf(0xaabbcc));
    await paint(app.x.root, 0x13579b, { x: 200, y: 200, width: 10, height: 10 });
    expect(colourAt(await capture(), 205, 205)).toEqual(bytesOf(0x13579b));
  });

  it('is taken once for all who ask at the same time', async () => {
    const window = await show({ x: 20, y: 30, width: 50, height: 40 }, 0x336699);
    await paint(window, 0x102030, { x: 0, y: 0, width: 50, height: 40 });
    const together = () => Promise.all(Array.from({ length: 5 }, () => capture()));
    await expect.poll(async () => new Set(await together()).size).toBe(1);
  });

  it('has no pointer in it, and is the one before wherever the pointer goes', async () => {
    let left = 50;
    await expectSame(region, () => linux.desktop.movePointer({ x: (left += 1), y: 50 }, signal));
  });
});

describe('a picture of a window', () => {
  it('[req:PI-5] is the one before until the window is painted, moved or resized, also where others cover it', async () => {
    const at = { x: 20, y: 30, width: 50, height: 40 };
    const window = await show(at, 0x336699);
    const target = { kind: 'window', windowId: windowId(window) } as const;
    await expectSame(target, () => show({ x: 0, y: 0, width: 300, height: 200 }, 0xffffff));
    for (let colour = 1; colour <= 100; colour += 1) {
      await paint(window, colour, { x: 0, y: 0, width: 50, height: 40 });
      expect(colourAt(await capture(target), 30, 40)).toEqual(bytesOf(colour));
    }
    const before = await capture(target);
    await app.request((done) => app.x.client.ConfigureWindow(window, { x: 25 }, done));
    const moved = await capture(target);
    expect([moved.origin, moved.width]).toEqual([{ x: 25, y: 30 }, 50]);
    expect(moved).not.toBe(before);
    await app.request((done) => app.x.client.ConfigureWindow(window, { width: 45 }, done));
    expect((await capture(target)).width).toBe(45);
  });

  it('is not the one of an older window with the same id', async () => {
    const at = { x: 20, y: 30, width: 50, height: 40 };
    const window = await show(at, 0x336699);
    const target = { kind: 'window', windowId: windowId(window) } as const;
    await capture(target);
    await app.request((done) => app.x.client.DestroyWindow(window, done));
    app.x.client.ReleaseID(window);
    await expect(capture(target)).rejects.toMatchObject({ code: 'not_found' });
    expect(await show(at, 0x0f1e2d)).toBe(window);
    expect(colourAt(await capture(target), 30, 40)).toEqual(bytesOf(0x0f1e2d));
  });
});

describe('windows', () => {
  /** Asked until nothing was painted meanwhile: programs and the window manager paint when they like. */
  const expectAsShown = async (): Promise<void> => {
    const damage = await openScreenDamage(app.x);
    if (damage === null) throw new Error('the server cannot tell');
    await damage.paintedAreas();
    for (;;) {
      const { rgb } = await capture();
      const seen = Buffer.compare(rgb, await pixels.read(x.root, AREA));
      if ((await damage.paintedAreas())?.some((area) => overlaps(area, AREA)) !== false) continue;
      damage.rest();
      return expect(seen).toBe(0);
    }
  };

  it.each([...OPERATIONS].map(([name, { arbitrary }]) => [name, arbitrary] as const))(
    '[req:PI-5] look as they do on the screen after: %s',
    { timeout: 120_000 },
    async (_, arbitrary) => {
      const [open, menu] = [OPERATIONS.get('open'), OPERATIONS.get('open menu')];
      if (open === undefined || menu === undefined) throw new Error('no such operation');
      const few = (which: fc.Arbitrary<Operation>, numRuns: number) => fc.sample(which, { seed: 5, numRuns });
      const scene = await openScene(linux.session.env);
      try {
        for (const operation of [...few(open.arbitrary, 3), ...few(menu.arbitrary, 2), ...few(arbitrary, 5)]) {
          await operation(scene);
          for (const { id, application } of scene.windows) {
            const { x: of } = scene.applications[application] ?? app;
            of.send((done) => of.client.ChangeWindowAttributes(id, { backgroundPixel: id & 0xffffff }, done)).catch(() => {}); // prettier-ignore
            await of.sync();
          }
          await expectAsShown();
        }
      } finally {
        await closeScene(scene);
      }
      await expectAsShown();
    },
  );
});

it('[req:PI-6] the server reports nothing more once no pictures are asked for', async () => {
  const damage = await openScreenDamage(x);
  if (damage === null) throw new Error('the server cannot tell');
  const window = await show({ x: 20, y: 30, width: 50, height: 40 }, 0x336699);
  const paintAll = (colour: number) => paint(window, colour, { x: 0, y: 0, width: 50, height: 40 });
  expect(await damage.paintedAreas()).toBeNull();
  await paintAll(1);
  expect((await damage.paintedAreas())?.some((area) => overlaps(area, AREA))).toBe(true);
  await expect.poll(() => damage.paintedAreas()).toEqual([]);
  damage.rest();
  await x.sync();
  const reported = vi.fn();
  x.onEvent(reported);
  await paintAll(2);
  await x.sync();
  expect(reported).not.toHaveBeenCalled();
  expect(await damage.paintedAreas()).toBeNull();
});
