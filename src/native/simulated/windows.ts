/** Stacking, focus, geometry and closing of windows, as a window manager does them. */
import { contains } from '../../base/rect.js';
import { DesktopError, type Point, type Rect, type WindowActions } from '../desktop.js';
import { addWindow, removeWindow, addApp, removeApp } from './state-changes.js';
import { deliverEvent } from './controls.js';
import {
  TITLE_BAR,
  everyElement,
  isText,
  windowsOf,
  type AppSpec,
  type ElementSpec,
  type State,
  type WindowSpec,
  type SimulatedWindow,
  type AppState,
  type Gate,
} from './model.js';
import { message } from '../../messages/index.js';
import { appOf, describeApp, windowById } from './accessibility-tree.js';

const SMALLEST = { width: 160, height: TITLE_BAR + 40 };

/** On top, restored and active. */
export function raise(state: State, window: SimulatedWindow): void {
  window.minimized = false;
  const index = state.stack.indexOf(window);
  if (index > 0) {
    state.stack.splice(index, 1);
    state.stack.unshift(window);
  }
  state.active = window;
}

/** Returns the granted frame: never smaller than a title bar and a line, never above the top of the screen, unchanged while maximised. */
export function setFrame(state: State, window: SimulatedWindow, wanted: Partial<Rect>): Rect {
  if (window.unmaximized !== null) return { ...window.frame };
  const top = Math.min(...state.displays.map((display) => display.frame.y));
  const { width, height } = window.frame;
  const frame = { ...window.frame, ...wanted, ...(window.spec.resizable === false ? { width, height } : {}) };
  window.frame = {
    x: Math.round(frame.x),
    y: Math.max(top, Math.round(frame.y)),
    width: Math.max(SMALLEST.width, Math.round(frame.width)),
    height: Math.max(SMALLEST.height, Math.round(frame.height)),
  };
  return { ...window.frame };
}

export function minimize(state: State, window: SimulatedWindow): void {
  window.minimized = true;
  window.timesMinimized += 1;
  if (state.active === window) state.active = state.stack.find((each) => !each.minimized) ?? null;
}

function maximize(state: State, window: SimulatedWindow): void {
  if (window.spec.resizable === false) throw new DesktopError('unsupported', message('native.size_fixed'));
  if (window.unmaximized !== null) return;
  const { x, y } = window.frame;
  const display = state.displays.find(({ frame }) => contains(frame, { x, y })) ?? state.displays[0];
  window.unmaximized = window.frame;
  window.frame = { ...(display?.frame ?? window.frame) };
}

function unmaximize(window: SimulatedWindow): void {
  window.frame = window.unmaximized ?? window.frame;
  window.unmaximized = null;
}

/** Sends a close request. An application that hangs closes its window once it answers again; one with unsaved text opens a dialog. */
export function requestClose(state: State, window: SimulatedWindow): void {
  deliverEvent(window.app, () => {
    if (unsaved(window)) askToSave(state, window);
    else removeWindow(state, window);
  });
}

function unsaved(window: SimulatedWindow): boolean {
  if (window.spec.asksToSave !== true) return false;
  return everyElement(window).some((each) => isText(each) && each.text?.value !== (each.spec.value ?? ''));
}

function askToSave(state: State, window: SimulatedWindow): void {
  const title = `Save changes to ${window.title}?`;
  const asked = windowsOf(state, window.app).find((each) => each.title === title);
  if (asked !== undefined) return raise(state, asked);
  const { x, y } = window.frame;
  const button = (label: string, left: number, onChosen: () => void): ElementSpec => {
    const onPress = (): void => {
      removeWindow(state, dialog);
      onChosen();
    };
    return { role: 'AXButton', title: label, frame: { x: left, y: 20, width: 100, height: 30 }, onPress };
  };
  const spec: WindowSpec = {
    title,
    frame: { x: x + 40, y: y + 60, width: 360, height: 110 },
    modal: true,
    resizable: false,
    elements: [
      button('Cancel', 15, () => undefined),
      button('Don’t Save', 130, () => removeWindow(state, window)),
      button('Save', 245, () => removeWindow(state, window)),
    ],
  };
  const dialog = addWindow(state, window.app, spec);
}

