import type { Rect } from '../../desktop.js';
import type { XWindow } from '../x11/windows.js';
import type { Toolkit } from './text.js';
import { pair, type TopLevel } from './toplevels.js';

/** From the pixels of an application to those of the screen: on a desktop that is scaled, most tell places in their own. */
export interface Scaling {
  /** Pixels of the screen for one of the application's. */
  scale: number;
  toScreen(rect: Rect): Rect;
  /** Pages tell places in the screen's pixels all the same, only the controls around them do not. */
  mixed: boolean;
}

export interface Paired {
  of: Map<TopLevel, XWindow>;
  /** null: no window tells yet. */
  scaling: Scaling | null;
}

export const UNSCALED: Scaling = { scale: 1, toScreen: (rect) => rect, mixed: false };

/** Desktops offer steps of a sixteenth at the finest. */
const STEPS = 16;
const SMALLEST = 1.1;

export function pairScaled(kit: Toolkit, tops: readonly TopLevel[], windows: readonly XWindow[]): Paired {
  const first = pair(tops, windows);
  const found = [...first].map(([{ extents }, window]) => scaleOf(kit, extents, window));
  const scale = found.find((one) => one !== null) ?? null;
  if (scale === null) return { of: first, scaling: null };
  if (scale === 1) return { of: first, scaling: UNSCALED };
  const small = new Map(windows.map((window) => [inPixels(window, scale), window]));
  const of = new Map<TopLevel, XWindow>();
  for (const [top, window] of pair(tops, [...small.keys()])) of.set(top, small.get(window) ?? window);
  // Where GTK 4 draws is made out from its windows alone.
  const origins = isGtk4(kit) ? new Map<TopLevel, XWindow>() : of;
  const toScreen = (rect: Rect): Rect => whole(onScreen(rect, origins, scale));
  return { of, scaling: { scale, toScreen, mixed: kit.name === 'chromium' } };
}

/** The window in the application's own pixels. */
export function inPixels(window: XWindow, scale: number): XWindow {
  if (scale === 1) return window;
  const { left, right, top, bottom } = window.borders;
  const borders = { left: left / scale, right: right / scale, top: top / scale, bottom: bottom / scale };
  return { ...window, frame: times(window.frame, 1 / scale), client: times(window.client, 1 / scale), borders };
}

/** null where the sizes tell nothing. */
function scaleOf(kit: Toolkit, extents: Rect | null, window: XWindow): number | null {
  if (extents === null) return null;
  if (isGtk4(kit)) {
    const { client, borders } = window;
    const width = client.width + Math.min(0, borders.left) + Math.min(0, borders.right);
    const height = client.height + Math.min(0, borders.top) + Math.min(0, borders.bottom);
    return Math.max(1, Math.round(Math.min(width / extents.width, height / extents.height)));
  }
  for (const { width, height } of [window.client, window.frame]) {
    const scale = Math.round((width / extents.width) * STEPS) / STEPS;
    const fits = (own: number, real: number) => Math.abs(own * scale - real) <= scale + 1;
    if (fits(extents.width, width) && fits(extents.height, height)) return scale < SMALLEST ? 1 : scale;
  }
  return null;
}

/** Qt counts from each display's own corner, so what lies in a window goes by where that is. */
function onScreen(rect: Rect, of: ReadonlyMap<TopLevel, XWindow>, scale: number): Rect {
  const scaled = times(rect, scale);
  for (const [{ extents }, { client, frame }] of of) {
    if (extents === null || !holds(extents, rect)) continue;
    const near = Math.abs(extents.height * scale - client.height) <= Math.abs(extents.height * scale - frame.height);
    const box = near ? client : frame;
    return { ...scaled, x: box.x + (rect.x - extents.x) * scale, y: box.y + (rect.y - extents.y) * scale };
  }
  return scaled;
}

const isGtk4 = ({ name, major }: Toolkit): boolean => name === 'gtk' && major >= 4;

/** Outwards: what a mask covers must not show at its edge. */
function whole({ x, y, width, height }: Rect): Rect {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

const holds = (outer: Rect, { x, y }: Rect): boolean =>
  x >= outer.x && y >= outer.y && x < outer.x + outer.width && y < outer.y + outer.height;

const times = ({ x, y, width, height }: Rect, factor: number): Rect => ({
  x: x * factor,
  y: y * factor,
  width: width * factor,
  height: height * factor,
});
