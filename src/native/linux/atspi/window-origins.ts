/**
 * Where the windows of an application are, on displays that do not tell applications: there they tell places within their windows only.
 * For one reading. Comes in: the accessible windows, each with the window that shows it. Goes out: the place to count from.
 */
import type { Point, Rect } from '../../desktop.js';
import type { TopLevelWindow } from '../windows.js';
import { type AccessibilityBus, idOf, nullFor, type Ref, refOf } from './bus.js';
import { readChildren } from './queries.js';
import { near, readExtents, type TopLevel, pairWindows } from './toplevels.js';
import { contains } from '../../../base/rect.js';
import type { Toolkit } from './toolkit.js';

export interface WindowOrigins {
  /** null where it is not known in which window the object is. */
  of(ref: Ref, signal: AbortSignal): Promise<Point | null>;
}

const MAX_ANCESTORS = 300;
const nullWhenRefused = nullFor('stale', 'unsupported', 'failed');

/** `own`: all windows of the application. null where it tells places on the screen. */
export function openWindowOrigins(
  bus: AccessibilityBus,
  tops: readonly TopLevel[],
  of: ReadonlyMap<TopLevel, TopLevelWindow>,
  own: readonly TopLevelWindow[],
): WindowOrigins | null {
  if (own.every(({ origin }) => origin === undefined)) return null;
  const sure = new Map([...of].filter(([top]) => !tops.some((other) => other !== top && isAlike(top, other))));
  const byId = new Map([...sure].map(([top, window]) => [idOf(top.item.ref), { top, window }]));
  const known = new Map<string, Promise<Point | null>>();
  const shown = own.filter((window) => window.shown);

  const originOf = async (id: string, signal: AbortSignal): Promise<Point | null> => {
    const found = byId.get(id);
    if (found?.window.origin === undefined) return null;
    const inset = await insetOf(bus, found.top, found.window, signal);
    return { x: found.window.origin.x - inset.x, y: found.window.origin.y - inset.y };
  };

  /** Menus and the like are in no window of their own: they tell places in the window that they belong to. */
  const outside = (signal: AbortSignal): Promise<Point | null> => {
    const window = shown.length === 1 ? shown[0] : shown.find(({ focused }) => focused);
    const [id] = [...byId].find((one) => one[1].window.id === window?.id) ?? [];
    return id === undefined ? Promise.resolve(null) : originOf(id, signal);
  };

  const find = async (ref: Ref, signal: AbortSignal): Promise<Point | null> => {
    for (let at: Ref | null = ref, steps = 0; at !== null && steps < MAX_ANCESTORS; steps += 1) {
      if (byId.has(idOf(at))) return originOf(idOf(at), signal);
      if (tops.some(({ item }) => at !== null && idOf(item.ref) === idOf(at))) break;
      const parent: Ref | null = refOf(await bus.property(at, 'Accessible.Parent', { signal }).catch(nullWhenRefused));
      if (parent === null || parent.bus !== ref.bus || parent.path.endsWith('/root')) break;
      const before = known.get(idOf(parent));
      if (before !== undefined) return before;
      at = parent;
    }
    const isTwin = tops.some((top) => idOf(top.item.ref) === idOf(ref) && of.has(top));
    return isTwin ? null : outside(signal);
  };

  return {
    of: (ref, signal) => {
      const id = idOf(ref);
      const found =
        known.get(id) ??
        (byId.size === 1 && tops.length === 1 ? originOf([...byId.keys()][0] ?? '', signal) : find(ref, signal));
      known.set(id, found);
      return found;
    },
  };
}

/** Nothing tells which of the two windows of the application is which. */
function isAlike(one: TopLevel, other: TopLevel): boolean {
  const [a, b] = [one.extents, other.extents];
  if (one.item.name !== other.item.name) return false;
  return a === null || b === null || (near(a.width, b.width) && near(a.height, b.height));
}

/** An application that draws its own frame counts from the corner of its shadow: as far out as its first part is further in. */
async function insetOf(
  bus: AccessibilityBus,
  { item, extents }: TopLevel,
  { client, surface }: TopLevelWindow,
  signal: AbortSignal,
): Promise<Point> {
  if (extents === null) return { x: 0, y: 0 };
  if (surface !== undefined) return insetOn(surface, client, extents);
  if (extents.width - client.width <= 2) return { x: 0, y: 0 };
  const children = await readChildren(bus, item.ref, signal).catch(nullWhenRefused);
  const places = await Promise.all(
    (children ?? []).map((child) => readExtents(bus, child, signal).catch(nullWhenRefused)),
  );
  const tops = places.flatMap((place) => (place === null ? [] : [place.y]));
  const half = Math.round((extents.width - client.width) / 2);
  return { x: half, y: tops.length === 0 ? 0 : Math.min(...tops, extents.height - client.height) };
}

