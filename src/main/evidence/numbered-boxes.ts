/** Draws numbered boxes on a picture. Pure, and without fonts, so that it looks the same on every system. */
import type { Rect } from '../../native/desktop.js';

type Colour = readonly [number, number, number];

interface Picture {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** Digits five wide and seven high; each number is a row, its highest bit on the left. */
const DIGITS: readonly (readonly number[])[] = [
  [14, 17, 19, 21, 25, 17, 14], [4, 12, 4, 4, 4, 4, 14], [14, 17, 1, 2, 4, 8, 31], [30, 1, 1, 14, 1, 1, 30], [2, 6, 10, 18, 31, 2, 2],
  [31, 16, 30, 1, 1, 17, 14], [6, 8, 16, 30, 17, 17, 14], [31, 1, 2, 4, 8, 8, 8], [14, 17, 17, 14, 17, 17, 14], [14, 17, 17, 15, 1, 2, 12],
]; // prettier-ignore
const DIGIT_COLUMNS = 5;
const DIGIT_ROWS = 7;
/** Pixels per dot of a digit. */
const DOT_PIXELS = 2;
const PADDING_PIXELS = 3;
const OUTLINE_PIXELS = 2;
/** Square pixels: overlap with a control beyond this adds no cost. */
const MAX_COUNTED_OVERLAP = 400;
const WHITE: Colour = [255, 255, 255];
/** Dark enough for white digits; neighbours differ. */
const COLOURS: readonly Colour[] = [
  [200, 20, 40],
  [0, 92, 200],
  [0, 118, 58],
  [140, 40, 170],
  [170, 84, 0],
  [0, 110, 125],
];

/** `boxes` are in the picture's pixels; the first is number 1. */
export function drawMarks(picture: Picture, boxes: readonly Rect[]): Uint8Array {
  const rgb = Uint8Array.from(picture.rgb);
  const to = { ...picture, rgb };
  const whole = boxes.map(roundRect);
  whole.forEach((box, index) => outline(to, box, colourOf(index)));
  placeTags(picture, whole).forEach((tag, index) => drawTag(to, tag, `${index + 1}`, colourOf(index)));
  return rgb;
}

/** Where the number of each box goes. */
export function placeTags(picture: Pick<Picture, 'width' | 'height'>, boxes: readonly Rect[]): Rect[] {
  const tags: Rect[] = [];
  for (const [index, box] of boxes.entries()) tags.push(placeTag(picture, box, `${index + 1}`, tags, boxes));
  return tags;
}

const colourOf = (index: number): Colour => COLOURS[index % COLOURS.length] ?? WHITE;

function roundRect({ x, y, width, height }: Rect): Rect {
  const [left, top] = [Math.round(x), Math.round(y)];
  return { x: left, y: top, width: Math.round(x + width) - left, height: Math.round(y + height) - top };
}

function fill({ width, height, rgb }: Picture, rect: Rect, [red, green, blue]: Colour): void {
  const right = Math.min(width, rect.x + rect.width);
  for (let y = Math.max(0, rect.y); y < Math.min(height, rect.y + rect.height); y++) {
    for (let at = (y * width + Math.max(0, rect.x)) * 3; at < (y * width + right) * 3; at += 3) {
      rgb[at] = red;
      rgb[at + 1] = green;
      rgb[at + 2] = blue;
    }
  }
}

function outline(to: Picture, box: Rect, colour: Colour): void {
  const { x, y, width, height } = box;
  fill(to, { x, y, width, height: OUTLINE_PIXELS }, colour);
  fill(to, { x, y: y + height - OUTLINE_PIXELS, width, height: OUTLINE_PIXELS }, colour);
  fill(to, { x, y, width: OUTLINE_PIXELS, height }, colour);
  fill(to, { x: x + width - OUTLINE_PIXELS, y, width: OUTLINE_PIXELS, height }, colour);
}

function tagSize(label: string): { width: number; height: number } {
  return {
    width: (label.length * (DIGIT_COLUMNS + 1) - 1) * DOT_PIXELS + 2 * PADDING_PIXELS,
    height: DIGIT_ROWS * DOT_PIXELS + 2 * PADDING_PIXELS,
  };
}

/** The position that covers least: other numbers count most, then the centres of controls. Tries corners and edges, inside and outside. */
function placeTag(
  picture: Pick<Picture, 'width' | 'height'>,
  box: Rect,
  label: string,
  tags: readonly Rect[],
  boxes: readonly Rect[],
): Rect {
  const { width, height } = tagSize(label);
  const { x, y } = box;
  const [end, low, half] = [x + box.width - width, y + box.height, Math.round(height / 2)];
  const middle = Math.round(y + (box.height - height) / 2);
  const corners = [
    [x, y - height],
    [x - width, middle],
    [x, y - half],
    [end, y - half],
    [end, y - height],
    [end + width, middle],
    [x, low],
    [end, low],
    [x, low - half],
    [end, low - half],
    [x, y],
    [end, y],
    [x, low - height],
    [end, low - height],
  ] as const;
  const places = corners.map(([left, top]) => ({
    x: Math.max(0, Math.min(picture.width - width, left)),
    y: Math.max(0, Math.min(picture.height - height, top)),
    width,
    height,
  }));
  const cost = (place: Rect): number =>
    sum(tags, (tag) => 20 * overlapArea(place, tag)) +
    sum(
      boxes,
      (other) =>
        (other === box ? 1 : 2) * Math.min(overlapArea(place, other), MAX_COUNTED_OVERLAP) +
        5 * overlapArea(place, centreOf(other)),
    );
  return places.reduce((best, place) => (cost(place) < cost(best) ? place : best));
}

/** The middle of a control, where its text is. */
const centreOf = ({ x, y, width, height }: Rect): Rect => ({
  x: x + width * 0.2,
  y: y + height * 0.2,
  width: width * 0.6,
  height: height * 0.6,
});

const sum = <T>(all: readonly T[], each: (one: T) => number): number =>
  all.reduce((total, one) => total + each(one), 0);

function overlapArea(a: Rect, b: Rect): number {
  const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

function drawTag(to: Picture, tag: Rect, label: string, colour: Colour): void {
  fill(to, tag, WHITE);
  fill(to, { x: tag.x + 1, y: tag.y + 1, width: tag.width - 2, height: tag.height - 2 }, colour);
  [...label].forEach((digit, index) => {
    const left = tag.x + PADDING_PIXELS + index * (DIGIT_COLUMNS + 1) * DOT_PIXELS;
    DIGITS[Number(digit)]?.forEach((bits, row) => {
      for (let column = 0; column < DIGIT_COLUMNS; column++)
        if ((bits >> (DIGIT_COLUMNS - 1 - column)) & 1)
          fill(
            to,
            {
              x: left + column * DOT_PIXELS,
              y: tag.y + PADDING_PIXELS + row * DOT_PIXELS,
              width: DOT_PIXELS,
              height: DOT_PIXELS,
            },
            WHITE,
          );
    });
  });
}
