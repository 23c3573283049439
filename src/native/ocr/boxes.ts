/** Pure: takes check boxes out of a greymap (255 is background). Recognition reads them as a letter, and the word beside them with it. */

/** In points. Smaller squares are letters or bullets, larger ones pictures and fields. */
const SIDE_POINTS = { least: 12, most: 28 };
/** How much longer one side may be than the other, and how far an edge may lie inside the square, in points. */
const MAX_SIDE_DIFFERENCE_POINTS = 2;
const EDGE_DEPTH_POINTS = 1;
/** The part of each side at its ends that may be round. */
const CORNER_SHARE = 0.15;

interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Whitens every square of ink whose four sides are straight, with what is in it. */
export function eraseCheckBoxes(grey: Uint8Array, width: number, height: number, scale: number): void {
  const visited = new Uint8Array(grey.length);
  for (let at = 0; at < grey.length; at++) {
    if (visited[at] === 1 || (grey[at] ?? 255) === 255) continue;
    const part = boundsOfInk(grey, visited, width, height, at);
    if (isSquare(part, scale) && isFramed(grey, width, part, scale)) whiten(grey, width, part);
  }
}

/** The bounds of the connected ink at `start`; pixels that touch at a corner are connected. */
function boundsOfInk(grey: Uint8Array, visited: Uint8Array, width: number, height: number, start: number): Bounds {
  const x0 = start % width;
  const y0 = (start - x0) / width;
  const part = { left: x0, top: y0, right: x0, bottom: y0 };
  const open = [start];
  visited[start] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const x = at % width;
    const y = (at - x) / width;
    part.left = Math.min(part.left, x);
    part.right = Math.max(part.right, x);
    part.bottom = Math.max(part.bottom, y);
    part.top = Math.min(part.top, y);
    for (let beside = Math.max(0, y - 1); beside <= Math.min(height - 1, y + 1); beside++)
      for (let next = Math.max(0, x - 1); next <= Math.min(width - 1, x + 1); next++) {
        const index = beside * width + next;
        if (visited[index] === 1 || (grey[index] ?? 255) === 255) continue;
        visited[index] = 1;
        open.push(index);
      }
  }
  return part;
}

function isSquare({ left, top, right, bottom }: Bounds, scale: number): boolean {
  const [wide, high] = [right - left + 1, bottom - top + 1];
  const fits = (side: number): boolean => side >= SIDE_POINTS.least * scale && side <= SIDE_POINTS.most * scale;
  return fits(wide) && fits(high) && Math.abs(wide - high) <= MAX_SIDE_DIFFERENCE_POINTS * scale;
}

/** Whether there is ink at the edge all along each of the four sides; of a ring there is not. */
function isFramed(grey: Uint8Array, width: number, { left, top, right, bottom }: Bounds, scale: number): boolean {
  const deep = Math.max(1, Math.round(EDGE_DEPTH_POINTS * scale));
  const inked = (x: number, y: number): boolean => (grey[y * width + x] ?? 255) !== 255;
  const along = (from: number, to: number, edge: (at: number, depth: number) => boolean): boolean => {
    const spared = Math.ceil((to - from + 1) * CORNER_SHARE);
    for (let at = from + spared; at <= to - spared; at++) {
      let found = false;
      for (let depth = 0; depth <= deep && !found; depth++) found = edge(at, depth);
      if (!found) return false;
    }
    return true;
  };
  return (
    along(left, right, (x, depth) => inked(x, top + depth)) &&
    along(left, right, (x, depth) => inked(x, bottom - depth)) &&
    along(top, bottom, (y, depth) => inked(left + depth, y)) &&
    along(top, bottom, (y, depth) => inked(right - depth, y))
  );
}

function whiten(grey: Uint8Array, width: number, { left, top, right, bottom }: Bounds): void {
  for (let y = top; y <= bottom; y++) grey.fill(255, y * width + left, y * width + right + 1);
}
