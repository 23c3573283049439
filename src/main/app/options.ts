import type * as electron from 'electron';
import type { Logger } from 'pino';
import type { PermissionsLibrary } from '../../native/xpc/permissions-library.js';
import type { ServiceJob } from './service-job.js';
import type { HostOptions } from '../host/index.js';

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
