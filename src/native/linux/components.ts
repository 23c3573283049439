/** The components of the backend that use the accessibility bus. */
import { type Apps, openApps, openDesktopEntries } from './apps.js';
import type { AccessibilityBus, ChangeListener } from './atspi/bus.js';
import { openDocuments } from './atspi/documents.js';
import { openHitTesting } from './atspi/hit-testing.js';
import { openElementReader } from './atspi/element-reader.js';
import { openAccessibleTree } from './atspi/accessible-tree.js';
import { openScrolling } from './atspi/scrolling.js';
import { openSecureAreas } from './atspi/secure-areas.js';
import { type Processes, watchProcesses } from './process-rest.js';
import type { DisplayServer } from './display-server.js';
import { createEmitter } from '../../base/emitter.js';
import { createThrottle } from '../../base/throttle.js';
import type { ChangeHint } from '../desktop.js';

export interface LinuxOptions {
  /** WAYLAND_DISPLAY or DISPLAY of `env`; the first of them that is set when left out. */
  display?: string;
  /** The session's environment: DISPLAY, XAUTHORITY, DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, HOME, PATH. */
  env: Record<string, string | undefined>;
  /** Variables set in every application that is opened. */
  mark?: Record<string, string>;
  processes: Processes;
  log: { info(message: string): void; warn(message: string): void };
}

export type ElementComponents = ReturnType<typeof openElementComponents>;

interface ElementOptions extends Pick<LinuxOptions, 'env' | 'processes'> {
  bus: AccessibilityBus;
}

/** Of the session bus. */
export const busAddressOf = (env: LinuxOptions['env']): string =>
  env['DBUS_SESSION_BUS_ADDRESS'] ?? `unix:path=${env['XDG_RUNTIME_DIR'] ?? '/run'}/bus`;

export function openElementComponents(
  { windows, pictures, watchWindows }: DisplayServer,
  { bus, env, processes }: ElementOptions,
) {
  const hints = openChangeHints(watchWindows, bus);
  const accessibleTree = openAccessibleTree(bus, windows, processes.lineage);
  const elementReader = openElementReader(accessibleTree);
  const hitTesting = openHitTesting(accessibleTree, elementReader, windows);
  const scrolling = openScrolling(accessibleTree, elementReader);
  const secureAreas = openSecureAreas(accessibleTree, windows, pictures.lastPaint);
  const entries = openDesktopEntries(env);
  const watchedProcesses = watchProcesses(processes);
  const apps: Apps = openApps(windows, entries, watchedProcesses, openDocuments(accessibleTree));
  return {
    bus,
    hints,
    accessibleTree,
    elementReader,
    hitTesting,
    scrolling,
    secureAreas,
    entries,
    watchedProcesses,
    apps,
  };
}

// Hints that something may have changed. Comes in: events of the display server and of AT-SPI. Goes out: a hint for each kind and process, at once and then
// one in BURST_MS while there are more.
// Events are selected, and applications send them, only while there are listeners.

/** Short compared to a reading, so that what changes during one is known at its end. */
const BURST_MS = 5;

export function openChangeHints(watchWindows: DisplayServer['watchWindows'], bus: AccessibilityBus) {
  const emitter = createEmitter<ChangeHint>();
  const pending = new Map<string, ChangeHint>();
  /** Applications that are laying out what changed, by their names on the bus. */
  const layingOut = new Set<string>();
  let watch: { stop(): Promise<void> } | null = null;
  let closed = false;

  const flush = (): void => {
    const hints = [...pending.values()];
    pending.clear();
    hints.forEach(emitter.emit);
  };
  const burst = createThrottle(flush, BURST_MS);
  const queueHint = (hint: ChangeHint): void => {
    if (emitter.size === 0) return;
    pending.set(`${hint.kind} ${hint.pid} ${hint.isLaidOut}`, hint);
    burst.later();
  };
  const tellOf = (sender: string, isLaidOut: boolean): void => {
    bus.pidOf(sender).then(
      (pid) => pid !== 0 && queueHint({ kind: 'elements', pid, ...(isLaidOut && { isLaidOut }) }),
      () => {},
    );
  };
  /** An application tells of many places at a time, and answers when it has moved all: told once, nothing moves during the reading. */
  const elementsChanged: ChangeListener = (sender, isLaidOut) => {
    if (!isLaidOut) return tellOf(sender, false);
    if (layingOut.has(sender)) return;
    layingOut.add(sender);
    void bus.heardAll(sender).then(() => {
      layingOut.delete(sender);
      tellOf(sender, true);
    });
  };

  const start = (): { stop(): Promise<void> } => {
    const stopListening = bus.listen(elementsChanged);
    const windows = watchWindows((applications) => {
      queueHint({ kind: 'windows', pid: null });
      if (applications) queueHint({ kind: 'applications', pid: null });
    });
    return {
      stop: async () => {
        stopListening();
        await windows.stop();
      },
    };
  };

  const end = async (): Promise<void> => {
    const open = watch;
    watch = null;
    burst.close();
    pending.clear();
    await open?.stop();
  };

  return {
    on: (listener: (hint: ChangeHint) => void): (() => void) => {
      if (closed) return () => {};
      const remove = emitter.on(listener);
      watch ??= start();
      return () => {
        remove();
        if (emitter.size === 0) void end();
      };
    },
    close: (): Promise<void> => {
      closed = true;
      emitter.clear();
      return end();
    },
  };
}
