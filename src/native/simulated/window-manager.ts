/** What a window manager and a launcher do: focus, geometry, closing, starting and quitting. */
import { DesktopError, type WindowActions } from '../desktop.js';
import { addApp, addWindow, removeApp } from './state-changes.js';
import type { Gate } from './gate.js';
import { appOf, describeApp, windowById } from './accessibility-tree.js';
import { windowsOf, type AppState, type State, type SimulatedWindow } from './model.js';
import { installed, maximize, minimize, raise, requestClose, setFrame, unmaximize } from './windows.js';
import { message } from '../../messages/index.js';

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
