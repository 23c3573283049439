import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants, readFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { type App, DesktopError } from '../desktop.js';
import type { Apps } from './apps.js';
import type { AccessibilityBus } from './atspi/bus.js';
import { commandOf, type DesktopEntries, type DesktopEntry } from './desktop-entries.js';
import { poll } from './poll.js';
import type { Windows, XWindow } from './x11/windows.js';

export interface Launcher {
  windows: Windows;
  apps: Apps;
  bus: AccessibilityBus;
  entries: DesktopEntries;
  env: Record<string, string | undefined>;
}

const WINDOW_WITHIN = 30_000;
const ACCESSIBLE_WITHIN = 5000;
/** Without it they show a handful of elements only. */
const CHROMIUM = /^(chromium|chromium-browser|google-chrome.*|chrome|brave.*|microsoft-edge.*|msedge|vivaldi.*|opera)$/;

/** Starts an application and waits for its window, or for one of the instance that already runs. */
export async function launch(launcher: Launcher, application: string, signal: AbortSignal): Promise<App> {
  const entry = await launcher.entries.find(application);
  const command = entry === null ? await programOf(application, launcher.env) : commandOf(entry.exec);
  const [program, ...rest] = command;
  if (program === undefined) {
    throw new DesktopError('not_found', `No application is called ${application}. Give an id, a name or a path.`);
  }
  const before = new Set((await launcher.windows.list()).map((window) => window.xid));
  signal.throwIfAborted();
  const args = CHROMIUM.test(basename(program)) ? ['--force-renderer-accessibility', ...rest] : rest;
  const child = await start(program, args, launcher.env);
  const window = await firstWindow(launcher, child, entry, before, signal);
  await poll(async () => (await isAccessible(launcher.bus, window.pid, signal)) || null, ACCESSIBLE_WITHIN, signal, 30);
  return launcher.apps.appOf(window, await launcher.windows.pidOf(await launcher.windows.active()));
}

async function isAccessible(bus: AccessibilityBus, pid: number, signal: AbortSignal): Promise<boolean> {
  const roots = await bus.roots(signal).catch(() => []);
  return (await Promise.all(roots.map((root) => bus.pidOf(root.bus)))).includes(pid);
}

interface Started {
  pid: number;
  /** Set once it has ended. */
  exit: { code: number | null; signal: string | null } | null;
}

function start(program: string, args: string[], env: Record<string, string | undefined>): Promise<Started> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new DesktopError('failed', `${program} could not be started: ${error.message}.`));
    let child: ChildProcess;
    try {
      child = spawn(program, args, { env, cwd: env['HOME'] ?? '/', detached: true, stdio: 'ignore' });
    } catch (error) {
      return fail(error instanceof Error ? error : new Error(String(error)));
    }
    const started: Started = { pid: child.pid ?? 0, exit: null };
    child.once('error', fail);
    child.once('exit', (code, signal) => (started.exit = { code, signal }));
    child.once('spawn', () => resolve(started));
    child.unref();
  });
}

async function firstWindow(
  { windows, apps }: Launcher,
  child: Started,
  entry: DesktopEntry | null,
  before: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<XWindow> {
  const found = await poll(
    async () => {
      const open = (await windows.list()).filter((window) => window.normal && window.viewable);
      for (const window of open) if (await descends(window.pid, child.pid)) return window;
      const fresh = open.filter((window) => !before.has(window.xid));
      // An instance that already runs takes the request over, and the new process ends well.
      const handedOver = child.exit?.code === 0;
      for (const window of handedOver ? [...fresh, ...open] : fresh) {
        if (entry !== null && (await apps.appOf(window, 0)).id === entry.id) return window;
      }
      if (child.exit === null || handedOver) return null;
      const how = child.exit.signal ?? `code ${child.exit.code}`;
      throw new DesktopError('failed', `The application ended at once (${how}) without showing a window.`);
    },
    WINDOW_WITHIN,
    signal,
    30,
  );
  if (found !== null) return found;
  throw new DesktopError(
    'timeout',
    `The application was started but showed no window within ${WINDOW_WITHIN / 1000} s.`,
  );
}

async function descends(pid: number, ancestor: number): Promise<boolean> {
  for (let at = pid; at > 1; at = await parentOf(at)) if (at === ancestor) return true;
  return false;
}

async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in parentheses may hold anything.
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

async function programOf(application: string, env: Record<string, string | undefined>): Promise<string[]> {
  const places = application.startsWith('/')
    ? [application]
    : /^[\w.+-]+$/.test(application)
      ? (env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).map((folder) => join(folder, application))
      : [];
  for (const place of places) {
    const runs = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return [place];
  }
  return [];
}
