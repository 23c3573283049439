import { inkParts, type Bounds } from './line-bounds.js';

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
function eraseCheckBoxes(grey: Uint8Array, width: number, height: number, scale: number): void {
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

// Pure: the surfaces of an interface, on which text lies.

/** Pixels this close, in each of red, green and blue, to their neighbour are of one surface (also where it shades slowly). */
const MAX_NEIGHBOUR_DIFFERENCE = 3;
/** In points. Something of one colour is a surface where it is this large, or where it is as compact as a button or badge and no letter is. */
const LARGE_SQUARE_POINTS = 600;
const COMPACT = { squarePoints: 200, side: 12, share: 0.5 };

interface Pixels {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** Largest difference in red, green or blue of the pixels with these indexes. */
function difference(rgb: Uint8Array, one: number, other: number): number {
  const [a, b] = [one * 3, other * 3];
  return Math.max(
    Math.abs((rgb[a] ?? 0) - (rgb[b] ?? 0)),
    Math.abs((rgb[a + 1] ?? 0) - (rgb[b + 1] ?? 0)),
    Math.abs((rgb[a + 2] ?? 0) - (rgb[b + 2] ?? 0)),
  );
}

/** For each pixel the number of its surface: positive for a large one, negative for a compact one, 0 for none. `scale` is pixels per point. */
function findSurfaces({ width, height, rgb }: Pixels, scale: number): Int32Array {
  const { rootOf, size } = joinNeighbours(width, height, rgb);
  const [large, compact] = [LARGE_SQUARE_POINTS, COMPACT.squarePoints].map((points) => points * scale * scale);
  const surface = new Int32Array(width * height);
  const small = new Map<number, { left: number; right: number; top: number; bottom: number }>();
  for (let at = 0; at < surface.length; at++) {
    const root = rootOf(at);
    const area = size[root] ?? 0;
    if (area >= (large ?? 0)) surface[at] = root + 1;
    else if (area >= (compact ?? 0)) {
      const x = at % width;
      const y = (at - x) / width;
      const box = small.get(root) ?? { left: x, right: x, top: y, bottom: y };
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.bottom = y;
      small.set(root, box);
    }
  }
  for (const [root, { left, right, top, bottom }] of small) {
    const [wide, high] = [right - left + 1, bottom - top + 1];
    if (Math.min(wide, high) < COMPACT.side * scale || (size[root] ?? 0) < COMPACT.share * wide * high) continue;
    for (let y = top; y <= bottom; y++)
      for (let at = y * width + left; at <= y * width + right; at++) if (rootOf(at) === root) surface[at] = -(root + 1);
  }
  return surface;
}

/** Neighbours of like colour, joined (union by pixel index). */
function joinNeighbours(width: number, height: number, rgb: Uint8Array) {
  const parent = new Int32Array(width * height);
  const size = new Int32Array(width * height);
  const rootOf = (start: number): number => {
    let at = start;
    for (;;) {
      const up = parent[at] ?? at;
      if (up === at) return at;
      parent[at] = parent[up] ?? up;
      at = up;
    }
  };
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const left = x > 0 && difference(rgb, at, at - 1) <= MAX_NEIGHBOUR_DIFFERENCE ? rootOf(at - 1) : -1;
      const up = y > 0 && difference(rgb, at, at - width) <= MAX_NEIGHBOUR_DIFFERENCE ? rootOf(at - width) : -1;
      const root = left >= 0 ? left : up >= 0 ? up : at;
      parent[at] = root;
      size[root] = (size[root] ?? 0) + 1;
      if (up < 0 || up === root) continue;
      parent[up] = root;
      size[root] = (size[root] ?? 0) + (size[up] ?? 0);
    }
  }
  return { rootOf, size };
}

/** For each pixel the index of the nearest surface pixel, itself where it is one; -1 where there is none at all. Two sweeps. */
function nearestSurface(width: number, height: number, surface: Int32Array): Int32Array {
  const from = new Int32Array(width * height).fill(-1);
  const far = new Uint16Array(width * height).fill(0xffff);
  for (let at = 0; at < from.length; at++) {
    if (surface[at] === 0) continue;
    from[at] = at;
    far[at] = 0;
  }
  const take = (at: number, next: number): void => {
    const steps = (far[next] ?? 0xffff) + 1;
    if (steps >= (far[at] ?? 0)) return;
    far[at] = steps;
    from[at] = from[next] ?? -1;
  };
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (x > 0) take(at, at - 1);
      if (y > 0) take(at, at - width);
    }
  }
  for (let y = height - 1, at = width * height - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, at--) {
      if (x < width - 1) take(at, at + 1);
      if (y < height - 1) take(at, at + width);
    }
  }
  return from;
}
