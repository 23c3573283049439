/** Scrolls to an element: through accessibility where the application supports it, else with the wheel. */
import { contains, intersect, isRect } from '../../../base/rect.js';
import {
  DesktopError,
  type DesktopActor,
  type DesktopReader,
  type Element,
  type Point,
  type Rect,
  type Window,
} from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import { poll } from '../../../base/poll.js';
import { centre, nameOf } from './plans.js';
import { isAncestorPath } from './selector.js';
import { message } from '../../../messages/index.js';

const LIMITS = { maxDepth: 60, maxNodes: 600, timeoutMs: 3000, visibleOnly: true, brief: true };
const MAX_WHEEL_TURNS = 400;
const SCROLL_TIMEOUT_MS = 60_000;
/** Without a movement for this long, the end is reached. */
const MOVE_TIMEOUT_MS = 3000;
const POLL_MS = 30;
const TABLES: ReadonlySet<string> = new Set(['AXTable', 'AXOutline', 'AXList']);
/** As wide as scroll bars get. */
const EDGE = 18;

interface ScrollTarget {
  element: Element;
  /** The scrolling container. */
  scroller: Element;
  window: Window | null;
}

/** Throws where the element stays out of view. */
export async function scrollIntoView(
  desktop: DesktopActor,
  scrolled: ScrollTarget,
  signal: AbortSignal,
): Promise<void> {
  const { element, scroller } = scrolled;
  const outside = await tryDirectly(desktop, element, signal);
  if (isInside((await desktop.element(element.id, signal)).frame, scroller.frame)) return;
  await turnWheel(desktop, { ...scrolled, tellsPlace: outside !== null }, signal);
  if (!(await desktop.element(element.id, signal)).states.visible) throw stillHiddenError(element);
}

/** null, or where the element lies out of view, from a toolkit that tells it and does not scroll. */
async function tryDirectly(desktop: DesktopActor, { id }: Element, signal: AbortSignal): Promise<Rect | null> {
  try {
    await desktop.scrollIntoView(id, signal);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof DesktopError) || (thrown.code !== 'unsupported' && thrown.code !== 'failed')) throw thrown;
    const { outside } = thrown.details;
    return isRect(outside) ? outside : null;
  }
}

/** Reads the elements again after every few steps, because an element that comes under the pointer may take the wheel. */
async function turnWheel(
  desktop: DesktopActor,
  { element, scroller, window, tellsPlace }: ScrollTarget & { tellsPlace: boolean },
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + SCROLL_TIMEOUT_MS;
  const visible = () => visibleIn(desktop, scroller, signal);
  let shown = await visible();
  let place: Point | null = null;
  let turned: Point | null = null;
  let stepPoints: number | null = null;
  for (let turns = 0; turns < MAX_WHEEL_TURNS && performance.now() < end; turns += 1) {
    const now = await desktop.element(element.id, signal);
    const frame = now.frame ?? (tellsPlace ? await tryDirectly(desktop, element, signal) : null);
    const turn = wheelDirection({ ...now, frame }, areaOf(scroller), shown);
    // A step longer than the visible area would go back and forth.
    if (turn === null || (now.states.visible && turned !== null && isOpposite(turn, turned))) return;
    const preferred: Point | null = turned !== null && isOpposite(turn, turned) ? null : place;
    place = await findWheelPoint(desktop, { scroller, element: now, window, turn, preferred, shown }, signal);
    if (place === null || scroller.frame === null) return;
    const beside = shown.filter(({ path }) => !isAncestorPath(path, element.path));
    const steps: number = stepsAtOnce(place, turn, scroller.frame, beside, stepPoints);
    await desktop.movePointer(place, signal);
    await desktop.scroll({ x: turn.x * steps, y: turn.y * steps }, signal);
    const moved = await poll(() => different(visible, shown), MOVE_TIMEOUT_MS, signal, POLL_MS);
    if (moved === null) return;
    const after = await settled(visible, moved, signal);
    stepPoints = movedPoints(shown, after) / steps || stepPoints;
    shown = after;
    turned = turn;
  }
}

/** Without the scroll bars that a table may have, and its headers, below which Qt's cells go on. */
function areaOf({ role, frame }: Element): Rect | null {
  if (frame === null || !TABLES.has(role)) return frame;
  const top = role === 'AXTable' ? EDGE : 0;
  return { x: frame.x, y: frame.y + top, width: frame.width - EDGE, height: frame.height - top - EDGE };
}

