/** What the server shows, read through shared memory and, where there is none, in its replies. */
import { readdirSync, readlinkSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { XConnection } from '../../../src/native/linux/x11/connection.js';
import { connectToDisplay } from '../../support/x-connection.js';
import { openPixelReader, type PixelReader } from '../../../src/native/linux/x11/pixel-reader.js';
import { type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';
import { openXApplication, type XApplication } from '../../support/x-application.js';

const COLOUR = { pixel: 0x336699, rgb: [0x33, 0x66, 0x99] };
const FRAME = { x: 20, y: 30, width: 50, height: 40 };

let linux: LinuxDesktop;
let app: XApplication;
let x: XConnection;
let shared: PixelReader;
let plain: PixelReader;

beforeAll(async () => void (linux = await openLinuxDesktop()));
afterAll(() => linux.close());
beforeEach(async () => {
  const { env } = linux.session;
  app = await openXApplication(env);
  x = await connectToDisplay(env);
  shared = await openPixelReader(x);
  plain = await openPixelReader({ ...x, extension: async () => null });
});
afterEach(async () => {
  shared.close();
  plain.close();
  await app.close();
  await x.close();
});

async function showWindow(): Promise<void> {
  const window = await app.create(app.x.root, FRAME, true);
  await app.request((done) => app.x.client.ChangeWindowAttributes(window, { backgroundPixel: COLOUR.pixel }, done));
  await app.request((done) => app.x.client.MapWindow(window, done));
  await app.x.sync();
}

/** Open files of this process that are memory shared with a server. */
const sharedFiles = () =>
  readdirSync('/proc/self/fd').filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith('/dev/shm/chaperone-');
    } catch {
      return false;
    }
  }).length;

it('is the same both ways: red, green and blue of each pixel', async () => {
  await showWindow();
  const wide = { x: 0, y: 0, width: 301, height: 203 };
  const [one, other] = [await shared.read(x.root, wide), await plain.read(x.root, wide)];
  expect(Buffer.compare(one, other)).toBe(0);
  const at = (35 * wide.width + 25) * 3;
  expect([...one.subarray(at, at + 3)]).toEqual(COLOUR.rgb);
  expect(sharedFiles()).toBe(1);
});

it('is read at any size, one picture after another', async () => {
  await showWindow();
  const sizes = [{ width: 1, height: 1 }, { width: 50, height: 40 }, { width: 7, height: 3 }]; // prettier-ignore
  const pictures = await Promise.all(sizes.map((size) => shared.read(x.root, { ...FRAME, ...size })));
  for (const [index, { width, height }] of sizes.entries())
    expect([...(pictures[index] ?? [])]).toEqual(Array.from({ length: width * height }, () => COLOUR.rgb).flat());
});

it('leaves no shared memory open', async () => {
  await shared.read(x.root, FRAME);
  shared.close();
  expect(sharedFiles()).toBe(0);
});
