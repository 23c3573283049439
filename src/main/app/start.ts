import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backOff } from 'exponential-backoff';
import { formatterFor } from '../../messages/catalogues.js';
import { formatEnglish, message, textOf, type Formatter } from '../../messages/index.js';
import { createHost, type Host, type MenubarApp, type MenubarHost } from '../host/index.js';
import { createInPlace } from '../cli/handover.js';
import { createHelperStart } from './desktop-helpers.js';
import { openHeadKey, type OpenedHeadKey } from './head-key.js';
import { hardenContents, createLinkOpener, SCHEME } from './scheme.js';
import { Notices } from './alerts.js';
import type { AppOptions } from './options.js';
import { openMenubarUi, type MenubarUi } from './menubar-ui.js';
import type { Updates } from './updates/index.js';
import { loginItem, askForPermission, settingsAddress, screenLock, stopHotkey } from './system.js';
import type { EventEmitter } from 'node:events';
import { QUESTION_TOOL } from '../protocol/local-command.js';
import type { Logger } from 'pino';
import { parse } from 'yaml';
import * as z from 'zod';
import { errno } from '../../base/type-guards.js';

/** The running app. */
export interface RunningApp {
  host: Host;
  ui: MenubarUi;
}

const PLACE_RETRIES = { numOfAttempts: 120, startingDelay: 250, timeMultiple: 1 };

/** Resolves null where this was the second start, or where it could not be started; the app then ends by itself. */
export async function startApp(options: AppOptions): Promise<RunningApp | null> {
  const { electron, log } = options;
  const { app } = electron;
  // All of this has to come before the app is ready, so nothing here waits.
  const folder = join(options.host.paths.state, 'app');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setName('Chaperone');
  app.setPath('userData', folder);
  app.enableSandbox();
  electron.protocol.registerSchemesAsPrivileged([SCHEME]);
  const place = app.requestSingleInstanceLock()
    ? 'taken'
    : options.serviceJob?.isOwn() === true
      ? 'awaited'
      : 'another’s';
  if (place === 'another’s') {
    app.quit();
    return null;
  }
  const openOutside = createLinkOpener(electron.shell, log);
  hardenContents(app, openOutside);
  // Without a listener Electron ends with its last window.
  app.on('window-all-closed', () => undefined);
  await app.whenReady();
  if (place === 'awaited' ? await waitForPlace(app) : !handedToService(options)) return open(options, openOutside);
  app.quit();
  return null;
}

/** The app that holds the lock gives it up when it sees that launchd has started this one. False where it does not. */
function waitForPlace(app: AppOptions['electron']['app']): Promise<boolean> {
  const take = async () => app.requestSingleInstanceLock() || Promise.reject(new Error('another app still runs'));
  return backOff(take, PLACE_RETRIES).catch(() => false);
}

/** Where launchd can start the app for the service, it does, and this one is to end before it has opened anything. */
function handedToService({ electron: { app }, serviceJob }: AppOptions): boolean {
  if (serviceJob === undefined || serviceJob.isOwn()) return false;
  app.releaseSingleInstanceLock();
  return serviceJob.start() || !app.requestSingleInstanceLock();
}

/** Ends the app where it cannot be opened, or was to quit meanwhile. */
async function open(options: AppOptions, openOutside: (address: string) => void): Promise<RunningApp | null> {
  const { electron, platform, log } = options;
  const { app } = electron;
  const words = formatterFor(app.getPreferredSystemLanguages());
  const stateDir = options.host.paths.state;
  const key = await openHeadKey({ safeStorage: electron.safeStorage, platform, stateDir, log });
  const early = new EarlyQuit(app, electron.powerMonitor);
  try {
    const running = await openParts({ ...options, words, openOutside, key });
    if (!early.release()) return running;
    app.quit();
    return null;
  } catch (error) {
    early.release();
    log.fatal({ err: error }, 'app: it could not start');
    electron.dialog.showErrorBox(words.text('app.failed'), words.format(textOf(error)));
    app.exit(1);
    return null;
  }
}

