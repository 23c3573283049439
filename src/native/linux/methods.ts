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
import { activePid } from './apps.js';
import { performAction, setExpanded, setSelected } from './atspi/actions.js';
import { parseId } from './atspi/bus.js';
import { focusElement } from './atspi/keyboard-focus.js';
import { insertText } from './atspi/text.js';
import { setValue } from './atspi/values.js';
import { findApplication, isAccessible, launch } from './launch.js';
import { type Processes, restOf } from './process-rest.js';
import type { Lifetime } from './lifetime.js';
import { parseWindowId, type TopLevelWindow } from './windows.js';
import type { ElementComponents, LinuxOptions } from './components.js';
import type { DisplayServer } from './display-server.js';

export interface Components extends DisplayServer, ElementComponents {
  run: Lifetime['run'];
  processes: Processes;
  env: LinuxOptions['env'];
  mark: Record<string, string>;
}

export function readMethods(components: Components): ElementReading & Pick<DesktopBackend, 'permissions' | 'displays'> {
  const { run, bus, pictures, apps, windows, elementReader, hitTesting, scrolling } = components;

  /** The window inside `found`, of another application, that has the point. `unsure`: it may hand a click on to one around it. */
  async function plugAt(
    found: TopLevelWindow,
    point: Point,
  ): Promise<{ plug: TopLevelWindow | null; unsure: boolean }> {
    const foreign = apps.foreignTo(found, await windows.insideAt(found, point));
    const isInnermost = ({ pid }: TopLevelWindow): boolean => pid === foreign[0]?.pid;
    return { plug: foreign.findLast(isInnermost) ?? null, unsure: !foreign.every(isInnermost) };
  }

  /** Where a window of another application has the point, the window is that application's there. */
  async function windowAtPoint(
    found: TopLevelWindow,
    front: number,
    point: Point,
    signal: AbortSignal,
  ): Promise<Window> {
    const [window, { plug, unsure }] = await Promise.all([apps.windowOf(found, front, signal), plugAt(found, point)]);
    if (plug === null) return window;
    const { app, documentUrl, documents } = await apps.windowOf(plug, front, signal);
    const { documents: _own, ...rest } = window;
    const shows = documents === undefined ? {} : { documents };
    return { ...rest, app, documentUrl, ...shows, ...(unsure ? { crowded: true } : {}) };
  }

  return {
    permissions: (signal) =>
      run(signal, async () => {
        const [accessible, visible] = await Promise.all([bus.answers(), pictures.isAllowed()]);
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
        const found = await windows.at(point, combined);
        if (found === null || element === null) return element;
        const { plug } = await plugAt(found, point);
        if (plug === null && !isShared(found)) return element;
        // What the window around it tells of that place is not what is there.
        return element.pid === (plug ?? found).pid ? element : null;
      }),
    windowAt: (point, signal) =>
      run(signal, async (combined) => {
        const [found, front] = await Promise.all([windows.at(point, combined), activePid(windows)]);
        return found === null ? null : windowAtPoint(found, front, point, combined);
      }),
    focusedElement: (signal) =>
      run(signal, async (combined) => {
        const [element, found] = await Promise.all([hitTesting.focused(combined), windows.front(combined)]);
        if (element === null || found === null || !isShared(found)) return element;
        // What the window around it tells of the focus is not where the keys go.
        const [plug = found] = apps.foreignTo(found, await windows.focusInside(found));
        return element.pid === plug.pid ? element : null;
      }),
    scrollerOf: (id, signal) => run(signal, (combined) => scrolling.scrollerOf(id, combined)),
  };
}

