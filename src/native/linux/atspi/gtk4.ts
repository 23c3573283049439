import { DesktopError, type Point, type Rect } from '../../desktop.js';
import type { XWindow } from '../x11/windows.js';
import { type AccessibilityBus, idOf, type Ref, refOf, refs } from './bus.js';
import { ROLE } from './roles.js';
import type { Toolkit } from './text.js';
import { near, readExtents, WITHIN } from './toplevels.js';

/**
 * Where GTK 4 draws its elements, for one reading. It tells how each lies in its parent; what it tells of window and screen
 * leaves out where popovers are and, from 4.10 on, nearly everything.
 */
export interface Placing {
  /** null: it has no place, or is scrolled out of sight. */
  of(ref: Ref, signal: AbortSignal): Promise<Place | null>;
  /** All that it may cover: its place is not told to the pixel. */
  cover(ref: Ref, signal: AbortSignal): Promise<Rect | null>;
}

interface Place {
  frame: Rect;
  /** The X window that it is drawn in. */
  xid: number;
}

/** What an element lies in. */
interface Around {
  origin: Point;
  /** How much further right and down it may begin. */
  doubt: Point;
  /** The part of the screen where it can be seen. */
  seen: Rect | null;
  xid: number;
}

interface Spot {
  /** null: it is not drawn itself, as the pages of a stack. */
  place: Place | null;
  /** null: it lies in nothing, as windows and popovers. */
  around: Around | null;
}

const POPUP_LAYER = 5;
/** Children that leave more room than this on each side are not padded but small. */
const MOST_PADDING = 36;
const MOST_DOUBT = 40;
const MARGIN = 6;
const MOST_LOOKED_AT = 12;

/** `doubt`: how much more it may be. */
interface Padding {
  is: number;
  doubt: number;
}

const sure = (is: number): Padding => ({ is, doubt: 0 });

/** `windows` by the ids of their accessible counterparts; `popups` are the windows of open popovers and menus. */
export function openPlacing(
  bus: AccessibilityBus,
  kit: Toolkit,
  windows: ReadonlyMap<string, XWindow>,
  popups: readonly XWindow[],
): Placing {
  // Before 4.10 places are those of contents, afterwards of borders.
  const bordered = kit.minor >= 10;
  const spots = new Map<string, Promise<Spot | null>>();
  const insides = new Map<string, Promise<Around | null>>();
  const boundsOf = (ref: Ref, signal: AbortSignal) => readExtents(bus, ref, signal, WITHIN.parent);

  const findSpot = async (ref: Ref, signal: AbortSignal): Promise<Spot | null> => {
    const bounds = await boundsOf(ref, signal).catch(orNull);
    const window = windows.get(idOf(ref));
    if (window !== undefined) return { place: { frame: boxOf(window, bounds), xid: window.xid }, around: null };
    const parent = refOf(await bus.property(ref, 'Accessible.Parent', { signal }));
    const around = parent === null || parent.path.endsWith('/root') ? null : await inside(parent, signal);
    if (around === null) return null;
    if (bounds === null) return { place: null, around };
    if (popups.length > 0 && (await bus.call(ref, 'Component.GetLayer', { signal }))[0] === POPUP_LAYER) {
      const unlike = ({ frame }: XWindow) =>
        Math.abs(frame.width - bounds.width) + Math.abs(frame.height - bounds.height);
      const [popup] = popups.toSorted((a, b) => unlike(a) - unlike(b));
      return popup === undefined ? null : { place: { frame: popup.frame, xid: popup.xid }, around: null };
    }
    return { place: { frame: moved(bounds, around.origin), xid: around.xid }, around };
  };

  const findInside = async (ref: Ref, signal: AbortSignal): Promise<Around | null> => {
    const spot = await spotOf(ref, signal);
    if (spot === null || spot.place === null) return spot?.around ?? null;
    const { frame, xid } = spot.place;
    const [role] = await bus.call(ref, 'Accessible.GetRole', { signal });
    const seen =
      spot.around === null ? frame : role === ROLE.scrollPane ? meet(frame, spot.around.seen) : spot.around.seen;
    const own = windows.has(idOf(ref)) ? await boundsOf(ref, signal) : null;
    const { x, y } = own === null ? await paddingOf(ref, frame, signal) : { x: sure(-own.x), y: sure(-own.y) };
    const before = spot.around?.doubt ?? { x: 0, y: 0 };
    const doubt = { x: Math.min(MOST_DOUBT, before.x + x.doubt), y: Math.min(MOST_DOUBT, before.y + y.doubt) };
    return { origin: { x: frame.x + x.is, y: frame.y + y.is }, doubt, seen, xid };
  };

  /** What border and padding take, alike on both sides, as far as the children show it. */
  const paddingOf = async (
    ref: Ref,
    { width, height }: Rect,
    signal: AbortSignal,
  ): Promise<{ x: Padding; y: Padding }> => {
    const children = bordered ? refs((await bus.call(ref, 'Accessible.GetChildren', { signal }))[0]) : [];
    const known = children.length > MOST_LOOKED_AT ? [] : children;
    const all = await Promise.all(known.map((child) => boundsOf(child, signal).catch(orNull)));
    const drawn = all.filter((bounds) => bounds !== null);
    if (drawn.length === 0) return { x: sure(0), y: sure(0) };
    const x = spareIn(
      width,
      drawn.map((one) => [one.x, one.x + one.width]),
    );
    const y = spareIn(
      height,
      drawn.map((one) => [one.y, one.y + one.height]),
    );
    return { x: paddingIn(x, y), y: paddingIn(y, x) };
  };

  const spotOf = (ref: Ref, signal: AbortSignal) => once(spots, ref, () => findSpot(ref, signal));
  const inside = (ref: Ref, signal: AbortSignal) => once(insides, ref, () => findInside(ref, signal));

  const shown = async (ref: Ref, signal: AbortSignal): Promise<Spot | null> => {
    const spot = await spotOf(ref, signal);
    const unseen = spot?.place != null && spot.around !== null && meet(spot.place.frame, spot.around.seen) === null;
    return unseen ? null : spot;
  };

  return {
    of: async (ref, signal) => (await shown(ref, signal))?.place ?? null,
    cover: async (ref, signal) => {
      const spot = await shown(ref, signal);
      if (spot === null || spot.place === null) return null;
      const { frame } = spot.place;
      const { x, y } = spot.around?.doubt ?? { x: 0, y: 0 };
      const margin = bordered ? MARGIN : 0;
      return {
        x: frame.x - margin,
        y: frame.y - margin,
        width: frame.width + x + 2 * margin,
        height: frame.height + y + 2 * margin,
      };
    },
  };
}

