import { inkParts, type Bounds } from './ink.js';

/** Pure: erases check boxes from a greymap (255 is background). Recognition would read them as a letter of the word beside them. */

/** In points. Smaller squares are letters or bullets, larger ones pictures and fields. */
const SIDE_POINTS = { least: 12, most: 28 };
/** How much longer one side may be than the other, and how far an edge may lie inside the square, in points. */
const MAX_SIDE_DIFFERENCE_POINTS = 2;
const EDGE_DEPTH_POINTS = 1;
/** The part of each side at its ends that may be round. */
const CORNER_SHARE = 0.15;
/** Share of the darkest ink; lighter ink is the smoothing of a curve. */
const STRONG_SHARE = 0.4;

/** Whitens every square of ink whose four sides are straight, with what is in it. */
export function eraseCheckBoxes(grey: Uint8Array, width: number, height: number, scale: number): void {
  for (const part of inkParts(grey, width, height))
    if (isSquare(part, scale) && isFramed(grey, width, part, scale)) whiten(grey, width, part);
}

function isSquare({ left, top, right, bottom }: Bounds, scale: number): boolean {
  const [wide, high] = [right - left + 1, bottom - top + 1];
  const fits = (side: number): boolean => side >= SIDE_POINTS.least * scale && side <= SIDE_POINTS.most * scale;
  return fits(wide) && fits(high) && Math.abs(wide - high) <= MAX_SIDE_DIFFERENCE_POINTS * scale;
}

/** True when each side is a straight line of ink and strong ink reaches into each corner; in a ring or a round letter it does not. */
function isFramed(grey: Uint8Array, width: number, part: Bounds, scale: number): boolean {
  const { left, top, right, bottom } = part;
  const deep = Math.max(1, Math.round(EDGE_DEPTH_POINTS * scale));
  const depths = Array.from({ length: deep + 1 }, (_, depth) => depth);
  const greyAt = (x: number, y: number): number => grey[y * width + x] ?? 255;
  const along = (from: number, to: number, edge: (at: number, depth: number) => number): boolean => {
    const spared = Math.ceil((to - from + 1) * CORNER_SHARE);
    return depths.some((depth) => {
      for (let at = from + spared; at <= to - spared; at++) if (edge(at, depth) === 255) return false;
      return true;
    });
  };
  const strong = 255 - (255 - darkest(grey, width, part)) * STRONG_SHARE;
  const corner = (x: number, y: number, right: number, down: number): boolean =>
    depths.some((depth) => greyAt(x + right * depth, y + down * depth) <= strong);
  return (
    along(left, right, (x, depth) => greyAt(x, top + depth)) &&
    along(left, right, (x, depth) => greyAt(x, bottom - depth)) &&
    along(top, bottom, (y, depth) => greyAt(left + depth, y)) &&
    along(top, bottom, (y, depth) => greyAt(right - depth, y)) &&
    corner(left, top, 1, 1) &&
    corner(right, top, -1, 1) &&
    corner(left, bottom, 1, -1) &&
    corner(right, bottom, -1, -1)
  );
}

function darkest(grey: Uint8Array, width: number, { left, top, right, bottom }: Bounds): number {
  let found = 255;
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) found = Math.min(found, grey[y * width + x] ?? 255);
  return found;
}

function whiten(grey: Uint8Array, width: number, { left, top, right, bottom }: Bounds): void {
  for (let y = top; y <= bottom; y++) grey.fill(255, y * width + left, y * width + right + 1);
}
