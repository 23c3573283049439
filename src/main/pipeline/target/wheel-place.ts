/** Where the wheel turns a container and nothing else. */
import { contains } from '../../../native/desktop.js';
import { isPassive } from './wheel.js';
import type { DesktopReader, Element, Point, Rect, Window } from '../../../native/desktop.js';

/** The edges first: fields mostly leave them free. */
const ACROSS = [0.01, 0.03, 0.97, 0.25, 0.5, 0.75];
/** Where most of what shows has yet to pass, when it scrolls down. */
const DOWN = [0.05, 0.25, 0.5, 0.75, 0.95];

interface Asked {
  scroller: Element;
  /** What is scrolled to. */
  element: Element;
  window: Window | null;
  turn: Point;
  /** Looked at first. */
  before: Point | null;
}

/** null where there is no such place. */
export async function wheelPlace(desktop: DesktopReader, asked: Asked, signal: AbortSignal): Promise<Point | null> {
  const area = visiblePart(asked.scroller.frame, asked.window?.frame ?? null);
  if (area === null) return null;
  const above = new Set((await desktop.ancestors(asked.element.id, signal)).map(({ id }) => id));
  for (const point of [...(asked.before === null ? [] : [asked.before]), ...pointsOf(area, asked.turn)])
    if (await isFree(desktop, point, asked, above, signal)) return point;
  return null;
}

function pointsOf({ x, y, width, height }: Rect, turn: Point): Point[] {
  const rows = turn.y < 0 ? DOWN.toReversed() : DOWN;
  return ACROSS.flatMap((across) =>
    rows.map((down) => ({ x: Math.round(x + width * across), y: Math.round(y + height * down) })),
  );
}

/** What is hit is the container, or passive in it, or between it and what is scrolled to. */
async function isFree(
  desktop: DesktopReader,
  point: Point,
  { scroller, window }: Asked,
  above: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const top = await desktop.windowAt(point, signal);
  if (window !== null && top?.id !== window.id) return false;
  const hit = await desktop.elementAt(point, signal);
  if (hit === null) return false;
  const line = [hit, ...(await desktop.ancestors(hit.id, signal))];
  const end = line.findIndex(({ id }) => id === scroller.id);
  if (end < 0) return false;
  return line.slice(0, end).every((one) => above.has(one.id) || isPassive(one));
}

function visiblePart(frame: Rect | null, window: Rect | null): Rect | null {
  if (frame === null || window === null) return frame;
  const left = Math.max(frame.x, window.x);
  const top = Math.max(frame.y, window.y);
  const width = Math.min(frame.x + frame.width, window.x + window.width) - left;
  const height = Math.min(frame.y + frame.height, window.y + window.height) - top;
  const part = { x: left, y: top, width, height };
  return width > 0 && height > 0 && contains(part, { x: left, y: top }) ? part : null;
}
