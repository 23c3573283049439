/** Direction and number of wheel steps to bring an element into view. Pure. */
import type { Element, Point, Rect } from '../../../native/desktop.js';
import { centre } from './plans.js';

const DOWN: Point = { x: 0, y: 1 };
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

export const isPassive = ({ role, states }: Element): boolean => PASSIVE_ROLES.has(role) && !states.editable;

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
  if (y >= area.y + area.height) return DOWN;
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
  if (steps.every((step) => step < own)) return DOWN;
  return steps.every((step) => step > own) ? UP : null;
}

function sharedSteps(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((step, depth) => other[depth] !== step);
  return differs < 0 ? one.length : differs;
}
