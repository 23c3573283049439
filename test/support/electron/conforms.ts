/** Checked by the compiler only: what the app uses of Electron takes the same arguments here and gives what electron.d.ts says. */
import type * as electron from 'electron';
import type { AppStandIn } from './app.js';
import type { AutoUpdaterStandIn } from './auto-updater.js';
import type { ContentsStandIn } from './contents.js';
import type { MenuStandIn, NotificationStandIn, PowerMonitorStandIn, ShortcutsStandIn, TrayStandIn } from './parts.js';
import type { createSafeStorage } from './safe-storage.js';
import type { SessionStandIn } from './session.js';
import type { UtilityProcessStandIn } from './utility-process.js';
import type { WindowStandIn } from './window.js';

type Told<T> = T extends electron.WebContents | electron.Session | electron.Menu ? unknown : T;

/** `true` for each member that may stand in for the real one; else which one, and why not. */
type Conforms<Real, Fake, Names extends keyof Real & keyof Fake> = {
  [Name in Names]: Real[Name] extends (...args: infer Args) => infer Result
    ? Fake[Name] extends (...args: never[]) => infer Given
      ? Args extends Parameters<Fake[Name]>
        ? [Given] extends [Told<Result>]
          ? true
          : [Name, 'gives something else']
        : Parameters<Fake[Name]> extends Partial<Args>
          ? true
          : [Name, 'takes other arguments']
      : [Name, 'is no function']
    : true;
}[Names];

type Ok<Verdict extends true> = Verdict;

export type Checked = [
  Ok<
    Conforms<
      electron.App,
      AppStandIn,
      | 'setName'
      | 'setPath'
      | 'getAppPath'
      | 'enableSandbox'
      | 'isReady'
      | 'whenReady'
      | 'getPreferredSystemLanguages'
      | 'setBadgeCount'
      | 'setLoginItemSettings'
      | 'getLoginItemSettings'
      | 'hide'
      | 'requestSingleInstanceLock'
      | 'releaseSingleInstanceLock'
      | 'quit'
      | 'exit'
      | 'isPackaged'
      | 'getPath'
      | 'getName'
      | 'getVersion'
      | 'relaunch'
    >
  >,
  Ok<
    Conforms<
      electron.BrowserWindow,
      WindowStandIn,
      | 'loadURL'
      | 'getSize'
      | 'setPosition'
      | 'setContentProtection'
      | 'setVisibleOnAllWorkspaces'
      | 'isAlwaysOnTop'
      | 'isVisible'
      | 'isFocused'
      | 'isDestroyed'
      | 'getBounds'
      | 'show'
      | 'showInactive'
      | 'hide'
      | 'destroy'
    >
  >,
  Ok<Conforms<electron.WebContents, ContentsStandIn, 'isDestroyed' | 'loadURL' | 'send' | 'id'>>,
  Ok<Conforms<electron.Session, SessionStandIn, 'setSpellCheckerEnabled'>>,
  Ok<Conforms<electron.Tray, TrayStandIn, 'setToolTip' | 'setTitle' | 'getBounds' | 'destroy'>>,
  Ok<Conforms<electron.Notification, NotificationStandIn, 'show' | 'close' | 'title' | 'body' | 'silent'>>,
  Ok<Conforms<electron.UtilityProcess, UtilityProcessStandIn, 'postMessage' | 'kill' | 'pid'>>,
  Ok<Conforms<electron.PowerMonitor, PowerMonitorStandIn, 'getSystemIdleState'>>,
  Ok<Conforms<electron.AutoUpdater, AutoUpdaterStandIn, 'setFeedURL' | 'checkForUpdates' | 'quitAndInstall'>>,
  Ok<Conforms<electron.GlobalShortcut, ShortcutsStandIn, 'register' | 'unregister'>>,
  Ok<Conforms<electron.Menu, MenuStandIn, 'items'>>,
  Ok<
    Conforms<
      electron.SafeStorage,
      ReturnType<typeof createSafeStorage>,
      'isAsyncEncryptionAvailable' | 'encryptStringAsync' | 'decryptStringAsync'
    >
  >,
];
