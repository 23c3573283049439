/** Folders and commands of clients on this machine. Changes nothing. */
import type { SupervisorProgram } from '../../native/process/index.js';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ClientEntry } from './edit.js';

export interface UserEnvironment {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Supervisor program for a client's own command; by default the one next to this program. */
  supervisor?: SupervisorProgram;
}

export type ConfigScope = 'user' | 'project';

export const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

export function claudeFolder({ env, home }: UserEnvironment): string {
  return nonEmpty(env['CLAUDE_CONFIG_DIR']) ?? join(home, '.claude');
}

/** Only read: it is large and always in use. Claude Code's own command changes it. */
export function claudeState({ env, home }: UserEnvironment): string {
  return join(nonEmpty(env['CLAUDE_CONFIG_DIR']) ?? home, '.claude.json');
}

export function applicationSettings({ platform, env, home }: UserEnvironment): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return nonEmpty(env['APPDATA']) ?? join(home, 'AppData', 'Roaming');
  return nonEmpty(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
}

/** Where programs that follow XDG on every system keep their settings. */
export function configHome({ env, home }: UserEnvironment): string {
  return nonEmpty(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
}

/** The first path that exists, else the first. */
export function firstExisting(paths: readonly string[]): string {
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? '';
}

/** How to see that a client is installed. */
interface InstalledProgram {
  commands: readonly string[];
  applications: readonly string[];
  folder(machine: UserEnvironment): string;
}

export function isFound(client: InstalledProgram, machine: UserEnvironment): boolean {
  return (
    existsSync(client.folder(machine)) ||
    client.commands.some((name) => commandOn(machine, name) !== null) ||
    (machine.platform === 'darwin' && client.applications.some((name) => hasApplication(machine, name)))
  );
}

function hasApplication({ home }: UserEnvironment, name: string): boolean {
  return [join('/Applications', name), join(home, 'Applications', name)].some((path) => existsSync(path));
}

/** The search path and the usual folders of installers, which applications started from the desktop do not have in theirs. */
export function searchPath({ env, home, platform }: UserEnvironment): string[] {
  const given = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const usual = ['.local/bin', '.claude/local', '.bun/bin', '.volta/bin', '.npm-global/bin'].map((one) =>
    join(home, one),
  );
  const shared = platform === 'win32' ? [] : ['/opt/homebrew/bin', '/usr/local/bin'];
  return [...new Set([...given, ...usual, ...shared])];
}

export function commandOn(machine: UserEnvironment, name: string): string | null {
  const endings = machine.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  const files = searchPath(machine).flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
  return files.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The command that starts the shim, as it stands in a client's configuration. Paths are absolute, because a client may have another PATH. */
export interface Launcher {
  command: string;
  /** `mcp` and, for a host on another machine, which. */
  args: readonly string[];
  /** Variables that the shim needs and clients do not pass on. */
  env?: Readonly<Record<string, string>>;
}

/** Of the entry in every client. */
export const NAME = 'chaperone';

/** The longest wait for a person, where the client's own limit for a call can be set. */
export const CALL_LIMIT_SECONDS = 30 * 60;

/** Adds CHAPERONE_HOME where it is set, so that the shim finds that host. */
export function withChaperoneHome(launcher: Launcher, env: Readonly<Record<string, string | undefined>>): Launcher {
  const home = env['CHAPERONE_HOME'] ?? '';
  return home === '' ? launcher : { ...launcher, env: { ...launcher.env, CHAPERONE_HOME: home } };
}

/** Which desktop an agent asks for first: one of its own, or the host's. The person decides. */
export const DESKTOPS = ['own', 'current'] as const;
export type Desktop = (typeof DESKTOPS)[number];

export const withDesktop = (launcher: Launcher, desktop: Desktop): Launcher =>
  desktop === 'current' ? launcher : { ...launcher, args: [...launcher.args, '--desktop', desktop] };

/** What an entry asks for, whatever else it has. */
export function desktopIn(entry: ClientEntry): Desktop {
  const words = Object.values(entry).filter(Array.isArray).flat();
  const isOwn = words.includes('--desktop=own') || words[words.indexOf('--desktop') + 1] === 'own';
  return isOwn ? 'own' : 'current';
}

/** Programs of a private display. */
const DISPLAY_PROGRAMS = ['Xvfb', 'openbox', 'dbus-daemon'];

/** Whether agents on this machine can have a desktop of their own, as far as its programs tell. */
export const hasOwnDesktops = (machine: UserEnvironment): boolean =>
  machine.platform === 'linux' && DISPLAY_PROGRAMS.every((name) => commandOn(machine, name) !== null);

/** The shim then uses the host on that machine. */
export const withRemote = (launcher: Launcher, address: string, command?: string): Launcher => ({
  ...launcher,
  args: [...launcher.args, '--connect', address, ...(command === undefined ? [] : ['--command', command])],
});

/** Whether the entry leads to a host on another machine. */
export const isRemote = ({ args }: Launcher): boolean => args.includes('--connect');

/** The shim then answers with a handle a minute before the client's limit. */
export function withCallLimit(launcher: Launcher, seconds = CALL_LIMIT_SECONDS): Launcher {
  return { ...launcher, args: [...launcher.args, '--call-limit', String(seconds - 60)] };
}

/** `command` and `args`, then what else belongs in the entry, then the variables. */
export function commandEntry({ command, args, env }: Launcher, more: ClientEntry = {}): ClientEntry {
  return { command, args, ...more, ...(env === undefined ? {} : { env }) };
}
