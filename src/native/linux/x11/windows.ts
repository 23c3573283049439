import type { XGeometry, XWindowAttributes } from 'x11';
import { contains } from '../../../base/rect.js';
import { type Point, type Rect } from '../../desktop.js';
import { type XConnection } from './connection.js';
import { type Properties, whenMissing, words } from './properties.js';

/** A top-level window as the X server and the window manager describe it. */
export interface XWindow {
  /** The application's own window. */
  xid: number;
  /** The child of the root that holds it: the window manager's frame, or itself. */
  top: number;
  title: string;
  instance: string;
  className: string;
  /** 0 where it is not known. */
  pid: number;
  /** With the window manager's borders, without invisible shadows. */
  frame: Rect;
  /** The application's part, without borders. */
  client: Rect;
  borders: Borders;
  focused: boolean;
  minimized: boolean;
  normal: boolean;
  tooltip: boolean;
  /** The image of a drag: it follows the pointer, and the drop goes to the window below it. */
  dragged: boolean;
  /** By its application; the window manager's frame around it may not be. */
  mapped: boolean;
  /** Mapped with all its ancestors. With some window managers also true of minimised windows and of other desktops. */
  viewable: boolean;
  /** On another virtual desktop. */
  onOtherDesktop: boolean;
  /** Visible on the screen, unless other windows cover it. */
  shown: boolean;
  /** Names of `_NET_WM_STATE`. */
  states: readonly string[];
}

