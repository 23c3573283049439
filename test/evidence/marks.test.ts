import { describe, expect, test } from 'vitest';
import { drawMarks, placeTags } from '../../src/main/evidence/numbered-boxes.js';
import type { Rect } from '../../src/native/desktop.js';

const blank = (width: number, height: number) => ({ width, height, rgb: new Uint8Array(width * height * 3).fill(240) });
const at = (rgb: Uint8Array, width: number, x: number, y: number) => [...rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]; // prettier-ignore
const apart = (a: Rect, b: Rect) =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

describe('numbered boxes', () => {
  test('are drawn on a copy: outlines on the edges, the middle of each box as it was', () => {
    const picture = blank(300, 200);
    const box = { x: 100, y: 80, width: 120, height: 60 };
    const drawn = drawMarks(picture, [box]);
    expect(picture.rgb.every((value) => value === 240)).toBe(true);
    for (const [x, y] of [
      [160, 80],
      [160, 139],
      [100, 110],
      [219, 110],
    ] as const)
      expect(at(drawn, 300, x, y), `${x},${y}`).not.toEqual([240, 240, 240]);
    expect(at(drawn, 300, 160, 110)).toEqual([240, 240, 240]);
  });

  test('keep their numbers apart, also where controls stand close and at the edges of the picture', () => {
    const boxes: Rect[] = [];
    for (let row = 0; row < 4; row++)
      for (let column = 0; column < 5; column++) boxes.push({ x: column * 60, y: row * 36, width: 56, height: 32 });
    const tags = placeTags({ width: 300, height: 144 }, boxes);
    expect(tags).toHaveLength(boxes.length);
    for (const [index, tag] of tags.entries()) {
      expect(
        tags.slice(0, index).every((other) => apart(tag, other)),
        `${index}`,
      ).toBe(true);
      expect(apart(tag, { x: 0, y: 0, width: 300, height: 144 })).toBe(false);
      const { x, y, width, height } = boxes[index] ?? tag;
      const beside = {
        x: x - tag.width,
        y: y - tag.height,
        width: width + 2 * tag.width,
        height: height + 2 * tag.height,
      };
      expect(apart(tag, beside), `${index} is at its box`).toBe(false);
    }
  });

  test('leave a picture too small for them, or boxes outside of it, without harm', () => {
    for (const box of [
      { x: -50, y: -50, width: 20, height: 20 },
      { x: 0, y: 0, width: 9000, height: 9000 },
      { x: 3.4, y: 2.6, width: 0.2, height: 0.2 },
    ])
      expect(drawMarks(blank(8, 8), [box])).toHaveLength(8 * 8 * 3);
    expect(drawMarks(blank(8, 8), [])).toEqual(blank(8, 8).rgb);
  });
});
