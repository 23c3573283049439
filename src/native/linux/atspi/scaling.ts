import { contains } from '../../../base/rect.js';
import type { Rect } from '../../desktop.js';
import type { TopLevelWindow } from '../windows.js';
import type { Toolkit } from './toolkit.js';
import { pairWindows, type TopLevel } from './toplevels.js';

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
