/** Areas of the screen, in points. Pure. */
import { boundingBox, intersect } from '../../base/rect.js';
import type { DesktopReader, Display, Rect } from '../../native/desktop.js';
import { WireError } from '../protocol/index.js';
import * as z from 'zod';
import { message } from '../../messages/index.js';

export const regionFields = {
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
};
export const regionSchema = z.object(regionFields).strict();

/** `at (x, y), w×h` */
export const frameText = ({ x, y, width, height }: Rect): string => `at (${x}, ${y}), ${width}×${height}`;

/** Extends a rectangle to whole pixels of its display. */
function alignToPixels(rect: Rect, { frame, scale }: Display): Rect {
  const [left, right] = edges(rect.x - frame.x, rect.width, scale);
  const [top, bottom] = edges(rect.y - frame.y, rect.height, scale);
  return { x: frame.x + left, y: frame.y + top, width: right - left, height: bottom - top };
}

function edges(start: number, length: number, scale: number): [number, number] {
  // Differences below a thousandth of a pixel are rounding errors.
  const whole = (value: number, round: (exact: number) => number) => round(Number((value * scale).toFixed(3))) / scale;
  return [whole(start, Math.floor), whole(start + length, Math.ceil)];
}

export const expandRect = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** A display by name (`displays/…`), as `main` (the default) or `display-<index>`, by id, or by index. */
export async function resolveDisplay(
  desktop: DesktopReader,
  given: string | undefined,
  signal: AbortSignal,
): Promise<Display> {
  const all = await desktop.displays(signal);
  const wanted = given === undefined ? 'main' : given.replace(/^displays\//, '');
  const place = /^display-(\d+)$/.exec(given ?? '')?.[1];
  const found =
    (place === undefined ? undefined : all[Number(place)]) ??
    all.find(({ id }) => id === wanted) ??
    (wanted === 'main' ? (all.find(({ main }) => main) ?? all[0]) : all[Number(wanted)]);
  if (found !== undefined) return found;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_such_display', { name: given ?? 'main' }), {
    reason: 'no_such_display',
    displays: all.map(({ id }) => `displays/${id}`),
    next: 'Use one of those in details, or leave it out for the main one.',
  });
}

/** The part of an area that lies on displays, or on the one named; on whole pixels. */
export async function clipToDisplays(
  desktop: DesktopReader,
  rect: Rect,
  given: string | undefined,
  signal: AbortSignal,
): Promise<Rect> {
  const all = given === undefined ? await desktop.displays(signal) : [await resolveDisplay(desktop, given, signal)];
  const touched = all.filter(({ frame }) => intersect(frame, rect) !== null);
  const first = touched[0];
  if (first === undefined)
    throw new WireError(
      'DESKTOP_INVALID_REQUEST',
      given === undefined ? message('error.outside_displays') : message('error.outside_display', { name: given }),
      {
        reason: 'outside_displays',
        displays: all.map(({ id, frame }) => ({ name: `displays/${id}`, frame })),
        next: 'Coordinates are global points; use an area inside one of those frames.',
      },
    );
  const corner = touched.find(({ frame }) => intersect(frame, { ...rect, width: 1, height: 1 }) !== null) ?? first;
  const whole = boundingBox(touched.map(({ frame }) => frame));
  return alignToPixels(intersect(rect, whole) ?? rect, corner);
}

export async function mapInOrder<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}
