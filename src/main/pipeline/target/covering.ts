/** Windows that cover the target of an act: noted on the card, and refused where the pointer would hit them instead. */
import { overlaps } from '../../../base/rect.js';
import type { DesktopReader, Element, Point, Rect, Window } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import { message, type Message } from '../../../messages/index.js';
import { nothingDone } from '../failures.js';

/** The topmost visible window above `window` that hides part of `target`. `windows`: topmost first. Pure. */
export function findCover(windows: readonly Window[], window: Window, target: Rect): Window | null {
  const place = windows.findIndex(({ id }) => id === window.id);
  if (place < 0) return null;
  return windows.slice(0, place).find((one) => one.visible && overlaps(one.frame, target)) ?? null;
}

export const coverNote = (cover: Window): Message =>
  isNamed(cover)
    ? message('note.covered_by', { window: cover.title })
    : message('note.covered_by_popup', { app: cover.app.name });

const isNamed = ({ normal, title }: Window): boolean => normal && title !== '';

function coverName(cover: Window): Message {
  const { title, app } = cover;
  return isNamed(cover) ? message('cover.window', { window: title }) : message('cover.popup', { app: app.name });
}

/** That another window covers `point`; null where none does. The menu of an approved menu item is a window of its own, and allowed. */
export async function coverAt(
  desktop: DesktopReader,
  { window, element, point, name }: { window: Window | null; element: Element | null; point: Point; name: string },
  signal: AbortSignal,
): Promise<WireError | null> {
  if (window === null) return null;
  const top = await desktop.windowAt(point, signal);
  if (top === null || top.id === window.id) return null;
  const itsMenu = element?.role === 'AXMenuItem' && !top.normal && top.app.pid === window.app.pid;
  return itsMenu ? null : coveredError(name, top, point);
}

/** `name` null: the point itself. */
export function coveredError(name: string | null, cover: Window, point: Point): WireError {
  const by = coverName(cover);
  const why =
    name === null
      ? message('error.point_covered', { point: `(${point.x}, ${point.y})`, cover: by })
      : message('error.covered', { name, cover: by });
  return new WireError('DESKTOP_TARGET_CHANGED', nothingDone(why), {
    reason: 'covered',
    by: { window: cover.title, application: cover.app.name, normal: cover.normal },
    point,
    next: 'Move or close what covers it (a tooltip goes when the pointer moves away), then make the same call again.',
  });
}
