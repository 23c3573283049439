import { RE2JS } from 're2js';
import * as z from 'zod';
import type { App, DesktopReader, Scope, Window, Element, Point, Rect } from '../../../native/desktop.js';
import { WireError } from '../../protocol/index.js';
import { message, textOf, type Message } from '../../../messages/index.js';
import { ruleError } from '../../protocol/input-errors.js';
import { overlaps } from '../../../base/rect.js';
import { nothingDone } from '../failures.js';

// Windows that cover the target of an act: noted on the card, and refused where the pointer would hit them instead.

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

/** Where to act: an application and optionally one of its windows; by default what is frontmost. */
export const routeSchema = z.object({
  app: z.object({ bundleId: z.string().min(1).max(500) }).optional(),
  window: z.object({ titlePattern: z.string().min(1).max(1000).superRefine(assertPattern) }).optional(),
  focusPolicy: z.literal('focusIfNeeded').optional(),
});
export type DesktopRoute = z.infer<typeof routeSchema>;

export interface Place {
  scope: Scope;
  app: App;
  window: Window | null;
}

export async function findPlace(
  desktop: DesktopReader,
  route: DesktopRoute | undefined,
  signal: AbortSignal,
): Promise<Place> {
  const windows = await desktop.windows(signal);
  const bundleId = route?.app?.bundleId;
  const pattern = route?.window?.titlePattern;
  if (bundleId === undefined && pattern === undefined) return frontmost(desktop, signal);

  const apps = bundleId === undefined ? null : (await desktop.apps(signal)).filter((app) => isSameApp(app, bundleId));
  if (apps !== null && apps.length === 0)
    throw notFound(message('error.app_not_running', { name: bundleId ?? '' }), await runningApps(desktop, signal));
  const titled = pattern === undefined ? () => true : titleTest(pattern);
  const fits = windows.filter(
    (window) => titled(window.title) && (apps === null || apps.some((app) => app.pid === window.app.pid)),
  );
  const window = preferred(fits);
  if (window !== undefined)
    return {
      app: window.app,
      window: pattern === undefined && apps !== null && fits.length > 1 ? null : window,
      scope: scopeOf(window, pattern),
    };
  const app = apps?.[0];
  if (app === undefined || pattern !== undefined)
    throw notFound(message('error.no_such_title', { title: pattern ?? '' }), {
      ...(await runningApps(desktop, signal)),
      next: 'See the titles of windows with list_windows.',
    });
  return { app, window: null, scope: { pid: app.pid } };
}

/** Resolves a route after the approval: a route without names leads to the approved application, even if another one is now in front. */
export async function findApprovedPlace(
  desktop: DesktopReader,
  route: DesktopRoute | undefined,
  approved: Window | null,
  signal: AbortSignal,
): Promise<Place> {
  const named = route?.app !== undefined || route?.window !== undefined;
  if (named || approved === null) return findPlace(desktop, route, signal);
  return { app: approved.app, window: approved, scope: { pid: approved.app.pid } };
}

/** The place of a process. */
export async function findPlaceOfProcess(desktop: DesktopReader, pid: number, signal: AbortSignal): Promise<Place> {
  const window = preferred((await desktop.windows(signal)).filter((one) => one.app.pid === pid)) ?? null;
  const app = window?.app ?? (await desktop.apps(signal)).find((one) => one.pid === pid);
  if (app === undefined) throw notFound(message('error.app_ended'), await runningApps(desktop, signal));
  return { app, window, scope: { pid } };
}

function preferred(windows: readonly Window[]): Window | undefined {
  return windows.find((one) => one.focused) ?? windows.find((one) => one.normal) ?? windows[0];
}

function scopeOf(window: Window, pattern: string | undefined): Scope {
  return pattern === undefined ? { pid: window.app.pid } : { pid: window.app.pid, windowId: window.id };
}

async function frontmost(desktop: DesktopReader, signal: AbortSignal): Promise<Place> {
  const { app, window } = await desktop.frontmost(signal);
  if (app === null)
    throw notFound(message('error.no_app_in_front'), {
      ...(await runningApps(desktop, signal)),
      next: 'Name one that runs (see details): parent or application of an MCP tool, or route.app.bundleId; or open one with open_application.',
    });
  return { app, window, scope: { pid: app.pid } };
}

async function runningApps(desktop: DesktopReader, signal: AbortSignal): Promise<{ running: string[] }> {
  return { running: (await desktop.apps(signal)).slice(0, 30).map((app) => app.id) };
}

const notFound = (text: Message, details: Record<string, unknown>) =>
  new WireError('DESKTOP_ELEMENT_NOT_FOUND', text, { reason: 'no_such_place', ...details });

export function isSameApp(app: App, name: string): boolean {
  const wanted = name.toLowerCase();
  return [app.id, app.name, app.id.replace(/\.desktop$/, '')].some((one) => one.toLowerCase() === wanted);
}

/** Uses RE2, so that a caller's pattern cannot block the host. */
function titleTest(pattern: string): (title: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (title) => compiled.matcher(title).find();
}

function assertPattern(pattern: string, ctx: z.RefinementCtx): void {
  try {
    RE2JS.compile(pattern);
  } catch (thrown) {
    ctx.addIssue({ code: 'custom', ...ruleError('input.bad_pattern', { why: textOf(thrown) }) });
  }
}
