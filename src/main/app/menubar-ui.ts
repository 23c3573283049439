import type { Tray, App, MenuItemConstructorOptions } from 'electron';
import { shownAs, toPlainText, type Health, type Status } from '../protocol/index.js';
import { createAlerts, type Notices } from './alerts.js';
import { servePopoverIpc, openPopover } from './popover.js';
import type { AppOptions } from './options.js';
import { isFirstRun, type LoginItem } from './system.js';
import type { Updates, UpdateStage, UpdatesShown } from './updates/index.js';
import { join } from 'node:path';
import type { Formatter } from '../../messages/index.js';
import type { MenubarHost } from '../host/index.js';

interface MenubarUiOptions extends AppOptions {
  menubar: MenubarHost;
  notices: Notices;
  url: string;
  hotkey: string | null;
  login: LoginItem;
  updates: Updates | null;
  words: Formatter;
}

/** The app's user interface: tray, menu, popover, alerts. */
export type MenubarUi = Awaited<ReturnType<typeof openMenubarUi>>;

export async function openMenubarUi(options: MenubarUiOptions) {
  const { electron, menubar, words, platform, log } = options;
  const { app, Menu } = electron;
  // Without an Edit menu a Mac has no keys for copy and paste; no other menu, so no keys for reload or developer tools.
  Menu.setApplicationMenu(platform === 'darwin' ? Menu.buildFromTemplate([{ role: 'editMenu' }]) : null);
  const tray = new electron.Tray(trayPicture(options.icons, 'idle', platform));
  const popover = await openPopover({
    ...options,
    tray,
    assets: options.host.assets,
    onGone: () => ipc.dropPage(),
    onSecondCrash: () => notify(words.text('app.alert.broken'), words.text('app.alert.broken_text')),
  });
  const ipc = servePopoverIpc({ ipc: electron.ipcMain, contents: popover.contents, accept: menubar.accept, log });
  await popover.load();
  const alerts = createAlerts({ ...options, shell: electron.shell, popover });
  const view = createTrayView({ tray, app, icons: options.icons, platform, words });
  const show = () => void popover.show();

  function notify(title: string, body: string): void {
    options.notices.show({ title, body });
  }

  const { refresh, current } = createTrayMenu(options, { tray, view, show, notify });
  if (platform === 'darwin') tray.on('right-click', () => tray.popUpContextMenu(current()));
  app.on('second-instance', show);
  app.on('activate', show);
  const subscribed = [menubar.onChange(refresh), ...tellOfChanges(options, notify)];
  let closed = false;
  refresh();
  if (isFirstRun(options.host.paths)) show();

  return {
    popover,
    show,
    close(): void {
      if (closed) return;
      closed = true;
      subscribed.forEach((stop) => stop());
      app.removeListener('second-instance', show);
      app.removeListener('activate', show);
      alerts.close();
      ipc.close();
      popover.close();
      tray.destroy();
    },
  };
}

type Notify = (title: string, body: string) => void;

/** Of what needs no decision. */
function tellOfChanges({ menubar, updates, words }: MenubarUiOptions, notify: Notify): (() => void)[] {
  const paired = menubar.onPaired((browser) => notify(words.text('app.alert.paired'), pairedText(words, browser)));
  const updated = updates?.on((told) => notify(words.text('app.update.title'), words.format(told)));
  return updated === undefined ? [paired] : [paired, updated];
}

interface TrayMenuOptions {
  tray: Tray;
  view: TrayView;
  show(): void;
  notify: Notify;
}

