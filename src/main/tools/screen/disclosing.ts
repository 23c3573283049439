/** Plans for taking a picture of a window, or of a part of the screen with the applications in it. */
import { overlaps } from '../../../base/rect.js';
import * as z from 'zod';
import { WireError, title, type Title } from '../../protocol/index.js';
import type { DesktopReader, Rect, Window } from '../../../native/desktop.js';
import { resolveWindow } from '../places.js';
import { message } from '../../../messages/index.js';
import { planDisclosure, planWindow, formatPoint } from '../../pipeline/target/plans.js';

const PICTURE = title('title.picture_window');
/** Accepts a number as well; published as a string. */
export const displayId = z.coerce.string().max(200);

export async function windowOrFront(
  desktop: DesktopReader,
  name: string | undefined,
  signal: AbortSignal,
): Promise<Window> {
  if (name !== undefined) return resolveWindow(desktop, name, signal);
  const { window } = await desktop.frontmost(signal);
  if (window !== null) return window;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_window_in_front'), {
    reason: 'no_window',
    next: 'Name one; list_windows has them.',
  });
}

export function assertShows(window: Window): void {
  if (window.visible) return;
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    message(window.minimized ? 'error.minimised' : 'error.not_on_screen', { title: window.title }),
    {
      reason: window.minimized ? 'minimized' : 'not_visible',
      next: `Bring it back with ${window.minimized ? 'restore_window' : 'focus_window'} first.`,
    },
  );
}

export async function windowPlan(window: Window, numbered: boolean, act: Title = PICTURE) {
  assertShows(window);
  return planWindow(window, { title: act, covers: numbered ? [message('note.reads_its_controls')] : [] });
}

/** A region of the screen. The approval covers only this region; the card names the applications in it. */
export async function areaPlan(
  desktop: DesktopReader,
  rect: Rect,
  signal: AbortSignal,
  code: 'title.picture_area' | 'title.read_text_in_area' = 'title.picture_area',
) {
  const [width, height] = [String(Math.round(rect.width)), String(Math.round(rect.height))];
  const point = formatPoint({ x: Math.round(rect.x), y: Math.round(rect.y) });
  return planDisclosure(
    { title: title(code, { width, height, point }) },
    { app: await appsIn(desktop, rect, signal), place: null, rect, part: true },
  );
}

const MAX_NAMED_APPS = 4;

/** The applications with windows there, topmost first; null for the bare desktop. */
export async function appsIn(desktop: DesktopReader, area: Rect, signal: AbortSignal): Promise<string | null> {
  const windows = (await desktop.windows(signal)).filter((one) => one.visible && overlaps(one.frame, area));
  const names = [...new Set(windows.map(({ app }) => app.name))];
  if (names.length === 0) return null;
  const rest = names.length - MAX_NAMED_APPS;
  return `${names.slice(0, MAX_NAMED_APPS).join(', ')}${rest > 0 ? ', …' : ''}`;
}
