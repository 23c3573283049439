import type { BrowserWindow, RenderProcessGoneDetails, Tray, WebContents } from 'electron';
import { menubar, type Menubar } from 'menubar';
import type { Logger } from 'pino';
import type { Electron } from './options.js';
import { hardenSession } from './harden.js';
import { PAGE, serveFolder } from './scheme.js';

const SIZE = { width: 400, height: 600 } as const;
const PARTITION = 'persist:chaperone';
/** A second crash within this time causes no further reload. */
const RELOAD_INTERVAL_MS = 60_000;

interface PopoverOptions {
  electron: Electron;
  tray: Tray;
  preload: string;
  platform: NodeJS.Platform;
  /** Folder of the built page. */
  assets: string;
  /** The page was closed, reloaded or crashed. */
  onGone(): void;
  /** It crashed twice within a minute; it is loaded when it is next shown. */
  onSecondCrash(): void;
  log: Logger;
}

export interface Popover {
  contents(): WebContents | null;
  load(): Promise<void>;
  /** In front, with the focus. */
  show(): Promise<void>;
  /** Without taking the focus. */
  showInactive(): void;
  hide(): void;
  /** It is visible and has the focus. */
  hasFocus(): boolean;
  close(): void;
}

/** A small window under the tray icon. The menubar package places it; security and visibility are decided here. */
export async function openPopover(options: PopoverOptions): Promise<Popover> {
  const { electron, tray, assets, log } = options;
  const session = electron.session.fromPartition(PARTITION);
  hardenSession(session);
  session.protocol.handle('app', serveFolder(assets));
  const instance = createMenubar(options);
  let ending = false;
  let crashedTwice = false;
  let crashedAt = Number.NEGATIVE_INFINITY;
  const logFailure = (error: unknown) => log.error({ err: error }, 'app: the popover could not be shown');
  const window = () => {
    const made = instance.window;
    return made === undefined || made.isDestroyed() ? null : made;
  };

  function prepare(made: BrowserWindow): void {
    made.setContentProtection(true);
    made.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true, skipTransformProcessType: true });
    made.setAlwaysOnTop(true, 'pop-up-menu');
    // menubar forgets a window that is asked to close; this one only hides, so that nothing has to be loaded when a card comes.
    made.removeAllListeners('close');
    made.on('close', (event) => {
      if (ending) return;
      event.preventDefault();
      hide();
    });
    const { webContents } = made;
    webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) options.onGone();
    });
    webContents.on('destroyed', options.onGone);
    webContents.on('render-process-gone', (_event, details) => crashed(details));
  }

  function load(): Promise<void> {
    crashedTwice = false;
    return window()?.loadURL(PAGE).catch(logFailure) ?? Promise.resolve();
  }

  /** Reloads once; a page that keeps crashing would only flicker. */
  function crashed(details: RenderProcessGoneDetails): void {
    options.onGone();
    if (ending || details.reason === 'clean-exit') return;
    log.error({ reason: details.reason, exitCode: details.exitCode }, 'app: the popover crashed');
    const again = Date.now() - crashedAt < RELOAD_INTERVAL_MS;
    crashedAt = Date.now();
    if (!again) return void load();
    crashedTwice = true;
    hide();
    options.onSecondCrash();
  }

  function hide(): void {
    const shown = window();
    instance.hideWindow();
    if (shown?.isVisible() === true) shown.hide();
  }

  await new Promise<void>((resolve) => {
    instance.on('before-load', () => {
      const made = window();
      if (made !== null) prepare(made);
    });
    instance.on('ready', resolve);
  });
  instance.on('focus-lost', hide);
  instance.on('show', () => {
    if (crashedTwice) void load();
  });
  const placement = keepUnderIcon(electron.screen, tray, instance);

  return {
    contents: () => window()?.webContents ?? null,
    load,
    // The icon's place now: without it menubar takes the place of the last click, perhaps on another display.
    show: () => instance.showWindow(tray.getBounds()).catch(logFailure),
    showInactive() {
      const shown = window();
      if (shown === null || shown.isVisible() || crashedTwice) return;
      placement.apply(shown);
      shown.showInactive();
    },
    hide,
    hasFocus: () => window()?.isVisible() === true && window()?.isFocused() === true,
    close() {
      ending = true;
      placement.close();
      window()?.destroy();
      session.protocol.unhandle('app');
    },
  };
}

/** Places the window under the icon, again whenever a display comes, goes or has another place or size while it is shown. */
function keepUnderIcon(screen: NodeJS.EventEmitter, tray: Tray, instance: Menubar) {
  function apply(window: BrowserWindow): void {
    const place = instance.positioner.calculate(instance.getOption('windowPosition') ?? 'topRight', tray.getBounds());
    window.setPosition(Math.round(place.x), Math.round(place.y));
  }
  function follow(): void {
    if (instance.window?.isDestroyed() === false && instance.window.isVisible()) apply(instance.window);
  }
  const events = ['display-added', 'display-removed', 'display-metrics-changed'];
  for (const event of events) screen.on(event, follow);
  return { apply, close: () => events.forEach((event) => screen.removeListener(event, follow)) };
}

function createMenubar({ electron, tray, assets, preload, platform }: PopoverOptions) {
  return menubar({
    tray,
    dir: assets,
    // Loaded below, where a failure is seen.
    index: false,
    preloadWindow: true,
    activateWithApp: false,
    showDockIcon: false,
    showOnAllWorkspaces: false,
    tooltip: 'Chaperone',
    browserWindow: {
      ...windowOptions(electron, preload),
      // It takes the keys without making this app the active one, so the app before it is still that once it hides.
      ...(platform === 'darwin' ? { type: 'panel' } : {}),
    },
  });
}

function windowOptions({ app }: Electron, preload: string): Electron.BrowserWindowConstructorOptions {
  return {
    ...SIZE,
    title: 'Chaperone',
    show: false,
    frame: false,
    resizable: false,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    skipTaskbar: true,
    alwaysOnTop: true,
    webPreferences: {
      preload,
      partition: PARTITION,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      safeDialogs: true,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  };
}
