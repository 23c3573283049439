import { DesktopError } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import type { XConnection } from './connection.js';
import { askManager, demandWindow, FROM_PAGER } from './window-ops.js';
import type { Windows, XWindow } from './windows.js';

/** How windows and applications come to their end; each says only what was seen to happen. */
export interface Closing {
  close(xid: number, signal: AbortSignal): Promise<void>;
  kill(xid: number, signal: AbortSignal): Promise<void>;
  /** `running` tells whether the process is still the one that was meant. */
  quit(pid: number, running: () => boolean, signal: AbortSignal): Promise<void>;
}

const PATIENCE = 5000;
const AFTER_ASKING = 300;

export function openClosing(x: XConnection, windows: Windows): Closing {
  const ask = askManager(x);
  const request = (xid: number): Promise<void> => ask(xid, '_NET_CLOSE_WINDOW', [0, FROM_PAGER]);
  const isGone = (window: XWindow | null): boolean => window === null || isWithdrawn(window);
  const ofProcess = async (pid: number): Promise<XWindow[]> =>
    (await windows.list()).filter((window) => window.pid === pid && window.normal);

  /** A window of that process which was not there before: it asks something. */
  const asking = async (pid: number, known: ReadonlySet<number>): Promise<boolean> =>
    pid !== 0 && (await ofProcess(pid)).some((window) => window.viewable && !known.has(window.xid));

  const close = async (xid: number, signal: AbortSignal): Promise<void> => {
    const { pid } = await demandWindow(windows, xid);
    const known = new Set((await windows.list()).map((window) => window.xid));
    await request(xid);
    const gone = async (): Promise<'gone' | null> => (isGone(await windows.find(xid)) ? 'gone' : null);
    await outcome(gone, () => asking(pid, known), signal);
  };

  const kill = async (xid: number, signal: AbortSignal): Promise<void> => {
    await demandWindow(windows, xid);
    await x.tell((done) => x.client.KillClient(xid, done));
    if ((await poll(async () => ((await windows.find(xid)) === null ? true : null), PATIENCE, signal)) !== null) return;
    throw new DesktopError('failed', 'The window is still there, although its connection to the display was ended.');
  };

  const quit = async (pid: number, running: () => boolean, signal: AbortSignal): Promise<void> => {
    const open = await ofProcess(pid);
    const known = new Set(open.map((window) => window.xid));
    for (const { xid } of open) await request(xid);
    const gone = async (): Promise<'gone' | null> => (running() ? null : 'gone');
    await outcome(gone, () => asking(pid, known), signal).catch(async (thrown: unknown) => {
      signal.throwIfAborted();
      if ((await ofProcess(pid)).length > 0) throw thrown;
      throw new DesktopError('failed', 'Its windows are closed, and its process goes on without any.', {
        reason: 'no_windows_left',
      });
    });
  };

  return { close, kill, quit };
}

/** A window that comes may also say that it is saving: what goes after it has gone. */
async function outcome(
  gone: () => Promise<'gone' | null>,
  asks: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const look = async () => (await gone()) ?? ((await asks()) ? ('asks' as const) : null);
  const first = await poll(look, PATIENCE, signal);
  const last = first === 'asks' ? ((await poll(gone, AFTER_ASKING, signal)) ?? first) : first;
  if (last !== 'gone') throw stillOpen(last === 'asks');
}

/** Taken from the screen by its application, and neither minimised nor on another desktop. */
function isWithdrawn({ mapped, minimized, away }: XWindow): boolean {
  return !mapped && !minimized && !away;
}

function stillOpen(asks: boolean): DesktopError {
  return new DesktopError(
    'failed',
    asks
      ? 'The window is still open: its application asks something first. Look at the screen and answer it.'
      : `The window is still open ${PATIENCE / 1000} s after its application was asked to close it. It may be busy, or asking whether to save: look at the screen.`,
    { reason: 'still_open' },
  );
}