async function visibleIn(desktop: DesktopReader, { id, pid }: Element, signal: AbortSignal): Promise<Element[]> {
  const { nodes } = await desktop.tree({ pid, elementId: id }, LIMITS, signal);
  return nodes.slice(1).map(({ element }) => element);
}

async function different(look: () => Promise<Element[]>, before: readonly Element[]): Promise<Element[] | null> {
  const now = await look();
  return placesOf(now) === placesOf(before) ? null : now;
}

/** Waits for smooth scrolling to end. */
async function settled(look: () => Promise<Element[]>, first: Element[], signal: AbortSignal): Promise<Element[]> {
  let last = first;
  const same = async (): Promise<true | null> => {
    const now = await look();
    const rests = placesOf(now) === placesOf(last);
    last = now;
    return rests || null;
  };
  await poll(same, MOVE_TIMEOUT_MS, signal, POLL_MS);
  return last;
}

const placesOf = (elements: readonly Element[]): string =>
  JSON.stringify(elements.map(({ path, frame }) => [path, frame]));

function isInside(frame: Rect | null, outer: Rect | null): boolean {
  return frame !== null && outer !== null && contains(outer, centre(frame));
}

const isOpposite = (one: Point, other: Point): boolean => one.x * other.x + one.y * other.y < 0;

export function stillHiddenError(element: Element): WireError {
  return new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    message('error.not_scrolled_into_view', { name: nameOf(element) }),
    {
      reason: 'not_usable',
      next: 'Scroll there with the scroll tool and look with capture_screenshot, then make the call again.',
    },
  );
}

// Finds a point where the wheel scrolls a container and nothing inside it.

/** Fractions of the width; the edges first, because fields mostly leave them free. */
const ACROSS = [0.01, 0.03, 0.97, 0.25, 0.5, 0.75];
/** Fractions of the height, ordered for scrolling down. */
const DOWN = [0.05, 0.25, 0.5, 0.75, 0.95];
/** Of the width, on each side of the middle. */
const INNER = 0.4;

interface WheelRequest {
  scroller: Element;
  /** The element to scroll to. */
  element: Element;
  window: Window | null;
  turn: Point;
  /** Where the wheel was turned before: it is tried first. */
  preferred: Point | null;
  /** What shows in the container, as just read. */
  shown: readonly Element[];
}

/** null where there is no such point. */
async function findWheelPoint(
  desktop: DesktopReader,
  request: WheelRequest,
  signal: AbortSignal,
): Promise<Point | null> {
  const { frame } = request.scroller;
  const area = frame && request.window ? intersect(frame, request.window.frame) : frame;
  if (area === null) return null;
  if (request.preferred !== null && (await stillReaches(desktop, request.preferred, request, signal)))
    return request.preferred;
  const ancestorIds = new Set((await desktop.ancestors(request.element.id, signal)).map(({ id }) => id));
  for (const point of overRowsFirst(pointsOf(area, request.turn), request))
    if (await reachesScroller(desktop, point, request, ancestorIds, signal)) return point;
  return null;
}

/** The headers of a table do not scroll it, and its scroll bar, which some toolkits tell nothing of, may scroll it the other way. */
function overRowsFirst(points: readonly Point[], { scroller: { role, frame }, shown }: WheelRequest): readonly Point[] {
  if (!TABLES.has(role) || frame === null) return points;
  const rows = shown.filter(({ nativeRole }) => !nativeRole.includes('header'));
  const isInner = ({ x }: Point): boolean => Math.abs(x - centre(frame).x) < frame.width * INNER;
  const isOver = (point: Point): boolean => rows.some((one) => one.frame !== null && contains(one.frame, point));
  const good = points.filter((point) => isInner(point) && isOver(point));
  return [...good, ...points.filter((point) => !good.includes(point))];
}

function pointsOf({ x, y, width, height }: Rect, turn: Point): Point[] {
  const rows = turn.y < 0 ? DOWN.toReversed() : DOWN;
  return ACROSS.flatMap((across) =>
    rows.map((down) => ({ x: Math.round(x + width * across), y: Math.round(y + height * down) })),
  );
}

