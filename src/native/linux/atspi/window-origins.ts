/**
 * Where the windows of an application are, on displays that do not tell applications: there they tell places within their windows only.
 * For one reading. Comes in: the accessible windows, each with the window that shows it. Goes out: the place to count from.
 */
import type { Point } from '../../desktop.js';
import type { TopLevelWindow } from '../windows.js';
import { type AccessibilityBus, idOf, nullFor, type Ref, refOf } from './bus.js';
import { readChildren } from './queries.js';
import { near, readExtents, type TopLevel } from './toplevels.js';

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
  { client }: TopLevelWindow,
  signal: AbortSignal,
): Promise<Point> {
  if (extents === null || extents.width - client.width <= 2) return { x: 0, y: 0 };
  const children = await readChildren(bus, item.ref, signal).catch(nullWhenRefused);
  const places = await Promise.all(
    (children ?? []).map((child) => readExtents(bus, child, signal).catch(nullWhenRefused)),
  );
  const tops = places.flatMap((place) => (place === null ? [] : [place.y]));
  const half = Math.round((extents.width - client.width) / 2);
  return { x: half, y: tops.length === 0 ? 0 : Math.min(...tops, extents.height - client.height) };
}
