/** Pure: finds the lines of text in a greymap (255 is background). Each is recognised separately. */
/** In points. Larger ink is a picture, smaller ink is no letter by itself. */
const PART_POINTS = { high: 80, wide: 400, low: 4 };
const LINE_POINTS = { low: 5, narrow: 2 };
/** Widest gap in a line, in heights of the taller neighbour; beyond `close` the lower one must have SAME_TYPE of that height. */
const GAP = { wide: 1.2, close: 0.5 };
const SAME_TYPE = 0.45;
/** How much of the height of the lower neighbour overlaps the other. */
const BESIDE_SHARE = 0.5;
const MAX_TIMES_AS_HIGH = 2.6;
/** A dot, accent or comma, of the height of its line: how high it is at most, and how far above or below it may lie. */
const MARK = { high: 0.55, away: 0.35 };
/** Ink whose lines overlap like this was cut at a wide letter. */
const TORN_SHARE = 0.7;
/** Lines are looked up by stripes of this height, in pixels. */
const STRIPE = 16;

const high = ({ top, bottom }: Bounds): number => bottom - top + 1;
const wide = ({ left, right }: Bounds): number => right - left + 1;
const overlap = (one: Bounds, other: Bounds): number =>
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) + 1;

/** Outermost pixels included; in no particular order. `scale` is pixels per point. */
export function findLines(grey: Uint8Array, width: number, height: number, scale: number): Bounds[] {
  const parts = [...inkParts(grey, width, height)].filter(
    (part) => high(part) <= PART_POINTS.high * scale && wide(part) <= PART_POINTS.wide * scale,
  );
  const lines = joinMarks(joinLetters(parts, scale));
  return lines.filter((line) => high(line) >= LINE_POINTS.low * scale && wide(line) >= LINE_POINTS.narrow * scale);
}

/** From left to right, adds each part to the line it continues best; parts that are too low stay alone here. */
function joinLetters(parts: readonly Bounds[], scale: number): Bounds[] {
  const lines: Bounds[] = [];
  const stripes = createStripes(GAP.wide * PART_POINTS.high * scale);
  for (const part of parts.toSorted((a, b) => a.left - b.left)) {
    const isLetter = high(part) >= PART_POINTS.low * scale;
    let best: { line: Bounds; score: number } | null = null;
    for (const line of isLetter ? stripes.near(part) : []) {
      const score = fit(line, part, scale);
      if (score > (best?.score ?? 0)) best = { line, score };
    }
    if (best === null) lines.push(stripes.add({ ...part }));
    else {
      extend(best.line, part);
      stripes.add(best.line);
    }
  }
  return lines;
}

/** How well a part continues a line; 0 where it does not. */
function fit(line: Bounds, part: Bounds, scale: number): number {
  const [ours, theirs] = [high(line), high(part)];
  const tall = Math.max(ours, theirs);
  const gap = part.left - line.right - 1;
  const share = overlap(line, part) / Math.min(ours, theirs);
  if (gap > GAP.wide * tall || share < BESIDE_SHARE || theirs > MAX_TIMES_AS_HIGH * ours) return 0;
  if (gap > GAP.close * tall && theirs < SAME_TYPE * ours) return 0;
  if (ours > MAX_TIMES_AS_HIGH * theirs && theirs > 1.5 * PART_POINTS.low * scale) return 0;
  return share - 0.2 * Math.max(0, gap / tall);
}

/** From the lowest up, each line that is a mark or a torn end of a higher one becomes part of it. */
function joinMarks(lines: readonly Bounds[]): Bounds[] {
  const stripes = createStripes(Infinity);
  for (const line of lines) stripes.add(line);
  const joined = new Set<Bounds>();
  for (const line of lines.toSorted((a, b) => high(a) - high(b) || wide(a) - wide(b))) {
    const away = Math.ceil(high(line) * 4);
    const near = stripes.near({ ...line, top: line.top - away, bottom: line.bottom + away });
    const owner = [...near].find((other) => other !== line && !joined.has(other) && belongs(line, other));
    if (owner === undefined) continue;
    extend(owner, line);
    stripes.add(owner);
    joined.add(line);
  }
  return lines.filter((line) => !joined.has(line));
}

function belongs(line: Bounds, owner: Bounds): boolean {
  const [ours, theirs] = [high(line), high(owner)];
  if (ours > theirs || (ours === theirs && wide(line) > wide(owner))) return false;
  const gap = Math.max(line.left - owner.right, owner.left - line.right) - 1;
  const away = MARK.away * theirs;
  if (ours <= MARK.high * theirs && line.top >= owner.top - away && line.bottom <= owner.bottom + away) {
    const middle = (line.top + line.bottom) / 2;
    if (gap <= 0 || (gap <= GAP.close * theirs && middle > owner.top && middle < owner.bottom)) return true;
  }
  return overlap(line, owner) >= TORN_SHARE * ours && ours > SAME_TYPE * theirs && gap <= GAP.close * theirs;
}

function extend(line: Bounds, part: Bounds): void {
  line.left = Math.min(line.left, part.left);
  line.right = Math.max(line.right, part.right);
  line.top = Math.min(line.top, part.top);
  line.bottom = Math.max(line.bottom, part.bottom);
}

/** Lines by horizontal stripes, so that only those at the same height are searched. Lines that end more than `reach` to the left are dropped. */
function createStripes(reach: number) {
  const stripes = new Map<number, Set<Bounds>>();
  const of = ({ top, bottom }: Bounds): number[] => {
    const first = Math.floor(top / STRIPE);
    return Array.from({ length: Math.floor(bottom / STRIPE) - first + 1 }, (_, index) => first + index);
  };
  return {
    add(line: Bounds): Bounds {
      for (const stripe of of(line)) stripes.set(stripe, (stripes.get(stripe) ?? new Set()).add(line));
      return line;
    },
    near(part: Bounds): Set<Bounds> {
      const found = new Set<Bounds>();
      for (const stripe of of(part)) {
        const there = stripes.get(stripe) ?? new Set();
        for (const line of there) {
          if (line.right < part.left - reach) there.delete(line);
          else found.add(line);
        }
      }
      return found;
    },
  };
}

/** Pure: ink that hangs together in a greymap (255 is background). */

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The bounds of each connected part, the outermost pixels included; pixels that touch at a corner are connected. */
export function* inkParts(grey: Uint8Array, width: number, height: number): Generator<Bounds> {
  const visited = new Uint8Array(grey.length);
  for (let at = 0; at < grey.length; at++) {
    if (grey[at] !== 255 && visited[at] !== 1) yield boundsOfPart(grey, visited, width, height, at);
  }
}

function boundsOfPart(grey: Uint8Array, visited: Uint8Array, width: number, height: number, start: number): Bounds {
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
