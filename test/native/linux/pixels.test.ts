import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPixelPacker } from '../../../src/native/linux/x11/pixel-reader.js';

const packInto = createPixelPacker();
function pack(count: number, bytes: Uint8Array): Uint8Array {
  const rgb = new Uint8Array(count * 3);
  packInto(rgb, read(bytes));
  return rgb;
}
const read = (bytes: Uint8Array) => (strip: Uint8Array, at: number) => strip.set(bytes.subarray(at, at + strip.length));

function packedOneByOne(bytes: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((bytes.length / 4) * 3);
  for (let pixel = 0; pixel < bytes.length / 4; pixel += 1)
    for (const channel of [0, 1, 2]) rgb[3 * pixel + channel] = bytes[4 * pixel + 2 - channel] ?? 0;
  return rgb;
}

it('are red, green and blue, whatever their number and the byte above them', () => {
  const pixels = fc.array(fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 }), {
    maxLength: 70,
  });
  fc.assert(
    fc.property(pixels, (given) => {
      const bytes = Uint8Array.from(given.flat());
      expect(pack(given.length, bytes)).toEqual(packedOneByOne(bytes));
    }),
  );
});

it.each([32_767, 32_768, 32_769, 100_001])('are packed in strips: %i of them', (count) => {
  const bytes = Uint8Array.from({ length: 4 * count }, (_, at) => (at * 2_654_435_761) >>> 13);
  expect(Buffer.compare(pack(count, bytes), packedOneByOne(bytes))).toBe(0);
});
