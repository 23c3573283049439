import type { Rect, StackedWindow } from '../../desktop.js';
import type { Core } from '../core.js';
import type { Apps } from './apps.js';
import { listDisplays } from './displays.js';
import { areasOfProcess, coversDisplay, isSystemSurface } from './hit-tests.js';
import type { WindowRows } from './window-rows.js';
import type { Windows } from './windows.js';

interface StackParts {
  core: Core;
  rows: WindowRows;
  apps: Apps;
  windows: Windows;
}

/**
 * All that shows, topmost first: also surfaces that are no windows to accessibility. The Dock, the menu bar and the like are above the
 * levels of windows and take clicks, so they are in it too.
 */
export function listStack({ core, rows, apps, windows }: StackParts): StackedWindow[] {
  const known = new Map(windows.list().map((window) => [window.id, window]));
  const displays = listDisplays(core);
  const now = apps.look(null);
  return rows
    .onScreen()
    .filter(({ alpha }) => alpha > 0)
    .map(({ number, pid, frame }) => {
      const window = known.get(String(number));
      const seeThrough = window === undefined && coversDisplay(displays, frame);
      const areas = (seeThrough ? areasOfSystem(core, pid) : null) ?? [frame];
      const managed = window?.normal ?? false;
      const app = window?.app ?? now.of(pid);
      const stacked = { pid, title: window?.title ?? '', areas, frame, managed, focused: window?.focused ?? false };
      return app === null ? stacked : { ...stacked, app: { id: app.id, otherIds: app.otherIds ?? [] } };
    });
}

/** null where it is not the system's, or does not tell what it shows. */
const areasOfSystem = (core: Core, pid: number): Rect[] | null =>
  isSystemSurface({ program: core.processes.executable(pid) }) ? areasOfProcess(core, pid) : null;
