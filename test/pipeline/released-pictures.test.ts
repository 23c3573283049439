/** The memory of a picture goes to the next one only where nobody has the picture any more. */
import { expect, test } from 'vitest';
import { createImaging } from '../../src/main/evidence/index.js';
import { createKeptPicture, maskedReader } from '../../src/main/pipeline/masked.js';
import type { Capture, DesktopBackend, Rect } from '../../src/native/desktop.js';
import { createPixelPool } from '../../src/native/linux/x11/pixel-reader.js';
import { openSimulated } from '../../src/native/simulated/index.js';
import { createTestPipeline } from '../support/pipeline.js';

const signal = new AbortController().signal;
const SECRET: Rect = { x: 300, y: 300, width: 40, height: 20 };
const DISPLAY = { kind: 'display' } as const;

/** A desktop whose pictures can be released. `secret` is what must be covered at each look. */
function releasable(secret: Rect[][] = []) {
  const real = openSimulated();
  const pool = createPixelPool();
  const taken: Capture[] = [];
  const capture: DesktopBackend['capture'] = async (target, stop) => {
    const picture = await real.capture(target, stop);
    const rgb = pool.take(picture.rgb.length);
    rgb.set(picture.rgb);
    taken.push({ ...picture, rgb });
    return { ...picture, rgb };
  };
  return { desktop: { ...real, capture, secureAreas: async () => secret.shift() ?? [] }, taken };
}

function readerOf(desktop: DesktopBackend) {
  const protection = {
    isProtected: () => false,
    hintFor: () => null,
    hidesDocument: () => false,
    isPairingLinkOpen: () => false,
  };
  return maskedReader(desktop, { imaging: createImaging(), excludedApps: () => new Set<string>(), protection }, createKeptPicture()); // prettier-ignore
}

const isReleased = (picture: Capture | undefined) => picture?.rgb.length === 0;

test('what was covered in a picture is gone from memory', async () => {
  const { desktop, taken } = releasable([[SECRET], [SECRET]]);
  const covered = await readerOf(desktop).capture(DISPLAY, signal);
  expect(isReleased(taken[0])).toBe(true);
  expect(isReleased(covered)).toBe(false);
  expect(covered.rgb.release).toBeUndefined();
});

test('a picture that is encoded ahead is not released where another one takes its place', async () => {
  const { desktop, taken } = releasable([[], [SECRET]]);
  const begun: Capture[] = [];
  const covered = await readerOf(desktop).capture(DISPLAY, signal, (picture) => void begun.push(picture));
  expect(begun).toHaveLength(1);
  expect(covered).not.toBe(begun[0]);
  expect(isReleased(taken[0])).toBe(false);
});

test('[req:PI-2] a picture that several calls are given is covered for each as it must be then, and is not changed by it', async () => {
  const real = openSimulated();
  const shown = await real.capture(DISPLAY, signal);
  const pixels = Buffer.from(shown.rgb);
  const secret = [[], [], [SECRET], [SECRET], [], [SECRET], [], []];
  const desktop = { ...real, capture: async () => shown, secureAreas: async () => secret.shift() ?? [] };
  const captures: Capture[] = [];
  for (let call = 0; call < 4; call += 1) captures.push(await readerOf(desktop).capture(DISPLAY, signal));
  const at = (SECRET.y * shown.width + SECRET.x) * 3;
  expect(captures.map(({ rgb }) => [...rgb.subarray(at, at + 3)].join() === '48,48,48')).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(captures.map((one) => one === shown)).toEqual([true, false, false, true]);
  expect(pixels.equals(shown.rgb)).toBe(true);
});

test('the picture of a window cannot be released: other looks of the call and its card have it', async () => {
  const { desktop } = releasable();
  const [window] = await desktop.windows(signal);
  const picture = await readerOf(desktop).capture({ kind: 'window', windowId: window?.id ?? '' }, signal);
  expect(picture.rgb.release).toBeUndefined();
});

test.each([
  ['capture_screenshot', {}, true],
  ['capture_region_screenshot', { x: 100, y: 100, width: 200, height: 100 }, true],
  ['capture_screenshot', { include_ocr: true }, false],
  ['capture_window_screenshot', {}, false],
])('%s %j releases its picture once it is encoded: %s', async (tool, given, released) => {
  const { desktop, taken } = releasable();
  const pipeline = createTestPipeline(undefined, desktop);
  const result = await pipeline.run(tool, { max_width: 400, ...given });
  expect(result.value).toMatchObject({ image: { mimeType: 'image/png' } });
  expect(isReleased(taken.at(-1))).toBe(released);
});
