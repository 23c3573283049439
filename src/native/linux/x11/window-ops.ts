import { DesktopError, type Rect, type WindowState } from '../../desktop.js';
import type { XTree } from 'x11';
import { isSame } from '../../../base/rect.js';
import { openCloser, requireWindow } from '../closing.js';
import type { WindowActs } from '../display-server.js';
import type { XConnection } from './connection.js';
import { SUBSTRUCTURE_NOTIFY, SUBSTRUCTURE_REDIRECT } from './event-masks.js';
import { type Properties, whenMissing, words } from './properties.js';
import { ICONIC, POINTER_ROOT, shrink } from './window-description.js';
import type { Windows, TopLevelWindow } from '../windows.js';
import { message } from '../../../messages/index.js';

export const FROM_PAGER = 2;
/** The window manager alone selects these of the root window. */
export const TO_MANAGER = SUBSTRUCTURE_NOTIFY | SUBSTRUCTURE_REDIRECT;
const STATIC_GRAVITY = 10;
const REQUEST_TIMEOUT_MS = 2000;
const UNCHANGED_SETTLE_MS = 400;
/** After the first change of a frame whose final size is not known beforehand. */
const CHANGED_SETTLE_MS = 80;
const TILING_HINT = message('native.tiling');
const OTHER_DESKTOP_HINT = message('native.on_other_desktop');
const MAXIMIZED = ['_NET_WM_STATE_MAXIMIZED_VERT', '_NET_WM_STATE_MAXIMIZED_HORZ'];

/** Sends a client message of EWMH to the window manager. */
type SendToManager = (xid: number, type: string, data: number[]) => Promise<void>;

export function openManagerMessages(x: XConnection): SendToManager {
  return async (xid, type, data) => {
    const atom = await x.atom(type);
    await x.send((done) => x.client.SendClientMessage(x.root, xid, atom, 32, data, TO_MANAGER, done));
  };
}

