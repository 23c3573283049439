import type { XWindowAttributes } from 'x11';
import type { Rect } from '../../desktop.js';
import type { WindowReader } from './window-model.js';
import type { Borders, TopLevelWindow } from '../windows.js';

export const INPUT_OUTPUT = 1;
const NO_BORDERS: Borders = { left: 0, right: 0, top: 0, bottom: 0 };
const UNMAPPED = 0;
export const ICONIC = 3;
/** The focus follows the pointer; below it is no focus at all. */
export const POINTER_ROOT = 1;
const ALL_DESKTOPS = 0xffffffff;
const NORMAL_TYPES = new Set(['_NET_WM_WINDOW_TYPE_NORMAL', '_NET_WM_WINDOW_TYPE_DIALOG']);

/** null where the window does not exist. */
export function describeWindow(reader: WindowReader, xid: number, top: number): TopLevelWindow | null {
  const own = describeAlone(reader, xid, top);
  if (own === null) return null;
  const { found, crowded } = foreignWindows(reader, top, xid);
  const inside = found.map((one) => describeAlone(reader, one, one)).filter((one) => one !== null);
  // A second connection of the same process shows nothing of another program.
  return { ...own, crowded, inside: inside.filter(({ viewable, pid }) => viewable && pid !== own.pid) };
}

/** A window may have very many windows in it. One that has more is {@link TopLevelWindow.crowded}. */
const MAX_SEARCHED_WINDOWS = 1000;

/** Ids of the windows that other connections than those of `top` and `client` have made in it, at any depth, topmost first. An id without the bits of the resource mask names the connection: no program can choose another's. */
export function foreignWindows(
  reader: WindowReader,
  top: number,
  client: number,
): { found: number[]; crowded: boolean } {
  const connectionOf = (xid: number): number => (xid & ~reader.resourceMask) >>> 0;
  const own = new Set([connectionOf(top), connectionOf(client)]);
  const found: number[] = [];
  const open = [top];
  for (let searched = 0; open.length > 0 && searched < MAX_SEARCHED_WINDOWS; searched++) {
    const children = (reader.tree(open.shift() ?? 0)?.children ?? []).toReversed();
    open.push(...children);
    found.push(
      ...children.filter((xid) => !own.has(connectionOf(xid)) && reader.attributes(xid)?.klass === INPUT_OUTPUT),
    );
  }
  return { found, crowded: open.length > 0 };
}

export function describeAlone(reader: WindowReader, xid: number, top: number): TopLevelWindow | null {
  const attributes = reader.attributes(xid);
  const client = placeOf(reader, xid);
  const [instance = '', className = ''] = (reader.text(xid, 'WM_CLASS') ?? '').split('\0');
  const title = titleOf(reader, xid);
  const states = atomNames(reader, reader.numbers(xid, '_NET_WM_STATE'));
  const types = atomNames(reader, reader.numbers(xid, '_NET_WM_WINDOW_TYPE'));
  const extents = reader.numbers(xid, '_NET_FRAME_EXTENTS');
  const borders = bordersOf(top === xid ? [] : extents, reader.numbers(xid, '_GTK_FRAME_EXTENTS'));
  const visibility = visibilityOf(reader, xid, states);
  const pid = reader.pid(xid);
  const active = activeWindow(reader);
  if (attributes === null || client === null) return null;
  return {
    id: xid,
    top,
    title,
    instance,
    className,
    pid,
    frame: grow(client, borders),
    client,
    borders,
    // The active window is updated a moment after the minimised state.
    focused: xid === active && !visibility.minimized,
    ...visibility,
    mapped: isMapped(attributes),
    ...kindOf(attributes, types),
    states,
    inside: [],
    crowded: false,
  };
}

export function activeWindow(reader: WindowReader): number {
  return reader.numbers(reader.root, '_NET_ACTIVE_WINDOW')[0] ?? 0;
}

export function titleOf(reader: WindowReader, xid: number): string {
  return reader.text(xid, '_NET_WM_NAME') ?? reader.text(xid, 'WM_NAME') ?? '';
}

/** The window manager's process; 0 where it is not known. */
export function managerPid(reader: WindowReader): number {
  const [check] = reader.numbers(reader.root, '_NET_SUPPORTING_WM_CHECK');
  return check === undefined ? 0 : reader.pid(check);
}

