import { eraseCheckBoxes } from './boxes.js';
import { difference, findSurfaces, nearestSurface, type Pixels } from './surfaces.js';

/** Pure: makes a picture of an interface what recognition reads best: dark text on white, whatever colours it had, and nothing else. */

/** In points. A straight line of this length is a border or an underline, not a letter: `long`, or `fine` where it is at most `hair` thick. */
const STRAIGHT_LINE_POINTS = { long: 48, fine: 18, hair: 2 };
/** What differs this little from its background is not ink. */
const MIN_CONTRAST = 20;
/** How far, in points, the two surfaces may be from a pixel that is the edge between them. */
const EDGE_POINTS = 2;

/** Grey, 255 is background: how far each pixel is from the surface it lies on. `scale` is pixels per point. */
export function flatten(picture: Pixels, scale: number): Uint8Array {
  const { width, height, rgb } = picture;
  const surface = findSurfaces(picture, scale);
  const ground = nearestSurface(width, height, surface);
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at++) {
    const under = ground[at] ?? -1;
    const ink = under < 0 || under === at ? 0 : difference(rgb, at, under);
    grey[at] = ink < MIN_CONTRAST ? 255 : 255 - ink;
  }
  eraseEdges(grey, surface, picture, scale);
  eraseCheckBoxes(grey, width, height, scale);
  eraseStraightLines(grey, { lines: height, length: width, along: 1, across: width }, scale);
  eraseStraightLines(grey, { lines: width, length: height, along: width, across: 1 }, scale);
  return grey;
}

/** Whitens the edge between two surfaces, such as the round ends of a button: recognition reads them as brackets. */
function eraseEdges(grey: Uint8Array, surface: Int32Array, { width, height, rgb }: Pixels, scale: number): void {
  const reach = Math.round(EDGE_POINTS * scale);
  const ways = [1, width - 1, width, width + 1].flatMap((step) => [step, -step]);
  const first = (at: number, step: number): number => {
    for (let steps = 1; steps <= reach; steps++) if (surface[at + steps * step] !== 0) return at + steps * step;
    return -1;
  };
  /** Inside and outside of a large letter have one colour and are not different. */
  const differ = (one: number, other: number): boolean => {
    const [here, there] = [surface[one] ?? 0, surface[other] ?? 0];
    return here !== there && ((here > 0 && there > 0) || difference(rgb, one, other) >= MIN_CONTRAST);
  };
  const isEdge = (at: number): boolean => {
    let one = -1;
    for (const step of ways) {
      const other = first(at, step);
      if (other < 0) continue;
      if (one >= 0 && differ(one, other)) return true;
      if (one < 0) one = other;
    }
    return false;
  };
  for (let y = reach; y < height - reach; y++)
    for (let at = y * width + reach; at < (y + 1) * width - reach; at++)
      if (grey[at] !== 255 && isEdge(at)) grey[at] = 255;
}

interface Direction {
  lines: number;
  length: number;
  /** Index steps to the next pixel of a line, and to the next line. */
  along: number;
  across: number;
}

/** Whitens every straight run of ink that can be no part of a letter. */
function eraseStraightLines(grey: Uint8Array, { lines, length, along, across }: Direction, scale: number): void {
  const beside = Math.ceil(STRAIGHT_LINE_POINTS.hair * scale) * across;
  const isWhite = (at: number): boolean => (grey[at] ?? 255) === 255;
  const isHair = (start: number, run: number): boolean =>
    [0.25, 0.5, 0.75].every((part) => {
      const at = start + Math.round(run * part) * along;
      return isWhite(at - beside) && isWhite(at + beside);
    });
  for (let line = 0; line < lines; line++) {
    let run = 0;
    for (let step = 0; step <= length; step++) {
      const at = line * across + step * along;
      if (step < length && !isWhite(at)) {
        run++;
        continue;
      }
      const start = at - run * along;
      if (run > STRAIGHT_LINE_POINTS.long * scale || (run > STRAIGHT_LINE_POINTS.fine * scale && isHair(start, run)))
        for (let back = 1; back <= run; back++) grey[at - back * along] = 255;
      run = 0;
    }
  }
}
