import { DesktopError } from '../../desktop.js';
import { message } from '../../../messages/index.js';
import type { Ref } from '../calls/types.js';
import type { Core } from '../core.js';
import type { Scope } from '../foundation/scope.js';
import type { Apps } from '../screen/apps.js';
import type { WindowRow, WindowRows } from '../screen/window-rows.js';
import type { Windows } from '../screen/windows.js';

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