export function openWindowActs(
  x: XConnection,
  windows: Windows,
  properties: Properties,
  managerHandled: (signal: AbortSignal) => Promise<void>,
): WindowActs {
  const sendToManager = openManagerMessages(x);
  const requireById = (xid: number): Promise<TopLevelWindow> => requireWindow(windows, xid);

  const allowed = async (xid: number): Promise<string[] | null> => {
    const raw = await properties.raw(xid, '_NET_WM_ALLOWED_ACTIONS');
    return raw === null ? null : Promise.all(words(raw).map((atom) => x.atomName(atom)));
  };

  const focus = async (xid: number, signal: AbortSignal): Promise<void> => {
    const before = await requireById(xid);
    if (before.onOtherDesktop) {
      const [desktop] = await properties.numbers(xid, '_NET_WM_DESKTOP');
      if (desktop !== undefined) await sendToManager(x.root, '_NET_CURRENT_DESKTOP', [desktop, 0]);
    }
    await sendToManager(xid, '_NET_ACTIVE_WINDOW', [FROM_PAGER, 0, 0]);
    // The window manager may tell the active window late: the focus may already be elsewhere, or on its way there.
    await managerHandled(signal);
    const isActive = async (): Promise<true | null> =>
      (await windows.active()) === xid && (await hasInputFocus(x, xid)) ? true : null;
    if ((await windows.waitFor(isActive, REQUEST_TIMEOUT_MS, signal)) === null) {
      await requireById(xid);
      throw new DesktopError('failed', message('native.focus_not_given'));
    }
    if (before.minimized) await waitUntilStill(xid, signal);
  };

  const frameOtherThan = (xid: number, last: Rect, timeoutMs: number, signal: AbortSignal): Promise<Rect | null> =>
    windows.waitFor(
      async () => {
        const { frame } = await requireById(xid);
        return isSame(frame, last) ? null : frame;
      },
      timeoutMs,
      signal,
    );

  /** The frame once it is the wanted one, or no longer changes: the window manager may grant another one (size steps, limits, maximised). */
  const waitForFrame = async (xid: number, before: Rect, wanted: Rect | null, signal: AbortSignal): Promise<Rect> => {
    await managerHandled(signal);
    const deadline = performance.now() + REQUEST_TIMEOUT_MS;
    let { frame } = await requireById(xid);
    while (wanted === null || !isNear(frame, wanted)) {
      const settleMs = wanted === null && !isSame(frame, before) ? CHANGED_SETTLE_MS : UNCHANGED_SETTLE_MS;
      const next = await frameOtherThan(xid, frame, Math.min(settleMs, deadline - performance.now()), signal);
      if (next === null || performance.now() > deadline) return next ?? frame;
      frame = next;
    }
    return frame;
  };

  /** A window manager may animate a window that is minimised or restored. */
  const waitUntilStill = async (xid: number, signal: AbortSignal): Promise<void> => {
    const deadline = performance.now() + REQUEST_TIMEOUT_MS;
    let frame: Rect | null = (await requireById(xid)).frame;
    while (frame !== null && performance.now() < deadline)
      frame = await frameOtherThan(xid, frame, CHANGED_SETTLE_MS, signal);
  };

  const setFrame = async (xid: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect> => {
    const before = await requireById(xid);
    const wanted = { ...before.frame, ...frame };
    const client = shrink(wanted, before.borders);
    const flags = 0xf00 | STATIC_GRAVITY | (FROM_PAGER << 12);
    const size = [client.width, client.height].map((side) => Math.max(1, Math.round(side)));
    const place = [Math.round(client.x), Math.round(client.y), ...size];
    await sendToManager(xid, '_NET_MOVERESIZE_WINDOW', [flags, ...place]);
    return waitForFrame(xid, before.frame, wanted, signal);
  };

  const setMinimized = async (xid: number, minimized: boolean, signal: AbortSignal): Promise<void> => {
    const before = await requireById(xid);
    if (before.minimized === minimized) return;
    if (minimized) await sendToManager(xid, 'WM_CHANGE_STATE', [ICONIC]);
    // A window that the window manager has left mapped (GNOME does) cannot be restored by mapping it.
    else if (before.mapped) await focus(xid, signal);
    else await x.send((done) => x.client.MapWindow(xid, done));
    const isDone = async (): Promise<true | null> => {
      const now = await requireById(xid);
      return now.minimized === minimized && (minimized || now.viewable || now.onOtherDesktop) ? true : null;
    };
    const done = await windows.waitFor(isDone, REQUEST_TIMEOUT_MS, signal);
    if (done !== null || (await requireById(xid)).minimized === minimized) return waitUntilStill(xid, signal);
    if (minimized) throw notMinimized(before);
    throw new DesktopError('failed', message('native.not_restored'));
  };

  const setMaximized = async (xid: number, maximized: boolean, signal: AbortSignal): Promise<void> => {
    const before = await requireById(xid);
    if (isMaximized(before) === maximized) return;
    const [vertical = 0, horizontal = 0] = await Promise.all(MAXIMIZED.map((name) => x.atom(name)));
    const known = await properties.numbers(x.root, '_NET_SUPPORTED');
    if (known.length > 0 && !known.includes(vertical))
      throw new DesktopError('unsupported', message('native.maximises_none', { hint: TILING_HINT }));
    const can = await allowed(xid);
    if (maximized && can !== null && !can.some((action) => action.startsWith('_NET_WM_ACTION_MAXIMIZE')))
      throw new DesktopError(
        'unsupported',
        before.onOtherDesktop
          ? message('native.unmaximisable_there', { hint: OTHER_DESKTOP_HINT })
          : message('native.size_fixed'),
      );
    await sendToManager(xid, '_NET_WM_STATE', [maximized ? 1 : 0, vertical, horizontal, FROM_PAGER]);
    const is = async (): Promise<true | null> => (isMaximized(await requireById(xid)) === maximized ? true : null);
    if ((await windows.waitFor(is, REQUEST_TIMEOUT_MS, signal)) === null)
      throw new DesktopError('failed', message('native.not_maximised', { to: maximized ? 'maximise' : 'other' }));
    await waitForFrame(xid, before.frame, null, signal);
  };

  const state = async (xid: number): Promise<WindowState> => {
    const [window, can] = await Promise.all([requireById(xid), allowed(xid)]);
    const may = (action: string): boolean | null => can?.includes(`_NET_WM_ACTION_${action}`) ?? null;
    const is = (name: string): boolean => window.states.includes(`_NET_WM_STATE_${name}`);
    return {
      resizable: may('RESIZE'),
      minimizable: may('MINIMIZE'),
      closable: may('CLOSE'),
      modal: is('MODAL'),
      floating: is('ABOVE'),
      hidden: !window.shown && !window.minimized,
      minimized: window.minimized,
      maximized: isMaximized(window),
      fullscreen: is('FULLSCREEN'),
      focused: window.focused,
    };
  };

  const closer = openCloser(windows, (xid) => sendToManager(xid, '_NET_CLOSE_WINDOW', [0, FROM_PAGER]));
  const kill = async (xid: number, signal: AbortSignal): Promise<void> => {
    await requireById(xid);
    await closer.kill(xid, () => x.send((done) => x.client.KillClient(xid, done)), signal);
  };

  return { focus, setFrame, setMinimized, setMaximized, state, close: closer.close, quit: closer.quit, kill };
}

/** Whether keys go to the window, or to one inside it. */
async function hasInputFocus(x: XConnection, xid: number): Promise<boolean> {
  let { focus: at } = await x.query<{ focus: number }>((reply) => x.client.GetInputFocus(reply));
  while (at > POINTER_ROOT && at !== xid) {
    const window = at;
    const tree = await x.query<XTree>((reply) => x.client.QueryTree(window, reply)).catch(whenMissing);
    at = tree?.parent ?? 0;
  }
  return at === xid;
}

function notMinimized({ onOtherDesktop }: TopLevelWindow): DesktopError {
  const hint = onOtherDesktop ? OTHER_DESKTOP_HINT : TILING_HINT;
  return new DesktopError('failed', message('native.not_minimised', { hint }));
}

const isMaximized = ({ states }: TopLevelWindow): boolean => MAXIMIZED.every((name) => states.includes(name));

function isNear(a: Rect, b: Rect): boolean {
  const near = (one: number, other: number): boolean => Math.abs(one - other) < 1;
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}
