/**
 * The Linux backend: AT-SPI over D-Bus for elements, X11 for windows, pictures, input and clipboard.
 * Comes in: an environment with DISPLAY and a session bus. Goes out: a DesktopBackend. Called by `native/open.ts`.
 */
import { type DesktopBackend, DesktopError } from '../desktop.js';
import { type Apps, openApps, type Processes } from './apps.js';
import { perform } from './atspi/actions.js';
import { openAccessibilityBus, parseId } from './atspi/bus.js';
import { openDocuments } from './atspi/documents.js';
import { focusElement } from './atspi/focusing.js';
import { openHitting } from './atspi/hitting.js';
import { openLooking } from './atspi/looking.js';
import { openScene } from './atspi/scene.js';
import { openScrolling } from './atspi/scrolling.js';
import { openSecrets } from './atspi/secrets.js';
import { setExpanded, setSelected } from './atspi/choosing.js';
import { insertText } from './atspi/text.js';
import { setValue } from './atspi/values.js';
import { openDesktopEntries } from './desktop-entries.js';
import { openHints } from './hints.js';
import { findApplication, launch } from './launch.js';
import { openLifetime } from './lifetime.js';
import { readVersion, requireX } from './platform.js';
import { readCookie } from './x11/auth.js';
import { openCamera, parseWindowId } from './x11/capture.js';
import { openClipboard } from './x11/clipboard.js';
import { openClosing } from './x11/closing.js';
import { connectX } from './x11/connection.js';
import { listDisplays } from './x11/displays.js';
import { openDropping } from './x11/dropping.js';
import { openKeyboard } from './x11/keyboard.js';
import { letButtonsGo } from './x11/letting-go.js';
import { openInputEars } from './x11/person-input.js';
import { openPing } from './x11/ping.js';
import { openPointer } from './x11/pointer.js';
import { readProperties } from './x11/properties.js';
import { openStacking } from './x11/stacking.js';
import { openWindowManagerTurn } from './x11/wm-turn.js';
import { openWindowOps } from './x11/window-ops.js';
import { openWindows } from './x11/windows.js';
import { message } from '../../messages/index.js';

export { startVirtualSession } from './session.js';
export type { SessionOptions, VirtualSession } from './session.js';

export interface LinuxOptions {
  /** X display name; DISPLAY of `env` when left out. */
  display?: string;
  /** The session's environment: DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, HOME, PATH. */
  env: Record<string, string | undefined>;
  /** Variables set in every application that is opened. */
  mark?: Record<string, string>;
  processes: Processes;
  log: { info(message: string): void; warn(message: string): void };
}

/** Rejects with `unsupported` where there is no X11 session, `permission` or `lost` where it cannot be reached. */
export async function openLinux({
  display,
  env: given,
  mark = {},
  processes,
  log,
}: LinuxOptions): Promise<DesktopBackend> {
  const name = requireX(display, given);
  const env: Record<string, string | undefined> = { ...given, DISPLAY: name };
  const connect = async () => connectX(name, await readCookie(name, env), (message) => log.info(message));
  const x = await connect();
  try {
    return await assemble();
  } catch (error) {
    await x.close();
    throw error;
  }

  async function assemble(): Promise<DesktopBackend> {
    const xtest = await x.extension('xtest');
    if (xtest === null) throw new DesktopError('unsupported', message('display.no_xtest', { display: name }));
    if ((await x.ask<{ present: number }>((reply) => x.client.QueryExtension('XWAYLAND', reply))).present !== 0) {
      throw new DesktopError('unsupported', message('display.wayland'));
    }
    const properties = readProperties(x);
    const windows = openWindows(x, properties);
    const stack = openStacking(x, properties, windows);
    const manager = await openWindowManagerTurn(x, properties);
    const ops = openWindowOps(x, windows, properties, manager.wait);
    const closing = openClosing(x, windows);
    const pointer = openPointer(x, xtest, manager.wait);
    const keyboard = await openKeyboard(x, xtest, await openPing(x, windows, properties));
    const clipboard = await openClipboard(x, windows, keyboard);
    if (!clipboard.watches) log.warn('This X server has no XFIXES: what other programs copy cannot be noticed.');
    const dropping = await openDropping(x, windows, properties, pointer);
    const camera = await openCamera(x, windows);
    const ears = await openInputEars(x, pointer);
    if (ears === null) log.warn('This X server has no XInput2: input by the person cannot be noticed.');

    const busAddress = env['DBUS_SESSION_BUS_ADDRESS'] ?? `unix:path=${env['XDG_RUNTIME_DIR'] ?? '/run'}/bus`;
    const bus = openAccessibilityBus(busAddress, (message) => log.warn(message));
    const hints = openHints(connect, bus);
    const scene = openScene(bus, windows);
    const looking = openLooking(scene);
    const hitting = openHitting(scene, looking, windows);
    const scrolling = openScrolling(scene, looking);
    const secureAreas = openSecrets(scene, windows);
    const entries = openDesktopEntries(env);
    const apps: Apps = openApps(windows, entries, processes, openDocuments(scene));
    // Applications that start from now on find somebody to report to.
    await bus.answers();
    const life = openLifetime(x);
    const screen = { x: 0, y: 0, width: x.screen.pixel_width, height: x.screen.pixel_height };
    const run = life.run;
    const frontPid = async (): Promise<number> => {
      const active = await windows.active();
      return active === 0 ? 0 : windows.pidOf(active);
    };

    return {
      platform: 'linux',
      version: await readVersion(),
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

      capture: (target, signal) => run(signal, (both) => camera.capture(target, both)),
      secureAreas: (signal) => run(signal, secureAreas),

      performAction: (id, action, signal) =>
        run(signal, (both) => perform(bus, scene.reader, parseId(id), action, both)),
      setValue: (id, value, signal) => run(signal, (both) => setValue(bus, scene.reader, parseId(id), value, both)),
      insertText: (id, text, signal) => run(signal, (both) => insertText(bus, scene.reader, parseId(id), text, both)),
      setSelected: (id, on, signal) => run(signal, (both) => setSelected(scene, id, on, both)),
      setExpanded: (id, on, signal) => run(signal, (both) => setExpanded(scene, id, on, both)),
      focusElement: (id, signal) => run(signal, (both) => focusElement(scene, id, both)),
      scrollIntoView: (id, signal) => run(signal, (both) => scrolling.intoView(id, both)),

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

      readClipboard: (signal) => run(signal, (both) => clipboard.read(both)),
      writeClipboard: (content, signal) => run(signal, () => clipboard.write(content)),
      onClipboardChange: clipboard.onChange,

      onPersonInput: (listener) => (ears === null ? () => {} : ears.onPerson(listener)),
      onSyntheticInput: (listener) => (ears === null ? () => {} : ears.onSynthetic(listener)),
      flushInputEvents: (signal) => run(signal, () => (ears === null ? Promise.reject(unheard()) : ears.heard())),
      onChange: hints.on,
      onLost: life.onLost,
      close: () =>
        life.close(async () => {
          await Promise.allSettled([
            letButtonsGo({ pointer, keyboard, windows }, screen).finally(() => keyboard.close()),
            clipboard.close(),
            dropping.close(),
            manager.close(),
          ]);
          await Promise.allSettled([bus.close(), x.close()]);
        }),
    };
  }
}

const unheard = (): DesktopError =>
  new DesktopError('unsupported', 'This X server has no XInput2, so other programs’ input cannot be noticed.');
