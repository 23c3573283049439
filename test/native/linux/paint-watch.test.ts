/** When windows were painted, as the server reports it: what that costs while nobody asks, and what is known afterwards. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { XConnection } from '../../../src/native/linux/x11/connection.js';
import { connectToDisplay } from '../../support/x-connection.js';
import { openPaintWatch, type PaintWatch } from '../../../src/native/linux/x11/paint-watch.js';
import { type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';
import { openXApplication, type XApplication } from '../../support/x-application.js';

declare module 'x11' {
  interface XClient {
    ClearArea(window: number, x: number, y: number, width: number, height: number, exposures: number): void;
  }
}

const MINUTE_MS = 60_000;

let linux: LinuxDesktop;
let x: XConnection;
let app: XApplication;
let paints: PaintWatch;
let window: number;
let reports: number;

beforeAll(async () => void (linux = await openLinuxDesktop()));
afterAll(() => linux.close());
beforeEach(async () => {
  const { env } = linux.session;
  app = await openXApplication(env);
  x = await connectToDisplay(env);
  x.onEvent(({ name }) => void (reports += name === 'DamageNotify' ? 1 : 0));
  window = await shownWindow();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  paints = await openPaintWatch(x);
  reports = 0;
});
afterEach(async () => {
  paints.close();
  vi.useRealTimers();
  await app.close();
  await x.close();
});

async function shownWindow(): Promise<number> {
  const created = await app.create(app.x.root, { x: 0, y: 0, width: 50, height: 50 }, true);
  await app.request((done) => app.x.client.MapWindow(created, done));
  return created;
}

/** Resolves when the server has reported it, where it does. */
async function paint(): Promise<void> {
  await app.request((done) => app.x.client.ChangeWindowAttributes(window, { backgroundPixel: 0x336699 }, done));
  app.x.client.ClearArea(window, 0, 0, 50, 50, 0);
  await app.x.sync();
  await x.sync();
}

async function lastPaint() {
  const known = await paints.lastPaint(window);
  if (known === null) throw new Error('no word of the last paint');
  return known;
}

it('[req:WE-1] a window that was not painted while nobody asked about it is known to rest', async () => {
  const { generation } = await lastPaint();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  const later = await lastPaint();
  expect(later.generation).toBe(generation);
  expect(later.unpaintedMs).toBeGreaterThanOrEqual(MINUTE_MS);
});

it('one paint is reported while nobody asks, and what follows is not: the window may have been painted right before', async () => {
  const { generation } = await lastPaint();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  reports = 0;
  for (let count = 0; count < 5; count += 1) {
    await paint();
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(reports).toBe(1);
  const later = await lastPaint();
  expect(later.generation).not.toBe(generation);
  expect(later.unpaintedMs).toBeLessThan(1000);
  await paint();
  expect((await lastPaint()).generation).not.toBe(later.generation);
});

it('a paint is told to who waits for it, however long ago the question was', async () => {
  await lastPaint();
  const painted = vi.fn();
  const stop = paints.onPaint(window, painted);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await paint();
  expect(painted).toHaveBeenCalledTimes(1);
  stop();
});

it('a window with the id of an older one is another window', async () => {
  const { generation } = await lastPaint();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await app.request((done) => app.x.client.DestroyWindow(window, done));
  app.x.client.ReleaseID(window);
  expect(await shownWindow()).toBe(window);
  const anew = await lastPaint();
  expect(anew.generation).not.toBe(generation);
  await paint();
  expect((await lastPaint()).generation).not.toBe(anew.generation);
});

it('many windows are not all watched for ever', async () => {
  await lastPaint();
  const others = await Promise.all(Array.from({ length: 80 }, shownWindow));
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  for (const other of others) await paints.lastPaint(other);
  await x.sync();
  reports = 0;
  await paint();
  expect(reports).toBe(0);
});
