/** Waiting until windows and applications that were asked to close are gone. With every display server. */
import { poll } from '../../base/poll.js';
import { DesktopError } from '../desktop.js';
import type { TopLevelWindow, Windows } from './windows.js';
import { message } from '../../messages/index.js';

export const CLOSE_TIMEOUT_MS = 5000;
const DIALOG_GRACE_MS = 300;

export async function requireWindow<W extends TopLevelWindow>(
  windows: { find(id: number): Promise<W | null> },
  id: number,
): Promise<W> {
  const window = await windows.find(id);
  if (window === null) throw new DesktopError('not_found', message('native.window_gone'));
  return window;
}

/** `request` asks a window to close. Each method resolves only when the window or process is seen to be gone. */
export function openCloser(windows: Windows, request: (id: number) => Promise<void>) {
  const isGone = (window: TopLevelWindow | null): boolean => window === null || isWithdrawn(window);
  const ofProcess = async (pid: number): Promise<TopLevelWindow[]> =>
    (await windows.list()).filter((window) => window.pid === pid && window.normal);

  /** A window of that process that was not there before counts as a question, such as whether to save. */
  const hasOpenedDialog = async (pid: number, known: ReadonlySet<number>): Promise<boolean> =>
    pid !== 0 && (await ofProcess(pid)).some((window) => window.viewable && !known.has(window.id));

  const close = async (id: number, signal: AbortSignal): Promise<void> => {
    const { pid } = await requireWindow(windows, id);
    const known = new Set((await windows.list()).map((window) => window.id));
    await request(id);
    const gone = async (): Promise<'gone' | null> => (isGone(await windows.find(id)) ? 'gone' : null);
    await waitUntilClosed(windows.waitFor, gone, () => hasOpenedDialog(pid, known), signal);
  };

  const quit = async (pid: number, running: () => boolean, signal: AbortSignal): Promise<void> => {
    const open = await ofProcess(pid);
    const known = new Set(open.map((window) => window.id));
    for (const { id } of open) await request(id);
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

  /** `end` ends what the window belongs to, without asking it. */
  const kill = async (id: number, end: () => Promise<void>, signal: AbortSignal): Promise<void> => {
    await end();
    const gone = async (): Promise<true | null> => ((await windows.find(id)) === null ? true : null);
    if ((await windows.waitFor(gone, CLOSE_TIMEOUT_MS, signal)) !== null) return;
    throw new DesktopError('failed', message('native.still_there'));
  };

  return { close, quit, kill };
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
