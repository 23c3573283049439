/** The methods of the backend, by what they need. Each runs within the backend's lifetime. */
import type {
  ClipboardAccess,
  DesktopBackend,
  ElementActions,
  ElementReading,
  InputInjection,
  Point,
  Window,
  WindowActions,
} from '../desktop.js';
import { contains } from '../../base/rect.js';
import { activePid } from './apps.js';
import { performAction } from './atspi/actions.js';
import { parseId } from './atspi/bus.js';
import { focusElement } from './atspi/focus-element.js';
import { setExpanded, setSelected } from './atspi/select-expand.js';
import { insertText } from './atspi/text.js';
import { setValue } from './atspi/values.js';
import { findApplication, launch } from './launch.js';
import type { Processes } from './watched-processes.js';
import type { Lifetime } from './lifetime.js';
import { prepareBackgroundStart } from './x11/background-start.js';
import { parseWindowId } from './windows.js';
import type { XConnection } from './x11/connection.js';
import type { ElementComponents, LinuxOptions, ScreenComponents } from './components.js';
import { releaseButtons } from './x11/release-buttons.js';

export interface Components extends ScreenComponents, ElementComponents {
  x: XConnection;
  /** A connection of its own, so that no event mask replaces another one. */
  windowEvents: XConnection;
  run: Lifetime['run'];
  processes: Processes;
  env: LinuxOptions['env'];
  mark: Record<string, string>;
  connect(): Promise<XConnection>;
}

export function readMethods(components: Components): ElementReading & Pick<DesktopBackend, 'permissions' | 'displays'> {
  const { run, bus, screenCapture, apps, windows, elementReader, hitTesting, scrolling } = components;
  return {
    permissions: (signal) =>
      run(signal, async () => {
        const [accessible, visible] = await Promise.all([bus.answers(), screenCapture.isAllowed()]);
        return {
          accessibility: accessible ? 'granted' : 'missing',
          screenRecording: visible ? 'granted' : 'missing',
        };
      }),
    displays: (signal) => run(signal, (combined) => windows.displays(combined)),
    apps: (signal) => run(signal, () => apps.list()),
    windows: (signal) =>
      run(signal, async (combined) => {
        const [all, front] = await Promise.all([windows.list(combined), activePid(windows, combined)]);
        return Promise.all(all.map((window) => apps.windowOf(window, front, combined)));
      }),
    stack: (signal) => run(signal, () => windows.stack()),
    frontmost: (signal) =>
      run(signal, async (combined) => {
        const found = await windows.front(combined);
        if (found === null) return { app: null, window: null };
        const window = await apps.windowOf(found, found.pid, combined);
        return { app: window.app, window };
      }),

    tree: (scope, limits, signal) => run(signal, (combined) => elementReader.tree(scope, limits, combined)),
    find: (scope, selector, limit, limits, signal) =>
      run(signal, (combined) => elementReader.find(scope, selector, limit, limits, combined)),
    element: (id, signal) => run(signal, (combined) => elementReader.element(id, combined)),
    ancestors: (id, signal) => run(signal, (combined) => elementReader.ancestors(id, combined)),
    elementAt: (point, signal) =>
      run(signal, async (combined) => {
        const element = await hitTesting.at(point, combined);
        const [found, front] = await Promise.all([windows.at(point, combined), activePid(windows)]);
        if (found === null || element === null || found.inside.length === 0) return element;
        // What the window around it tells of that place is not what is there.
        const { app } = withInnermost(await apps.windowOf(found, front, combined), point);
        return app.pid === element.pid ? element : null;
      }),
    windowAt: (point, signal) =>
      run(signal, async (combined) => {
        const [found, front] = await Promise.all([windows.at(point, combined), activePid(windows)]);
        return found === null ? null : withInnermost(await apps.windowOf(found, front, combined), point);
      }),
    focusedElement: (signal) => run(signal, (combined) => hitTesting.focused(combined)),
    scrollerOf: (id, signal) => run(signal, (combined) => scrolling.scrollerOf(id, combined)),
  };
}

export function captureMethods(
  components: Components,
): Pick<DesktopBackend, 'capture' | 'windowPaint' | 'secureAreas'> {
  const { run, screenCapture, secureAreas } = components;
  return {
    capture: (target, signal) => run(signal, (combined) => screenCapture.capture(target, combined)),
    windowPaint: (id, after, signal) =>
      run(signal, (combined) => screenCapture.windowPaint(parseWindowId(id), after, combined)),
    secureAreas: (signal) => run(signal, secureAreas),
  };
}

