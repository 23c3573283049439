import { eraseCheckBoxes } from './boxes.js';

/** Pure: makes a picture of an interface what recognition reads best: dark text on white, whatever colours it had, and nothing else. */

/** Pixels this close, in each of red, green and blue, to their neighbour are of one surface (also where it shades slowly). */
const MAX_NEIGHBOUR_DIFFERENCE = 3;
/** A surface of at least this many square points is a background. Smaller ones are text, icons, lines. */
const MIN_SURFACE_SQUARE_POINTS = 600;
/** In points. A straight line this long is a border or an underline, and so is a shorter one that is no thicker than a hair: no letter is. */
const LINE_POINTS = { long: 48, fine: 18, hair: 2 };
/** What differs this little from its background is not ink. */
const MIN_CONTRAST = 20;

export interface Pixels {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** Grey, 255 is background: how far each pixel is from the surface it lies on. `scale` is pixels per point. */
export function flatten({ width, height, rgb }: Pixels, scale: number): Uint8Array {
  const ground = nearestSurface(width, height, surfaces(width, height, rgb, MIN_SURFACE_SQUARE_POINTS * scale * scale));
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at++) {
    const under = ground[at] ?? -1;
    const ink = under < 0 || under === at ? 0 : distance(rgb, at, under);
    grey[at] = ink < MIN_CONTRAST ? 255 : 255 - ink;
  }
  eraseCheckBoxes(grey, width, height, scale);
  eraseLines(grey, { lines: height, length: width, along: 1, across: width }, scale);
  eraseLines(grey, { lines: width, length: height, along: width, across: 1 }, scale);
  return grey;
}

function distance(rgb: Uint8Array, one: number, other: number): number {
  const [a, b] = [one * 3, other * 3];
  return Math.max(
    Math.abs((rgb[a] ?? 0) - (rgb[b] ?? 0)),
    Math.abs((rgb[a + 1] ?? 0) - (rgb[b + 1] ?? 0)),
    Math.abs((rgb[a + 2] ?? 0) - (rgb[b + 2] ?? 0)),
  );
}

/** 1 for each pixel of a surface that is large enough. Neighbours of like colour are joined (union by pixel index). */
function surfaces(width: number, height: number, rgb: Uint8Array, least: number): Uint8Array {
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
      const left = x > 0 && distance(rgb, at, at - 1) <= MAX_NEIGHBOUR_DIFFERENCE ? rootOf(at - 1) : -1;
      const up = y > 0 && distance(rgb, at, at - width) <= MAX_NEIGHBOUR_DIFFERENCE ? rootOf(at - width) : -1;
      const root = left >= 0 ? left : up >= 0 ? up : at;
      parent[at] = root;
      size[root] = (size[root] ?? 0) + 1;
      if (up < 0 || up === root) continue;
      parent[up] = root;
      size[root] = (size[root] ?? 0) + (size[up] ?? 0);
    }
  }
  const large = new Uint8Array(width * height);
  for (let at = 0; at < large.length; at++) large[at] = (size[rootOf(at)] ?? 0) >= least ? 1 : 0;
  return large;
}

/** For each pixel the index of the nearest surface pixel, itself where it is one; -1 where there is none at all. Two sweeps. */
function nearestSurface(width: number, height: number, surface: Uint8Array): Int32Array {
  const from = new Int32Array(width * height).fill(-1);
  const far = new Uint16Array(width * height).fill(0xffff);
  for (let at = 0; at < from.length; at++) {
    if (surface[at] !== 1) continue;
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

interface Direction {
  lines: number;
  length: number;
  /** Index steps to the next pixel of a line, and to the next line. */
  along: number;
  across: number;
}

/** Whitens every straight run of ink that can be no part of a letter. */
function eraseLines(grey: Uint8Array, { lines, length, along, across }: Direction, scale: number): void {
  const beside = Math.ceil(LINE_POINTS.hair * scale) * across;
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
      if (run > LINE_POINTS.long * scale || (run > LINE_POINTS.fine * scale && isHair(start, run)))
        for (let back = 1; back <= run; back++) grey[at - back * along] = 255;
      run = 0;
    }
  }
}
