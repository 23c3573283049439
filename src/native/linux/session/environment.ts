import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { DesktopError } from '../../desktop.js';
import { message, type Message } from '../../../messages/index.js';
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

type Environment = Record<string, string>;
type HostEnvironment = Readonly<Record<string, string | undefined>>;

/** The environment of a private session's programs; only these variables of the host are passed on. */
const sharedEnvironment = (folder: string, host: HostEnvironment): Environment => ({
  PATH: host['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  ...(host['TZ'] === undefined ? {} : { TZ: host['TZ'] }),
  // A terminal starts it. Without it, it starts the one of the account, and that of a service ends at once.
  ...(host['SHELL'] === undefined ? {} : { SHELL: host['SHELL'] }),
  ...(host['XDG_DATA_DIRS'] === undefined ? {} : { XDG_DATA_DIRS: host['XDG_DATA_DIRS'] }),
  HOME: join(folder, 'home'),
  USER: host['USER'] ?? host['LOGNAME'] ?? 'user',
  XDG_RUNTIME_DIR: folder,
  // Without the memory backend a setting made here would end up in the person's own dconf.
  GSETTINGS_BACKEND: 'memory',
  GIO_USE_VFS: 'local',
  GSK_RENDERER: 'cairo',
  QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1',
  // GTK 2 speaks accessibility by these modules alone; later versions leave them out.
  GTK_MODULES: 'gail:atk-bridge',
  LIBGL_ALWAYS_SOFTWARE: '1',
  LANG: 'C.UTF-8',
});

export const sessionEnvironment = (folder: string, xauthority: string, host: HostEnvironment): Environment => ({
  ...sharedEnvironment(folder, host),
  XAUTHORITY: xauthority,
  XDG_SESSION_TYPE: 'x11',
  XDG_CURRENT_DESKTOP: 'Openbox',
  GDK_BACKEND: 'x11',
  QT_QPA_PLATFORM: 'xcb',
});

export const waylandEnvironment = (folder: string, host: HostEnvironment): Environment => ({
  ...sharedEnvironment(folder, host),
  SWAYSOCK: join(folder, 'sway.sock'),
  XDG_SESSION_TYPE: 'wayland',
  XDG_CURRENT_DESKTOP: 'sway',
  GDK_BACKEND: 'wayland',
  QT_QPA_PLATFORM: 'wayland',
  MOZ_ENABLE_WAYLAND: '1',
  ELECTRON_OZONE_PLATFORM_HINT: 'wayland',
});

export function busArguments(folder: string): string[] {
  return ['--session', '--nofork', '--nopidfile', '--print-address=3', `--address=unix:dir=${folder}`];
}

/** Program (or file) a session needs, and the Debian package that brings it. */
const NEEDS: readonly (readonly [string, string])[] = [
  ['dbus-daemon', 'dbus-daemon'],
  ['/usr/share/dbus-1/services/org.a11y.Bus.service', 'at-spi2-core'],
];
const X_NEEDS = [['Xvfb', 'xvfb'], ['openbox', 'openbox'], ...NEEDS] as const; // prettier-ignore
const WAYLAND_NEEDS = [['sway', 'sway'], ...NEEDS] as const;

export async function demandPackages(path: string, wayland: boolean): Promise<void> {
  const needs = wayland ? WAYLAND_NEEDS : X_NEEDS;
  const found = await Promise.all(needs.map(([program]) => exists(program, path)));
  const missing = needs.filter((_, index) => found[index] !== true).map(([, name]) => name);
  if (missing.length === 0) return;
  throw new DesktopError(
    'unsupported',
    message('display.packages_missing', {
      packages: missing.join(', '),
      command: `sudo apt-get install --no-install-recommends ${missing.join(' ')} fonts-dejavu-core`,
    }),
    { missing },
  );
}

async function exists(program: string, path: string): Promise<boolean> {
  const places = program.startsWith('/') ? [program] : path.split(delimiter).map((folder) => join(folder, program));
  const mode = program.startsWith('/') ? constants.R_OK : constants.X_OK;
  const found = await Promise.all(
    places.map((place) =>
      access(place, mode).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** The programs of a private session: each in a group of its own, and what one says when it has not started. */
export const START_TIMEOUT_MS = 20_000;

export function start(program: string, args: string[], env: Record<string, string>): ChildProcess {
  // Its own group: a Ctrl-C meant for the host must not reach the session before the cleanup does.
  const child = spawn(program, args, { env, cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  // Unread error output would fill the pipe and stop the program.
  child.stderr?.resume();
  return child;
}

/** The first line a program writes to descriptor 3. */
export function firstLine(program: string, child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = '';
    let errorOutput = '';
    const fail = (why: string | Message): void => {
      clearTimeout(timer);
      reject(notStarted(program, why, errorOutput));
    };
    const timer = setTimeout(() => fail(message('display.no_answer')), START_TIMEOUT_MS);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => fail(endedWith(signal ?? code)));
    child.stderr?.on('data', (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-400)));
    const channel = child.stdio[3] as Readable;
    channel.on('data', (chunk: Buffer) => {
      line += chunk.toString();
      if (!line.includes('\n')) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      resolve(line.trim());
    });
  });
}

export function notStarted(program: string, why: string | Message, errorOutput: string): DesktopError {
  const output = errorOutput.trim();
  const said = output === '' ? 'other' : 'yes';
  return new DesktopError('failed', message('display.part_not_started', { program, why, said, output }));
}

export const endedWith = (how: string | number | null): Message => message('display.part_ended', { how: String(how) });
