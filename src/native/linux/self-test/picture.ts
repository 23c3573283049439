/** Where the marks of the test window are in a picture. Comes in: a capture, and the window's size. Goes out: its corner on the screen, or null where a mark is not as it was painted. */
import type { Capture, Point, Rect } from '../../desktop.js';
import { marksOf, type Mark, type WindowState } from './window.js';

/** An output that is scaled blends pixels along edges. */
const SAME_COLOUR = 3;
const LEAST_SHARE = 0.7;

/** Points, as places are. All marks have to be there, each in its place relative to the others, to the pixel. */
export function cornerIn(picture: Capture, size: WindowState['size']): Point | null {
  const corners = marksOf(size).map((mark) => cornerBy(picture, mark));
  const [first] = corners;
  if (first === undefined || first === null) return null;
  const pixel = 1 / picture.scale;
  const agrees = (one: Point | null): boolean =>
    one !== null && Math.abs(one.x - first.x) <= pixel && Math.abs(one.y - first.y) <= pixel;
  return corners.every(agrees) ? first : null;
}

/** Whether nothing of the window shows. */
export const isGone = (picture: Capture, size: WindowState['size']): boolean =>
  marksOf(size).every(({ colour }) => boxOf(picture, colour) === null);

/** The window's corner, by this mark. */
function cornerBy(picture: Capture, { colour, place }: Mark): Point | null {
  const found = boxOf(picture, colour);
  if (found === null) return null;
  const { scale, origin } = picture;
  const [width, height] = [place.width * scale, place.height * scale];
  const { box, count } = found;
  if (Math.abs(box.width - width) > 2 || Math.abs(box.height - height) > 2 || count < width * height * LEAST_SHARE)
    return null;
  // By its middle: blended edges take from both sides.
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return {
    x: origin.x + x / scale - (place.x + place.width / 2),
    y: origin.y + y / scale - (place.y + place.height / 2),
  };
}

/** Around all pixels of the colour. */
function boxOf({ width, height, rgb }: Capture, colour: Mark['colour']): { box: Rect; count: number } | null {
  let [left, top, right, bottom, count] = [width, height, -1, -1, 0];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      if (!colour.every((value, index) => Math.abs((rgb[at + index] ?? 0) - value) <= SAME_COLOUR)) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), y];
      count += 1;
    }
  return count === 0 ? null : { box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }, count };
}
