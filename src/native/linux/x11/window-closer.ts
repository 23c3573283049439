import { DesktopError } from '../../desktop.js';
import { poll } from '../../../base/poll.js';
import type { XConnection } from './connection.js';
import { openManagerMessages, requireWindow, FROM_PAGER } from './window-ops.js';
import type { Windows, TopLevelWindow } from '../windows.js';
import { message } from '../../../messages/index.js';

const CLOSE_TIMEOUT_MS = 5000;
const DIALOG_GRACE_MS = 300;

/** Closes windows and quits applications. Each method resolves only when the window or process is seen to be gone. */
export function openWindowCloser(x: XConnection, windows: Windows) {
  const sendToManager = openManagerMessages(x);
  const request = (xid: number): Promise<void> => sendToManager(xid, '_NET_CLOSE_WINDOW', [0, FROM_PAGER]);
  const isGone = (window: TopLevelWindow | null): boolean => window === null || isWithdrawn(window);
  const ofProcess = async (pid: number): Promise<TopLevelWindow[]> =>
    (await windows.list()).filter((window) => window.pid === pid && window.normal);

  /** A window of that process that was not there before counts as a question, such as whether to save. */
  const hasOpenedDialog = async (pid: number, known: ReadonlySet<number>): Promise<boolean> =>
    pid !== 0 && (await ofProcess(pid)).some((window) => window.viewable && !known.has(window.id));

  const close = async (xid: number, signal: AbortSignal): Promise<void> => {
    const { pid } = await requireWindow(windows, xid);
    const known = new Set((await windows.list()).map((window) => window.id));
    await request(xid);
    const gone = async (): Promise<'gone' | null> => (isGone(await windows.find(xid)) ? 'gone' : null);
    await waitUntilClosed(windows.waitFor, gone, () => hasOpenedDialog(pid, known), signal);
  };

  const kill = async (xid: number, signal: AbortSignal): Promise<void> => {
    await requireWindow(windows, xid);
    await x.send((done) => x.client.KillClient(xid, done));
    const gone = async (): Promise<true | null> => ((await windows.find(xid)) === null ? true : null);
    if ((await windows.waitFor(gone, CLOSE_TIMEOUT_MS, signal)) !== null) return;
    throw new DesktopError('failed', message('native.still_there'));
  };

  const quit = async (pid: number, running: () => boolean, signal: AbortSignal): Promise<void> => {
    const open = await ofProcess(pid);
    const known = new Set(open.map((window) => window.id));
    for (const { id: xid } of open) await request(xid);
    const gone = async (): Promise<'gone' | null> => (running() ? null : 'gone');
    // No event reports the end of a process.
    await waitUntilClosed(poll, gone, () => hasOpenedDialog(pid, known), signal).catch(async (thrown: unknown) => {
      signal.throwIfAborted();
      if ((await ofProcess(pid)).length > 0) throw thrown;
      throw new DesktopError('failed', message('native.no_windows_left'), {
        reason: 'no_windows_left',
      });
    });
  };

  return {
    close,
    kill,
    /** `running` is false once the process has ended, also where another one has its pid. */
    quit,
  };
}

/** A new window may also be a progress message, so the wait goes on for a moment after one has appeared. */
async function waitUntilClosed(
  waitFor: Windows['waitFor'],
  gone: () => Promise<'gone' | null>,
  hasDialog: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const check = async () => (await gone()) ?? ((await hasDialog()) ? ('dialog' as const) : null);
  const first = await waitFor(check, CLOSE_TIMEOUT_MS, signal);
  const last = first === 'dialog' ? ((await waitFor(gone, DIALOG_GRACE_MS, signal)) ?? first) : first;
  if (last !== 'gone') throw stillOpen(last === 'dialog');
}

/** Unmapped by its application, and neither minimised nor on another desktop. */
function isWithdrawn({ mapped, minimized, onOtherDesktop }: TopLevelWindow): boolean {
  return !mapped && !minimized && !onOtherDesktop;
}

function stillOpen(hasDialog: boolean): DesktopError {
  return new DesktopError(
    'failed',
    hasDialog
      ? message('native.still_open_asks')
      : message('native.still_open_busy', { seconds: CLOSE_TIMEOUT_MS / 1000 }),
    { reason: 'still_open' },
  );
}
