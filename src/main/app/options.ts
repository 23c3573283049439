import { execFileSync } from 'node:child_process';
import type * as electron from 'electron';
import type { App } from 'electron';
import type { Logger } from 'pino';
import type { PermissionsLibrary, LoadedAddon } from '../../native/xpc/index.js';
import type { HostOptions } from '../host/index.js';
import { message } from '../../messages/index.js';
import { BRIDGE_SERVICE } from '../protocol/local-command.js';
import type { ServiceOffer } from '../serve/bridge-service.js';

/** What `import 'electron'` gives the main process; handed down, so that tests can stand in for it. */
export type Electron = typeof electron;

export interface AppOptions {
  electron: Electron;
  host: Omit<HostOptions, 'menubarApp' | 'log'>;
  log: Logger;
  /** The bundled preload script. */
  preload: string;
  /** Folder of the tray's pictures. */
  icons: string;
  platform: NodeJS.Platform;
  /** The packaged app on macOS: the service's place in launchd. */
  serviceJob?: ServiceJob;
  /** Asks macOS for Screen Recording; where it was not built, Electron does. */
  permissions?: Pick<PermissionsLibrary, 'askForScreen'> | null;
  /** The file in the package with the update address; absent where a package cannot be updated. */
  updateConfig?: string;
  /** Of the daily check for updates; tests shorten it. */
  updateEveryMs?: number;
  /** Program and arguments that start this app at login. */
  command: readonly string[];
  /** Delays before each further notification of a waiting card, in ms; tests shorten it. */
  remindAfterMs?: readonly number[];
}

// The bridge service and launchd. Only the process that launchd started for the service gets its name, so the app that a person opened hands over to it.

const LAUNCHCTL = '/bin/launchctl';
const LAUNCHCTL_MS = 5_000;

/** One that never was registered is `not-found`; `not-registered` comes after that only. What the person switched off is neither. */
const UNREGISTERED: ReadonlySet<string> = new Set(['not-found', 'not-registered']);

export type ServiceJob = ReturnType<typeof createServiceJob>;

interface ServiceJobOptions {
  app: Pick<App, 'getLoginItemSettings' | 'setLoginItemSettings'>;
  addon: LoadedAddon;
  pid?: number;
  uid?: number;
  /** Output of launchctl; throws where it fails. */
  launchctl?: (args: readonly string[]) => string;
}

const run = (args: readonly string[]): string =>
  execFileSync(LAUNCHCTL, args, { encoding: 'utf8', timeout: LAUNCHCTL_MS, stdio: ['ignore', 'pipe', 'ignore'] });

export function createServiceJob({
  app,
  addon,
  pid = process.pid,
  uid = process.getuid?.() ?? 0,
  launchctl = run,
}: ServiceJobOptions) {
  const item = { type: 'agentService', serviceName: `${BRIDGE_SERVICE}.plist` } as const;
  const status = () => app.getLoginItemSettings(item).status;

  /** launchd's own word, which no variable of the environment can imitate. */
  function jobPid(): number | null {
    try {
      const [, found] = /"PID" = (\d+);/.exec(launchctl(['list', BRIDGE_SERVICE])) ?? [];
      return found === undefined ? null : Number(found);
    } catch {
      // Not registered.
      return null;
    }
  }

  function kickstart(...options: string[]): boolean {
    try {
      launchctl(['kickstart', ...options, `gui/${uid}/${BRIDGE_SERVICE}`]);
      return true;
    } catch {
      return false;
    }
  }

  const isOwn = () => jobPid() === pid;
  return {
    /** Whether launchd started this process for the service. */
    isOwn,
    /** Whether launchd started another process for it, which waits for this one's place. */
    isAnother: (): boolean => ![null, pid].includes(jobPid()),
    /** Registers the service where nobody has switched it off, then has launchd start it. False where that did not work. */
    start(): boolean {
      // launchd would start the app for every client, and none would be answered.
      if (addon.kind === 'absent') return false;
      try {
        if (UNREGISTERED.has(status())) app.setLoginItemSettings({ ...item, openAtLogin: true });
        return status() === 'enabled' && kickstart();
      } catch {
        return false;
      }
    },
    /** Has launchd end this process and start another one for the service. False where that did not work. */
    restart: (): boolean => isOwn() && kickstart('-k'),
    /** What this process can offer its host. */
    offer(): ServiceOffer {
      if (addon.kind === 'absent') return { kind: 'unavailable', why: message('service.no_addon', { why: addon.why }) };
      if (isOwn()) return { kind: 'available', addon: addon.addon, requirement: null };
      const now = status();
      // Still, after `start`: macOS registers none of an app that is not signed, or has been moved.
      const state = now === 'requires-approval' ? 'approval' : UNREGISTERED.has(now) ? 'refused' : 'other';
      return { kind: 'unavailable', why: message('service.not_registered', { state }) };
    },
  };
}
