/** Functions of the operating system that the app uses: settings panes, hotkey, screen lock, launch at login. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { App, DesktopCapturer, GlobalShortcut, PowerMonitor, SystemPreferences } from 'electron';
import writeFileAtomic from 'write-file-atomic';
import type { HostPaths } from '../host/paths.js';
import type { PermissionsLibrary } from '../../native/xpc/index.js';
import type { Hotkey, ScreenLock } from '../serve/menubar-app.js';
import type { Pane } from '../protocol/index.js';

/** No other address is opened for a permission. */
const PANES: Readonly<Record<Pane, string>> = {
  accessibility: 'x-apple.systempreferences:com.apple.preference.security?Privacy_Accessibility',
  screenRecording: 'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture',
  automation: 'x-apple.systempreferences:com.apple.preference.security?Privacy_Automation',
};

export function settingsAddress(pane: Pane, platform: NodeJS.Platform): string | null {
  return platform === 'darwin' ? PANES[pane] : null;
}

interface AskingParts {
  systemPreferences: Pick<SystemPreferences, 'isTrustedAccessibilityClient' | 'getMediaAccessStatus'>;
  desktopCapturer: Pick<DesktopCapturer, 'getSources'>;
}

/**
 * Has the system list the app in the pane, so that there is a switch; the system may show a question of its own. Called when the
 * person presses, never to look, and not where it is allowed. Scripts are asked about when they run.
 */
export async function askForPermission(
  electron: AskingParts,
  pane: Pane,
  library: Pick<PermissionsLibrary, 'askForScreen'> | null,
): Promise<void> {
  const { systemPreferences } = electron;
  if (pane === 'accessibility' && !systemPreferences.isTrustedAccessibilityClient(false))
    systemPreferences.isTrustedAccessibilityClient(true);
  if (pane !== 'screenRecording' || systemPreferences.getMediaAccessStatus('screen') === 'granted') return;
  if (library !== null) library.askForScreen();
  // A capture that is refused lists the app too.
  else await electron.desktopCapturer.getSources({ types: ['screen'], thumbnailSize: { width: 0, height: 0 } });
}

export function stopHotkey(
  shortcuts: Pick<GlobalShortcut, 'register' | 'unregister'>,
  platform: NodeJS.Platform,
): Hotkey & { held(): boolean } {
  let held = false;
  const [accelerator, label] =
    platform === 'darwin' ? ['Control+Alt+Command+.', '⌃⌥⌘.'] : ['Control+Alt+Super+.', 'Ctrl+Alt+Super+.'];
  return {
    label,
    held: () => held,
    register: (pressed) => (held = shortcuts.register(accelerator, pressed)),
    unregister: () => shortcuts.unregister(accelerator),
  };
}

type Absence = 'locked' | 'another user' | 'asleep';

/** Another user's session (fast user switching) is told on macOS only. */
const ABSENCES: readonly (readonly [event: string, absence: Absence, begins: boolean])[] = [
  ['lock-screen', 'locked', true],
  ['unlock-screen', 'locked', false],
  ['user-did-resign-active', 'another user', true],
  ['user-did-become-active', 'another user', false],
  ['suspend', 'asleep', true],
  ['resume', 'asleep', false],
];

/** Counts as locked too: while another user has the screen, and from sleep until the machine is awake. */
export function screenLock(monitor: PowerMonitor): ScreenLock {
  const absences = new Set<Absence>();
  const events: NodeJS.EventEmitter = monitor;
  return {
    locked: () => monitor.getSystemIdleState(1) === 'locked',
    on(listener) {
      const handlers = ABSENCES.map(([event, absence, begins]) => {
        const handler = () => {
          if (begins) absences.add(absence);
          else absences.delete(absence);
          listener(absences.size > 0);
        };
        events.on(event, handler);
        return () => events.removeListener(event, handler);
      });
      return () => handlers.forEach((remove) => remove());
    },
  };
}

export interface LoginItem {
  enabled(): boolean;
  set(on: boolean): void;
}

interface LoginOptions {
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;
  platform: NodeJS.Platform;
  command: readonly string[];
  paths: HostPaths;
  env: Readonly<Record<string, string | undefined>>;
}

/** macOS keeps a list of its own; elsewhere it is a file that every desktop reads. */
export function loginItem({ app, platform, command, paths, env }: LoginOptions): LoginItem {
  if (platform === 'darwin')
    return {
      enabled: () => app.getLoginItemSettings().openAtLogin,
      set: (on) => app.setLoginItemSettings({ openAtLogin: on }),
    };
  const file = join(configFolder(paths, env), 'autostart', 'dev.chaperone.app.desktop');
  return {
    enabled: () => readable(file),
    set(on) {
      if (!on) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileAtomic.sync(file, desktopEntry(command), { mode: 0o600 });
    },
  };
}

function configFolder(paths: HostPaths, env: LoginOptions['env']): string {
  return paths.isolated ? paths.config : env['XDG_CONFIG_HOME'] || join(homedir(), '.config');
}

function readable(file: string): boolean {
  try {
    return readFileSync(file, 'utf8') !== '';
  } catch {
    return false;
  }
}

function desktopEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Chaperone',
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Quoting of the desktop entry specification: a backslash before reserved characters, doubled again for the file; % doubled. */
function quoted(part: string): string {
  const inner = part.replace(/["`$\\]/g, (one) => `\\${one}`).replaceAll('%', '%%');
  return `"${inner.replaceAll('\\', '\\\\')}"`;
}

/** True exactly once for each state folder. */
export function isFirstRun(paths: HostPaths): boolean {
  const file = join(paths.state, 'app.json');
  if (readable(file)) return false;
  writeFileAtomic.sync(file, `${JSON.stringify({ opened: true })}\n`, { mode: 0o600 });
  return true;
}
