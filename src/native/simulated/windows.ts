/** Stacking, focus, geometry and closing of windows, as a window manager does them. */
import { DesktopError } from '../desktop.js';
import type { Point, Rect } from '../desktop.js';
import type { AppState, State, WindowState } from './model.js';
import { addApp, addWindow, removeWindow } from './build.js';
import { deliver } from './controls.js';
import { TITLE_BAR, windowsOf } from './model.js';

const SMALLEST = { width: 160, height: TITLE_BAR + 40 };

/** On top, restored and active. */
export function raise(state: State, window: WindowState): void {
  window.minimized = false;
  const index = state.stack.indexOf(window);
  if (index > 0) {
    state.stack.splice(index, 1);
    state.stack.unshift(window);
  }
  state.active = window;
}

/** The frame as granted: never smaller than a title bar and a line, never above the screen's top. */
export function setFrame(state: State, window: WindowState, wanted: Partial<Rect>): Rect {
  const top = Math.min(...state.displays.map((display) => display.frame.y));
  const frame = { ...window.frame, ...wanted };
  window.frame = {
    x: Math.round(frame.x),
    y: Math.max(top, Math.round(frame.y)),
    width: Math.max(SMALLEST.width, Math.round(frame.width)),
    height: Math.max(SMALLEST.height, Math.round(frame.height)),
  };
  return { ...window.frame };
}

export function minimize(state: State, window: WindowState): void {
  window.minimized = true;
  if (state.active === window) state.active = state.stack.find((each) => !each.minimized) ?? null;
}

/** Asks the application; one that hangs closes its window when it answers again. */
export function requestClose(state: State, window: WindowState): void {
  deliver(window.app, () => removeWindow(state, window));
}

export function titleBarButton(window: WindowState, point: Point): 'close' | 'minimize' | null {
  const x = point.x - window.frame.x;
  if (point.y - window.frame.y >= TITLE_BAR) return null;
  if (x >= 8 && x < 22) return 'close';
  return x >= 28 && x < 42 ? 'minimize' : null;
}

/** By id, name or executable path, in that order; brings a running one to the front, with a window. */
export function launch(state: State, application: string): AppState {
  const installed = state.installed.map((make) => make());
  const spec =
    installed.find((each) => each.id === application) ??
    installed.find((each) => each.name.toLowerCase() === application.toLowerCase()) ??
    installed.find((each) => each.executable === application);
  if (spec === undefined) {
    const known = installed.map((each) => each.name);
    throw new DesktopError('not_found', `No application is called "${application}". There are: ${known.join(', ')}.`, {
      known,
    });
  }
  const running = state.apps.find((each) => each.spec.id === spec.id);
  if (running === undefined) return addApp(state, spec);
  const [window] = windowsOf(state, running);
  if (window !== undefined) raise(state, window);
  else for (const each of spec.windows) addWindow(state, running, each);
  return running;
}
