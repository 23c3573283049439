/** The methods of the backend, by what they need. Each runs within the backend's lifetime. */
import type { DesktopBackend, Rect } from '../desktop.js';
import type { Processes } from './apps.js';
import { perform } from './atspi/actions.js';
import { parseId } from './atspi/bus.js';
import { focusElement } from './atspi/focusing.js';
import { setExpanded, setSelected } from './atspi/choosing.js';
import { insertText } from './atspi/text.js';
import { setValue } from './atspi/values.js';
import { findApplication, launch } from './launch.js';
import type { Lifetime } from './lifetime.js';
import { parseWindowId } from './x11/capture.js';
import type { XConnection } from './x11/connection.js';
import type { ElementParts, LinuxOptions, ScreenParts } from './parts.js';
import { listDisplays } from './x11/displays.js';
import { letButtonsGo } from './x11/letting-go.js';
import type { Windows } from './x11/windows.js';

export interface Parts extends ScreenParts, ElementParts {
  x: XConnection;
  run: Lifetime['run'];
  processes: Processes;
  env: LinuxOptions['env'];
  mark: Record<string, string>;
  connect(): Promise<XConnection>;
}

/** To be looked at, without changing anything. */
export function lookMethods(
  parts: Parts,
): Pick<
  DesktopBackend,
  | 'permissions'
  | 'displays'
  | 'apps'
  | 'windows'
  | 'stack'
  | 'frontmost'
  | 'tree'
  | 'find'
  | 'element'
  | 'ancestors'
  | 'elementAt'
  | 'windowAt'
  | 'focusedElement'
  | 'scrollerOf'
> {
  const { x, run, bus, camera, apps, windows, stack, looking, hitting, scrolling } = parts;
  const frontPid = () => frontProcess(windows);
  return {
    permissions: (signal) =>
      run(signal, async (both) => {
        const pixel = { x: 0, y: 0, width: 1, height: 1 };
        const [accessible, visible] = await Promise.all([
          bus.answers(),
          camera.capture({ kind: 'region', rect: pixel }, both).then(
            () => true,
            () => false,
          ),
        ]);
        return {
          accessibility: accessible ? 'granted' : 'missing',
          screenRecording: visible ? 'granted' : 'missing',
        };
      }),
    displays: (signal) => run(signal, () => listDisplays(x)),
    apps: (signal) => run(signal, () => apps.list()),
    windows: (signal) =>
      run(signal, async (both) => {
        const [all, front] = await Promise.all([windows.list(), frontPid()]);
        return Promise.all(all.map((window) => apps.windowOf(window, front, both)));
      }),
    stack: (signal) => run(signal, stack),
    frontmost: (signal) =>
      run(signal, async (both) => {
        const active = await windows.active();
        const found = active === 0 ? null : await windows.find(active);
        if (found === null) return { app: null, window: null };
        const window = await apps.windowOf(found, found.pid, both);
        return { app: window.app, window };
      }),

    tree: (scope, limits, signal) => run(signal, (both) => looking.tree(scope, limits, both)),
    find: (scope, selector, limit, limits, signal) =>
      run(signal, (both) => looking.find(scope, selector, limit, limits, both)),
    element: (id, signal) => run(signal, (both) => looking.element(id, both)),
    ancestors: (id, signal) => run(signal, (both) => looking.ancestors(id, both)),
    elementAt: (point, signal) => run(signal, (both) => hitting.at(point, both)),
    windowAt: (point, signal) =>
      run(signal, async (both) => {
        const [found, front] = await Promise.all([windows.at(point), frontPid()]);
        return found === null ? null : apps.windowOf(found, front, both);
      }),
    focusedElement: (signal) => run(signal, (both) => hitting.focused(both)),
    scrollerOf: (id, signal) => run(signal, (both) => scrolling.scrollerOf(id, both)),
  };
}

export function captureMethods(parts: Parts): Pick<DesktopBackend, 'capture' | 'secureAreas'> {
  const { run, camera, secureAreas } = parts;
  return {
    capture: (target, signal) => run(signal, (both) => camera.capture(target, both)),
    secureAreas: (signal) => run(signal, secureAreas),
  };
}

export function elementMethods(
  parts: Parts,
): Pick<
  DesktopBackend,
  'performAction' | 'setValue' | 'insertText' | 'setSelected' | 'setExpanded' | 'focusElement' | 'scrollIntoView'