/** Nothing that may take the wheel has come there, as what was read of the container tells. */
async function stillReaches(
  desktop: DesktopReader,
  point: Point,
  { window, element, shown }: WheelRequest,
  signal: AbortSignal,
): Promise<boolean> {
  if (shown.length >= LIMITS.maxNodes - 1) return false;
  const there = shown.filter(({ frame }) => frame !== null && contains(frame, point));
  if (!there.every((one) => isPassive(one) || isAncestorPath(one.path, element.path))) return false;
  return window === null || (await desktop.windowAt(point, signal))?.id === window.id;
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

// Direction and number of wheel steps to bring an element into view.

const DOWNWARDS: Point = { x: 0, y: 1 };
const UP: Point = { x: 0, y: -1 };
const RIGHT: Point = { x: 1, y: 0 };
const LEFT: Point = { x: -1, y: 0 };

/**
 * One wheel step, or null where the middle of the element lies in `area` or its place is unknown. Toolkits often report no frame
 * for hidden elements; then the tree order relative to the nearest of `shown` decides.
 */
export function wheelDirection(
  { frame, path }: Pick<Element, 'frame' | 'path'>,
  area: Rect | null,
  shown: readonly Element[],
): Point | null {
  return frame === null || area === null ? byOrder(path, shown) : byPlace(centre(frame), area);
}

/** Roles that leave the wheel to their container. Fields, spinners, sliders, combo boxes and tabs do not; unknown roles may not. */
const PASSIVE_ROLES: ReadonlySet<string> = new Set([
  'AXButton', 'AXCell', 'AXCheckBox', 'AXGroup', 'AXHeading', 'AXImage', 'AXLink', 'AXRow', 'AXStaticText',
]); // prettier-ignore

const isPassive = ({ role, states }: Element): boolean => PASSIVE_ROLES.has(role) && !states.editable;

const MAX_STEPS_AT_ONCE = 8;
/** Steps may be up to this much longer than measured. */
const STEP_MARGIN = 1.5;

/** The most steps for which nothing that could take the wheel comes under the pointer; 1 while `stepPoints` is not known. */
export function stepsAtOnce(
  pointer: Point,
  turn: Point,
  area: Rect,
  shown: readonly Element[],
  stepPoints: number | null,
): number {
  if (turn.y === 0 || stepPoints === null || stepPoints <= 0) return 1;
  const edge = turn.y > 0 ? area.y + area.height - pointer.y : pointer.y - area.y;
  const takers = shown.filter((one) => !isPassive(one)).flatMap(({ frame }) => (frame === null ? [] : [frame]));
  const ahead = takers
    .filter(({ x, width }) => x <= pointer.x && pointer.x < x + width)
    .map(({ y, height }) => (turn.y > 0 ? y - pointer.y : pointer.y - (y + height)))
    .filter((distance) => distance >= 0);
  const free = Math.min(edge, ...ahead);
  return Math.max(1, Math.min(MAX_STEPS_AT_ONCE, Math.floor(free / (stepPoints * STEP_MARGIN))));
}

/** How far the elements moved that are visible before and after, in points; 0 where there are none. */
export function movedPoints(before: readonly Element[], after: readonly Element[]): number {
  const places = new Map(before.map(({ path, frame }) => [path.join('/'), frame]));
  const distances = after.flatMap(({ path, frame }) => {
    const old = places.get(path.join('/'));
    return frame === null || old === null || old === undefined ? [] : [Math.abs(frame.y - old.y)];
  });
  return Math.max(0, ...distances);
}

function byPlace({ x, y }: Point, area: Rect): Point | null {
  if (y < area.y) return UP;
  if (y >= area.y + area.height) return DOWNWARDS;
  if (x < area.x) return LEFT;
  return x >= area.x + area.width ? RIGHT : null;
}

function byOrder(path: readonly number[], shown: readonly Element[]): Point | null {
  const beside = shown.map((one) => ({ path: one.path, shared: sharedSteps(one.path, path) }));
  // Ancestors and descendants lie neither before nor after it.
  const apart = beside.filter((one) => one.shared < Math.min(one.path.length, path.length));
  const nearest = Math.max(...apart.map(({ shared }) => shared));
  const steps = apart.filter(({ shared }) => shared === nearest).map((one) => one.path[nearest] ?? 0);
  const own = path[nearest] ?? 0;
  if (steps.length === 0) return null;
  if (steps.every((step) => step < own)) return DOWNWARDS;
  return steps.every((step) => step > own) ? UP : null;
}

function sharedSteps(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((step, depth) => other[depth] !== step);
  return differs < 0 ? one.length : differs;
}
