import type { MenuItemConstructorOptions } from 'electron';
import type { Told } from './state.js';
import type { Words } from './words/en.js';

export interface MenuShown extends Told {
  url: string;
  /** null: another program has it. */
  hotkey: string | null;
  paused: boolean;
  launchAtLogin: boolean;
}

export interface MenuActs {
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
export function menuItems(words: Words, shown: MenuShown, acts: MenuActs): MenuItemConstructorOptions[] {
  const { menu, state } = words;
  return [
    { id: 'state', label: state[shown.state](shown.waiting), enabled: false },
    { id: 'address', label: shown.url, enabled: false },
    { type: 'separator' },
    { id: 'open', label: menu.open, click: acts.open },
    { id: 'browser', label: menu.browser, click: acts.openBrowser },
    { type: 'separator' },
    { id: 'stop', label: menu.stop(shown.hotkey), click: acts.stop },
    shown.paused
      ? { id: 'resume', label: menu.resume, click: acts.resume }
      : { id: 'pause', label: menu.pause, click: acts.pause },
    { type: 'separator' },
    { id: 'logs', label: menu.logs, click: acts.openLogs },
    {
      id: 'login',
      label: menu.login,
      type: 'checkbox',
      checked: shown.launchAtLogin,
      click: ({ checked }) => acts.launchAtLogin(checked),
    },
    { type: 'separator' },
    { id: 'quit', label: menu.quit, click: acts.quit },
  ];
}
