import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Capture, Rect } from '../../src/native/desktop.js';
import { fillAreas } from '../../src/main/evidence/index.js';

function capture(width: number, height: number, more: Partial<Capture> = {}): Capture {
  return {
    width,
    height,
    rgb: new Uint8Array(width * height * 3).fill(255),
    origin: { x: 0, y: 0 },
    scale: 1,
    ...more,
  };
}

const isHidden = ({ rgb, width }: Capture, x: number, y: number) => rgb[(y * width + x) * 3] !== 255;

function hiddenPixels(of: Capture): number {
  let count = 0;
  for (let at = 0; at < of.rgb.length; at += 3) if (of.rgb[at] !== 255) count += 1;
  return count;
}

describe('masked areas', () => {
  it('are in points, from the origin of the capture, at its scale', () => {
    const masked = fillAreas(capture(100, 80, { origin: { x: 1000, y: -50 }, scale: 2 }), [
      { x: 1010, y: -40, width: 5, height: 3 },
    ]);
    expect(hiddenPixels(masked)).toBe(10 * 6);
    expect([
      isHidden(masked, 20, 20),
      isHidden(masked, 29, 25),
      isHidden(masked, 19, 20),
      isHidden(masked, 30, 25),
      isHidden(masked, 20, 26),
    ]).toEqual([true, true, false, false, false]);
  });

  it('cover every pixel they touch and no other, clipped, and leave the input as it was', () => {
    const number = fc.double({ min: -40, max: 60, noNaN: true });
    const size = fc.double({ min: 0, max: 50, noNaN: true });
    fc.assert(
      fc.property(
        number,
        number,
        size,
        size,
        fc.constantFrom(1, 1.25, 1.5, 2),
        number,
        (x, y, width, height, scale, origin) => {
          const before = capture(31, 17, { scale, origin: { x: origin, y: origin } });
          const masked = fillAreas(before, [{ x, y, width, height }]);
          expect(hiddenPixels(before)).toBe(0);
          for (let py = 0; py < 17; py++) {
            for (let px = 0; px < 31; px++) {
              const overlaps =
                touches(px, (x - origin) * scale, (x + width - origin) * scale) &&
                touches(py, (y - origin) * scale, (y + height - origin) * scale);
              if (overlaps) expect(isHidden(masked, px, py)).toBe(true);
            }
          }
          const most = (Math.ceil(width * scale) + 1) * (Math.ceil(height * scale) + 1);
          expect(hiddenPixels(masked)).toBeLessThanOrEqual(most);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each<[string, Rect]>([
    ['NaN', { x: NaN, y: 0, width: 1, height: 1 }],
    ['endless', { x: 0, y: 0, width: Infinity, height: 1 }],
  ])('that are %s hide everything', (_name, area) => {
    expect(hiddenPixels(fillAreas(capture(10, 10), [area]))).toBe(100);
  });

  it('turned inside out still cover', () => {
    expect(hiddenPixels(fillAreas(capture(10, 10), [{ x: 6, y: 6, width: -2, height: -3 }]))).toBe(6);
  });

  it('may be none', () => {
    expect(hiddenPixels(fillAreas(capture(3, 3), []))).toBe(0);
  });
});

/** The pixel [at, at+1) and the span have more than a border in common. */
const touches = (at: number, from: number, to: number) => from < at + 1 && to > at && to > from;