function createTrayMenu(options: MenubarUiOptions, { tray, view, show, notify }: TrayMenuOptions) {
  const { electron, menubar, login, updates, words, platform, log } = options;
  const { app, Menu } = electron;
  const actions: MenuActions = {
    open: show,
    openBrowser: menubar.openBrowser,
    stop: menubar.stop,
    pause: menubar.pause,
    resume: menubar.resume,
    endTask: menubar.endTask,
    openLogs: () => void electron.shell.openPath(options.host.paths.state),
    launchAtLogin(on) {
      try {
        login.set(on);
      } catch (error) {
        log.error({ err: error }, 'app: launch at login could not be changed');
        notify(words.text('app.alert.login'), error instanceof Error ? error.message : String(error));
        // Electron has ticked the box; the menu must be set again.
        menuShown = '';
      }
      refresh();
    },
    nextOfUpdate: () => updates?.next(),
    updateDaily: (on) => updates?.setDaily(on),
    quit: () => app.quit(),
  };
  let menuShown = '';
  const shown = (): MenuState => ({
    ...trayStatus(menubar),
    url: options.url,
    hotkey: options.hotkey,
    paused: menubar.status().paused !== null,
    launchAtLogin: login.enabled(),
    updates: updates?.now() ?? null,
    // Elsewhere a menu whose words change closes under the person's pointer.
    details: platform === 'darwin',
  });
  const menu = (now: MenuState) => Menu.buildFromTemplate(menuItems(words, now, actions));

  /** On macOS a fixed menu would take the left click from the popover; elsewhere panels show nothing else. */
  function refresh(): void {
    view.show(trayStatus(menubar));
    if (platform === 'darwin') return;
    const now = shown();
    // Setting a menu closes the one that is open, so only a changed one is set.
    if (JSON.stringify(now) === menuShown) return;
    menuShown = JSON.stringify(now);
    tray.setContextMenu(menu(now));
  }

  return { refresh, current: () => menu(shown()) };
}

const pairedText = (words: Formatter, browser: string | null): string =>
  browser === null
    ? words.text('app.alert.paired_text')
    : words.text('app.alert.paired_by', { browser: toPlainText(browser) });

interface TrayView {
  show(status: TrayStatus): void;
}

/** Template pictures follow the macOS menu bar's colour; other panels get pictures that can be seen on light and dark. */
function trayPicture(icons: string, state: TrayState, platform: NodeJS.Platform): string {
  return join(icons, platform === 'darwin' ? `${state}Template.png` : `${state}.png`);
}

/** Shows the state as picture, text and number, because colour or shape alone is not enough. */
function createTrayView({
  tray,
  app,
  icons,
  platform,
  words,
}: {
  tray: Pick<Tray, 'setImage' | 'setToolTip' | 'setTitle'>;
  app: Pick<App, 'setBadgeCount'>;
  icons: string;
  platform: NodeJS.Platform;
  words: Formatter;
}): TrayView {
  let shown = '';
  return {
    show(status) {
      const { state, waiting, tasks } = status;
      const now = JSON.stringify(status);
      if (now === shown) return;
      shown = now;
      tray.setImage(trayPicture(icons, state, platform));
      tray.setToolTip(
        [`Chaperone: ${stateText(words, status)}`, ...tasks.map((task) => taskLabel(words, task))].join('\n'),
      );
      if (platform === 'darwin') tray.setTitle(waiting > 0 ? String(waiting) : '', { fontType: 'monospacedDigit' });
      app.setBadgeCount(waiting);
    },
  };
}

interface MenuState extends TrayStatus {
  url: string;
  /** null: another program has it. */
  hotkey: string | null;
  paused: boolean;
  launchAtLogin: boolean;
  /** null: this package has no update address. */
  updates: UpdatesShown | null;
  /** The menu says what is left of tasks. */
  details: boolean;
}

interface MenuActions {
  open(): void;
  openBrowser(): void;
  stop(): void;
  pause(): void;
  resume(): void;
  endTask(id: string): void;
  openLogs(): void;
  launchAtLogin(on: boolean): void;
  nextOfUpdate(): void;
  updateDaily(on: boolean): void;
  quit(): void;
}

/** The tray's context menu. Stop keeps its place and never becomes Resume. */
function menuItems(words: Formatter, shown: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    { id: 'state', label: stateText(words, shown), enabled: false },
    { id: 'address', label: shown.url, enabled: false },
    { type: 'separator' },
    { id: 'open', label: words.text('app.menu.open'), click: actions.open },
    { id: 'browser', label: words.text('app.menu.browser'), click: actions.openBrowser },
    { type: 'separator' },
    { id: 'stop', label: stopLabel(words, shown.hotkey), click: actions.stop },
    shown.paused
      ? { id: 'resume', label: words.text('app.menu.resume'), click: actions.resume }
      : { id: 'pause', label: words.text('app.menu.pause'), click: actions.pause },
    ...shown.tasks.flatMap((task) => taskItems(words, task, shown.details, actions)),
    { type: 'separator' },
    { id: 'logs', label: words.text('app.menu.logs'), click: actions.openLogs },
    {
      id: 'login',
      label: words.text('app.menu.login'),
      type: 'checkbox',
      checked: shown.launchAtLogin,
      click: ({ checked }) => actions.launchAtLogin(checked),
    },
    ...(shown.updates === null ? [] : updateItems(words, shown.updates, actions)),
    { type: 'separator' },
    { id: 'quit', label: words.text('app.menu.quit'), click: actions.quit },
  ];
}

