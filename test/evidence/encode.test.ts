import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Capture, Rect } from '../../src/native/desktop.js';
import { createImaging, cropForCard, downscale, thumbnail, toPng } from '../../src/main/evidence/index.js';
import { cropFor } from '../../src/main/evidence/imaging.js';
import { pictureSchema } from '../../src/main/protocol/index.js';

/** White, with one red box given in pixels. */
function screen(width: number, height: number, box?: Rect, more: Partial<Capture> = {}): Capture {
  const rgb = new Uint8Array(width * height * 3).fill(255);
  if (box) {
    for (let y = box.y; y < box.y + box.height; y++) {
      for (let x = box.x; x < box.x + box.width; x++) rgb.set([255, 0, 0], (y * width + x) * 3);
    }
  }
  return { width, height, rgb, origin: { x: 0, y: 0 }, scale: 1, ...more };
}

/** Where the red is in an encoded picture. */
async function redIn(base64: string): Promise<Rect | null> {
  const { data, info } = await sharp(Buffer.from(base64, 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      const at = (y * info.width + x) * 3;
      if ((data[at] ?? 0) < 200 || (data[at + 1] ?? 255) > 90) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
  }
  return right < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

describe('a png', () => {
  it('has the very pixels', async () => {
    const capture = screen(37, 21, { x: 3, y: 4, width: 9, height: 5 });
    const { data, info } = await sharp(await toPng(capture))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([37, 21, 3]);
    expect(new Uint8Array(data)).toEqual(capture.rgb);
  });
});

describe('a mask', () => {
  const grey = ({ rgb }: Capture, width: number) =>
    Array.from({ length: rgb.length / 3 }, (_, at) => at).flatMap((at) =>
      rgb[3 * at] === 0x30 ? [[at % width, Math.floor(at / width)].join()] : [],
    );
  const pixel = (x: number, y: number): Rect => ({ x, y, width: 1, height: 1 });

  it('[req:DS-8-10] of other areas is another picture, and covers those of its own time only', () => {
    const { mask } = createImaging();
    const capture = screen(4, 3);
    const first = mask(capture, [pixel(1, 1)]);
    const other = mask(capture, [pixel(1, 1), pixel(3, 2)]);
    const moved = mask(capture, [pixel(0, 0)]);
    expect([first, other, moved].map((one) => grey(one, 4))).toEqual([['1,1'], ['1,1', '3,2'], ['0,0']]);
    expect(mask(capture, [])).toBe(capture);
    expect(grey(capture, 4)).toEqual([]);
  });

  it('of the same areas is the same picture, which is encoded once', () => {
    const { mask, png } = createImaging();
    const capture = screen(4, 3);
    const first = mask(capture, [pixel(1, 1), pixel(3, 2)]);
    const again = mask(capture, [pixel(1, 1), pixel(3, 2), pixel(1, 1)]);
    expect(again).toBe(first);
    expect(png(again)).toBe(png(first));
    const moved = { ...screen(4, 3), origin: { x: 50, y: 60 } };
    expect(png(moved, first)).toBe(png(first));
    expect(png(moved)).toBe(png(first));
    expect(grey(mask(screen(4, 3), [pixel(0, 0)]), 4)).toEqual(['0,0']);
  });
});

describe('a thumbnail', () => {
  it.each([[1920, 1080], [40, 30], [10, 900]])('of %i×%i is 128×80 webp', async (width, height) => {
    const picture = pictureSchema.parse(await thumbnail(screen(width, height)));
    const metadata = await sharp(Buffer.from(picture.base64, 'base64')).metadata();
    expect([metadata.format, metadata.width, metadata.height]).toEqual(['webp', 128, 80]);
    expect(picture).toMatchObject({ mimeType: 'image/webp', width: 128, height: 80, target: null });
  }); // prettier-ignore
});

describe('the picture of a card', () => {
  it.each<[string, Capture, Rect]>([
    [
      'in the middle',
      screen(1920, 1080, { x: 900, y: 500, width: 120, height: 40 }),
      { x: 900, y: 500, width: 120, height: 40 },
    ],
    ['in a corner', screen(1920, 1080, { x: 0, y: 0, width: 80, height: 30 }), { x: 0, y: 0, width: 80, height: 30 }],
    [
      'at the far corner',
      screen(1920, 1080, { x: 1860, y: 1050, width: 60, height: 30 }),
      { x: 1860, y: 1050, width: 60, height: 30 },
    ],
    [
      'on a second display at double scale',
      screen(2880, 1800, { x: 400, y: 300, width: 200, height: 60 }, { origin: { x: -1440, y: 100 }, scale: 2 }),
      { x: -1240, y: 250, width: 100, height: 30 },
    ],
    [
      'as tall as the capture',
      screen(300, 900, { x: 100, y: 0, width: 100, height: 900 }),
      { x: 100, y: 0, width: 100, height: 900 },
    ],
    [
      'as wide as the capture',
      screen(3000, 300, { x: 0, y: 100, width: 3000, height: 60 }),
      { x: 0, y: 100, width: 3000, height: 60 },
    ],
    [
      'in a small window',
      screen(200, 60, { x: 20, y: 20, width: 90, height: 20 }),
      { x: 20, y: 20, width: 90, height: 20 },
    ],
  ])('shows a target %s where it says', async (_name, capture, target) => {
    const picture = pictureSchema.parse(await cropForCard(capture, target));
    expect(picture.width).toBeLessThanOrEqual(1344);
    expect(Math.abs(picture.width / picture.height - 672 / 208)).toBeLessThan(0.05);
    const metadata = await sharp(Buffer.from(picture.base64, 'base64')).metadata();
    expect([metadata.width, metadata.height]).toEqual([picture.width, picture.height]);
    const red = await redIn(picture.base64);
    expect(red).not.toBeNull();
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(Math.abs((red?.[side] ?? NaN) - (picture.target?.[side] ?? NaN))).toBeLessThanOrEqual(3);
  });

  it('without a target shows everything', async () => {
    const capture = screen(1000, 700, { x: 0, y: 0, width: 1000, height: 700 });
    const picture = await cropForCard(capture, null);
    expect(picture.target).toBeNull();
    const red = await redIn(picture.base64);
    expect((red?.width ?? 0) / (red?.height ?? 1)).toBeCloseTo(10 / 7, 1);
    expect(await cropForCard(capture, { x: 5000, y: 0, width: 10, height: 10 })).toMatchObject({ target: null });
  });

  it('always has the ratio and the visible part of the target', () => {
    const pixels = fc.integer({ min: 1, max: 3000 });
    const at = fc.integer({ min: -500, max: 3500 });
    fc.assert(
      fc.property(
        pixels,
        pixels,
        at,
        at,
        pixels,
        pixels,
        fc.constantFrom(1, 1.5, 2),
        (width, height, x, y, w, h, scale) => {
          const capture: Capture = { width, height, rgb: new Uint8Array(), origin: { x: 0, y: 0 }, scale };
          const { frame, target } = cropFor(capture, { x, y, width: w, height: h });
          expect(frame.width / frame.height).toBeCloseTo(672 / 208, 6);
          expect(target === null).toBe(x * scale >= width || y * scale >= height || x + w <= 0 || y + h <= 0);
          const seen = target ?? { x: 0, y: 0, width, height };
          const slack = 1e-6 * (frame.width + 1);
          expect(seen.x).toBeGreaterThanOrEqual(frame.x - slack);
          expect(seen.y).toBeGreaterThanOrEqual(frame.y - slack);
          expect(seen.x + seen.width).toBeLessThanOrEqual(frame.x + frame.width + slack);
          expect(seen.y + seen.height).toBeLessThanOrEqual(frame.y + frame.height + slack);
        },
      ),
    );
  });

  it('can be made of the smallest capture', async () => {
    expect(await cropForCard(screen(1, 1), { x: 0, y: 0, width: 1, height: 1 })).toMatchObject({
      target: { width: expect.any(Number) },
    });
    expect((await cropForCard(screen(1, 1), null)).height).toBeGreaterThan(0);
  });
});

describe('[req:AP-C-4] the whole picture', () => {
  it('has every pixel, and the target where it is', async () => {
    const capture = screen(300, 200, undefined, { scale: 2, origin: { x: 10, y: 20 } });
    const picture = await createImaging().fullPicture(capture, { x: 20, y: 30, width: 40, height: 10 });
    expect(picture).toMatchObject({ width: 300, height: 200, target: { x: 20, y: 20, width: 80, height: 20 } });
    const { width, height, format } = await sharp(Buffer.from(picture.base64, 'base64')).metadata();
    expect([width, height, format]).toEqual([300, 200, 'webp']);
    expect((await createImaging().fullPicture(capture, null)).target).toBeNull();
    expect((await createImaging().fullPicture(capture, { x: 900, y: 0, width: 9, height: 9 })).target).toBeNull();
    expect((await createImaging().fullPicture(capture, { x: 150, y: 110, width: 50, height: 50 })).target).toEqual({
      x: 280,
      y: 180,
      width: 20,
      height: 20,
    });
  });

  it('is made smaller only where the format ends', async () => {
    const picture = await createImaging().fullPicture(screen(16_384, 2), { x: 0, y: 0, width: 16_384, height: 2 });
    expect(picture).toMatchObject({ width: 8_192, height: 1, target: { x: 0, width: 8_192 } });
  });
});

describe('a smaller capture', () => {
  it('keeps its points', async () => {
    const small = await downscale(screen(3136, 1000, undefined, { scale: 2, origin: { x: 7, y: 9 } }), {
      width: 1568,
      height: 1568,
    });
    expect(small).toMatchObject({ width: 1568, height: 500, scale: 1, origin: { x: 7, y: 9 } });
    expect(small.rgb).toHaveLength(1568 * 500 * 3);
    const same = screen(10, 10);
    expect(await downscale(same, { width: 10, height: 10 })).toBe(same);
    expect(await downscale(screen(1000, 1), { width: 10, height: 10 })).toMatchObject({ width: 10, height: 1 });
  });

  it.each(['png', 'jpeg', 'webp'] as const)('is encoded as %s', async (format) => {
    const out = await createImaging().encode(screen(400, 200), {
      maxWidth: 100,
      maxHeight: 9999,
      format,
      quality: 80,
    });
    expect(out).toMatchObject({ mimeType: `image/${format}`, width: 100, height: 50 });
    expect((await sharp(out.bytes).metadata()).format).toBe(format);
  });
});
