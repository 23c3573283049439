/** Acts on windows of a sway session, by its commands. Tiled windows have no place of their own: what they cannot do is said. */
import { isSame } from '../../../base/rect.js';
import { DesktopError, type Launched, type Rect, type WindowState } from '../../desktop.js';
import type { BackgroundStart } from '../application-start.js';
import { openCloser, requireWindow } from '../closing.js';
import type { WindowActs } from '../display-server.js';
import type { SwayIpc } from './sway-ipc.js';
import type { SwayWindow, SwayWindows } from './sway-windows.js';
import { message } from '../../../messages/index.js';

const DONE_MS = 2000;
/** An application may take another size than the one it is asked for, some steps later. */
const SETTLE_MS = 120;

export function openSwayActs(ipc: SwayIpc, windows: SwayWindows): WindowActs {
  const find = (id: number): Promise<SwayWindow> => requireWindow(windows, id);
  const run = async (id: number, command: string): Promise<void> => {
    await ipc.run(`[con_id=${id}] ${command}`);
    windows.changed();
  };
  const closer = openCloser(windows, (id) => run(id, 'kill'));

  const focus = async (id: number, signal: AbortSignal): Promise<void> => {
    const { minimized } = await find(id);
    await run(id, minimized ? 'scratchpad show' : 'focus');
    const isActive = async (): Promise<true | null> => ((await windows.active()) === id ? true : null);
    if ((await windows.waitFor(isActive, DONE_MS, signal)) !== null) return;
    await find(id);
    throw new DesktopError('failed', message('native.focus_not_given'));
  };

  /** The frame once it has not changed for a moment. */
  const settled = async (id: number, wanted: Rect | null, signal: AbortSignal): Promise<Rect> => {
    let { frame } = await find(id);
    for (const end = performance.now() + DONE_MS; performance.now() < end;) {
      if (wanted !== null && isSame(frame, wanted)) return frame;
      const before = frame;
      const other = async (): Promise<Rect | null> => {
        const now = (await find(id)).frame;
        return isSame(now, before) ? null : now;
      };
      const next = await windows.waitFor(other, SETTLE_MS, signal);
      if (next === null) return frame;
      frame = next;
    }
    return frame;
  };

  const setFrame = async (id: number, frame: Partial<Rect>, signal: AbortSignal): Promise<Rect> => {
    const before = await find(id);
    requireFloating(before);
    const rounded = Object.entries({ ...before.frame, ...frame }).map(([key, value]) => [key, Math.round(value)]);
    const wanted: Rect = { ...before.frame, ...Object.fromEntries(rounded) };
    const [width, height] = [Math.max(1, wanted.width), Math.max(1, wanted.height)];
    const resized = width !== before.frame.width || height !== before.frame.height;
    if (resized) await run(id, `resize set width ${width} px height ${height} px`);
    const granted = resized ? await settled(id, { ...before.frame, width, height }, signal) : before.frame;
    // sway keeps the middle where it was.
    await run(id, `move absolute position ${wanted.x} px ${wanted.y} px`);
    return settled(id, { ...granted, x: wanted.x, y: wanted.y }, signal);
  };

  const setMinimized = async (id: number, minimized: boolean, signal: AbortSignal): Promise<void> => {
    const before = await find(id);
    if (before.minimized === minimized) return;
    if (minimized) requireFloating(before);
    await run(id, minimized ? 'move scratchpad' : 'scratchpad show');
    const isDone = async (): Promise<true | null> => ((await find(id)).minimized === minimized ? true : null);
    if ((await windows.waitFor(isDone, DONE_MS, signal)) === null)
      throw new DesktopError('failed', message('native.not_restored'));
    if (!minimized) await settled(id, null, signal);
  };

  const setMaximized = async (id: number): Promise<void> => {
    await find(id);
    throw new DesktopError('unsupported', message('native.sway_maximises_none'));
  };

  const state = async (id: number): Promise<WindowState> => {
    const { floating, focused, fullscreen, minimized, shown } = await find(id);
    return {
      ...{ resizable: floating, minimizable: floating, closable: true, modal: null, floating: null },
      ...{ hidden: !shown && !minimized, minimized, maximized: null, fullscreen, focused },
    };
  };

  const kill = async (id: number, signal: AbortSignal): Promise<void> => {
    const { pid, isX } = await find(id);
    // A program of XWayland says itself which process it is.
    if (isX || pid <= 1) throw new DesktopError('unsupported', message('native.kills_no_x'));
    await closer.kill(id, async () => void process.kill(pid, 'SIGKILL'), signal);
  };

  return { focus, setFrame, setMinimized, setMaximized, state, close: closer.close, quit: closer.quit, kill };
}

function requireFloating({ floating, fullscreen }: SwayWindow): void {
  if (!floating || fullscreen) throw new DesktopError('unsupported', message('native.tiled_window'));
}

/** sway gives a new window the focus; it is given back here. */
export async function openBackgroundStart(
  windows: SwayWindows,
  acts: Pick<WindowActs, 'focus'>,
): Promise<BackgroundStart> {
  const before = await windows.active();
  const finish = async (_: unknown, signal: AbortSignal): Promise<Launched['focus']> => {
    const now = await windows.active();
    if (now === before) return 'kept';
    if (before === 0 || (await windows.find(before)) === null) return 'moved';
    await acts.focus(before, signal);
    return 'given_back';
  };
  return { env: {}, follow: () => {}, finish, close: async () => {} };
}
