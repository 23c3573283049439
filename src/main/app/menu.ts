import type { MenuItemConstructorOptions } from 'electron';
import type { Formatter } from '../../messages/index.js';
import type { UpdateStage, UpdatesShown } from './updates/index.js';
import { stateText, type TrayStatus } from './tray-status.js';

export interface MenuState extends TrayStatus {
  url: string;
  /** null: another program has it. */
  hotkey: string | null;
  paused: boolean;
  launchAtLogin: boolean;
  /** null: this package has no update address. */
  updates: UpdatesShown | null;
}

export interface MenuActions {
  open(): void;
  openBrowser(): void;
  stop(): void;
  pause(): void;
  resume(): void;
  openLogs(): void;
  launchAtLogin(on: boolean): void;
  nextOfUpdate(): void;
  updateDaily(on: boolean): void;
  quit(): void;
}

/** The tray's context menu. Stop keeps its place and never becomes Resume. */
export function menuItems(words: Formatter, shown: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
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