function taskItems(
  words: Formatter,
  task: TrayTask,
  details: boolean,
  { endTask }: MenuActions,
): MenuItemConstructorOptions[] {
  const { id, purpose } = task;
  return [
    { type: 'separator' },
    ...(details ? [{ id: `task_${id}`, label: taskLabel(words, task), enabled: false }] : []),
    {
      id: `take_back_${id}`,
      label: words.text('app.menu.take_back', { purpose }),
      click: () => endTask(id),
    },
  ];
}

const taskLabel = (words: Formatter, { agent, purpose, minutes, used, acts }: TrayTask): string =>
  words.text('app.menu.task', { agent, purpose, minutes, used, acts });

const stopLabel = (words: Formatter, keys: string | null): string =>
  keys === null ? words.text('app.menu.stop') : words.text('app.menu.stop_keys', { keys });

function updateItems(
  words: Formatter,
  { stage, version, told, daily }: UpdatesShown,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const chosen = stage === 'check' || stage === 'download' || stage === 'install';
  return [
    { type: 'separator' },
    { id: 'update', label: updateLabel(words, stage, version), enabled: chosen, click: actions.nextOfUpdate },
    ...(told === null ? [] : [{ id: 'update_told', label: words.format(told), enabled: false }]),
    {
      id: 'update_daily',
      label: words.text('app.menu.update_daily'),
      type: 'checkbox',
      checked: daily,
      click: ({ checked }) => actions.updateDaily(checked),
    },
  ];
}

const updateLabel = (words: Formatter, stage: UpdateStage, version: string): string =>
  stage === 'check' || stage === 'checking'
    ? words.text(`app.menu.update_${stage}`)
    : words.text(`app.menu.update_${stage}`, { version });

export type TrayState = 'idle' | 'watching' | 'acting' | 'waiting' | 'paused' | 'missing';

export interface TrayStatus {
  state: TrayState;
  /** Waiting requests, or where there are none, waiting questions. */
  waiting: number;
  tasks: TrayTask[];
}

interface TrayTask {
  id: string;
  agent: string;
  purpose: string;
  /** What is left, rounded up. */
  minutes: number;
  used: number;
  acts: number;
}

const MINUTE_MS = 60_000;

const tasksOf = ({ agents }: Status, nameOf: MenubarHost['nameOf']): TrayTask[] =>
  agents.flatMap(({ id: agentId, name, task }) => {
    if (task == null) return [];
    const { id, purpose, endsAt, used, acts } = task;
    const minutes = Math.max(0, Math.ceil((Date.parse(endsAt) - Date.now()) / MINUTE_MS));
    return [{ id, agent: toPlainText(nameOf(agentId) ?? name), purpose: toPlainText(purpose), minutes, used, acts }];
  });

/** The state of the tray icon. Missing permissions and a pause take precedence over what waits. */
export function trayStatus(
  menubar: Pick<MenubarHost, 'status' | 'health' | 'cards' | 'questions' | 'nameOf'>,
): TrayStatus {
  const status = menubar.status();
  const waiting = new Set(menubar.cards().map(shownAs)).size || menubar.questions().length;
  return { state: trayState(status, menubar.health(), waiting), waiting, tasks: tasksOf(status, menubar.nameOf) };
}

function trayState({ state, agents }: Status, health: Health | null, waiting: number): TrayState {
  const permissions = Object.values(health?.permissions ?? {});
  if (permissions.some((one) => one === 'missing' || one === 'stale')) return 'missing';
  if (state === 'paused') return state;
  if (waiting > 0) return 'waiting';
  if (state === 'acting') return state;
  return agents.length === 0 ? 'idle' : 'watching';
}

export const stateText = (words: Formatter, { state, waiting }: Pick<TrayStatus, 'state' | 'waiting'>): string =>
  state === 'waiting' ? words.text('app.state.waiting', { waiting }) : words.text(`app.state.${state}`);
