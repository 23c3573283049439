import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { message } from '../../messages/index.js';
import { DesktopError, type InstalledApp, type Launched, type LaunchOptions } from '../desktop.js';
import { activePid, type Apps, entryCommand, type DesktopEntries } from './apps.js';
import type { AccessibilityBus } from './atspi/bus.js';
import { ACCESSIBLE_PAGES, isChromium } from './missing-elements.js';
import { launchEnvironment } from './launch-environment.js';
import { poll } from '../../base/poll.js';
import { firstWindow, startProcess, type BackgroundStart } from './application-start.js';
import type { Windows, TopLevelWindow } from './windows.js';

interface AppLauncher {
  windows: Windows;
  focus(id: number, signal: AbortSignal): Promise<void>;
  prepareBackgroundStart(): Promise<BackgroundStart>;
  apps: Apps;
  bus: AccessibilityBus;
  entries: DesktopEntries;
  env: Record<string, string | undefined>;
  /** Variables set in each started application, by which it is recognised later. */
  mark: Record<string, string>;
}

const ACCESSIBLE_TIMEOUT_MS = 5000;
const FRONT_TIMEOUT_MS = 3000;

export async function findApplication(
  { entries, env }: Pick<AppLauncher, 'entries' | 'env'>,
  application: string,
  address?: string,
): Promise<InstalledApp> {
  const entry = application.includes('/') ? null : await entries.find(application);
  if (entry !== null) {
    const command = entryCommand(entry.exec, address);
    const otherIds = await idsOf(command, { entries, env });
    const { id, name, file } = entry;
    if (command.length > 0) return { id, name, otherIds, command, installed: true, entry: file };
  }
  const program = await programOf(application, env);
  if (program !== null) {
    const [name, command] = [basename(program), [program, ...(address === undefined ? [] : [address])]];
    return { id: name, name, otherIds: await idsOf(command, { entries, env }), command, installed: false };
  }
  throw new DesktopError('not_found', message('native.no_application', { name: application }), {
    known: await entries.names(),
  });
}

/** Ids that the command's application may have, links followed. Every word counts: the first may be `env` or an interpreter. */
async function idsOf(
  command: readonly string[],
  { entries, env }: Pick<AppLauncher, 'entries' | 'env'>,
): Promise<string[]> {
  const files = await Promise.all(
    command.map(async (word) => realpath((await programOf(word, env)) ?? word).catch(() => word)),
  );
  const matches = await Promise.all(files.map((file) => entries.match('', '', file)));
  const names = [...files, ...command].map((file) => basename(file));
  return [...new Set([...names, ...matches.flatMap(({ candidates }) => candidates)])];
}

/** Brings a running one to the front, or starts it and waits for its window. */
export async function launch(
  launcher: AppLauncher,
  application: string,
  options: LaunchOptions,
  signal: AbortSignal,
): Promise<Launched> {
  const { windows, apps, focus } = launcher;
  const { address } = options;
  const found = await findApplication(launcher, application, address);
  const isOfApp = isOf(launcher, found);
  const open = await windows.list();
  // What runs already gets the address from the program that is started with it.
  const running = options.newInstance || address !== undefined ? undefined : await first(open, isOfApp);
  signal.throwIfAborted();
  if (running !== undefined) {
    const before = await windows.active();
    if (!options.background) await focus(running.id, signal);
    return {
      app: await apps.appOf(running, await activePid(windows)),
      how: options.background ? 'running' : 'activated',
      focus: options.background || before === running.id ? 'kept' : 'moved',
    };
  }
  const before = new Set(open.map(({ id }) => id));
  const backgroundStart = options.background ? await launcher.prepareBackgroundStart() : null;
  try {
    const window = await startAndWait(launcher, found, isOfApp, before, backgroundStart, signal);
    const change =
      backgroundStart === null
        ? await bringForward(launcher, window, signal)
        : await backgroundStart.finish(window, signal);
    const how = address !== undefined && open.some(({ pid }) => pid === window.pid) ? 'activated' : 'started';
    return { app: await apps.appOf(window, await activePid(windows)), how, focus: change };
  } finally {
    await backgroundStart?.close();
  }
}

async function startAndWait(
  { windows, bus, env, mark }: AppLauncher,
  { command }: InstalledApp,
  isOfApp: (window: TopLevelWindow) => Promise<boolean>,
  before: ReadonlySet<number>,
  backgroundStart: BackgroundStart | null,
  signal: AbortSignal,
): Promise<TopLevelWindow> {
  const [program = '', ...rest] = command;
  const args = (await isChromium(program, env['PATH'])) ? [ACCESSIBLE_PAGES, ...rest] : rest;
  const child = await startProcess(program, args, { ...launchEnvironment(env), ...backgroundStart?.env, ...mark });
  backgroundStart?.follow(child.pid);
  const window = await firstWindow(windows, child, isOfApp, before, signal);
  await poll(async () => (await isAccessible(bus, window.pid, signal)) || null, ACCESSIBLE_TIMEOUT_MS, signal, 30);
  return window;
}

/** A window manager may not focus a new window; one that was opened on request gets the focus. */
async function bringForward(
  { windows, focus }: AppLauncher,
  window: TopLevelWindow,
  signal: AbortSignal,
): Promise<'moved'> {
  const isInFront = async () => (await activePid(windows)) === window.pid || null;
  if ((await isInFront()) !== null) return 'moved';
  if ((await windows.find(window.id)) !== null) await focus(window.id, signal).catch(() => signal.throwIfAborted());
  // A splash screen may be gone by now, and its successor not yet in front.
  await poll(isInFront, FRONT_TIMEOUT_MS, signal, 30);
  return 'moved';
}

function isOf(
  { apps }: AppLauncher,
  { id, command, installed }: InstalledApp,
): (window: TopLevelWindow) => Promise<boolean> {
  return async (window) =>
    installed ? (await apps.appOf(window, 0)).id === id : apps.executableOf(window) === command[0];
}

async function first(
  open: readonly TopLevelWindow[],
  fits: (window: TopLevelWindow) => Promise<boolean>,
): Promise<TopLevelWindow | undefined> {
  const normal = open.filter((window) => window.normal);
  const fitting = await Promise.all(normal.map(fits));
  return normal.find((_, index) => fitting[index]);
}

/** Whether the process tells of itself through accessibility. */
export async function isAccessible(bus: AccessibilityBus, pid: number, signal: AbortSignal): Promise<boolean> {
  const roots = await bus.roots(signal).catch(() => []);
  return (await Promise.all(roots.map((root) => bus.pidOf(root.bus)))).includes(pid);
}

async function programOf(application: string, env: Record<string, string | undefined>): Promise<string | null> {
  const places = application.startsWith('/')
    ? [application]
    : /^[\w.+-]+$/.test(application)
      ? (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).map((folder) => join(folder, application))
      : [];
  for (const place of places) {
    const runs = await access(place, constants.X_OK).then(
      async () => (await stat(place)).isFile(),
      () => false,
    );
    if (runs) return place;
  }
  return null;
}
