import type { DesktopReader, Window } from '../../../native/desktop.js';
import { windowNameOf, type ValueChange, type DetectedChange, type WatchRequest } from './model.js';
import { comparableText, excerpt } from './texts.js';

export interface WindowsSnapshot {
  byId: ReadonlyMap<string, Window>;
  /** They still exist, but agents may no longer see them. */
  hidden: ReadonlySet<string>;
}

/** `allWindows` includes windows that agents may not see. */
export async function readWindows(
  desktop: DesktopReader,
  allWindows: (signal: AbortSignal) => Promise<ReadonlyMap<string, number>>,
  { scope }: WatchRequest,
  before: WindowsSnapshot | null,
  signal: AbortSignal,
): Promise<WindowsSnapshot> {
  const inside = ({ id, app }: Window) =>
    (scope.app === null || app.pid === scope.app.pid) && (scope.windowId === null || id === scope.windowId);
  const all = (await desktop.windows(signal)).filter(inside);
  const byId = new Map(
    all.map((window) => [window.id, { ...withLastFrame(window, before), title: comparableText(window.title) }]),
  );
  const missing = [...(before?.byId.keys() ?? []), ...(before?.hidden ?? [])].filter((id) => !byId.has(id));
  const there = missing.length === 0 ? new Map<string, number>() : await allWindows(signal);
  return { byId, hidden: new Set(missing.filter((id) => there.has(id))) };
}

/** A minimised window has no place of its own: its last frame is kept for comparison. */
function withLastFrame(window: Window, before: WindowsSnapshot | null): Window {
  const was = before?.byId.get(window.id);
  return window.minimized && was !== undefined ? { ...window, frame: was.frame } : window;
}

export const windowsKey = ({ byId, hidden }: WindowsSnapshot): string =>
  JSON.stringify([
    [...byId.values()].map(({ id, title, frame, minimized, focused }) => [id, title, frame, minimized, focused]).sort(),
    [...hidden],
  ]);

export function compareWindows(
  before: WindowsSnapshot,
  after: WindowsSnapshot,
  { visibleOnly }: WatchRequest,
): DetectedChange[] {
  const found: DetectedChange[] = [];
  for (const [id, window] of before.byId)
    if (!after.byId.has(id)) found.push(windowEvent(window, after.hidden.has(id) ? 'hidden' : 'destroyed'));
  for (const [id, window] of after.byId) {
    const was = before.byId.get(id);
    if (was !== undefined) {
      if (!visibleOnly || !was.minimized || !window.minimized) found.push(...windowChanges(was, window));
      continue;
    }
    found.push(windowEvent(window, before.hidden.has(id) ? 'shown' : 'created'));
    if (window.focused) found.push(windowEvent(window, 'focused'));
  }
  return found;
}

function windowChanges(was: Window, now: Window): DetectedChange[] {
  const { x, y, width, height } = was.frame;
  const moved = now.frame.x !== x || now.frame.y !== y;
  const resized = now.frame.width !== width || now.frame.height !== height;
  const frame = [{ attribute: 'frame', before: was.frame, after: now.frame }];
  const title = [{ attribute: 'title', before: excerpt(was.title), after: excerpt(now.title) }];
  const document = [{ attribute: 'document', before: was.documentUrl, after: now.documentUrl }];
  return [
    ...(was.minimized !== now.minimized ? [windowEvent(now, now.minimized ? 'minimized' : 'restored')] : []),
    ...(moved ? [windowEvent(now, 'moved', frame)] : []),
    ...(resized ? [windowEvent(now, 'resized', frame)] : []),
    ...(was.title !== now.title ? [windowEvent(now, 'title_changed', title)] : []),
    ...(was.documentUrl !== now.documentUrl ? [windowEvent(now, 'document_changed', document)] : []),
    ...(was.focused !== now.focused ? [windowEvent(now, now.focused ? 'focused' : 'unfocused')] : []),
  ];
}

function windowEvent(window: Window, event: string, changes?: ValueChange[]): DetectedChange {
  return {
    kind: 'window_event',
    event,
    app: window.app,
    fields: {
      window: windowNameOf(window),
      title: excerpt(window.title),
      ...(window.normal ? {} : { popup: true }),
    },
    ...(changes === undefined ? {} : { changes }),
  };
}
