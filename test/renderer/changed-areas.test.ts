import { expect, test } from 'vitest';
import { changedBoxes } from '../../src/renderer/features/evidence/EvidencePictures.js';

const [WIDTH, HEIGHT] = [200, 100];

/** A white picture with black boxes. */
function drawn(...boxes: [left: number, top: number, width: number, height: number][]): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray(WIDTH * HEIGHT * 4).fill(255);
  for (const [left, top, width, height] of boxes)
    for (let y = top; y < top + height; y += 1) rgba.fill(0, (y * WIDTH + left) * 4, (y * WIDTH + left + width) * 4);
  return rgba;
}

const boxes = (...changes: [number, number, number, number][]) =>
  changedBoxes(drawn(), drawn(...changes), WIDTH, HEIGHT).map(({ left, top, width, height }) => [
    (left * WIDTH) / 100,
    (top * HEIGHT) / 100,
    (width * WIDTH) / 100,
    (height * HEIGHT) / 100,
  ]);

test('[req:TR-4] two things that changed far from each other are ringed one by one, and not the box around both', () => {
  expect(boxes([10, 10, 20, 10], [150, 80, 40, 10])).toEqual([
    [150, 80, 40, 10],
    [10, 10, 20, 10],
  ]);
});

test('[req:TR-4] the parts of one thing are one ring', () => {
  expect(boxes([10, 10, 6, 12], [20, 10, 6, 12])).toEqual([[10, 10, 16, 12]]);
  expect(boxes([0, 0, 8, 8], [8, 8, 8, 8])).toEqual([[0, 0, 16, 16]]);
});

test('nothing is ringed where nothing changed, or nearly everything', () => {
  expect(boxes()).toEqual([]);
  expect(boxes([0, 0, 200, 90])).toEqual([]);
  expect(boxes([0, 0, 200, 70])).toEqual([[0, 0, 200, 70]]);
  expect(boxes([199, 99, 1, 1])).toEqual([[199, 99, 1, 1]]);
});