export function elementMethods(components: Components): ElementActions {
  const { run, bus, accessibleTree, scrolling } = components;
  const itemOf = (id: string, signal: AbortSignal) => accessibleTree.reader.item(parseId(id), signal);
  return {
    performAction: (id, action, signal) =>
      run(signal, (combined) => performAction(bus, accessibleTree.reader, parseId(id), action, combined)),
    setValue: (id, value, signal) =>
      run(signal, (combined) => setValue(bus, accessibleTree.reader, parseId(id), value, combined)),
    insertText: (id, text, signal) =>
      run(signal, (combined) => insertText(bus, accessibleTree.reader, parseId(id), text, combined)),
    setSelected: (id, on, signal) =>
      run(signal, async (combined) => setSelected(accessibleTree, await itemOf(id, combined), on, combined)),
    setExpanded: (id, on, signal) =>
      run(signal, async (combined) => setExpanded(accessibleTree, await itemOf(id, combined), on, combined)),
    focusElement: (id, signal) => run(signal, (combined) => focusElement(accessibleTree, id, combined)),
    scrollIntoView: (id, signal) => run(signal, (combined) => scrolling.intoView(id, combined)),
  };
}

export function windowMethods(components: Components): WindowActions {
  const { run, ops, windowCloser, processes, windows, apps, bus, entries, env, mark, connect } = components;
  const starts = {
    focus: ops.focus,
    prepareBackgroundStart: async () => prepareBackgroundStart(await connect(), windows, ops),
  };
  return {
    focusWindow: (id, signal) => run(signal, async (combined) => ops.focus(parseWindowId(id), combined)),
    setWindowFrame: (id, frame, signal) =>
      run(signal, async (combined) => ops.setFrame(parseWindowId(id), frame, combined)),
    setWindowMinimized: (id, minimized, signal) =>
      run(signal, async (combined) => ops.setMinimized(parseWindowId(id), minimized, combined)),
    setWindowMaximized: (id, maximized, signal) =>
      run(signal, async (combined) => ops.setMaximized(parseWindowId(id), maximized, combined)),
    windowState: (id, signal) => run(signal, async () => ops.state(parseWindowId(id))),
    closeWindow: (id, signal) => run(signal, async (combined) => windowCloser.close(parseWindowId(id), combined)),
    killWindow: (id, signal) => run(signal, async (combined) => windowCloser.kill(parseWindowId(id), combined)),
    quitApp: (pid, signal) =>
      run(signal, async (combined) => {
        const startTime = processes.lookup(pid)?.startTime;
        const running = () => startTime !== undefined && processes.lookup(pid)?.startTime === startTime;
        return windowCloser.quit(pid, running, combined);
      }),
    findApplication: (application, signal) => run(signal, () => findApplication({ entries, env }, application)),
    launch: (application, options, signal) =>
      run(signal, (combined) =>
        launch({ ...{ windows, apps, bus, entries, env, mark }, ...starts }, application, options, combined),
      ),
  };
}

export function inputMethods(components: Components): InputInjection {
  const { run, pointer, keyboard, clipboard, dragAndDrop, windows } = components;
  return {
    pointer: (signal) => run(signal, () => pointer.position()),
    movePointer: (to, signal) => run(signal, (combined) => pointer.move(to, combined)),
    button: (button, down, guard, signal) => run(signal, (combined) => pointer.button(button, down, guard, combined)),
    scroll: (delta, guard, signal) => run(signal, (combined) => pointer.scroll(delta, guard, combined)),
    key: (key, down, guard, signal) => run(signal, (combined) => keyboard.key(key, down, guard, combined)),
    typeText: (text, guard, signal) => run(signal, (combined) => keyboard.typeText(text, guard, combined)),
    paste: (text, pid, guard, signal) => run(signal, (combined) => clipboard.paste(text, pid, guard, combined)),
    dropFiles: (paths, id, guard, signal) =>
      run(signal, (combined) => dragAndDrop.drop(paths, parseWindowId(id), guard, combined)),
    releaseAll: async (keep) => {
      // A modifier first: with it, Escape would be another command.
      await keyboard.release(keep?.keys).catch(() => {});
      await releaseButtons({ pointer, keyboard, windows }, keep?.buttons);
    },
  };
}

export function clipboardMethods(components: Components): ClipboardAccess {
  const { run, clipboard } = components;
  return {
    readClipboard: (signal) => run(signal, (combined) => clipboard.read(combined)),
    writeClipboard: (content, signal) => run(signal, () => clipboard.write(content)),
    onClipboardChange: clipboard.onChange,
  };
}

/** Where a window of another application shows at the point, the window is that application's there. */
function withInnermost(window: Window, point: Point): Window {
  const hit = window.inside?.find(({ frame }) => contains(frame, point));
  if (hit === undefined) return window;
  const { app, documentUrl, documents: _own, ...rest } = { ...window, app: hit.app, documentUrl: hit.documentUrl };
  return { ...rest, app, documentUrl, ...(hit.documents === undefined ? {} : { documents: hit.documents }) };
}
