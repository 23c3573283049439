import { intersect } from '../../../base/rect.js';
import type { Point, Rect } from '../../desktop.js';
import type { TopLevelWindow } from '../windows.js';
import { type AccessibilityBus, idOf, nullFor, type Ref, refOf } from './bus.js';
import { type AccessibleObject, LISTS, ROLE } from './accessible-object.js';
import { readChildren, readRole } from './queries.js';
import type { Toolkit } from './toolkit.js';
import { near, readExtents, WITHIN } from './toplevels.js';

/**
 * Where GTK 4 draws its elements, for one reading. It reports the position of each in its parent; positions in the window and
 * on the screen are wrong for popovers and, from 4.10 on, missing for nearly all elements.
 */
export interface Gtk4Layout {
  /** These were read just now, so their roles and parents are not asked for again. */
  noteRead(objects: readonly AccessibleObject[]): void;
  /** null where it has no position, or is scrolled out of view. */
  placeOf(ref: Ref, signal: AbortSignal): Promise<Place | null>;
  /** That it has a position, which lies outside of what scrolls it. */
  scrolledAway(ref: Ref, signal: AbortSignal): Promise<boolean>;
  /** The largest area that it may cover, as its position is not known to the pixel. */
  coverOf(ref: Ref, signal: AbortSignal): Promise<Rect | null>;
}

interface Place {
  frame: Rect;
  /** The X window that it is drawn in. */
  id: number;
}

/** The area that contains an element. */
interface Container {
  origin: Point;
  /** How much further right and down the content may begin. */
  uncertainty: Point;
  /** The part of the screen where content is visible; null where none is. */
  visible: Rect | null;
  id: number;
  /** Where it is a list. */
  list: List | null;
}

/** Positions are told to it from `origin`. */
interface List {
  ref: Ref;
  origin: Point;
}

interface Position {
  /** null where it is not drawn itself, such as the pages of a stack. */
  place: Place | null;
  /** null for windows and popovers. */
  container: Container | null;
}

/** An object without the interface has no position. */
const nullWhenUnsupported = nullFor('unsupported', 'failed');
const POPUP_LAYER = 5;
/** More free space than this on each side is not padding: the children are small. */
const MAX_PADDING = 36;
const MAX_UNCERTAINTY = 40;
const MARGIN = 6;
const MAX_MEASURED_CHILDREN = 12;

/** `uncertainty`: how much more it may be. */
interface Padding {
  size: number;
  uncertainty: number;
}

const certain = (size: number): Padding => ({ size, uncertainty: 0 });

