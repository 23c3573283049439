import type { BrowserWindow, RenderProcessGoneDetails, Tray, WebContents, IpcMain, IpcMainEvent } from 'electron';
import { menubar, type Menubar } from 'menubar';
import type { Logger } from 'pino';
import type { Electron } from './options.js';
import { hardenSession, PAGE, serveFolder, isPage } from './scheme.js';
import { readJson } from '../protocol/json.js';
import type { PageSocket } from '../serve/page/page.js';

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

const CHANNELS = { open: 'chaperone:open', send: 'chaperone:send', message: 'chaperone:message' } as const;

interface PopoverIpcOptions {
  ipc: Pick<IpcMain, 'on' | 'removeListener'>;
  /** The popover's present contents. */
  contents(): WebContents | null;
  accept(socket: PageSocket): void;
  log: Logger;
}

/** The popover's page ⇄ the host. Each message is taken only from the main frame of the popover's own page. */
export function servePopoverIpc({ ipc, contents, accept, log }: PopoverIpcOptions) {
  let current: ReturnType<typeof openSocket> | null = null;

  function trusted(event: IpcMainEvent): boolean {
    const popover = contents();
    const good = popover !== null && isMainFrame(event, popover);
    if (!good)
      log.warn({ sender: event.sender.id }, 'app: a message from a sender that is not the popover was refused');
    return good;
  }

  function onOpen(event: IpcMainEvent): void {
    if (!trusted(event)) return;
    drop();
    current = openSocket(event.sender);
    accept(current.socket);
  }

  function onSend(event: IpcMainEvent, text: unknown): void {
    if (trusted(event)) current?.receive(text);
  }

  function drop(): void {
    current?.gone();
    current = null;
  }

  ipc.on(CHANNELS.open, onOpen);
  ipc.on(CHANNELS.send, onSend);
  return {
    /** The page has gone: reloaded, crashed or closed. */
    dropPage: drop,
    close(): void {
      ipc.removeListener(CHANNELS.open, onOpen);
      ipc.removeListener(CHANNELS.send, onSend);
      drop();
    },
  };
}

/** Reading a destroyed frame throws; that counts as untrusted. */
function isMainFrame(event: IpcMainEvent, popover: WebContents): boolean {
  try {
    const { sender, senderFrame: frame } = event;
    if (sender !== popover || popover.isDestroyed() || frame === null) return false;
    return frame === popover.mainFrame && frame.parent === null && isPage(frame.url);
  } catch {
    return false;
  }
}

function openSocket(contents: WebContents) {
  let limit = 0;
  let ended = false;
  let listener: (message: unknown) => void = () => undefined;
  const closing = new Set<() => void>();

  function gone(): void {
    if (ended) return;
    ended = true;
    for (const each of closing) each();
  }

  function post(text: string | null): void {
    if (!contents.isDestroyed()) contents.send(CHANNELS.message, text);
  }

  const socket: PageSocket = {
    async sendText(text) {
      if (ended || contents.isDestroyed()) throw new Error('the popover has gone');
      post(text);
    },
    onMessage: (given) => (listener = given),
    onClose: (given) => void closing.add(given),
    close() {
      if (ended) return;
      gone();
      post(null);
    },
    setLimit: (bytes) => (limit = bytes),
  };

  return {
    socket,
    gone,
    receive(text: unknown): void {
      if (ended) return;
      if (typeof text !== 'string' || text.length > limit) return socket.close('a message is over the size limit');
      listener(readJson(text));
    },
  };
}