> {
  const { run, bus, scene, scrolling } = parts;
  return {
    performAction: (id, action, signal) => run(signal, (both) => perform(bus, scene.reader, parseId(id), action, both)),
    setValue: (id, value, signal) => run(signal, (both) => setValue(bus, scene.reader, parseId(id), value, both)),
    insertText: (id, text, signal) => run(signal, (both) => insertText(bus, scene.reader, parseId(id), text, both)),
    setSelected: (id, on, signal) => run(signal, (both) => setSelected(scene, id, on, both)),
    setExpanded: (id, on, signal) => run(signal, (both) => setExpanded(scene, id, on, both)),
    focusElement: (id, signal) => run(signal, (both) => focusElement(scene, id, both)),
    scrollIntoView: (id, signal) => run(signal, (both) => scrolling.intoView(id, both)),
  };
}

export function windowMethods(
  parts: Parts,
): Pick<
  DesktopBackend,
  | 'focusWindow'
  | 'setWindowFrame'
  | 'setWindowMinimized'
  | 'setWindowMaximized'
  | 'windowState'
  | 'closeWindow'
  | 'killWindow'
  | 'quitApp'
  | 'findApplication'
  | 'launch'
> {
  const { run, ops, closing, processes, windows, apps, bus, entries, env, mark, connect } = parts;
  return {
    focusWindow: (id, signal) => run(signal, async (both) => ops.focus(parseWindowId(id), both)),
    setWindowFrame: (id, frame, signal) => run(signal, async (both) => ops.setFrame(parseWindowId(id), frame, both)),
    setWindowMinimized: (id, minimized, signal) =>
      run(signal, async (both) => ops.setMinimized(parseWindowId(id), minimized, both)),
    setWindowMaximized: (id, maximized, signal) =>
      run(signal, async (both) => ops.setMaximized(parseWindowId(id), maximized, both)),
    windowState: (id, signal) => run(signal, async () => ops.state(parseWindowId(id))),
    closeWindow: (id, signal) => run(signal, async (both) => closing.close(parseWindowId(id), both)),
    killWindow: (id, signal) => run(signal, async (both) => closing.kill(parseWindowId(id), both)),
    quitApp: (pid, signal) =>
      run(signal, async (both) => {
        const startTime = processes.lookup(pid)?.startTime;
        const running = () => startTime !== undefined && processes.lookup(pid)?.startTime === startTime;
        return closing.quit(pid, running, both);
      }),
    findApplication: (application, signal) => run(signal, () => findApplication({ entries, env }, application)),
    launch: (application, options, signal) =>
      run(signal, (both) =>
        launch({ windows, ops, apps, bus, entries, env, mark, connect }, application, options, both),
      ),
  };
}

export function inputMethods(
  parts: Parts,
): Pick<
  DesktopBackend,
  'pointer' | 'movePointer' | 'button' | 'scroll' | 'key' | 'typeText' | 'paste' | 'dropFiles' | 'releaseAll'
> {
  const { x, run, pointer, keyboard, clipboard, dropping, windows } = parts;
  const screen = screenRect(x);
  return {
    pointer: (signal) => run(signal, () => pointer.position()),
    movePointer: (to, signal) => run(signal, (both) => pointer.move(to, both)),
    button: (button, down, guard, signal) => run(signal, (both) => pointer.button(button, down, guard, both)),
    scroll: (delta, guard, signal) => run(signal, (both) => pointer.scroll(delta, guard, both)),
    key: (key, down, guard, signal) => run(signal, (both) => keyboard.key(key, down, guard, both)),
    typeText: (text, guard, signal) => run(signal, (both) => keyboard.typeText(text, guard, both)),
    paste: (text, pid, guard, signal) => run(signal, (both) => clipboard.paste(text, pid, guard, both)),
    dropFiles: (paths, id, guard, signal) =>
      run(signal, (both) => dropping.drop(paths, parseWindowId(id), guard, both)),
    releaseAll: async (keep) => {
      // A modifier first: with it, Escape would be another command.
      await keyboard.release(keep?.keys).catch(() => {});
      await letButtonsGo({ pointer, keyboard, windows }, screen, keep?.buttons);
    },
  };
}

export function clipboardMethods(
  parts: Parts,
): Pick<DesktopBackend, 'readClipboard' | 'writeClipboard' | 'onClipboardChange'> {
  const { run, clipboard } = parts;
  return {
    readClipboard: (signal) => run(signal, (both) => clipboard.read(both)),
    writeClipboard: (content, signal) => run(signal, () => clipboard.write(content)),
    onClipboardChange: clipboard.onChange,
  };
}

async function frontProcess(windows: Windows): Promise<number> {
  const active = await windows.active();
  return active === 0 ? 0 : windows.pidOf(active);
}

export function screenRect(x: XConnection): Rect {
  return { x: 0, y: 0, width: x.screen.pixel_width, height: x.screen.pixel_height };
}