/** Toolkits count from the corner of all they draw, of the window that shows, or of its content within the borders that they draw. */
function insetOn(surface: Rect, client: Rect, { width, height }: Rect): Point {
  if (near(width, surface.width) && near(height, surface.height))
    return { x: client.x - surface.x, y: client.y - surface.y };
  const [wide, high] = [client.width - width, client.height - height];
  if (wide < 0 || high < 0) return { x: 0, y: 0 };
  return { x: -Math.round(wide / 2), y: -(high - Math.round(wide / 2)) };
}

/** Converts positions of an application to pixels of the screen: on a scaled desktop most report their own pixels. */
export interface Scaling {
  /** Pixels of the screen for one of the application's. */
  scale: number;
  toScreen(rect: Rect): Rect;
  /** True where pages report pixels of the screen, and only the controls around them do not. */
  mixed: boolean;
}

export interface Paired {
  of: Map<TopLevel, TopLevelWindow>;
  /** null where no window shows it yet. */
  scaling: Scaling | null;
}

export const UNSCALED: Scaling = { scale: 1, toScreen: (rect) => rect, mixed: false };

/** Desktops offer steps of a sixteenth at the finest. */
const STEPS_PER_UNIT = 16;
const MIN_SCALE = 1.1;

export function pairScaled(toolkit: Toolkit, tops: readonly TopLevel[], windows: readonly TopLevelWindow[]): Paired {
  const first = pairWindows(tops, windows);
  // There both count in the points of the compositor.
  if (windows.some(({ origin }) => origin !== undefined)) return { of: first, scaling: UNSCALED };
  const found = [...first].map(([{ extents }, window]) => scaleOf(toolkit, extents, window));
  const scale = found.find((one) => one !== null) ?? null;
  if (scale === null) return { of: first, scaling: null };
  if (scale === 1) return { of: first, scaling: UNSCALED };
  const small = new Map(windows.map((window) => [inPixels(window, scale), window]));
  const of = new Map<TopLevel, TopLevelWindow>();
  for (const [top, window] of pairWindows(tops, [...small.keys()])) of.set(top, small.get(window) ?? window);
  // For GTK 4, positions are computed from its windows.
  const origins = isGtk4(toolkit) ? new Map<TopLevel, TopLevelWindow>() : of;
  const toScreen = (rect: Rect): Rect => roundOutwards(onScreen(rect, origins, scale));
  return { of, scaling: { scale, toScreen, mixed: toolkit.name === 'chromium' } };
}

/** The window in the application's own pixels. */
export function inPixels(window: TopLevelWindow, scale: number): TopLevelWindow {
  if (scale === 1) return window;
  const { left, right, top, bottom } = window.borders;
  const borders = { left: left / scale, right: right / scale, top: top / scale, bottom: bottom / scale };
  return { ...window, frame: scaleRect(window.frame, 1 / scale), client: scaleRect(window.client, 1 / scale), borders };
}

/** null where the sizes do not show it. */
function scaleOf(toolkit: Toolkit, extents: Rect | null, window: TopLevelWindow): number | null {
  if (extents === null) return null;
  if (isGtk4(toolkit)) {
    const { client, borders } = window;
    const width = client.width + Math.min(0, borders.left) + Math.min(0, borders.right);
    const height = client.height + Math.min(0, borders.top) + Math.min(0, borders.bottom);
    return Math.max(1, Math.round(Math.min(width / extents.width, height / extents.height)));
  }
  for (const { width, height } of [window.client, window.frame]) {
    const scale = Math.round((width / extents.width) * STEPS_PER_UNIT) / STEPS_PER_UNIT;
    const fits = (own: number, real: number) => Math.abs(own * scale - real) <= scale + 1;
    if (fits(extents.width, width) && fits(extents.height, height)) return scale < MIN_SCALE ? 1 : scale;
  }
  return null;
}

/** Qt counts from the corner of each display, so positions inside a window are relative to the window. */
function onScreen(rect: Rect, of: ReadonlyMap<TopLevel, TopLevelWindow>, scale: number): Rect {
  const scaled = scaleRect(rect, scale);
  for (const [{ extents }, { client, frame }] of of) {
    if (extents === null || !contains(extents, rect)) continue;
    const near = Math.abs(extents.height * scale - client.height) <= Math.abs(extents.height * scale - frame.height);
    const box = near ? client : frame;
    return { ...scaled, x: box.x + (rect.x - extents.x) * scale, y: box.y + (rect.y - extents.y) * scale };
  }
  return scaled;
}

const isGtk4 = ({ name, major }: Toolkit): boolean => name === 'gtk' && major >= 4;

/** Outwards, so that nothing shows at the edge of a mask. */
function roundOutwards({ x, y, width, height }: Rect): Rect {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

const scaleRect = ({ x, y, width, height }: Rect, factor: number): Rect => ({
  x: x * factor,
  y: y * factor,
  width: width * factor,
  height: height * factor,
});
