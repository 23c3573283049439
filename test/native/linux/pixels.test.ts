import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rgbOf } from '../../../src/native/linux/x11/pixels.js';

it('are red, green and blue, whatever their number and the byte above them', () => {
  const pixels = fc.array(fc.integer({ min: 0, max: 0xffffffff }), { maxLength: 40 });
  fc.assert(
    fc.property(pixels, (given) => {
      const expected = given.flatMap((pixel) => [(pixel >>> 16) & 0xff, (pixel >>> 8) & 0xff, pixel & 0xff]);
      expect([...rgbOf(Uint32Array.from(given))]).toEqual(expected);
    }),
  );
});
