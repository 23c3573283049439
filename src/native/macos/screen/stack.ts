import type { StackedWindow } from '../../desktop.js';
import type { WindowRows } from './window-rows.js';
import type { Windows } from './windows.js';

/**
 * All that shows, topmost first: also surfaces that are no windows to accessibility. The Dock, the menu bar and the like are above the
 * levels of windows and take clicks, so they are in it too.
 */
export function listStack(rows: WindowRows, windows: Windows): StackedWindow[] {
  const known = new Map(windows.list().map((window) => [window.id, window]));
  return rows
    .onScreen()
    .filter(({ alpha }) => alpha > 0)
    .map(({ number, pid, frame }) => {
      const window = known.get(String(number));
      const managed = window?.normal ?? false;
      return { pid, title: window?.title ?? '', areas: [frame], frame, managed, focused: window?.focused ?? false };
    });
}
