import { DesktopError, type Rect } from '../../desktop.js';
import { poll } from '../poll.js';
import type { XConnection } from './connection.js';
import { shrink, type Windows, type XWindow } from './windows.js';

/** Each asks the window manager and then looks at what it did. */
export interface WindowOps {
  focus(xid: number, signal: AbortSignal): Promise<void>;
  setFrame(xid: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect>;
  setMinimized(xid: number, minimized: boolean, signal: AbortSignal): Promise<void>;
  close(xid: number, signal: AbortSignal): Promise<void>;
}

const FROM_PAGER = 2;
const STATIC_GRAVITY = 10;
const ICONIC = 3;
const SUBSTRUCTURE = 0x180000;
const PATIENCE = 2000;
const SETTLE = 400;

export function openWindowOps(x: XConnection, windows: Windows): WindowOps {
  const message = async (xid: number, type: string, data: number[]): Promise<void> => {
    const atom = await x.atom(type);
    await x.tell((done) => x.client.SendClientMessage(x.root, xid, atom, 32, data, SUBSTRUCTURE, done));
  };

  const demand = async (xid: number): Promise<XWindow> => {
    const window = await windows.find(xid);
    if (window === null) throw new DesktopError('not_found', 'That window is gone. List the windows again.');
    return window;
  };

  const focus = async (xid: number, signal: AbortSignal): Promise<void> => {
    await demand(xid);
    await message(xid, '_NET_ACTIVE_WINDOW', [FROM_PAGER, 0, 0]);
    const done = await poll(async () => ((await windows.active()) === xid ? true : null), PATIENCE, signal);
    if (done === null) {
      await demand(xid);
      throw new DesktopError('failed', 'The window manager did not give the focus to that window. Try a click on it.');
    }
  };

  const setFrame = async (xid: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect> => {
    const before = await demand(xid);
    const wanted = { ...before.frame, ...frame };
    const client = shrink(wanted, before.borders);
    const flags = 0xf00 | STATIC_GRAVITY | (FROM_PAGER << 12);
    const size = [client.width, client.height].map((side) => Math.max(1, Math.round(side)));
    const place = [Math.round(client.x), Math.round(client.y), ...size];
    await message(xid, '_NET_MOVERESIZE_WINDOW', [flags, ...place]);
    // What the window manager makes of it (size steps, limits, maximised) shows once the frame no longer changes.
    let last = JSON.stringify(before.frame);
    let since = Date.now();
    const granted = await poll(
      async () => {
        const now = (await demand(xid)).frame;
        if (same(now, wanted)) return now;
        const text = JSON.stringify(now);
        if (text !== last) {
          last = text;
          since = Date.now();
        }
        return Date.now() - since > SETTLE ? now : null;
      },
      PATIENCE,
      signal,
    );
    return granted ?? (await demand(xid)).frame;
  };

  const setMinimized = async (xid: number, minimized: boolean, signal: AbortSignal): Promise<void> => {
    if ((await demand(xid)).minimized === minimized) return;
    if (minimized) await message(xid, 'WM_CHANGE_STATE', [ICONIC]);
    else await x.tell((done) => x.client.MapWindow(xid, done));
    const done = await poll(async () => ((await demand(xid)).minimized === minimized ? true : null), PATIENCE, signal);
    if (done !== null) return;
    throw new DesktopError('failed', `The window manager did not ${minimized ? 'minimise' : 'restore'} that window.`);
  };

  const close = async (xid: number, signal: AbortSignal): Promise<void> => {
    await demand(xid);
    await message(xid, '_NET_CLOSE_WINDOW', [0, FROM_PAGER]);
    const gone = async (): Promise<true | null> => {
      const window = await windows.find(xid);
      return window === null || (!window.viewable && !window.minimized) ? true : null;
    };
    if ((await poll(gone, PATIENCE, signal)) !== null) return;
    throw new DesktopError(
      'failed',
      'The window is still open: its application may be asking whether to save. Look at the screen and answer it.',
    );
  };

  return { focus, setFrame, setMinimized, close };
}

function same(a: Rect, b: Rect): boolean {
  const near = (one: number, other: number): boolean => Math.abs(one - other) < 1;
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}
