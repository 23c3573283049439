/** Finds a point where the wheel scrolls a container and nothing inside it. */
import { intersect } from '../../../base/rect.js';
import { isPassive } from './wheel.js';
import type { DesktopReader, Element, Point, Rect, Window } from '../../../native/desktop.js';

/** Fractions of the width; the edges first, because fields mostly leave them free. */
const ACROSS = [0.01, 0.03, 0.97, 0.25, 0.5, 0.75];
/** Fractions of the height, ordered for scrolling down. */
const DOWN = [0.05, 0.25, 0.5, 0.75, 0.95];

interface WheelRequest {
  scroller: Element;
  /** The element to scroll to. */
  element: Element;
  window: Window | null;
  turn: Point;
  /** Tried first. */
  preferred: Point | null;
}

/** null where there is no such point. */
export async function findWheelPoint(
  desktop: DesktopReader,
  request: WheelRequest,
  signal: AbortSignal,
): Promise<Point | null> {
  const { frame } = request.scroller;
  const area = frame && request.window ? intersect(frame, request.window.frame) : frame;
  if (area === null) return null;
  const ancestorIds = new Set((await desktop.ancestors(request.element.id, signal)).map(({ id }) => id));
  for (const point of [...(request.preferred === null ? [] : [request.preferred]), ...pointsOf(area, request.turn)])
    if (await reachesScroller(desktop, point, request, ancestorIds, signal)) return point;
  return null;
}

function pointsOf({ x, y, width, height }: Rect, turn: Point): Point[] {
  const rows = turn.y < 0 ? DOWN.toReversed() : DOWN;
  return ACROSS.flatMap((across) =>
    rows.map((down) => ({ x: Math.round(x + width * across), y: Math.round(y + height * down) })),
  );
}

/** The element hit is the container, passive inside it, or an ancestor of the target. */
async function reachesScroller(
  desktop: DesktopReader,
  point: Point,
  { scroller, window }: WheelRequest,
  above: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const top = await desktop.windowAt(point, signal);
  if (window !== null && top?.id !== window.id) return false;
  const hit = await desktop.elementAt(point, signal);
  if (hit === null) return false;
  const chain = [hit, ...(await desktop.ancestors(hit.id, signal))];
  const end = chain.findIndex(({ id }) => id === scroller.id);
  if (end < 0) return false;
  return chain.slice(0, end).every((one) => above.has(one.id) || isPassive(one));
}
