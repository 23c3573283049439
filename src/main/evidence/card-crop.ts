/** Pure: which part of a capture an approval card shows, in the capture's pixels. */
import { intersect } from '../../base/rect.js';
import type { Capture, Rect } from '../../native/desktop.js';

/** Width and height of a card's picture, in points. */
export const CARD_POINTS = { width: 672, height: 208 };
const RATIO = CARD_POINTS.width / CARD_POINTS.height;
const MARGIN_POINTS = 16;

interface Crop {
  /** May extend beyond the capture; the outside is padded. */
  frame: Rect;
  /** The target, clipped to the capture; null when it lies outside. */
  target: Rect | null;
}

export function toPixels({ origin, scale }: Capture, rect: Rect): Rect {
  return {
    x: (rect.x - origin.x) * scale,
    y: (rect.y - origin.y) * scale,
    width: rect.width * scale,
    height: rect.height * scale,
  };
}

/** The target in the capture's pixels; null when it lies outside. */
export function targetInCapture(capture: Capture, target: Rect | null): Rect | null {
  const { width, height } = capture;
  return target && intersect(toPixels(capture, target), { x: 0, y: 0, width, height });
}

/** The smallest frame with the card's aspect ratio that contains a box of this size. */
function frameAround(width: number, height: number): { width: number; height: number } {
  const wide = Math.max(width, height * RATIO);
  return { width: wide, height: wide / RATIO };
}

/** A frame around the target at its natural size if it fits, else a larger one. Without a target: the whole capture. */
export function cropFor(capture: Capture, targetPoints: Rect | null): Crop {
  const { width, height, scale } = capture;
  const target = targetInCapture(capture, targetPoints);
  const whole = frameAround(width, height);
  if (target === null) return { frame: centred(whole, { x: 0, y: 0, width, height }), target: null };
  const margin = 2 * MARGIN_POINTS * scale;
  const needed = frameAround(target.width + margin, target.height + margin);
  const natural = { width: CARD_POINTS.width * scale, height: CARD_POINTS.height * scale };
  const fits = frameAround(0, Math.min(height, width / RATIO));
  const wide = Math.max(needed.width, Math.min(natural.width, fits.width));
  const frame = centred({ width: wide, height: wide / RATIO }, target);
  return {
    frame: { ...frame, x: keepInside(frame.x, frame.width, width), y: keepInside(frame.y, frame.height, height) },
    target,
  };
}

function centred(size: { width: number; height: number }, on: Rect): Rect {
  return { x: on.x + (on.width - size.width) / 2, y: on.y + (on.height - size.height) / 2, ...size };
}

/** Moves a frame into the capture; a larger frame is centred. */
function keepInside(start: number, length: number, limit: number): number {
  return length >= limit ? (limit - length) / 2 : Math.min(limit - length, Math.max(0, start));
}
