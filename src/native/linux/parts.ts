/** What the backend is put together from: first what talks to the X server, then what talks to the accessibility bus. */
import { type Apps, openApps, type Processes } from './apps.js';
import { openAccessibilityBus } from './atspi/bus.js';
import { openDocuments } from './atspi/documents.js';
import { openHitting } from './atspi/hitting.js';
import { openLooking } from './atspi/looking.js';
import { openScene } from './atspi/scene.js';
import { openScrolling } from './atspi/scrolling.js';
import { openSecrets } from './atspi/secrets.js';
import { openDesktopEntries } from './desktop-entries.js';
import { openHints } from './hints.js';
import { openCamera } from './x11/capture.js';
import { openClipboard } from './x11/clipboard.js';
import { openClosing } from './x11/closing.js';
import type { XTest } from 'x11';
import type { XConnection } from './x11/connection.js';
import { openDropping } from './x11/dropping.js';
import { openKeyboard } from './x11/keyboard.js';
import { openInputEars } from './x11/person-input.js';
import { openPing } from './x11/ping.js';
import { openPointer } from './x11/pointer.js';
import { readProperties } from './x11/properties.js';
import { openStacking } from './x11/stacking.js';
import { openWindowManagerTurn } from './x11/wm-turn.js';
import { openWindowOps } from './x11/window-ops.js';
import { openWindows } from './x11/windows.js';

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

export type ScreenParts = Awaited<ReturnType<typeof openScreenParts>>;

export async function openScreenParts(x: XConnection, xtest: XTest, log: LinuxOptions['log']) {
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
  return { properties, windows, stack, manager, ops, closing, pointer, keyboard, clipboard, dropping, camera, ears };
}

export type ElementParts = ReturnType<typeof openElementParts>;

interface ElementOptions extends Pick<LinuxOptions, 'env' | 'processes' | 'log'> {
  connect(): Promise<XConnection>;
}

export function openElementParts({ windows }: ScreenParts, { env, processes, log, connect }: ElementOptions) {
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
  return { bus, hints, scene, looking, hitting, scrolling, secureAreas, entries, apps };
}
