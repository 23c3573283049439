/** Brings a window to the front, by public calls only. Each says success where nothing happened, so the screen is looked at. */
import { delay } from '../../../base/poll.js';
import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { truth } from '../accessibility/actions.js';
import { nullWithoutAnswer, elementOf } from '../accessibility/answers.js';
import { ACTION, ATTRIBUTE } from '../accessibility/names.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import type { Apps } from '../screen/apps.js';
import type { WindowRow, WindowRows } from '../screen/window-rows.js';
import type { Windows } from '../screen/windows.js';

const TRIES = 3;
const LOOKS = 4;
const LOOK_MS = 25;

export async function focusWindow(parts: ActParts, id: string, signal: AbortSignal): Promise<void> {
  const { pid } = requireRow(parts, id);
  for (let tries = 0; tries < TRIES; tries++) {
    signal.throwIfAborted();
    ask(parts, pid, id);
    for (let looks = 0; looks < LOOKS; looks++) {
      if (hasFocus(parts, pid, id)) return;
      await delay(LOOK_MS, signal);
    }
  }
  throw new DesktopError('failed', message('native.focus_not_given'));
}

function ask(parts: ActParts, pid: number, id: string): void {
  const { ax, making, scoped } = parts.core;
  onWindow(parts, id, (window) => {
    if (truth(parts.core, window, ATTRIBUTE.minimized) === true) {
      ax.set(window, ATTRIBUTE.minimized, making.boolean(false));
    }
    ax.set(window, ATTRIBUTE.main, making.boolean(true));
    ax.perform(window, ACTION.raise);
  });
  scoped((scope) => ax.set(ax.application(scope, pid), ATTRIBUTE.frontmost, making.boolean(true)));
}

/** In front, above the others, and with the keyboard: each can be so without the others. */
function hasFocus(parts: ActParts, pid: number, id: string): boolean {
  const { apps, windows } = parts;
  if (apps.frontPid() !== pid || windows.frontmost().window?.id !== id) return false;
  // Sheets, status lines and the frames that other programs draw lie above windows without being one.
  const top = windows.list().find((one) => one.visible && (one.normal || one.id === id));
  return top?.id === id && holdsKeyboard(parts, pid, id);
}

/** The window that has the focus may be another one than that of the element which has it. */
function holdsKeyboard({ core }: ActParts, pid: number, id: string): boolean {
  const { ax, scoped } = core;
  const number = scoped((scope) =>
    nullWithoutAnswer(() => {
      const element = elementOf(ax.attribute(scope, ax.application(scope, pid), ATTRIBUTE.focusedElement));
      const window = element === null ? null : elementOf(ax.attribute(scope, element, ATTRIBUTE.window));
      return window === null ? null : ax.windowNumber(window);
    }),
  );
  return number === null || String(number) === id;
}

export interface ActParts {
  core: Core;
  rows: WindowRows;
  apps: Apps;
  windows: Windows;
}

export function requireRow({ rows }: Pick<ActParts, 'rows'>, id: string): WindowRow {
  const row = rows.all().find(({ number }) => String(number) === id);
  if (row === undefined) throw new DesktopError('not_found', message('native.no_such_window', { id }));
  return row;
}

/**
 * With the window's element, looked up anew: one from before may say that it is gone while the window lives. Windows of another
 * space are not shown through accessibility, and those that were closed may keep their row for a while.
 */
export function onWindow<T>(parts: ActParts, id: string, work: (element: Ref, scope: Scope) => T): T {
  const { core, windows } = parts;
  const row = requireRow(parts, id);
  return core.scoped((scope) => {
    if (!row.onScreen && !windows.numbersOf(row.pid).has(row.number)) {
      throw new DesktopError('not_found', message('native.window_in_other_space'));
    }
    return work(windows.elementOf(scope, row.pid, id), scope);
  });
}
