/** Names of applications and windows, e.g. `applications/123/windows/456`: made for results, and resolved in parameters. */
import * as z from 'zod';
import { message } from '../../messages/index.js';
import { hasEnded, type App, type DesktopReader, type Window } from '../../native/desktop.js';
import { findPlace, findPlaceOfProcess, type Place } from '../pipeline/target/scope.js';
import { WireError } from '../protocol/index.js';
import { invalidRequest } from './parameters.js';

export const parentSchema = z
  .string()
  .max(500)
  .optional()
  .describe('applications/{pid}, …/windows/{id} or application id; default: in front');

/** The application and window that `parent` names; both null without a name. */
export async function resolveParent(
  desktop: DesktopReader,
  parent: string | undefined,
  signal: AbortSignal,
): Promise<{ app: App | null; window: Window | null }> {
  if (parent === undefined || parent === '' || parent === '-' || parent === 'applications/-')
    return { app: null, window: null };
  const named = /^applications\/([^/]+)(?:\/windows\/([^/]+))?$/.exec(parent);
  const wanted = named?.[1] ?? parent;
  const apps = await desktop.apps(signal);
  const app = apps.find((one) => String(one.pid) === wanted) ?? (await findAppByName(desktop, apps, wanted, signal));
  if (app === undefined) await assertNotEnded(desktop, parent, wanted, signal);
  if (app === undefined)
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.names_no_app', { name: parent }), {
      reason: 'no_such_place',
      running: apps.slice(0, 30).map((one) => `applications/${one.pid} (${one.id})`),
      next: 'Use one that runs (see details, or list_applications), or open it with open_application.',
    });
  const windowId = named?.[2];
  if (windowId === undefined) return { app, window: null };
  return { app, window: await findWindowById(desktop, app.pid, windowId, signal) };
}

const ONE_NODE = { maxDepth: 0, maxNodes: 1, timeoutMs: 1000 };

/** Of an earlier result it may name a process that has quit or crashed since. */
async function assertNotEnded(
  desktop: DesktopReader,
  name: string,
  wanted: string,
  signal: AbortSignal,
): Promise<void> {
  if (!/^\d+$/.test(wanted)) return;
  const thrown: unknown = await desktop
    .tree({ pid: Number(wanted) }, ONE_NODE, signal)
    .catch((error: unknown) => error);
  signal.throwIfAborted();
  if (hasEnded(thrown))
    throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.app_has_ended', { name }), thrown.details);
}

/** Of several processes of one application, the one with the topmost window. */
async function findAppByName(
  desktop: DesktopReader,
  apps: readonly App[],
  name: string,
  signal: AbortSignal,
): Promise<App | undefined> {
  const called = apps.filter((one) => [one.id, one.name].some((each) => each.toLowerCase() === name.toLowerCase()));
  if (called.length < 2) return called[0];
  const top = (await desktop.windows(signal)).find(({ app }) => called.some(({ pid }) => pid === app.pid));
  return called.find(({ pid }) => pid === top?.app.pid) ?? called[0];
}

/** The application or window that `name` names; by default what is in front. */
export async function resolvePlace(
  desktop: DesktopReader,
  name: string | undefined,
  signal: AbortSignal,
): Promise<Place> {
  const { app, window } = await resolveParent(desktop, name, signal);
  if (app === null) return findPlace(desktop, undefined, signal);
  if (window === null) return findPlaceOfProcess(desktop, app.pid, signal);
  return { app, window, scope: { pid: app.pid, windowId: window.id } };
}

async function findWindowById(desktop: DesktopReader, pid: number, id: string, signal: AbortSignal): Promise<Window> {
  const windows = (await desktop.windows(signal)).filter((window) => window.app.pid === pid);
  const window = windows.find((one) => one.id === id) ?? onlyTitled(windows, id);
  if (window !== undefined) return window;
  throw new WireError('DESKTOP_ELEMENT_NOT_FOUND', message('error.no_window_of_app', { pid, id }), {
    reason: 'no_such_window',
    windows: windows.map(windowName),
    next: 'Use one of those in details, or see list_windows.',
  });
}

/** A window by `title:` and its percent-encoded title, which stays valid when the window is reopened; only where one window fits. */
function onlyTitled(windows: Window[], id: string): Window | undefined {
  const titled = windows.filter((window) => id === `title:${encodeURIComponent(window.title)}`);
  return titled.length === 1 ? titled[0] : undefined;
}

export async function resolveWindow(desktop: DesktopReader, name: string, signal: AbortSignal): Promise<Window> {
  const { window } = name.startsWith('applications/') ? await resolveParent(desktop, name, signal) : { window: null };
  if (window !== null) return window;
  throw invalidRequest(
    message('error.no_window_name', { name }),
    'no_window_name',
    'Names of windows look like applications/123/windows/456; list_windows gives them with their titles.',
  );
}

const STARTS_WITH_ID = /^applications\/(?!-(?:\/|$)|\d+(?:\/|$))([^/]+)(.*)$/s;

/** Replaces the application id in `applications/{id}…` with the running process; other names are unchanged. */
export async function withPid(desktop: DesktopReader, name: string, signal: AbortSignal): Promise<string> {
  const [, id, rest = ''] = STARTS_WITH_ID.exec(name) ?? [];
  const { app } = await resolveParent(desktop, id, signal);
  return app === null ? name : `${appName(app)}${rest}`;
}

export const appName = (app: App): string => `applications/${app.pid}`;

export const windowName = (window: Window): string => `applications/${window.app.pid}/windows/${window.id}`;
