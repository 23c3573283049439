import type { DesktopReader, Window } from '../../../native/desktop.js';
import type { Change, Happening, Wish } from './model.js';
import { windowNameOf } from './model.js';
import { kept, shown } from './texts.js';

export interface WindowsSeen {
  byId: ReadonlyMap<string, Window>;
  /** Still there, but not open to agents any more. */
  hidden: ReadonlySet<string>;
}

/** `exist` tells which windows there are at all, whoever may see them. */
export async function seeWindows(
  desktop: DesktopReader,
  exist: (signal: AbortSignal) => Promise<ReadonlyMap<string, number>>,
  { place }: Wish,
  before: WindowsSeen | null,
  signal: AbortSignal,
): Promise<WindowsSeen> {
  const inside = ({ id, app }: Window) =>
    (place.app === null || app.pid === place.app.pid) && (place.windowId === null || id === place.windowId);
  const all = (await desktop.windows(signal)).filter(inside);
  const byId = new Map(all.map((window) => [window.id, { ...rested(window, before), title: kept(window.title) }]));
  const missing = [...(before?.byId.keys() ?? []), ...(before?.hidden ?? [])].filter((id) => !byId.has(id));
  const there = missing.length === 0 ? new Map<string, number>() : await exist(signal);
  return { byId, hidden: new Set(missing.filter((id) => there.has(id))) };
}

/** A minimised window is nowhere: it is compared with where it was. */
function rested(window: Window, before: WindowsSeen | null): Window {
  const was = before?.byId.get(window.id);
  return window.minimized && was !== undefined ? { ...window, frame: was.frame } : window;
}

export const windowsKey = ({ byId, hidden }: WindowsSeen): string =>
  JSON.stringify([
    [...byId.values()].map(({ id, title, frame, minimized, focused }) => [id, title, frame, minimized, focused]).sort(),
    [...hidden],
  ]);

export function compareWindows(before: WindowsSeen, after: WindowsSeen, { visibleOnly }: Wish): Happening[] {
  const found: Happening[] = [];
  for (const [id, window] of before.byId)
    if (!after.byId.has(id)) found.push(tell(window, after.hidden.has(id) ? 'hidden' : 'destroyed'));
  for (const [id, window] of after.byId) {
    const was = before.byId.get(id);
    if (was !== undefined) {
      if (!visibleOnly || !was.minimized || !window.minimized) found.push(...changed(was, window));
      continue;
    }
    found.push(tell(window, before.hidden.has(id) ? 'shown' : 'created'));
    if (window.focused) found.push(tell(window, 'focused'));
  }
  return found;
}

function changed(was: Window, now: Window): Happening[] {
  const { x, y, width, height } = was.frame;
  const moved = now.frame.x !== x || now.frame.y !== y;
  const resized = now.frame.width !== width || now.frame.height !== height;
  const frame = [{ attribute: 'frame', before: was.frame, after: now.frame }];
  const title = [{ attribute: 'title', before: shown(was.title), after: shown(now.title) }];
  const document = [{ attribute: 'document', before: was.documentUrl, after: now.documentUrl }];
  return [
    ...(was.minimized !== now.minimized ? [tell(now, now.minimized ? 'minimized' : 'restored')] : []),
    ...(moved ? [tell(now, 'moved', frame)] : []),
    ...(resized ? [tell(now, 'resized', frame)] : []),
    ...(was.title !== now.title ? [tell(now, 'title_changed', title)] : []),
    ...(was.documentUrl !== now.documentUrl ? [tell(now, 'document_changed', document)] : []),
    ...(was.focused !== now.focused ? [tell(now, now.focused ? 'focused' : 'unfocused')] : []),
  ];
}

function tell(window: Window, event: string, changes?: Change[]): Happening {
  return {
    kind: 'window_event',
    event,
    app: window.app,
    fields: {
      window: windowNameOf(window),
      title: shown(window.title),
      ...(window.normal ? {} : { popup: true }),
    },
    ...(changes === undefined ? {} : { changes }),
  };
}