/** `windows` by the ids of their accessible counterparts; `popups` are the windows of open popovers and menus. */
export function openGtk4Layout(
  bus: AccessibilityBus,
  toolkit: Toolkit,
  windows: ReadonlyMap<string, TopLevelWindow>,
  popups: readonly TopLevelWindow[],
): Gtk4Layout {
  // Before 4.10 positions are those of the content box, afterwards of the border box.
  const measuresBorders = toolkit.minor >= 10;
  const read = new Map<string, AccessibleObject>();
  const positions = new Map<string, Promise<Position | null>>();
  const containers = new Map<string, Promise<Container | null>>();
  const boundsOf = (ref: Ref, signal: AbortSignal) => readExtents(bus, ref, signal, WITHIN.parent);

  const parentOf = async (ref: Ref, signal: AbortSignal): Promise<Ref | null> => {
    const parent = read.get(idOf(ref))?.parent ?? refOf(await bus.property(ref, 'Accessible.Parent', { signal }));
    return parent === null || parent.path.endsWith('/root') ? null : parent;
  };

  const findPosition = async (ref: Ref, signal: AbortSignal): Promise<Position | null> => {
    const bounds = await boundsOf(ref, signal).catch(nullWhenUnsupported);
    const window = windows.get(idOf(ref));
    if (window !== undefined) return { place: { frame: boxOf(window, bounds), id: window.id }, container: null };
    const parent = await parentOf(ref, signal);
    const container = parent === null ? null : await containerOf(parent, signal);
    if (container === null) return null;
    if (bounds === null) return { place: null, container };
    if (popups.length > 0 && (await bus.call(ref, 'Component.GetLayer', { signal }))[0] === POPUP_LAYER) {
      const unlike = ({ frame }: TopLevelWindow) =>
        Math.abs(frame.width - bounds.width) + Math.abs(frame.height - bounds.height);
      const [popup] = popups.toSorted((a, b) => unlike(a) - unlike(b));
      return popup === undefined ? null : { place: { frame: popup.frame, id: popup.id }, container: null };
    }
    const frame = translate(bounds, container.origin);
    return (await isStale(ref, frame, container, signal)) ? null : { place: { frame, id: container.id }, container };
  };

  /** Rows of long lists that are scrolled away keep the position that they had last. The list itself knows which is there. */
  const isStale = async (
    ref: Ref,
    frame: Rect,
    { list, visible }: Container,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const part = list === null || visible === null ? null : intersect(frame, visible);
    if (list === null || part === null) return false;
    const x = Math.floor(part.x + part.width / 2) - list.origin.x;
    const y = Math.floor(part.y + part.height / 2) - list.origin.y;
    const point = { signature: 'iiu', body: [x, y, WITHIN.parent], signal };
    const [hit] = (await bus.call(list.ref, 'Component.GetAccessibleAtPoint', point).catch(nullWhenUnsupported)) ?? [];
    const found = refOf(hit);
    for (let at = found; at !== null; at = await parentOf(at, signal)) {
      if (idOf(at) === idOf(ref)) return false;
      if (idOf(at) === idOf(list.ref)) return true;
    }
    return found !== null;
  };

  const findContainer = async (ref: Ref, signal: AbortSignal): Promise<Container | null> => {
    const position = await positionOf(ref, signal);
    if (position === null || position.place === null) return position?.container ?? null;
    const { frame, id } = position.place;
    const role = read.get(idOf(ref))?.role ?? (await readRole(bus, ref, signal));
    const isList = LISTS.has(role);
    const visible =
      position.container === null
        ? frame
        : role === ROLE.scrollPane || isList
          ? position.container.visible && intersect(frame, position.container.visible)
          : position.container.visible;
    const own = windows.has(idOf(ref)) ? await boundsOf(ref, signal) : null;
    const { x, y } = own === null ? await paddingOf(ref, frame, signal) : { x: certain(-own.x), y: certain(-own.y) };
    const before = position.container?.uncertainty ?? { x: 0, y: 0 };
    const list = isList && position.container !== null ? { ref, origin: position.container.origin } : null;
    const uncertainty = {
      x: Math.min(MAX_UNCERTAINTY, before.x + x.uncertainty),
      y: Math.min(MAX_UNCERTAINTY, before.y + y.uncertainty),
    };
    return { origin: { x: frame.x + x.size, y: frame.y + y.size }, uncertainty, visible, id, list };
  };

  /** Border and padding, taken as equal on both sides, as far as the children show them. */
  const paddingOf = async (
    ref: Ref,
    { width, height }: Rect,
    signal: AbortSignal,
  ): Promise<{ x: Padding; y: Padding }> => {
    const children = measuresBorders ? await readChildren(bus, ref, signal, MAX_MEASURED_CHILDREN + 1) : [];
    const known = children.length > MAX_MEASURED_CHILDREN ? [] : children;
    const all = await Promise.all(known.map((child) => boundsOf(child, signal).catch(nullWhenUnsupported)));
    const drawn = all.filter((bounds) => bounds !== null);
    if (drawn.length === 0) return { x: certain(0), y: certain(0) };
    const x = freeSpaceIn(
      width,
      drawn.map((one) => [one.x, one.x + one.width]),
    );
    const y = freeSpaceIn(
      height,
      drawn.map((one) => [one.y, one.y + one.height]),
    );
    return { x: paddingIn(x, y), y: paddingIn(y, x) };
  };

  const positionOf = (ref: Ref, signal: AbortSignal) => cached(positions, ref, () => findPosition(ref, signal));
  const containerOf = (ref: Ref, signal: AbortSignal) => cached(containers, ref, () => findContainer(ref, signal));

  const shown = async (ref: Ref, signal: AbortSignal): Promise<Position | null> => {
    const position = await positionOf(ref, signal);
    return isAway(position) ? null : position;
  };

  return {
    noteRead: (objects) => {
      for (const object of objects) read.set(idOf(object.ref), object);
    },
    placeOf: async (ref, signal) => (await shown(ref, signal))?.place ?? null,
    scrolledAway: async (ref, signal) => isAway(await positionOf(ref, signal)),
    coverOf: async (ref, signal) => {
      const position = await shown(ref, signal);
      if (position === null || position.place === null) return null;
      const { frame } = position.place;
      const { x, y } = position.container?.uncertainty ?? { x: 0, y: 0 };
      const margin = measuresBorders ? MARGIN : 0;
      return {
        x: frame.x - margin,
        y: frame.y - margin,
        width: frame.width + x + 2 * margin,
        height: frame.height + y + 2 * margin,
      };
    },
  };
}

/** It has a position, outside of what scrolls it. */
function isAway(position: Position | null): boolean {
  if (position?.place == null || position.container === null) return false;
  return (position.container.visible && intersect(position.place.frame, position.container.visible)) === null;
}

function cached<T>(known: Map<string, Promise<T>>, ref: Ref, find: () => Promise<T>): Promise<T> {
  const id = idOf(ref);
  const found = known.get(id) ?? find();
  known.set(id, found);
  return found;
}

/** The window without the shadow or border that it draws itself. */
function boxOf({ client, borders }: TopLevelWindow, bounds: Rect | null): Rect {
  const [left, right] = [Math.max(0, -borders.left), Math.max(0, -borders.right)];
  const [top, bottom] = [Math.max(0, -borders.top), Math.max(0, -borders.bottom)];
  const inner = { width: client.width - left - right, height: client.height - top - bottom };
  const { width, height } = bounds ?? inner;
  const border = (whole: number, part: number): number => Math.max(0, Math.round((whole - part) / 2));
  return {
    x: client.x + left + border(inner.width, width),
    y: client.y + top + border(inner.height, height),
    width,
    height,
  };
}

/** The space that children leave free on each side of one axis, and whether all children have the same extent. */
interface FreeSpace {
  room: number;
  filled: boolean;
}

function freeSpaceIn(whole: number, parts: readonly (readonly [number, number])[]): FreeSpace {
  const start = Math.min(...parts.map(([from]) => from));
  const end = Math.max(...parts.map(([, to]) => to));
  const filled = parts.every(([from, to]) => near(from, start) && near(to, end));
  return { room: start < 0 ? 0 : Math.max(0, Math.floor((whole - start - end) / 2)), filled };
}

/** Where children lie side by side, free space need not be padding; then the other axis decides. */
function paddingIn(own: FreeSpace, other: FreeSpace): Padding {
  if (own.filled && own.room <= MAX_PADDING) return certain(own.room);
  const across = other.filled && other.room <= MAX_PADDING ? other.room : 0;
  const likely = across > 0 && own.room <= Math.max(8, 2 * across);
  const size = own.filled ? 0 : likely ? own.room : across;
  return { size, uncertainty: Math.max(0, Math.min(MAX_PADDING, 2 * own.room - size)) };
}

const translate = (rect: Rect, { x, y }: Point): Rect => ({ ...rect, x: rect.x + x, y: rect.y + y });
