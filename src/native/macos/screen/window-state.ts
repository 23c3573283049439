import { DesktopError, type Rect, type WindowState } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import { ATTRIBUTE } from '../accessibility/names.js';
import { elementOf, truthOf } from '../accessibility/answers.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import { visibleFrames } from './displays.js';
import type { WindowRow, WindowRows } from './window-rows.js';
import type { Windows } from './windows.js';

const STATES = [
  ATTRIBUTE.minimized,
  ATTRIBUTE.modal,
  ATTRIBUTE.fullScreen,
  ATTRIBUTE.minimizeButton,
  ATTRIBUTE.closeButton,
] as const;
/** Points by which the frame of a maximised window may differ from the room it has. */
const TOLERANCE = 2;

export function readWindowState(core: Core, rows: WindowRows, windows: Windows, id: string): WindowState {
  const row = rows.all().find(({ number }) => String(number) === id);
  if (row === undefined) throw new DesktopError('not_found', message('native.no_such_window', { id }));
  const { ax, scoped } = core;
  return scoped((scope) => {
    const element = elementOrNone(windows, scope, row);
    const [minimized, modal, fullScreen, minimizeButton, closeButton] =
      element === null ? [] : ax.attributes(scope, element, STATES);
    const isMinimized = truthOf(minimized) ?? false;
    return {
      resizable: element !== null && ax.settable(element, ATTRIBUTE.size),
      minimizable: isUsable(core, scope, elementOf(minimizeButton)),
      closable: isUsable(core, scope, elementOf(closeButton)),
      modal: truthOf(modal),
      floating: row.level >= rows.levels.floating,
      hidden: !row.onScreen && !isMinimized,
      minimized: isMinimized,
      maximized: visibleFrames(core).some((frame) => isClose(frame, row.frame)),
      fullscreen: truthOf(fullScreen),
      focused: windows.frontmost().window?.id === id,
    };
  });
}

/** null for what shows beside windows, such as a menu. */
function elementOrNone(windows: Windows, scope: Scope, { pid, number, onScreen }: WindowRow): Ref | null {
  try {
    return windows.elementOf(scope, pid, String(number));
  } catch (thrown) {
    if (onScreen && thrown instanceof DesktopError && thrown.code === 'not_found') return null;
    throw thrown;
  }
}

/** Of a button of the title bar. */
function isUsable({ ax }: Core, scope: Scope, button: Ref | null): boolean {
  return button !== null && truthOf(ax.attribute(scope, button, ATTRIBUTE.enabled)) !== false;
}

function isClose(a: Rect, b: Rect): boolean {
  const differences = [a.x - b.x, a.y - b.y, a.width - b.width, a.height - b.height];
  return differences.every((each) => Math.abs(each) <= TOLERANCE);
}