export function titleBarButton(window: SimulatedWindow, point: Point): 'close' | 'minimize' | null {
  const x = point.x - window.frame.x;
  if (point.y - window.frame.y >= TITLE_BAR) return null;
  if (x >= 8 && x < 22) return 'close';
  return x >= 28 && x < 42 ? 'minimize' : null;
}

/** By id, name or executable path, in that order. */
function installed(state: State, application: string): AppSpec {
  const all = state.installed.map((make) => make());
  const spec =
    all.find((each) => each.id === application) ??
    all.find((each) => each.name.toLowerCase() === application.toLowerCase()) ??
    all.find((each) => each.executable === application);
  if (spec !== undefined) return spec;
  const known = all.map((each) => each.name);
  throw new DesktopError('not_found', message('native.no_application', { name: application }), { known });
}

// What a window manager and a launcher do: focus, geometry, closing, starting and quitting.

export function createWindowManager(state: State, gate: Gate): WindowActions {
  return {
    async focusWindow(id, signal) {
      await gate.enter(signal);
      raise(state, windowById(state, id));
    },
    async setWindowFrame(id, frame, signal) {
      await gate.enter(signal);
      return setFrame(state, windowById(state, id), frame);
    },
    async setWindowMinimized(id, minimized, signal) {
      await gate.enter(signal);
      if (minimized) minimize(state, windowById(state, id));
      else raise(state, windowById(state, id));
    },
    async setWindowMaximized(id, maximized, signal) {
      await gate.enter(signal);
      if (maximized) maximize(state, windowById(state, id));
      else unmaximize(windowById(state, id));
    },
    async windowState(id, signal) {
      await gate.enter(signal);
      return stateOf(state, windowById(state, id));
    },
    async closeWindow(id, signal) {
      await gate.enter(signal);
      const window = windowById(state, id);
      await gate.answering(window.app, signal);
      requestClose(state, window);
      if (state.stack.includes(window)) throw stillOpen();
    },
    async killWindow(id, signal) {
      await gate.enter(signal);
      removeApp(state, windowById(state, id).app);
    },
    async quitApp(pid, signal) {
      await gate.enter(signal);
      const app = appOf(state, pid);
      await gate.answering(app, signal);
      for (const window of windowsOf(state, app)) requestClose(state, window);
      if (windowsOf(state, app).length > 0) throw stillOpen();
      removeApp(state, app);
    },
    async findApplication(application, signal) {
      await gate.enter(signal);
      const { id, name, executable } = installed(state, application);
      return { id, name, command: [executable], installed: true };
    },
    async launch(application, { background, newInstance, address }, signal) {
      await gate.enter(signal);
      const before = state.active;
      const spec = installed(state, application);
      const running = newInstance ? undefined : state.apps.find((each) => each.spec.id === spec.id);
      const open = running === undefined ? [] : windowsOf(state, running);
      const app = running ?? addApp(state, spec);
      if (running !== undefined && open.length === 0) for (const each of spec.windows) addWindow(state, running, each);
      if (background) putBehind(state, app, before);
      else if (open[0] !== undefined) raise(state, open[0]);
      const [front] = windowsOf(state, app);
      if (address !== undefined && front !== undefined) front.documentUrl = address;
      const how = open.length === 0 ? 'started' : background ? 'running' : 'activated';
      return { app: describeApp(state, app), how, focus: state.active === before ? 'kept' : 'moved' };
    },
  };
}

function putBehind(state: State, app: AppState, before: SimulatedWindow | null): void {
  if (before === null) return;
  state.active = before;
  const [own, others] = [windowsOf(state, app), state.stack.filter((each) => each.app !== app || each === before)];
  state.stack.splice(0, state.stack.length, ...others, ...own.filter((each) => each !== before));
}

function stateOf(state: State, window: SimulatedWindow) {
  return {
    resizable: window.spec.resizable ?? true,
    minimizable: true,
    closable: true,
    modal: window.spec.modal ?? false,
    floating: false,
    hidden: false,
    minimized: window.minimized,
    maximized: window.unmaximized !== null,
    fullscreen: false,
    focused: state.active === window,
  };
}

function stillOpen(): DesktopError {
  return new DesktopError('failed', message('native.still_open_asks'), {
    reason: 'still_open',
  });
}
