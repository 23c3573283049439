import type { Rect, StackedWindow } from '../../desktop.js';
import {
  activeWindow,
  foreignWindows,
  INPUT_OUTPUT,
  isViewable,
  managedWindows,
  managerPid,
  placeOf,
  titleOf,
} from './window-description.js';
import type { WindowReader } from './window-model.js';

/** See `Windows.stack`. */
export function stackedWindows(reader: WindowReader): StackedWindow[] {
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
