/** The screen gets smaller after its size was asked for, and before the server is asked for the picture. */
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { CaptureTarget } from '../../../src/native/desktop.js';
import type { XConnection } from '../../../src/native/linux/x11/connection.js';
import { openPaintWatch } from '../../../src/native/linux/x11/paint-watch.js';
import { openScreenCapture, type ScreenCapture } from '../../../src/native/linux/x11/screen-capture.js';
import { openWindows } from '../../../src/native/linux/x11/window-lookup.js';
import { type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';
import { setScreenSize, type ScreenSize } from '../../support/screen-size.js';
import { connectToDisplay } from '../../support/x-connection.js';

const FIRST = { width: 800, height: 600 };

let linux: LinuxDesktop;
let connections: XConnection[];
let pictures: ScreenCapture;
/** Sizes that the screen gets, one after each time it was asked for. */
let next: ScreenSize[];

beforeAll(async () => void (linux = await openLinuxDesktop(FIRST)));
afterAll(() => linux.close());
beforeEach(async () => {
  const { env } = linux.session;
  await setScreenSize(env, FIRST);
  connections = [await connectToDisplay(env), await connectToDisplay(env)];
  const [x, events] = connections;
  if (x === undefined || events === undefined) throw new Error('unreachable');
  const windows = await openWindows(events);
  const screen: typeof windows.screen = async (call) => {
    const now = await windows.screen(call);
    const size = next.shift();
    if (size !== undefined) await setScreenSize(env, size);
    return now;
  };
  pictures = await openScreenCapture(x, { ...windows, screen }, await openPaintWatch(x), events);
});
afterEach(async () => {
  pictures.close();
  for (const x of connections) await x.close();
});

const capture = (target: CaptureTarget, ...sizes: ScreenSize[]) => {
  next = sizes;
  return pictures.capture(target, new AbortController().signal);
};
const region = { kind: 'region', rect: { x: 500, y: 0, width: 200, height: 100 } } as const;

describe('a screen that gets smaller meanwhile', () => {
  it('[req:AR-5] is pictured as it is then', async () => {
    const size = { width: 640, height: 480 };
    expect(await capture({ kind: 'display' }, size)).toMatchObject({ ...size, origin: { x: 0, y: 0 } });
    await setScreenSize(linux.session.env, FIRST);
    expect(await capture(region, size)).toMatchObject({ width: 140, height: 100, origin: { x: 500, y: 0 } });
  });

  it('has nothing of an area that lies outside by then', async () => {
    const gone = capture(region, { width: 400, height: 300 });
    await expect(gone).rejects.toMatchObject({ code: 'failed', text: { code: 'native.region_outside' } });
  });

  it('[req:AR-5] each time is not tried for ever: the error says that the same call may work', async () => {
    const sizes = [700, 600, 500, 400].map((width) => ({ width, height: 300 }));
    const failed = expect(capture({ kind: 'display' }, ...sizes)).rejects;
    await failed.toMatchObject({ code: 'timeout', details: { reason: 'changed' } });
    expect(next).toEqual([]);
    expect(await capture({ kind: 'display' })).toMatchObject({ width: 400, height: 300 });
  });
});
