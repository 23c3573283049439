/** Which way to turn the wheel, and how far at once, for an element to come into view. Pure. */
import type { Element, Point, Rect } from '../../../native/desktop.js';
import { centre } from './plans.js';

const DOWN: Point = { x: 0, y: 1 };
const UP: Point = { x: 0, y: -1 };
const RIGHT: Point = { x: 1, y: 0 };
const LEFT: Point = { x: -1, y: 0 };

/**
 * One step of the wheel, or null where the middle of the element lies in `area`, or nothing tells where it is. Toolkits often tell no place of
 * what does not show: then the order of the tree decides, by those of `shown` that are nearest to it there.
 */
export function turnFor(
  { frame, path }: Pick<Element, 'frame' | 'path'>,
  area: Rect | null,
  shown: readonly Element[],
): Point | null {
  return frame === null || area === null ? byOrder(path, shown) : byPlace(centre(frame), area);
}

/** They leave the wheel to what they are in. Fields, spinners, sliders, combo boxes and tabs do not, and neither may what is not on this list. */
const PASSIVE: ReadonlySet<string> = new Set([
  'AXButton', 'AXCell', 'AXCheckBox', 'AXGroup', 'AXHeading', 'AXImage', 'AXLink', 'AXRow', 'AXStaticText',
]); // prettier-ignore

export const isPassive = ({ role, states }: Element): boolean => PASSIVE.has(role) && !states.editable;

const MOST_AT_ONCE = 8;
/** Steps may differ in length. */
const LONGER = 1.5;

/** So many steps that nothing that could take the wheel comes under the pointer by them; `stepPoints` null: not known yet. */
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
  return Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(free / (stepPoints * LONGER))));
}

/** How far everything moved that shows before and after; 0 where nothing tells. */
export function movedBy(before: readonly Element[], after: readonly Element[]): number {
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
  // Those that hold it, or that it holds, lie neither before nor after it.
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
