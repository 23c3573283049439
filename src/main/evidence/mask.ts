/** Masks areas of a capture. Must run before anything is written or sent. Pure. */
import type { Capture, Rect } from '../../native/desktop.js';

const FILL = 0x30;

/** `capture` with `areas` (points, global) filled in one colour. An area with a non-finite number masks everything. */
export function maskAreas(capture: Capture, areas: readonly Rect[]): Capture {
  const rgb = Uint8Array.from(capture.rgb);
  for (const area of areas) fill(rgb, capture, area);
  return { ...capture, rgb };
}

function fill(rgb: Uint8Array, { width, height, origin, scale }: Capture, area: Rect): void {
  if (![area.x, area.y, area.width, area.height].every(Number.isFinite)) {
    rgb.fill(FILL);
    return;
  }
  const [left, right] = span(area.x, area.width, origin.x, scale, width);
  const [top, bottom] = span(area.y, area.height, origin.y, scale, height);
  if (left >= right) return;
  for (let y = top; y < bottom; y++) rgb.fill(FILL, (y * width + left) * 3, (y * width + right) * 3);
}

/** First and last (exclusive) pixel, rounded outwards and clipped. */
function span(start: number, length: number, origin: number, scale: number, limit: number): [number, number] {
  const a = (start - origin) * scale;
  const b = (start + length - origin) * scale;
  const clip = (value: number) => Math.min(limit, Math.max(0, value));
  return [clip(Math.floor(Math.min(a, b))), clip(Math.ceil(Math.max(a, b)))];
}