export function captureMethods(
  components: Components,
): Pick<DesktopBackend, 'capture' | 'windowPaint' | 'untilApplication' | 'secureAreas'> {
  const { run, pictures, secureAreas, windows, hasRead } = components;
  return {
    capture: (target, signal) => run(signal, (combined) => pictures.capture(target, combined)),
    windowPaint: (id, after, signal) =>
      run(signal, (combined) => pictures.windowPaint(parseWindowId(id), after, combined)),
    untilApplication: (id, state, signal) =>
      run(signal, async (combined) => {
        const window = parseWindowId(id);
        if (state === 'rest') {
          const pid = await windows.pidOf(window);
          if (pid === 0) return null;
          await restOf(pid, combined);
          return true;
        }
        const read = await hasRead(window, combined);
        // A window that is gone does not tell that nothing can be told: something happened.
        return read === null && (await windows.find(window, combined)) === null ? false : read;
      }),
    secureAreas: (signal) => run(signal, secureAreas),
  };
}

export function elementMethods(components: Components): ElementActions {
  const { run, bus, accessibleTree, scrolling } = components;
  const itemOf = (id: string, signal: AbortSignal) => accessibleTree.reader.item(parseId(id), signal);
  return {
    performAction: (id, action, signal) =>
      run(signal, (combined) => performAction(bus, accessibleTree.reader, parseId(id), action, combined)),
    setValue: (id, value, signal) => run(signal, (combined) => setValue(accessibleTree, parseId(id), value, combined)),
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
  const { run, acts, processes, windows, apps, bus, entries, env, mark, prepareBackgroundStart } = components;
  const starts = { focus: acts.focus, prepareBackgroundStart };
  return {
    focusWindow: (id, signal) => run(signal, async (combined) => acts.focus(parseWindowId(id), combined)),
    setWindowFrame: (id, frame, signal) =>
      run(signal, async (combined) => acts.setFrame(parseWindowId(id), frame, combined)),
    setWindowMinimized: (id, minimized, signal) =>
      run(signal, async (combined) => acts.setMinimized(parseWindowId(id), minimized, combined)),
    setWindowMaximized: (id, maximized, signal) =>
      run(signal, async (combined) => acts.setMaximized(parseWindowId(id), maximized, combined)),
    windowState: (id, signal) => run(signal, async () => acts.state(parseWindowId(id))),
    closeWindow: (id, signal) => run(signal, async (combined) => acts.close(parseWindowId(id), combined)),
    killWindow: (id, signal) => run(signal, async (combined) => acts.kill(parseWindowId(id), combined)),
    quitApp: (pid, signal) =>
      run(signal, async (combined) => {
        const startTime = processes.lookup(pid)?.startTime;
        const running = () => startTime !== undefined && processes.lookup(pid)?.startTime === startTime;
        return acts.quit(pid, running, combined);
      }),
    findApplication: (application, signal) => run(signal, () => findApplication({ entries, env }, application)),
    launch: (application, options, signal) =>
      run(signal, (combined) =>
        launch({ ...{ windows, apps, bus, entries, env, mark }, ...starts }, application, options, combined),
      ),
  };
}

export function inputMethods(components: Components): InputInjection {
  const { run, bus, pointer, keyboard, clipboard, dropFiles, windows } = components;
  return {
    pointer: (signal) => run(signal, () => pointer.position()),
    movePointer: (to, signal) => run(signal, (combined) => pointer.move(to, combined)),
    button: (button, down, guard, signal) => run(signal, (combined) => pointer.button(button, down, guard, combined)),
    scroll: (delta, guard, signal) => run(signal, (combined) => pointer.scroll(delta, guard, combined)),
    key: (key, down, guard, signal) => run(signal, (combined) => keyboard.key(key, down, guard, combined)),
    typeText: (text, guard, signal) =>
      run(signal, async (combined) => {
        const front = await activePid(windows, combined);
        return keyboard.typeText(text, !(await isAccessible(bus, front, combined)), guard, combined);
      }),
    paste: (text, pid, guard, signal) => run(signal, (combined) => clipboard.paste(text, pid, guard, combined)),
    dropFiles: (paths, id, guard, signal) =>
      run(signal, (combined) => dropFiles(paths, parseWindowId(id), guard, combined)),
    releaseAll: components.release,
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

/** Another application may show in it. */
const isShared = ({ inside, crowded }: TopLevelWindow): boolean => inside.length > 0 || crowded;