interface PartsOptions extends AppOptions {
  words: Formatter;
  openOutside(address: string): void;
  key: OpenedHeadKey;
}

async function openParts({ words, openOutside, key, ...options }: PartsOptions): Promise<RunningApp> {
  const { electron, platform } = options;
  const { app } = electron;
  let ui: MenubarUi | null = null;
  let running: { host: Host; endApp: EndApp } | null = null;
  const hotkey = stopHotkey(electron.globalShortcut, platform);
  const menubarApp: MenubarApp = {
    showPopover: () => ui?.show(),
    openInBrowser: openOutside,
    openPermission: permissionPanes(options),
    relaunch() {
      if (running === null || !isIdle(running.host.menubar)) return false;
      running.endApp(() => {
        // launchd ends all that its job has started, also what Electron would start this app with.
        if (options.serviceJob?.restart() !== true) app.relaunch();
        app.quit();
      });
      return true;
    },
    hotkey,
    screenLock: screenLock(electron.powerMonitor),
  };
  const notices = new Notices(electron);
  const host = await createAppHost(options, menubarApp, notices, key);
  const { paths, env } = options.host;
  const login = loginItem({ app, platform, command: options.command, paths, env });
  const { menubar, url } = host;
  const stopKeys = hotkey.held() ? hotkey.label : null;
  const updates = await openUpdates(options, menubar, (last) => running?.endApp(last));
  ui = await openMenubarUi({ ...options, notices, menubar, url, hotkey: stopKeys, login, updates, words });
  running = { host, endApp: endWithApp(options, { host, ui, updates }) };
  return { host, ui };
}

function permissionPanes({ electron, platform, permissions, log }: AppOptions): MenubarApp['openPermission'] {
  return (pane) => {
    const address = settingsAddress(pane, platform);
    if (address === null) return false;
    askForPermission(electron, pane, permissions ?? null).catch((error: unknown) =>
      log.info({ err: error }, 'app: asked the system'),
    );
    electron.shell.openExternal(address).catch((error: unknown) => log.error({ err: error }, 'app: a settings pane'));
    return true;
  };
}

/** A host that an agent's shim started in the background makes room for the app; one in the person's terminal does not. */
async function createAppHost(
  options: AppOptions,
  menubarApp: MenubarApp,
  notices: Notices,
  { headKey, issues }: OpenedHeadKey,
): Promise<Host> {
  const { electron, host, log, serviceJob } = options;
  const service = serviceJob?.offer();
  const startHelper = createHelperStart(electron.utilityProcess);
  const create = () =>
    createHost({
      ...{ ...host, log, menubarApp, startHelper },
      ...(service === undefined ? {} : { service }),
      ...(headKey === undefined ? {} : { headKey }),
      appIssues: () => [...issues, ...notices.issues()],
    });
  return createInPlace(create, { name: 'chaperone-app', env: host.env, paths: host.paths });
}

/** null where this package has no update address: nothing of updates is loaded then. */
async function openUpdates(options: AppOptions, menubar: MenubarHost, endApp: EndApp): Promise<Updates | null> {
  const { electron, updateConfig: config, updateEveryMs: everyMs, host, log } = options;
  if (config === undefined || updateAddress(config, log) === null) return null;
  const [{ createUpdates }, { openSource }] = await Promise.all([
    import('./updates/index.js'),
    import('./updates/index.js'),
  ]);
  return createUpdates({
    source: openSource({ autoUpdater: electron.autoUpdater, config }),
    file: join(host.paths.state, 'updates.json'),
    ...(everyMs === undefined ? {} : { everyMs }),
    whenIdle: (how) => whenIdle({ menubar, ...how }),
    endApp: (last) =>
      endApp(() => {
        // Nothing of the app is open any more, so one that is not replaced ends.
        electron.autoUpdater.once('error', () => electron.app.quit());
        last();
      }),
    log,
  });
}

/** Ends the app in order; `last` is called instead of quitting, once nothing of it is open. */
type EndApp = (last: () => void) => void;

interface Running extends RunningApp {
  updates: Updates | null;
}

