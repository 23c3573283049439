/** What the person is asked before a picture is given away: one application's window, or a part of the screen and whose windows are in it. */
import * as z from 'zod';
import { planDisclosure, planWindow } from '../../pipeline/target/plans.js';
import { WireError } from '../../protocol/index.js';
import type { DesktopReader, Rect, Window } from '../../../native/desktop.js';
import { windowByName } from '../common.js';
import { displayNamed, overlap } from '../geometry.js';
import { message } from '../../../messages/index.js';

export const WORDS = { verb: 'Take a picture of', done: 'Took a picture of' };
/** A number will do; the published type is a string. */
export const displayId = z.coerce.string().max(200);

export async function windowOrFront(
  desktop: DesktopReader,
  name: string | undefined,
  signal: AbortSignal,
): Promise<Window> {
  if (name !== undefined) return windowByName(desktop, name, signal);
  const { window } = await desktop.frontmost(signal);
  if (window !== null) return window;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', 'No window is in front.', {
    reason: 'no_window',
    next: 'Name one; list_windows has them.',
  });
}

export function assertShows(window: Window): void {
  if (window.visible) return;
  throw new WireError(
    'DESKTOP_ELEMENT_NOT_FOUND',
    `“${window.title}” is ${window.minimized ? 'minimised' : 'not on screen'}, so there is no picture of it.`,
    {
      reason: window.minimized ? 'minimized' : 'not_visible',
      next: `Bring it back with ${window.minimized ? 'restore_window' : 'focus_window'} first.`,
    },
  );
}

export async function windowPlan(window: Window, numbered: boolean, said = WORDS) {
  assertShows(window);
  return planWindow(window, { ...said, covers: numbered ? [message('note.reads_its_controls')] : [] });
}

/** A region of the screen: an Allow for it is for no other part. The card says whose windows are in it. */
export async function areaPlan(desktop: DesktopReader, rect: Rect, signal: AbortSignal, said = WORDS) {
  const size = `${Math.round(rect.width)}×${Math.round(rect.height)} at (${Math.round(rect.x)}, ${Math.round(rect.y)})`;
  return planDisclosure(said, {
    target: `the screen, ${size}`,
    app: await appsIn(desktop, rect, signal),
    place: null,
    rect,
    part: true,
  });
}

const MOST_NAMED = 4;

/** Whose windows show there, topmost first; null for the bare desktop. */
export async function appsIn(desktop: DesktopReader, area: Rect, signal: AbortSignal): Promise<string | null> {
  const windows = (await desktop.windows(signal)).filter((one) => one.visible && overlap(one.frame, area) !== null);
  const names = [...new Set(windows.map(({ app }) => app.name))];
  if (names.length === 0) return null;
  const rest = names.length - MOST_NAMED;
  return [...names.slice(0, MOST_NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

export async function screenName(
  desktop: DesktopReader,
  given: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const { name } = await displayNamed(desktop, given, signal);
  return (await desktop.displays(signal)).length > 1 ? name : 'the screen';
}
