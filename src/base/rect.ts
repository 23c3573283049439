/** Rectangles, in whatever unit. */
interface Point {
  x: number;
  y: number;
}

interface Rect extends Point {
  width: number;
  height: number;
}

export function contains(rect: Rect, point: Point): boolean {
  return point.x >= rect.x && point.y >= rect.y && point.x < rect.x + rect.width && point.y < rect.y + rect.height;
}

export function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

export function isSame(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** null where they do not overlap. */
export function intersect(a: Rect, b: Rect): Rect | null {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

export function boundingBox(rects: readonly Rect[]): Rect {
  const x = Math.min(...rects.map((one) => one.x));
  const y = Math.min(...rects.map((one) => one.y));
  const right = Math.max(...rects.map((one) => one.x + one.width));
  const bottom = Math.max(...rects.map((one) => one.y + one.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** A corner of the screen outside all frames; the first corner where there is none. */
export function cornerOutside(frames: readonly Rect[], { x, y, width, height }: Rect): Point {
  const [right, bottom] = [x + width - 1, y + height - 1];
  const allCorners = [
    { x: right, y: bottom },
    { x, y: bottom },
    { x: right, y },
    { x, y },
  ] as const;
  return allCorners.find((one) => !frames.some((frame) => contains(frame, one))) ?? allCorners[0];
}

export function isRect(value: unknown): value is Rect {
  if (typeof value !== 'object' || value === null) return false;
  return ['x', 'y', 'width', 'height'].every((side) => typeof Reflect.get(value, side) === 'number');
}