export interface Borders {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export interface Windows {
  /** Topmost first; then those on other desktops, then minimised ones. */
  list(): Promise<XWindow[]>;
  /** null when there is no such window. */
  find(xid: number): Promise<XWindow | null>;
  active(): Promise<number>;
  /** The topmost window whose shape holds the point. */
  at(point: Point): Promise<XWindow | null>;
  pidOf(xid: number): Promise<number>;
  /** The window manager's process; 0 where it is not known. */
  manager(): Promise<number>;
  /** Children of the root that the window manager handles, each with the application's own window in it. */
  managed(): Promise<Map<number, number>>;
}

const NO_BORDERS: Borders = { left: 0, right: 0, top: 0, bottom: 0 };
const INPUT_OUTPUT = 1;
const UNMAPPED = 0;
const VIEWABLE = 2;
const ICONIC = 3;
const ALL_DESKTOPS = 0xffffffff;
const NORMAL_TYPES = new Set(['_NET_WM_WINDOW_TYPE_NORMAL', '_NET_WM_WINDOW_TYPE_DIALOG']);

export function openWindows(x: XConnection, properties: Properties): Windows {
  const parentOf = (xid: number): Promise<{ parent: number; children: number[] } | null> =>
    x.query<{ parent: number; children: number[]; root: number }>((r) => x.client.QueryTree(xid, r)).catch(whenMissing);

  const topOf = async (xid: number): Promise<number | null> => {
    for (let at = xid; ;) {
      const tree = await parentOf(at);
      if (tree === null) return null;
      if (tree.parent === x.root || tree.parent === 0) return at;
      at = tree.parent;
    }
  };

  const active = async (): Promise<number> => (await properties.numbers(x.root, '_NET_ACTIVE_WINDOW'))[0] ?? 0;

  const clients = async (): Promise<number[]> => {
    const stacking = await properties.numbers(x.root, '_NET_CLIENT_LIST_STACKING');
    return stacking.length > 0 ? stacking : properties.numbers(x.root, '_NET_CLIENT_LIST');
  };

  const pidOf = async (xid: number): Promise<number> => {
    // The server knows the process from the socket; the property is set by the application and may be false.
    const res = await x.extension('res');
    if (res !== null && (res.major > 1 || res.minor >= 2)) {
      const spec = [{ client: xid, mask: res.ClientIdMask.LocalClientPID }];
      const ids = await x
        .query<{ client: number; mask: number; value: number[] }[]>((r) => res.QueryClientIds(spec, r))
        .catch(whenMissing);
      const pid = ids?.[0]?.value[0];
      if (pid !== undefined && pid > 0) return pid;
    }
    return (await properties.numbers(xid, '_NET_WM_PID'))[0] ?? 0;
  };

  const attributesOf = (xid: number): Promise<XWindowAttributes | null> =>
    x.query<XWindowAttributes>((r) => x.client.GetWindowAttributes(xid, r)).catch(whenMissing);

  const atomNames = async (xid: number, property: string): Promise<string[]> =>
    Promise.all((await properties.numbers(xid, property)).map((atom) => x.atomName(atom)));

  const describe = async (xid: number, top: number, activeXid: number): Promise<XWindow | null> => {
    const [attributes, client, named, plain, wmClass, pid, types, states, wmState, extents, shadows, onOtherDesktop] =
      await Promise.all([
        attributesOf(xid),
        placeOf(x, xid),
        properties.text(xid, '_NET_WM_NAME'),
        properties.text(xid, 'WM_NAME'),
        properties.text(xid, 'WM_CLASS'),
        pidOf(xid),
        atomNames(xid, '_NET_WM_WINDOW_TYPE'),
        atomNames(xid, '_NET_WM_STATE'),
        properties.raw(xid, 'WM_STATE'),
        properties.numbers(xid, '_NET_FRAME_EXTENTS'),
        properties.numbers(xid, '_GTK_FRAME_EXTENTS'),
        isOnOtherDesktop(x, properties, xid),
      ]);
    if (attributes === null || client === null) return null;
    const [instance = '', className = ''] = (wmClass ?? '').split('\0');
    const borders = bordersOf(top === xid ? [] : extents, shadows);
    const visibility = visibilityOf(attributes, states, words(wmState)[0] === ICONIC, onOtherDesktop);
    return {
      xid,
      top,
      title: named ?? plain ?? '',
      instance,
      className,
      pid,
      frame: grow(client, borders),
      client,
      borders,
      // The active window is updated a moment after the minimised state.
      focused: xid === activeXid && !visibility.minimized,
      ...visibility,
      ...kindOf(attributes, types),
      states,
    };
  };

  /** Menus, tooltips and the like: mapped children of the root that no window manager handles. */
  const isPopup = async (xid: number): Promise<boolean> => {
    const attributes = await attributesOf(xid);
    if (attributes === null || attributes.klass !== INPUT_OUTPUT || attributes.mapState !== VIEWABLE) return false;
    if (attributes.overrideRedirect === 0) return (await properties.text(xid, 'WM_CLASS')) !== null;
    const place = await placeOf(x, xid);
    return place !== null && place.width > 1 && place.height > 1 && isOnScreen(place, x);
  };

  const manager = async (): Promise<number> => {
    const [check] = await properties.numbers(x.root, '_NET_SUPPORTING_WM_CHECK');
    return check === undefined ? 0 : pidOf(check);
  };

  /** Window managers put invisible input windows over the desktop and into corners. Those of other programs would take the click. */
  const isManagersInputWindow = async (xid: number): Promise<boolean> => {
    if ((await attributesOf(xid))?.klass === INPUT_OUTPUT) return false;
    const [own, owner] = await Promise.all([manager(), pidOf(xid)]);
    return own > 0 && own === owner;
  };

  const managedTops = async (): Promise<Map<number, number>> => {
    const known = await clients();
    const tops = await Promise.all(known.map(topOf));
    const found = new Map<number, number>();
    known.forEach((xid, index) => {
      const top = tops[index];
      if (top !== null && top !== undefined) found.set(top, xid);
    });
    return found;
  };

  const list = async (): Promise<XWindow[]> => {
    const [tree, tops, activeXid] = await Promise.all([parentOf(x.root), managedTops(), active()]);
    const order = (tree?.children ?? []).toReversed();
    const kept = await Promise.all(order.map(async (top) => tops.has(top) || (await isPopup(top))));
    const described = await Promise.all(
      order.filter((_, index) => kept[index] === true).map((top) => describe(tops.get(top) ?? top, top, activeXid)),
    );
    const found = described.filter((window) => window !== null);
    const own = found.filter((window) => window.normal || window.pid !== 0);
    const rank = ({ shown, minimized }: XWindow): number => (minimized ? 2 : shown ? 0 : 1);
    return own.toSorted((one, other) => rank(one) - rank(other));
  };

  const find = async (xid: number): Promise<XWindow | null> => {
    const [top, activeXid] = await Promise.all([topOf(xid), active()]);
    return top === null ? null : describe(xid, top, activeXid);
  };

  const at = async (point: Point): Promise<XWindow | null> => {
    const [px, py] = [Math.floor(point.x), Math.floor(point.y)];
    if (!isOnScreen({ x: px, y: py, width: 1, height: 1 }, x)) return null;
    const hit = await x.query<{ child: number; destX: number; destY: number }>((r) =>
      x.client.TranslateCoordinates(x.root, x.root, px, py, r),
    );
    if (hit.child === 0) return null;
    const [tops, activeXid] = await Promise.all([managedTops(), active()]);
    const own = tops.get(hit.child);
    const listed = async () => (await list()).filter(({ shown, frame }) => shown && contains(frame, { x: px, y: py }));
    if (own === undefined && (await isManagersInputWindow(hit.child))) return (await listed())[0] ?? null;
    const found = await describe(own ?? hit.child, hit.child, activeXid);
    if (found?.dragged !== true || found.pid === 0) return found;
    const below = (await listed()).find(({ dragged }) => !dragged);
    return below?.pid === found.pid ? below : found;
  };

  return { list, find, active, at, pidOf, manager, managed: managedTops };
}

function kindOf(attributes: XWindowAttributes, types: string[]): Pick<XWindow, 'normal' | 'tooltip' | 'dragged'> {
  const override = attributes.overrideRedirect !== 0;
  return {
    normal: !override && (types.length === 0 || types.some((type) => NORMAL_TYPES.has(type))),
    tooltip: types.includes('_NET_WM_WINDOW_TYPE_TOOLTIP'),
    dragged: override && types.includes('_NET_WM_WINDOW_TYPE_DND'),
  };
}

function visibilityOf(
  { mapState }: XWindowAttributes,
  states: string[],
  iconic: boolean,
  onOtherDesktop: boolean,
): Pick<XWindow, 'minimized' | 'mapped' | 'viewable' | 'onOtherDesktop' | 'shown'> {
  // On another desktop a window may be iconic for ICCCM without having been minimised by anybody.
  const minimized = states.includes('_NET_WM_STATE_HIDDEN') || (iconic && !onOtherDesktop);
  const viewable = mapState === VIEWABLE;
  return {
    minimized,
    mapped: mapState !== UNMAPPED,
    viewable,
    onOtherDesktop,
    shown: viewable && !minimized && !onOtherDesktop,
  };
}

async function placeOf(x: XConnection, xid: number): Promise<Rect | null> {
  const [geometry, place] = await Promise.all([
    x.query<XGeometry>((r) => x.client.GetGeometry(xid, r)).catch(whenMissing),
    x
      .query<{ destX: number; destY: number; child: number }>((r) =>
        x.client.TranslateCoordinates(xid, x.root, 0, 0, r),
      )
      .catch(whenMissing),
  ]);
  if (geometry === null || place === null) return null;
  return { x: place.destX, y: place.destY, width: geometry.width, height: geometry.height };
}

async function isOnOtherDesktop(x: XConnection, properties: Properties, xid: number): Promise<boolean> {
  const [[own], [current]] = await Promise.all([
    properties.numbers(xid, '_NET_WM_DESKTOP'),
    properties.numbers(x.root, '_NET_CURRENT_DESKTOP'),
  ]);
  return own !== undefined && current !== undefined && own !== ALL_DESKTOPS && own !== current;
}

function bordersOf(extents: number[], shadows: number[]): Borders {
  const side = (index: number): number => (extents[index] ?? 0) - (shadows[index] ?? 0);
  if (extents.length < 4 && shadows.length < 4) return NO_BORDERS;
  return { left: side(0), right: side(1), top: side(2), bottom: side(3) };
}

export function grow(rect: Rect, borders: Borders): Rect {
  return {
    x: rect.x - borders.left,
    y: rect.y - borders.top,
    width: rect.width + borders.left + borders.right,
    height: rect.height + borders.top + borders.bottom,
  };
}

export function shrink(rect: Rect, { left, right, top, bottom }: Borders): Rect {
  return grow(rect, { left: -left, right: -right, top: -top, bottom: -bottom });
}

function isOnScreen(rect: Rect, x: XConnection): boolean {
  const { pixel_width: width, pixel_height: height } = x.screen;
  return rect.x < width && rect.y < height && rect.x + rect.width > 0 && rect.y + rect.height > 0;
}
