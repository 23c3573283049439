import { contains, overlaps } from '../../../base/rect.js';
import type { Point, Display, Rect, StackedWindow } from '../../desktop.js';
import { type XConnection, whenMissing } from './connection.js';
import {
  activeWindow,
  ancestry,
  describeAlone,
  describeWindow,
  INPUT_OUTPUT,
  isViewable,
  managedWindows,
  managerPid,
  placeOf,
  POINTER_ROOT,
  topOf,
  foreignWindows,
  titleOf,
} from './window-description.js';
import { openWindowModel, type WindowReader } from './window-model.js';
import type { Windows, TopLevelWindow } from '../windows.js';
import { delay } from '../../../base/poll.js';

/** X has no coordinates beyond these. */
const LARGEST_SCREEN = { x: 0, y: 0, width: 0x8000, height: 0x8000 };

/** Nothing else may use `x`; the caller closes it. */
export async function openWindows(x: XConnection): Promise<Windows> {
  const model = await openWindowModel(x);
  const { answer } = model;

  const at: Windows['at'] = async (point, call) => {
    const pixel = { x: Math.floor(point.x), y: Math.floor(point.y) };
    if (!contains(LARGEST_SCREEN, pixel)) return null;
    let hit = 0;
    const findChild = async (): Promise<void> => {
      const found = await x.query<{ child: number; destX: number; destY: number }>((reply) =>
        x.client.TranslateCoordinates(x.root, x.root, pixel.x, pixel.y, reply),
      );
      hit = found.child;
    };
    const window = (reader: WindowReader): TopLevelWindow | null =>
      hit === 0 || !contains(screenOf(reader), pixel) ? null : windowInTop(reader, hit, pixel);
    return answer(window, { call, roundTrip: findChild });
  };

  /** The X server itself says which windows have the point, whatever their shapes and depth. */
  const insideAt: Windows['insideAt'] = async (window, point) => {
    const pixel = { x: Math.floor(point.x), y: Math.floor(point.y) };
    const path: number[] = [];
    for (let at = window.top; at !== 0;) {
      const around = at;
      path.unshift(around);
      const found = await x
        .query<{ child: number }>((reply) => x.client.TranslateCoordinates(x.root, around, pixel.x, pixel.y, reply))
        .catch(whenMissing);
      at = found?.child ?? 0;
    }
    return answer((reader) => foreignOn(reader, window, path));
  };

  const focusInside: Windows['focusInside'] = async (window) => {
    const { focus } = await x.query<{ focus: number }>((reply) => x.client.GetInputFocus(reply));
    return answer((reader) => {
      const path = focus > POINTER_ROOT ? (ancestry(reader, focus) ?? []) : [];
      return path.at(-1) === window.top ? foreignOn(reader, window, path) : [];
    });
  };

  return {
    at,
    insideAt,
    focusInside,
    list: model.question(listWindows),
    stack: model.question(stackedWindows),
    find: (xid, call) => answer((reader) => findWindow(reader, xid), { call }),
    front: model.question((reader) => {
      const active = activeWindow(reader);
      return active === 0 ? null : findWindow(reader, active);
    }),
    active: () => answer(activeWindow),
    pidOf: (xid) => model.pidOf(xid),
    screen: model.question(screenOf),
    displays: model.question(listDisplays),
    onChange: model.onChange,
    waitFor: (probe, timeoutMs, signal) => waitForChange(model.onChange, probe, timeoutMs, signal),
  };
}

/** Those of `path` that neither the application of the window nor the window manager made. */
function foreignOn(reader: WindowReader, { top, pid }: TopLevelWindow, path: readonly number[]): TopLevelWindow[] {
  const own = new Set([pid, reader.pid(top)]);
  const foreign = path.filter((xid) => !own.has(reader.pid(xid)));
  return foreign.map((xid) => describeAlone(reader, xid, xid)).filter((one) => one !== null);
}

function findWindow(reader: WindowReader, xid: number): TopLevelWindow | null {
  const top = topOf(reader, xid);
  return top === null ? null : describeWindow(reader, xid, top);
}

function listWindows(reader: WindowReader): TopLevelWindow[] {
  const managed = managedWindows(reader);
  const order = (reader.tree(reader.root)?.children ?? []).toReversed();
  const kept = order.filter((top) => managed.has(top) || isPopup(reader, top));
  const found = kept
    .map((top) => describeWindow(reader, managed.get(top) ?? top, top))
    .filter((window) => window !== null);
  const known = found.filter((window) => window.normal || window.pid !== 0);
  const rank = ({ shown, minimized }: TopLevelWindow): number => (minimized ? 2 : shown ? 0 : 1);
  return known.toSorted((one, other) => rank(one) - rank(other));
}

/** Menus, tooltips and the like: mapped children of the root that no window manager handles. */
function isPopup(reader: WindowReader, xid: number): boolean {
  const attributes = reader.attributes(xid);
  if (attributes === null || attributes.klass !== INPUT_OUTPUT || !isViewable(reader, xid)) return false;
  if (attributes.overrideRedirect === 0) return reader.text(xid, 'WM_CLASS') !== null;
  const place = placeOf(reader, xid);
  return place !== null && place.width > 1 && place.height > 1 && overlaps(place, screenOf(reader));
}

