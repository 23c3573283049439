/**
 * Updates of the packaged app. Comes in: what a person chooses in the menu. Goes out: what the menu shows, a sentence for each outcome, and
 * at the end the request to end the app for its new version. Nothing of the host reaches this, so no agent does.
 */
import type { Logger } from 'pino';
import { createEmitter } from '../../../base/emitter.js';
import { message, type Message } from '../../../messages/index.js';
import { VERSION } from '../../protocol/local-command.js';
import { readFileSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { errno } from '../../../base/type-guards.js';
import type { AutoUpdater } from 'electron';
import { MacUpdater } from 'electron-updater';
import { toPlainText } from '../../protocol/index.js';

/** Where updates come from: electron-updater reads the channel, fetches and compares the checksum; macOS checks the signature and installs. */
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

export type UpdateStage = 'check' | 'checking' | 'download' | 'downloading' | 'install' | 'installing';

export interface UpdatesShown {
  /** What the entry does when it is chosen, or what is being done. */
  stage: UpdateStage;
  /** The version found; empty before. */
  version: string;
  /** The latest outcome. */
  told: Message | null;
  daily: boolean;
}

export interface Updates {
  now(): UpdatesShown;
  /** The person chose the entry: the next step, and no other. */
  next(): void;
  setDaily(on: boolean): void;
  /** Outcomes, as sentences: the latest, if there is one, and each that follows. */
  on(listener: (told: Message) => void): () => void;
  close(): void;
}

interface UpdatesOptions {
  source: UpdateSource;
  /** Keeps whether it is asked daily, and when it was. */
  file: string;
  /** Of the daily check; tests shorten it. */
  everyMs?: number;
  /** Acts once no call runs and no request waits; says first where one does. */
  whenIdle(how: { act(): void; onWait(): void; signal: AbortSignal }): void;
  /** Ends the app in order, then calls `last`. */
  endApp(last: () => void): void;
  log: Logger;
}

export function createUpdates({ source, file, everyMs, whenIdle, endApp, log }: UpdatesOptions): Updates {
  const outcomes = createEmitter<Message>((error) => log.error({ err: error }, 'app: updates'));
  const closed = new AbortController();
  let stage: UpdateStage = 'check';
  let version = '';
  let told: Message | null = null;

  function tell(outcome: Message, next: UpdateStage): void {
    stage = next;
    told = outcome;
    outcomes.emit(outcome);
  }

  function fail(error: unknown, outcome: Message): void {
    if (closed.signal.aborted) return;
    log.warn({ err: error }, 'app: an update failed');
    tell(outcome, 'check');
  }

  async function check(asked: boolean): Promise<void> {
    stage = 'checking';
    try {
      const found = await source.check();
      daily.checked();
      ({ version } = found);
      if (found.than === 'newer') return tell(message('app.update.available', { version }), 'download');
      stage = 'check';
      if (asked) tell(notNewer(found), 'check');
    } catch (error) {
      daily.checked();
      if (asked) return fail(error, failureOf(error));
      stage = 'check';
      log.info({ err: error }, 'app: the daily check for updates failed');
    }
  }

  async function download(): Promise<void> {
    stage = 'downloading';
    try {
      await source.download();
      tell(message('app.update.ready', { version }), 'install');
    } catch (error) {
      fail(error, failureOf(error));
    }
  }

  async function install(): Promise<void> {
    stage = 'installing';
    try {
      await source.verify();
    } catch (error) {
      return fail(error, refusalOf(error));
    }
    whenIdle({
      act: () => endApp(source.restart),
      onWait: () => tell(message('app.update.waits', { version }), 'installing'),
      signal: closed.signal,
    });
  }

  const daily = createDailyCheck({ file, everyMs, log, check: () => void (stage === 'check' && check(false)) });
  return {
    now: () => ({ stage, version, told, daily: daily.on() }),
    next() {
      if (stage === 'check') void check(true);
      else if (stage === 'download') void download();
      else if (stage === 'install') void install();
    },
    setDaily: daily.set,
    on(listener) {
      if (told !== null) listener(told);
      return outcomes.on(listener);
    },
    close() {
      closed.abort();
      daily.close();
    },
  };
}

const notNewer = ({ version, than }: Found): Message =>
  than === 'older'
    ? message('app.update.older', { version, current: VERSION })
    : message('app.update.newest', { version });

const DAY_MS = 24 * 60 * 60_000;
const schema = z.object({ daily: z.boolean(), checkedAt: z.number().catch(0) });
type Kept = z.infer<typeof schema>;

interface DailyOptions {
  file: string;
  everyMs?: number | undefined;
  check(): void;
  log: Logger;
}

/** Asks once a day where the person has switched that on. */
function createDailyCheck({ file, everyMs = DAY_MS, check, log }: DailyOptions) {
  let kept = read(file, log);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function schedule(): void {
    clearTimeout(timer);
    if (closed || !kept.daily) return;
    const wait = Math.min(Math.max(kept.checkedAt + everyMs - Date.now(), 0), everyMs);
    timer = setTimeout(() => {
      keep({ ...kept, checkedAt: Date.now() });
      check();
    }, wait).unref();
  }

  function keep(next: Kept): void {
    kept = next;
    try {
      writeFileAtomic.sync(file, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    } catch (error) {
      log.error({ err: error }, 'app: the settings of updates could not be kept');
    }
    schedule();
  }

  schedule();
  return {
    on: (): boolean => kept.daily,
    set: (daily: boolean): void => keep({ ...kept, daily }),
    /** The address was asked just now, for whatever reason. */
    checked(): void {
      if (kept.daily) keep({ ...kept, checkedAt: Date.now() });
    },
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}

function read(file: string, log: Logger): Kept {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (errno(error) !== 'ENOENT') log.warn({ err: error }, 'app: the settings of updates cannot be read');
    return { daily: false, checkedAt: 0 };
  }
}
