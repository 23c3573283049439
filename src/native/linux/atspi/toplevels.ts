import type { Rect } from '../../desktop.js';
import type { TopLevelWindow } from '../windows.js';
import type { AccessibilityBus, Ref } from './bus.js';
import { type AccessibleObject, has, STATE } from './accessible-object.js';

/** How well an accessible window and an X window of the same process match; 0 means not at all. */
function matchScore(item: AccessibleObject, extents: Rect | null, window: TopLevelWindow): number {
  let score = item.name !== '' && item.name === window.title ? 4 : 0;
  if (extents !== null) {
    const clientSize = near(extents.width, window.client.width) && near(extents.height, window.client.height);
    const frameSize = near(extents.width, window.frame.width) && near(extents.height, window.frame.height);
    if (clientSize || frameSize) score += 2;
    if (near(extents.x, window.client.x) && near(extents.y, window.client.y)) score += 2;
    else if (near(extents.x, window.frame.x) && near(extents.y, window.frame.y)) score += 2;
  }
  if (score > 0 && has(item.states, STATE.active) === window.focused) score += 1;
  return score;
}

/** At most two pixels apart. */
export function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 2;
}

export interface TopLevel {
  item: AccessibleObject;
  extents: Rect | null;
}

/** Pairs accessible windows with X windows, best match first. A single one left on both sides is a pair too. */
export function pairWindows(
  tops: readonly TopLevel[],
  windows: readonly TopLevelWindow[],
): Map<TopLevel, TopLevelWindow> {
  const candidates = tops
    .flatMap((top) => windows.map((window) => ({ top, window, score: matchScore(top.item, top.extents, window) })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const pairs = new Map<TopLevel, TopLevelWindow>();
  const used = new Set<number>();
  for (const { top, window } of candidates) {
    if (pairs.has(top) || used.has(window.id)) continue;
    pairs.set(top, window);
    used.add(window.id);
  }
  const [top, ...otherTops] = tops.filter((one) => !pairs.has(one));
  const [window, ...otherWindows] = windows.filter((one) => one.normal && !used.has(one.id));
  const single = otherTops.length === 0 && otherWindows.length === 0;
  if (single && top !== undefined && window !== undefined) pairs.set(top, window);
  return pairs;
}

/** Same name and same position: they cannot be told apart. */
export function isAlike(one: TopLevel, other: TopLevel): boolean {
  if (one.item.name !== other.item.name) return false;
  const [a, b] = [one.extents, other.extents];
  if (a === null || b === null) return a === b;
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}

/** Coordinate types of AT-SPI. */
export const WITHIN = { screen: 0, parent: 2 } as const;

/** As the toolkit reports them; null where the object has no position. */
export async function readExtents(
  bus: AccessibilityBus,
  ref: Ref,
  signal: AbortSignal,
  within: number = WITHIN.screen,
): Promise<Rect | null> {
  const [value] = await bus.call(ref, 'Component.GetExtents', { signature: 'u', body: [within], signal });
  if (!Array.isArray(value)) return null;
  const [x, y, width, height]: unknown[] = value;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof width !== 'number' || typeof height !== 'number')
    return null;
  // For hidden widgets GTK 3 reports the smallest integer, Qt an empty rectangle.
  if (width <= 0 || height <= 0 || x <= -0x7000_0000 || y <= -0x7000_0000) return null;
  return { x, y, width, height };
}
