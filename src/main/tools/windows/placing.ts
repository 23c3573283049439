import * as z from 'zod';
import type { DesktopReader, Display, Window, WindowState } from '../../../native/desktop.js';
import { contains } from '../../../base/rect.js';
import { nullIfGone } from '../../pipeline/failures.js';
import { centre } from '../../pipeline/target/plans.js';
import { rectSchema, WireError } from '../../protocol/index.js';
import { unpublished } from '../parameters.js';
import { resolveParent, resolveWindow, windowName } from '../places.js';
import { frameText } from '../geometry.js';
import { message } from '../../../messages/index.js';

export const nameField = z.string().min(1).max(500).describe('From list_windows.');

/** Result of every window act: the window's reported frame and state. */
export const placedSchema = z.object({
  /** The current name; ids may change. */
  name: z.string(),
  frame: unpublished(rectSchema),
  visible: unpublished(z.boolean()),
  minimized: unpublished(z.boolean()),
  maximized: unpublished(z.boolean().nullable()),
  focused: unpublished(z.boolean()),
});
export type Placed = z.infer<typeof placedSchema>;

/** Reads the window again; one that got a new id is found as the only one of its process with its title. */
export async function readPlaced(
  desktop: DesktopReader,
  { id, app, title }: Window,
  signal: AbortSignal,
): Promise<Placed> {
  const own = (await desktop.windows(signal)).filter((window) => window.app.pid === app.pid);
  const titled = own.filter((window) => window.title === title);
  const now = own.find((window) => window.id === id) ?? (titled.length === 1 ? titled[0] : undefined);
  if (now === undefined)
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.window_closed', { title }), {
      reason: 'window_gone',
      next: 'See list_windows for what is open now.',
    });
  return describePlaced(now, await desktop.windowState(now.id, signal));
}

export function describePlaced(window: Window, { maximized }: WindowState): Placed {
  const { frame, visible, minimized, focused } = window;
  return { name: windowName(window), frame, visible, minimized, maximized, focused };
}

export function placedText(one: Placed): string {
  const flags = [
    ...(one.visible || one.minimized ? [] : ['not on screen']),
    ...(one.minimized ? ['minimised'] : []),
    ...(one.maximized === true ? ['maximised'] : []),
    ...(one.focused ? ['focused'] : []),
  ];
  return [frameText(one.frame), ...flags].join(', ');
}

/** Also accepts upstream's `…/state` suffix. */
export const findWindow = (desktop: DesktopReader, name: string, signal: AbortSignal): Promise<Window> =>
  resolveWindow(desktop, name.replace(/\/state$/, ''), signal);

/** The windows of one application, or of all. Windows that close meanwhile are left out. */
export async function windowsIn(
  desktop: DesktopReader,
  parent: string | undefined,
  signal: AbortSignal,
): Promise<{ window: Window; state: WindowState }[]> {
  const { app } = await resolveParent(desktop, parent, signal);
  const all = (await desktop.windows(signal)).filter((one) => app === null || one.app.pid === app.pid);
  const found = await Promise.all(
    all.map(async (window) => {
      const state = await desktop.windowState(window.id, signal).catch(nullIfGone);
      return state === null ? [] : [{ window, state }];
    }),
  );
  return found.flat();
}

/** The display with the centre of the window; null where there is none. */
export function displayOf(displays: readonly Display[], { frame }: Window): string | null {
  const found = displays.find((display) => contains(display.frame, centre(frame)));
  return found === undefined ? null : `displays/${found.id}`;
}