/** The window in `top`, the child of the root at the point. */
function windowInTop(reader: WindowReader, top: number, point: Point): TopLevelWindow | null {
  const own = managedWindows(reader).get(top);
  const listed = (): TopLevelWindow[] =>
    listWindows(reader).filter(({ shown, frame }) => shown && contains(frame, point));
  if (own === undefined && isManagersInputWindow(reader, top)) return listed()[0] ?? null;
  const found = describeWindow(reader, own ?? top, top);
  if (found?.dragged !== true || found.pid === 0) return found;
  const below = listed().find(({ dragged }) => !dragged);
  return below?.pid === found.pid ? below : found;
}

/** Window managers put invisible input windows over the desktop and into corners. Those of other programs would take the click. */
function isManagersInputWindow(reader: WindowReader, xid: number): boolean {
  if (reader.attributes(xid)?.klass === INPUT_OUTPUT) return false;
  const manager = managerPid(reader);
  return manager > 0 && manager === reader.pid(xid);
}

/** All of it, whatever the monitors show. It changes with them. */
function screenOf(reader: WindowReader): Rect {
  const { width, height } = reader.geometry(reader.root) ?? { width: 0, height: 0 };
  return { x: 0, y: 0, width, height };
}

/** The monitors, main one first. X has one coordinate system in pixels, so the scale is 1. */
function listDisplays(reader: WindowReader): Display[] {
  const found = reader.monitors() ?? [];
  if (found.length === 0) return [{ id: 'screen', name: 'screen', frame: screenOf(reader), scale: 1, main: true }];
  const main = found.find(({ primary }) => primary) ?? found.find(({ frame }) => frame.x === 0 && frame.y === 0);
  const chosen = main ?? found[0];
  const named = found.map((monitor) => {
    const name = reader.atomName(monitor.name);
    return { id: name, name, frame: monitor.frame, scale: 1, main: monitor === chosen };
  });
  return named.sort((a, b) => Number(b.main) - Number(a.main));
}

/** Runs `probe` now and after each change until it gives something other than null; null once `timeoutMs` have passed. */
async function waitForChange<T>(
  onChange: (listener: () => void) => () => void,
  probe: () => Promise<T | null>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<T | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const changed = new AbortController();
    // Before the probe, so that no change after it is missed.
    const stop = onChange(() => changed.abort());
    try {
      const found = await probe();
      if (found !== null) return found;
      const left = deadline - performance.now();
      if (left <= 0) return null;
      if (!changed.signal.aborted) await delay(left, AbortSignal.any([signal, changed.signal])).catch(() => {});
    } finally {
      stop();
    }
  }
}

/** See `Windows.stack`. */
function stackedWindows(reader: WindowReader): StackedWindow[] {
  const managed = managedWindows(reader);
  const [active, manager] = [activeWindow(reader), managerPid(reader)];
  return childrenOf(reader, reader.root).flatMap((top) => {
    const frame = visibleFrame(reader, top);
    if (frame === null) return [];
    const client = managed.get(top) ?? top;
    const window: StackedWindow = {
      ...describe(reader, top, frame, client),
      managed: managed.has(top),
      focused: managed.has(top) && client === active,
    };
    const foreign = foreignWindowsIn(reader, top, client);
    const isManagers = !window.managed && window.pid !== 0 && window.pid === manager;
    return isManagers ? foreign : [...foreign, window];
  });
}

/** Topmost first. */
const childrenOf = (reader: WindowReader, xid: number): number[] => (reader.tree(xid)?.children ?? []).toReversed();

/** Windows of other programs inside it, at any depth. */
const foreignWindowsIn = (reader: WindowReader, top: number, client: number): StackedWindow[] =>
  foreignWindows(reader, top, client).found.flatMap((xid) => {
    const frame = visibleFrame(reader, xid);
    return frame === null ? [] : { ...describe(reader, xid, frame, xid), managed: false, focused: false };
  });

/** null where it is not visible. */
function visibleFrame(reader: WindowReader, xid: number): Rect | null {
  const attributes = reader.attributes(xid);
  const frame = placeOf(reader, xid);
  return attributes?.klass === INPUT_OUTPUT && isViewable(reader, xid) ? frame : null;
}

function describe(
  reader: WindowReader,
  xid: number,
  frame: Rect,
  client: number,
): Pick<StackedWindow, 'pid' | 'title' | 'areas' | 'frame'> {
  return { pid: reader.pid(client), title: titleOf(reader, client), areas: areasOf(reader, xid, frame), frame };
}

function areasOf(reader: WindowReader, xid: number, frame: Rect): Rect[] {
  if (!reader.hasShapes) return [frame];
  return (reader.shape(xid) ?? []).map(([left, top, width, height]) => {
    return { x: frame.x + left, y: frame.y + top, width, height };
  });
}
