import type { MenuItemConstructorOptions } from 'electron';
import type { Formatter } from '../../messages/index.js';
import { stateText, type TrayStatus } from './tray-status.js';

export interface MenuState extends TrayStatus {
  url: string;
  /** null: another program has it. */
  hotkey: string | null;
  paused: boolean;
  launchAtLogin: boolean;
}

export interface MenuActions {
  open(): void;
  openBrowser(): void;
  stop(): void;
  pause(): void;
  resume(): void;
  openLogs(): void;
  launchAtLogin(on: boolean): void;
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
    { type: 'separator' },
    { id: 'quit', label: words.text('app.menu.quit'), click: actions.quit },
  ];
}

const stopLabel = (words: Formatter, keys: string | null): string =>
  keys === null ? words.text('app.menu.stop') : words.text('app.menu.stop_keys', { keys });