function once<T>(known: Map<string, Promise<T>>, ref: Ref, find: () => Promise<T>): Promise<T> {
  const id = idOf(ref);
  const found = known.get(id) ?? find();
  known.set(id, found);
  return found;
}

/** Inside the shadow or border that the window draws itself. */
function boxOf({ client, borders }: XWindow, bounds: Rect | null): Rect {
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

/** What children leave free on each side of one axis, and whether all of them reach as far. */
interface Spare {
  room: number;
  filled: boolean;
}

function spareIn(whole: number, parts: readonly (readonly [number, number])[]): Spare {
  const start = Math.min(...parts.map(([from]) => from));
  const end = Math.max(...parts.map(([, to]) => to));
  const filled = parts.every(([from, to]) => near(from, start) && near(to, end));
  return { room: start < 0 ? 0 : Math.max(0, Math.floor((whole - start - end) / 2)), filled };
}

/** Where children lie side by side, what is free may be free space; then the other axis tells. */
function paddingIn(own: Spare, other: Spare): Padding {
  if (own.filled && own.room <= MOST_PADDING) return sure(own.room);
  const across = other.filled && other.room <= MOST_PADDING ? other.room : 0;
  const likely = across > 0 && own.room <= Math.max(8, 2 * across);
  const is = own.filled ? 0 : likely ? own.room : across;
  return { is, doubt: Math.max(0, Math.min(MOST_PADDING, 2 * own.room - is)) };
}

/** An object that does not know the question has no place. */
function orNull(error: unknown): null {
  if (error instanceof DesktopError && (error.code === 'unsupported' || error.code === 'failed')) return null;
  throw error;
}

const moved = (rect: Rect, { x, y }: Point): Rect => ({ ...rect, x: rect.x + x, y: rect.y + y });

function meet(a: Rect, b: Rect | null): Rect | null {
  if (b === null) return null;
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
