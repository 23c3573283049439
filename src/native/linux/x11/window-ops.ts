import { DesktopError, type Rect, type WindowState } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import type { XConnection } from './connection.js';
import type { Properties } from './properties.js';
import { shrink, type Windows, type XWindow } from './windows.js';

/** Each asks the window manager and then looks at what it did. */
export interface WindowOps {
  focus(xid: number, signal: AbortSignal): Promise<void>;
  setFrame(xid: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect>;
  setMinimized(xid: number, minimized: boolean, signal: AbortSignal): Promise<void>;
  setMaximized(xid: number, maximized: boolean, signal: AbortSignal): Promise<void>;
  state(xid: number): Promise<WindowState>;
}

export const FROM_PAGER = 2;
const STATIC_GRAVITY = 10;
const ICONIC = 3;
const SUBSTRUCTURE = 0x180000;
const PATIENCE = 2000;
const SETTLE = 400;
/** Once a frame has changed that nobody gave numbers for. */
const STILL = 80;
const TILING = 'One that lays out all windows itself does not. Bring the window you need to the front instead.';
const ELSEWHERE = 'It is on another desktop: bring it to the front first.';
const MAXIMIZED = ['_NET_WM_STATE_MAXIMIZED_VERT', '_NET_WM_STATE_MAXIMIZED_HORZ'];

/** Asks the window manager, in the way EWMH has for it. */
export type Ask = (xid: number, type: string, data: number[]) => Promise<void>;

export function askManager(x: XConnection): Ask {
  return async (xid, type, data) => {
    const atom = await x.atom(type);
    await x.tell((done) => x.client.SendClientMessage(x.root, xid, atom, 32, data, SUBSTRUCTURE, done));
  };
}

export async function demandWindow(windows: Windows, xid: number): Promise<XWindow> {
  const window = await windows.find(xid);
  if (window === null) throw new DesktopError('not_found', 'That window is gone. List the windows again.');
  return window;
}

export function openWindowOps(
  x: XConnection,
  windows: Windows,
  properties: Properties,
  managerTurn: (signal: AbortSignal) => Promise<void>,
): WindowOps {
  const ask = askManager(x);
  const demand = (xid: number): Promise<XWindow> => demandWindow(windows, xid);

  const allowed = async (xid: number): Promise<string[] | null> => {
    const raw = await properties.raw(xid, '_NET_WM_ALLOWED_ACTIONS');
    if (raw === null) return null;
    const atoms = await properties.numbers(xid, '_NET_WM_ALLOWED_ACTIONS');
    return Promise.all(atoms.map((atom) => x.atomName(atom)));
  };

  const focus = async (xid: number, signal: AbortSignal): Promise<void> => {
    const before = await demand(xid);
    if (before.away) {
      const [desktop] = await properties.numbers(xid, '_NET_WM_DESKTOP');
      if (desktop !== undefined) await ask(x.root, '_NET_CURRENT_DESKTOP', [desktop, 0]);
    }
    await ask(xid, '_NET_ACTIVE_WINDOW', [FROM_PAGER, 0, 0]);
    const done = await poll(async () => ((await windows.active()) === xid ? true : null), PATIENCE, signal);
    if (done === null) {
      await demand(xid);
      throw new DesktopError('failed', 'The window manager did not give the focus to that window. Try a click on it.');
    }
    if (before.minimized) await still(xid, signal);
  };

  /** What the window manager makes of a request (size steps, limits, maximised) shows once the frame no longer changes. */
  const settled = async (xid: number, before: Rect, wanted: Rect | null, signal: AbortSignal): Promise<Rect> => {
    await managerTurn(signal);
    const first = JSON.stringify(before);
    let last = first;
    let since = Date.now();
    const granted = await poll(
      async () => {
        const now = (await demand(xid)).frame;
        if (wanted !== null && same(now, wanted)) return now;
        const text = JSON.stringify(now);
        if (text !== last) {
          last = text;
          since = Date.now();
        }
        const enough = wanted === null && text !== first ? STILL : SETTLE;
        return Date.now() - since > enough ? now : null;
      },
      PATIENCE,
      signal,
    );
    return granted ?? (await demand(xid)).frame;
  };

  /** A window manager may move it about for show while it goes and comes. */
  const still = async (xid: number, signal: AbortSignal): Promise<void> => {
    let last = '';
    let since = Date.now();
    const look = async (): Promise<true | null> => {
      const now = JSON.stringify((await demand(xid)).frame);
      if (now !== last) since = Date.now();
      last = now;
      return Date.now() - since > STILL ? true : null;
    };
    await poll(look, PATIENCE, signal);
  };

  const setFrame = async (xid: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect> => {
    const before = await demand(xid);
    const wanted = { ...before.frame, ...frame };
    const client = shrink(wanted, before.borders);
    const flags = 0xf00 | STATIC_GRAVITY | (FROM_PAGER << 12);
    const size = [client.width, client.height].map((side) => Math.max(1, Math.round(side)));
    const place = [Math.round(client.x), Math.round(client.y), ...size];
    await ask(xid, '_NET_MOVERESIZE_WINDOW', [flags, ...place]);
    return settled(xid, before.frame, wanted, signal);
  };

  const setMinimized = async (xid: number, minimized: boolean, signal: AbortSignal): Promise<void> => {
    const before = await demand(xid);
    if (before.minimized === minimized) return;
    if (minimized) await ask(xid, 'WM_CHANGE_STATE', [ICONIC]);
    // What the window manager has left mapped (GNOME does) it cannot be asked to map.
    else if (before.mapped) await focus(xid, signal);
    else await x.tell((done) => x.client.MapWindow(xid, done));
    const done = await poll(
      async () => {
        const now = await demand(xid);
        return now.minimized === minimized && (minimized || now.viewable || now.away) ? true : null;
      },
      PATIENCE,
      signal,
    );
    if (done !== null || (await demand(xid)).minimized === minimized) return still(xid, signal);
    if (minimized) throw notMinimized(before);
    throw new DesktopError('failed', 'The window manager did not restore that window. Bring it to the front instead.');
  };

  const setMaximized = async (xid: number, maximized: boolean, signal: AbortSignal): Promise<void> => {
    const before = await demand(xid);
    if (isMaximized(before) === maximized) return;
    const [vertical = 0, horizontal = 0] = await Promise.all(MAXIMIZED.map((name) => x.atom(name)));
    const known = await properties.numbers(x.root, '_NET_SUPPORTED');
    if (known.length > 0 && !known.includes(vertical))
      throw new DesktopError('unsupported', `The window manager here maximises no windows. ${TILING}`);
    const can = await allowed(xid);
    if (maximized && can !== null && !can.some((action) => action.startsWith('_NET_WM_ACTION_MAXIMIZE')))
      throw new DesktopError(
        'unsupported',
        before.away
          ? `That window cannot be maximised where it is. ${ELSEWHERE}`
          : 'That window cannot be maximised: its size is fixed.',
      );
    await ask(xid, '_NET_WM_STATE', [maximized ? 1 : 0, vertical, horizontal, FROM_PAGER]);
    const is = async (): Promise<true | null> => (isMaximized(await demand(xid)) === maximized ? true : null);
    if ((await poll(is, PATIENCE, signal)) === null)
      throw new DesktopError(
        'failed',
        `The window manager did not ${maximized ? 'maximise that window' : 'give that window its size back'}.`,
      );
    await settled(xid, before.frame, null, signal);
  };

  const state = async (xid: number): Promise<WindowState> => {
    const [window, can] = await Promise.all([demand(xid), allowed(xid)]);
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

  return { focus, setFrame, setMinimized, setMaximized, state };
}

function notMinimized({ away }: XWindow): DesktopError {
  const why = away ? ELSEWHERE : TILING;
  return new DesktopError('failed', `The window manager did not minimise that window. ${why}`);
}

const isMaximized = ({ states }: XWindow): boolean => MAXIMIZED.every((name) => states.includes(name));

function same(a: Rect, b: Rect): boolean {
  const near = (one: number, other: number): boolean => Math.abs(one - other) < 1;
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}
