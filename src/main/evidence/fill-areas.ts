/** Masks areas of a capture. Must run before anything is written or sent. Pure. */
import type { Capture, Rect } from '../../native/desktop.js';

const FILL = 0x30;

/** First and last (exclusive) byte of one row of an area. */
type Span = readonly [from: number, to: number];

/**
 * `capture` with `areas` (points, global) filled in one colour; itself where nothing of it changes. An area with a non-finite number
 * masks everything.
 */
export function fillAreas(capture: Capture, areas: readonly Rect[]): Capture {
  const shown = areas.flatMap((area) => spansOf(capture, area)).filter((span) => !isFilled(capture.rgb, span));
  if (shown.length === 0) return capture;
  const rgb = new Uint8Array(capture.rgb);
  for (const [from, to] of shown) rgb.fill(FILL, from, to);
  return { ...capture, rgb };
}

function spansOf({ width, height, origin, scale, rgb }: Capture, area: Rect): Span[] {
  if (![area.x, area.y, area.width, area.height].every(Number.isFinite)) return [[0, rgb.length]];
  const [left, right] = clippedRange(area.x, area.width, origin.x, scale, width);
  const [top, bottom] = clippedRange(area.y, area.height, origin.y, scale, height);
  if (left >= right || top >= bottom) return [];
  return Array.from({ length: bottom - top }, (_, row) => {
    const start = (top + row) * width;
    return [(start + left) * 3, (start + right) * 3];
  });
}

function isFilled(rgb: Uint8Array, [from, to]: Span): boolean {
  for (let at = from; at < to; at++) if (rgb[at] !== FILL) return false;
  return true;
}

/** First and last (exclusive) pixel, rounded outwards and clipped. */
function clippedRange(start: number, length: number, origin: number, scale: number, limit: number): [number, number] {
  const a = (start - origin) * scale;
  const b = (start + length - origin) * scale;
  const clip = (value: number) => Math.min(limit, Math.max(0, value));
  return [clip(Math.floor(Math.min(a, b))), clip(Math.ceil(Math.max(a, b)))];
}
