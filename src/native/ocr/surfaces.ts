/** Pure: the surfaces of an interface, on which text lies. */

/** Pixels this close, in each of red, green and blue, to their neighbour are of one surface (also where it shades slowly). */
const MAX_NEIGHBOUR_DIFFERENCE = 3;
/** In points. Something of one colour is a surface where it is this large, or where it is as compact as a button or badge and no letter is. */
const LARGE_SQUARE_POINTS = 600;
const COMPACT = { squarePoints: 200, side: 12, share: 0.5 };

export interface Pixels {
  width: number;
  height: number;
  rgb: Uint8Array;
}

/** Largest difference in red, green or blue of the pixels with these indexes. */
export function difference(rgb: Uint8Array, one: number, other: number): number {
  const [a, b] = [one * 3, other * 3];
  return Math.max(
    Math.abs((rgb[a] ?? 0) - (rgb[b] ?? 0)),
    Math.abs((rgb[a + 1] ?? 0) - (rgb[b + 1] ?? 0)),
    Math.abs((rgb[a + 2] ?? 0) - (rgb[b + 2] ?? 0)),
  );
}

/** For each pixel the number of its surface: positive for a large one, negative for a compact one, 0 for none. `scale` is pixels per point. */
export function findSurfaces({ width, height, rgb }: Pixels, scale: number): Int32Array {
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
export function nearestSurface(width: number, height: number, surface: Int32Array): Int32Array {
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