/** Children of the root that the window manager handles, each with the application's own window in it. */
export function managedWindows(reader: WindowReader): Map<number, number> {
  const stacking = reader.numbers(reader.root, '_NET_CLIENT_LIST_STACKING');
  const clients = stacking.length > 0 ? stacking : reader.numbers(reader.root, '_NET_CLIENT_LIST');
  const found = new Map<number, number>();
  for (const xid of clients) {
    const top = topOf(reader, xid);
    if (top !== null) found.set(top, xid);
  }
  return found;
}

/** The window and those around it up to the child of the root; null where it does not exist. */
export function ancestry(reader: WindowReader, xid: number): [number, ...number[]] | null {
  const chain: [number, ...number[]] = [xid];
  const seen = new Set(chain);
  for (let at = xid; ;) {
    const tree = reader.tree(at);
    if (tree === null) return null;
    if (tree.parent === reader.root || tree.parent === 0) return chain;
    at = tree.parent;
    // Parents that were read at different times may make a circle.
    if (seen.has(at)) return null;
    seen.add(at);
    chain.push(at);
  }
}

/** The child of the root that holds the window. */
export function topOf(reader: WindowReader, xid: number): number | null {
  return ancestry(reader, xid)?.at(-1) ?? null;
}

/** Without its own X border, in coordinates of the root. */
export function placeOf(reader: WindowReader, xid: number): Rect | null {
  const own = reader.geometry(xid);
  const chain = ancestry(reader, xid);
  const around = chain?.map((each) => reader.geometry(each));
  if (own === null || around === undefined) return null;
  const place = { x: 0, y: 0, width: own.width, height: own.height };
  for (const geometry of around) {
    if (geometry === null) return null;
    place.x += geometry.xPos + geometry.borderWidth;
    place.y += geometry.yPos + geometry.borderWidth;
  }
  return place;
}

/** Mapped with all its ancestors. */
export function isViewable(reader: WindowReader, xid: number): boolean {
  const own = reader.attributes(xid);
  const around = ancestry(reader, xid)?.map((each) => reader.attributes(each));
  return own !== null && around !== undefined && around.every((one) => one !== null && isMapped(one));
}

const isMapped = ({ mapState }: XWindowAttributes): boolean => mapState !== UNMAPPED;

const atomNames = (reader: WindowReader, atoms: readonly number[]): string[] => atoms.map(reader.atomName);

function kindOf(
  attributes: XWindowAttributes,
  types: string[],
): Pick<TopLevelWindow, 'normal' | 'tooltip' | 'dragged'> {
  const override = attributes.overrideRedirect !== 0;
  return {
    normal: !override && (types.length === 0 || types.some((type) => NORMAL_TYPES.has(type))),
    tooltip: types.includes('_NET_WM_WINDOW_TYPE_TOOLTIP'),
    dragged: override && types.includes('_NET_WM_WINDOW_TYPE_DND'),
  };
}

function visibilityOf(
  reader: WindowReader,
  xid: number,
  states: string[],
): Pick<TopLevelWindow, 'minimized' | 'viewable' | 'onOtherDesktop' | 'shown'> {
  const iconic = reader.numbers(xid, 'WM_STATE')[0] === ICONIC;
  const onOtherDesktop = isOnOtherDesktop(reader, xid);
  // On another desktop a window may be iconic for ICCCM without having been minimised by anybody.
  const minimized = states.includes('_NET_WM_STATE_HIDDEN') || (iconic && !onOtherDesktop);
  const viewable = isViewable(reader, xid);
  return { minimized, viewable, onOtherDesktop, shown: viewable && !minimized && !onOtherDesktop };
}

function isOnOtherDesktop(reader: WindowReader, xid: number): boolean {
  const [own] = reader.numbers(xid, '_NET_WM_DESKTOP');
  const [current] = reader.numbers(reader.root, '_NET_CURRENT_DESKTOP');
  return own !== undefined && current !== undefined && own !== ALL_DESKTOPS && own !== current;
}

function bordersOf(extents: readonly number[], shadows: readonly number[]): Borders {
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
