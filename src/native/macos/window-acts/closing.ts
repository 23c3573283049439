/** Closes windows, quits applications and ends processes. Each resolves only when the window or process is seen to be gone. */
import { basename } from 'node:path';
import { poll } from '../../../base/poll.js';
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { nullWithoutAnswer, elementOf, listOf } from '../accessibility/answers.js';
import { requireEnabled } from '../accessibility/actions.js';
import { ACTION, ATTRIBUTE, ROLE } from '../accessibility/names.js';
import { roleOf } from '../accessibility/describe.js';
import { SIGKILL } from '../calls/libraries.js';
import type { Core } from '../core.js';
import { isOwnProcess } from '../processes.js';
import { onWindow, requireRow, type ActParts } from './focus.js';

const CLOSE_LIMIT_MS = 5000;
/** A new window may also be a progress message: what is closed then goes away soon. */
const QUESTION_GRACE_MS = 300;
const POLL_MS = 25;
/** Without them the person could not go on. */
const SYSTEM_PROGRAMS: ReadonlySet<string> = new Set(['WindowServer', 'Dock', 'loginwindow']);

export async function closeWindow(parts: ActParts, id: string, signal: AbortSignal): Promise<void> {
  const { pid, number } = requireRow(parts, id);
  const questions = watchQuestions(parts, pid);
  pressClose(parts, id);
  // The row of a window may stay for seconds, and of one that is only hidden for ever.
  const gone = (): boolean =>
    nullWithoutAnswer(() => !parts.windows.numbersOf(pid).has(number)) ?? hasEnded(parts.core, pid);
  await waitUntilGone(gone, questions, signal);
}

/** The press may last as long as the question it leads to: then it is looked at what shows. */
function pressClose(parts: ActParts, id: string): void {
  const { core } = parts;
  onWindow(parts, id, (window, scope) => {
    const button = elementOf(core.ax.attribute(scope, window, ATTRIBUTE.closeButton));
    if (button === null) throw new DesktopError('unsupported', message('native.no_close_button'));
    requireEnabled(core, button, message('native.element_disabled'));
    if (core.ax.perform(button, ACTION.press) !== 'unsupported') return;
    throw new DesktopError('unsupported', message('native.no_close_button'));
  });
}

export async function quitApp(parts: ActParts, pid: number, signal: AbortSignal): Promise<void> {
  const { core, windows } = parts;
  const startTime = core.processes.startTime(pid);
  if (startTime === null) throw new DesktopError('not_found', message('native.no_such_process', { pid }));
  const questions = watchQuestions(parts, pid);
  if (!terminate(core, pid)) for (const number of windows.numbersOf(pid)) pressClose(parts, String(number));
  const gone = (): boolean => core.processes.startTime(pid) !== startTime;
  try {
    await waitUntilGone(gone, questions, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    if (nullWithoutAnswer(() => windows.numbersOf(pid).size) !== 0) throw thrown;
    throw new DesktopError('failed', message('native.no_windows_left'), { reason: 'no_windows_left' });
  }
}

/** False where the process is no application to the system. A request that was not sent is an error. */
function terminate({ bound, pooled }: Core, pid: number): boolean {
  return pooled(() => {
    const running = bound.objectiveC.objc_getClass('NSRunningApplication');
    const app = running === null ? null : bound.send(running, 'runningApplicationWithProcessIdentifier:', pid);
    if (app === null) return false;
    if (bound.send(app, 'terminate') !== 0) return true;
    throw new DesktopError('failed', message('native.app_refused', { why: 'terminate' }), { pid });
  });
}

export async function killWindow(parts: ActParts, id: string, signal: AbortSignal): Promise<void> {
  const { bound, processes } = parts.core;
  const { pid } = requireRow(parts, id);
  const startTime = processes.startTime(pid);
  if (pid <= 1 || isOwnProcess(pid) || SYSTEM_PROGRAMS.has(basename(processes.executable(pid)))) {
    throw new DesktopError('unsupported', message('native.not_ended_by_force'));
  }
  if (bound.processes.kill(pid, SIGKILL) !== 0) {
    throw new DesktopError('failed', message('native.app_refused', { why: 'kill' }), { pid });
  }
  const gone = (): Promise<true | null> => Promise.resolve(processes.startTime(pid) === startTime ? null : true);
  if ((await poll(gone, CLOSE_LIMIT_MS, signal, POLL_MS)) !== null) return;
  throw new DesktopError('failed', message('native.still_there'));
}

const hasEnded = ({ processes }: Core, pid: number): boolean => processes.startTime(pid) === null;

/** True once the process has a window or a sheet that it did not have before. */
function watchQuestions(parts: ActParts, pid: number): () => boolean {
  const { core, windows } = parts;
  const look = (): { windows: ReadonlySet<number>; sheets: number } | null =>
    nullWithoutAnswer(() => ({ windows: windows.numbersOf(pid), sheets: sheetsOf(core, pid) }));
  const before = look();
  return () => {
    const now = look();
    if (now === null) return false;
    const isNew = (number: number): boolean => before?.windows.has(number) !== true;
    return now.sheets > (before?.sheets ?? 0) || [...now.windows].some(isNew);
  };
}

function sheetsOf(core: Core, pid: number): number {
  const { ax, scoped } = core;
  return scoped((scope) => {
    const shown = listOf(ax.attribute(scope, ax.application(scope, pid), ATTRIBUTE.windows));
    const children = shown.flatMap((window) => listOf(ax.attribute(scope, window, ATTRIBUTE.children)));
    return children.filter((child) => roleOf(core, scope, child) === ROLE.sheet).length;
  });
}

async function waitUntilGone(gone: () => boolean, asks: () => boolean, signal: AbortSignal): Promise<void> {
  const goneYet = (): 'gone' | null => (gone() ? 'gone' : null);
  const check = (): 'gone' | 'asks' | null => goneYet() ?? (asks() ? 'asks' : null);
  const first = await poll(() => Promise.resolve(check()), CLOSE_LIMIT_MS, signal, POLL_MS);
  const last =
    first === 'asks' ? await poll(() => Promise.resolve(goneYet()), QUESTION_GRACE_MS, signal, POLL_MS) : first;
  if (last === 'gone') return;
  const text =
    first === 'asks'
      ? message('native.still_open_asks')
      : message('native.still_open_busy', { seconds: CLOSE_LIMIT_MS / 1000 });
  throw new DesktopError('failed', text, { reason: 'still_open' });
}
