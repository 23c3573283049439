/**
 * Stands in for Electron where its own program cannot be had: each window is a real page of a real Chromium, opened with
 * playwright; the rest is told. Not covered: a real tray, menus and notifications, the sandbox and context isolation of the
 * renderer, content protection as the system does it, global keys, the focus of real windows, and anything of macOS.
 */
import { EventEmitter } from 'node:events';
import type { BrowserWindowConstructorOptions } from 'electron';
import type { Electron } from '../../../src/main/app/options.js';
import { AppStandIn } from './app.js';
import { AutoUpdaterStandIn } from './auto-updater.js';
import type { Machine } from './machine.js';
import { net } from './net.js';
import { MenuStandIn, NotificationStandIn, PowerMonitorStandIn, ShortcutsStandIn, TrayStandIn } from './parts.js';
import { ScreenStandIn } from './screen.js';
import { answerRequire } from './prime.js';
import { createSafeStorage } from './safe-storage.js';
import { SessionStandIn } from './session.js';
import { createUtilityProcesses } from './utility-process.js';
import { WindowStandIn, type WindowParts } from './window.js';

export interface StandIn {
  /** What `import 'electron'` would give the app. */
  electron: Electron;
  app: AppStandIn;
  tray(): TrayStandIn;
  /** The newest one. */
  window(): WindowStandIn;
  openWindow(options?: BrowserWindowConstructorOptions): WindowStandIn;
  session(): SessionStandIn;
  notifications: NotificationStandIn[];
  powerMonitor: PowerMonitorStandIn;
  shortcuts: ShortcutsStandIn;
  screen: ScreenStandIn;
  autoUpdater: AutoUpdaterStandIn;
  /** Addresses and folders handed to the system, boxes shown, beeps. */
  /** Questions of macOS that were raised. */
  prompts: string[];
  told: { opened: string[]; boxes: string[]; beeps: number; applicationMenu: MenuStandIn | null | undefined };
}

export function createElectron(machine: Machine): StandIn {
  const app = new AppStandIn(machine);
  const ipcMain = new EventEmitter();
  const sessions = new Map<string, SessionStandIn>();
  const trays: TrayStandIn[] = [];
  const windows: WindowStandIn[] = [];
  const notifications: NotificationStandIn[] = [];
  const powerMonitor = new PowerMonitorStandIn();
  const shortcuts = new ShortcutsStandIn();
  const told: StandIn['told'] = { opened: [], boxes: [], beeps: 0, applicationMenu: undefined };
  const prompts: string[] = [];
  let ids = 0;

  const sessionOf = (partition: string) => {
    const known = sessions.get(partition) ?? new SessionStandIn();
    sessions.set(partition, known);
    return known;
  };
  const screen = new ScreenStandIn();
  const autoUpdater = new AutoUpdaterStandIn(app);

  const parts: WindowParts = {
    app,
    contents({ width = 800, height = 600, webPreferences = {} }) {
      if (machine.browser === null) throw new Error('this test has no browser');
      ids += 1;
      const colorScheme = machine.dark ? 'dark' : 'light';
      return {
        id: ids,
        session: sessionOf(webPreferences.partition ?? ''),
        context: machine.browser.newContext({ viewport: { width, height }, colorScheme }),
        preload: webPreferences.preload ?? null,
        received(channel, args, senderFrame) {
          const sender = windows.find(({ webContents }) => webContents.id === this.id)?.webContents;
          ipcMain.emit(channel, { sender, senderFrame }, ...args);
        },
      };
    },
  };

  class BrowserWindow extends WindowStandIn {
    constructor(options: BrowserWindowConstructorOptions = {}) {
      super(options, parts);
      windows.push(this);
    }
  }
  class Tray extends TrayStandIn {
    constructor(image: string) {
      super(image);
      trays.push(this);
    }
  }
  class Notification extends NotificationStandIn {
    constructor(options: ConstructorParameters<typeof NotificationStandIn>[0]) {
      super(options, machine);
      notifications.push(this);
    }
  }

  const electron = {
    app,
    BrowserWindow,
    Tray,
    Notification,
    Menu: {
      buildFromTemplate: (items: MenuStandIn['items']) => new MenuStandIn(items),
      setApplicationMenu: (menu: MenuStandIn | null) => void (told.applicationMenu = menu),
    },
    ipcMain,
    powerMonitor,
    globalShortcut: shortcuts,
    utilityProcess: createUtilityProcesses(app),
    session: { fromPartition: sessionOf },
    protocol: { registerSchemesAsPrivileged: () => undefined },
    shell: {
      openExternal: async (url: string) => void told.opened.push(url),
      openPath: async (path: string) => {
        told.opened.push(path);
        return '';
      },
      beep: () => void (told.beeps += 1),
    },
    safeStorage: createSafeStorage(machine),
    dialog: {
      showErrorBox: (title: string, content: string) => void told.boxes.push(`${title}: ${content}`),
      showMessageBox: async ({ message, buttons = [] }: Electron.MessageBoxOptions) => {
        told.boxes.push(message);
        return { response: buttons.indexOf(machine.answer), checkboxChecked: false };
      },
    },
    systemPreferences: {
      isTrustedAccessibilityClient(prompt: boolean) {
        const { accessibility } = machine.allowed;
        if (prompt && !accessibility) prompts.push('accessibility');
        return accessibility;
      },
      // As the process has it: never “not-determined”, and raising nothing.
      getMediaAccessStatus: (kind: string) =>
        kind !== 'screen' ? 'unknown' : machine.allowed.screenRecording ? 'granted' : 'denied',
    },
    desktopCapturer: {
      async getSources(_options: Electron.SourcesOptions) {
        prompts.push('screenRecording');
        throw new Error('Failed to get sources.');
      },
    },
    screen,
    autoUpdater,
    net,
  };
  answerRequire(electron);
  return {
    // What the app uses of it is held against electron.d.ts in conforms.ts.
    electron: electron as unknown as Electron,
    app,
    tray: () => last(trays, 'tray'),
    window: () => last(windows, 'window'),
    openWindow: (options) => new BrowserWindow(options),
    prompts,
    session: () => last([...sessions.values()], 'session'),
    notifications,
    powerMonitor,
    shortcuts,
    screen,
    autoUpdater,
    told,
  };
}

function last<T>(all: readonly T[], what: string): T {
  const found = all.at(-1);
  if (found === undefined) throw new Error(`there is no ${what}`);
  return found;
}
