/** Where updates come from: electron-updater reads the channel, fetches and compares the checksum; macOS checks the signature and installs. */
import type { AutoUpdater } from 'electron';
import { MacUpdater } from 'electron-updater';
import { message, type Message } from '../../../messages/index.js';
import { toPlainText } from '../../protocol/index.js';

export interface Found {
  version: string;
  than: 'newer' | 'same' | 'older';
}

export type UpdateSource = ReturnType<typeof openSource>;

interface SourceOptions {
  autoUpdater: AutoUpdater;
  /** The file with the address. */
  config: string;
}

/** Sent where the library would send an id that is kept for this installation: everybody's is the same. */
const NOBODY = { 'x-user-staging-id': '00000000-0000-0000-0000-000000000000' };

export function openSource({ autoUpdater, config }: SourceOptions) {
  const updater = new MacUpdater();
  updater.updateConfigPath = config;
  updater.logger = null;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableDifferentialDownload = true;
  updater.requestHeaders = NOBODY;
  return {
    /** Asks the update address what the newest version is. */
    async check(): Promise<Found> {
      const result = await updater.checkForUpdates();
      if (result === null) throw new Error('only the packaged app has updates');
      const { isUpdateAvailable, updateInfo } = result;
      const order = updater.currentVersion.compare(updateInfo.version);
      return { version: updateInfo.version, than: isUpdateAvailable ? 'newer' : order > 0 ? 'older' : 'same' };
    },
    /** Fetches what was found. Rejects where it is not what was published. */
    async download(): Promise<void> {
      await updater.downloadUpdate();
    },
    /** Hands it to macOS. Rejects where that does not take the signature. */
    verify: (): Promise<void> => verify(autoUpdater),
    /** Ends the app; macOS replaces and starts it. Nothing of the app may be open. */
    restart: (): void => autoUpdater.quitAndInstall(),
  };
}

/** The library has made the download the address that macOS fetches from. */
function verify(autoUpdater: AutoUpdater): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      autoUpdater.removeListener('update-downloaded', taken);
      autoUpdater.removeListener('error', refused);
      act();
    };
    const taken = () => settle(resolve);
    const refused = (error: Error) => settle(() => reject(error));
    autoUpdater.on('update-downloaded', taken);
    autoUpdater.on('error', refused);
    autoUpdater.checkForUpdates();
  });
}

const MAX_REASON_CHARS = 120;

/** Why asking or fetching failed, with what to do. */
export function failureOf(error: unknown): Message {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'ERR_CHECKSUM_MISMATCH') return message('app.update.checksum');
  const unusable = typeof code === 'string' && code.startsWith('ERR_UPDATER_');
  return message(unusable ? 'app.update.unusable' : 'app.update.unreachable', { why: reasonOf(error) });
}

export const refusalOf = (error: unknown): Message => message('app.update.refused', { why: reasonOf(error) });

/** In one line: the library's texts go on with whole answers of the server. */
function reasonOf(error: unknown): string {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return toPlainText(first, MAX_REASON_CHARS);
}