/** However the app ends: denies what waits, lets running actions finish, and closes the host. Once. */
function endWithApp(
  { electron: { app, powerMonitor }, log, serviceJob }: AppOptions,
  { host, ui, updates }: Running,
): EndApp {
  let ending: Promise<void> | null = null;
  let ended = false;
  let leaving = false;
  let handingOver = false;

  async function end(): Promise<void> {
    try {
      // What waits is kept for the app that takes this place.
      if (!handingOver) await host.menubar.finish(message('approval.quit'));
      updates?.close();
      ui.close();
      await host.close();
    } catch (error) {
      log.error({ err: error }, 'app: it did not end as it should');
    }
    ended = true;
  }

  app.on('before-quit', (event) => {
    if (ended) return;
    ending ??= end().then(() => app.quit());
    // A quit that is held back while the system shuts down would hold back the system.
    if (!leaving) event.preventDefault();
  });
  powerMonitor.on('shutdown', () => {
    leaving = true;
    // Its window would refuse to close.
    ui.close();
    ending ??= end();
  });
  app.on('second-instance', () => {
    if (handingOver || serviceJob?.isAnother() !== true) return;
    handingOver = true;
    app.quit();
  });
  void host.ended.then((reason) => {
    log.info({ reason: formatEnglish(reason) }, 'app: the host ended');
    app.quit();
  });
  return (last) => void (ending ??= end().then(last));
}

type Emitter = Pick<EventEmitter, 'on' | 'removeListener'>;

/**
 * A quit while the host is being opened waits until that is done, and then ends it in order: a process that ends in between leaves a
 * half-open host behind, which may still write. A system that shuts down is not held up.
 */
export class EarlyQuit {
  #asked = false;
  #leaving = false;
  readonly #stop: () => void;

  constructor(app: Emitter, power: Emitter) {
    const hold = (event: { preventDefault(): void }): void => {
      this.#asked = true;
      if (!this.#leaving) event.preventDefault();
    };
    const leave = (): void => void (this.#leaving = true);
    app.on('before-quit', hold);
    power.on('shutdown', leave);
    this.#stop = () => {
      app.removeListener('before-quit', hold);
      power.removeListener('shutdown', leave);
    };
  }

  /** No quit is held from here on. True where one was. */
  release(): boolean {
    this.#stop();
    return this.#asked;
  }
}

type Watched = Pick<MenubarHost, 'cards' | 'status' | 'onChange'>;

/** No request waits for the person, and no call of an agent runs but questions, whose replies are kept for the app that starts next. */
function isIdle({ cards, status }: Watched): boolean {
  if (cards().length > 0) return false;
  const { state, agents } = status();
  const calls = agents.flatMap(({ currentCalls = [] }) => currentCalls);
  return state !== 'acting' && calls.every(({ tool }) => tool === QUESTION_TOOL);
}

interface WhenIdle {
  menubar: Watched;
  /** Called once, in the same turn in which the host was seen idle. */
  act(): void;
  /** Called first where that is not at once. */
  onWait(): void;
  signal: AbortSignal;
}

function whenIdle({ menubar, act, onWait, signal }: WhenIdle): void {
  if (signal.aborted) return;
  if (isIdle(menubar)) return act();
  onWait();
  const stop = menubar.onChange(() => {
    if (!isIdle(menubar)) return;
    end();
    act();
  });
  function end(): void {
    stop();
    signal.removeEventListener('abort', end);
  }
  signal.addEventListener('abort', end);
}

const schema = z.object({ provider: z.literal('generic'), url: z.url() });
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Where this package's updates are published, from the file it was made with; null where it was made without. */
function updateAddress(file: string, log: Logger): string | null {
  try {
    const { url } = schema.parse(parse(readFileSync(file, 'utf8')));
    const { protocol, hostname } = new URL(url);
    if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.includes(hostname))) return url;
    throw new Error(`${url} is not an https address`);
  } catch (error) {
    if (errno(error) !== 'ENOENT') log.warn({ err: error }, 'app: the update address cannot be used');
    return null;
  }
}
