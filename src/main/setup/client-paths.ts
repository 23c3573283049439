/** Where each client keeps its configuration, and whether it is installed on this machine. Changes nothing. */
import type { SupervisorProgram } from '../../native/process/index.js';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ClientId } from '../protocol/index.js';

export interface UserEnvironment {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Supervisor program for a client's own command; by default the one next to this program. */
  supervisor?: SupervisorProgram;
}

export type ConfigScope = 'user' | 'project';

const nonEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

export function claudeFolder({ env, home }: UserEnvironment): string {
  return nonEmpty(env['CLAUDE_CONFIG_DIR']) ?? join(home, '.claude');
}

/** Only read: it is large and always in use. Claude Code's own command changes it. */
export function claudeState({ env, home }: UserEnvironment): string {
  return join(nonEmpty(env['CLAUDE_CONFIG_DIR']) ?? home, '.claude.json');
}

function codexFolder({ env, home }: UserEnvironment): string {
  return nonEmpty(env['CODEX_HOME']) ?? join(home, '.codex');
}

const VSCODE_KINDS = ['Code', 'Code - Insiders', 'VSCodium'];

/** The first one that exists, else the default. */
function vscodeFolder(machine: UserEnvironment): string {
  const folders = VSCODE_KINDS.map((kind) => join(applicationSettings(machine), kind));
  return join(folders.find((folder) => existsSync(folder)) ?? folders[0] ?? '', 'User');
}

function applicationSettings({ platform, env, home }: UserEnvironment): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return nonEmpty(env['APPDATA']) ?? join(home, 'AppData', 'Roaming');
  return nonEmpty(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
}

const COMMANDS: Readonly<Record<ClientId, readonly string[]>> = {
  claude: ['claude'],
  codex: ['codex'],
  cursor: ['cursor', 'cursor-agent'],
  vscode: ['code', 'code-insiders', 'codium'],
};
const APPLICATIONS: Readonly<Record<ClientId, readonly string[]>> = {
  claude: [],
  codex: ['Codex.app'],
  cursor: ['Cursor.app'],
  vscode: ['Visual Studio Code.app', 'Visual Studio Code - Insiders.app', 'VSCodium.app'],
};

/** The file with the client's entry: the person's own, or the project's below `cwd`. */
export function configFile(client: ClientId, machine: UserEnvironment, scope: ConfigScope, cwd: string): string {
  const isUser = scope === 'user';
  const files: Readonly<Record<ClientId, () => string>> = {
    claude: () => join(cwd, '.mcp.json'),
    codex: () => join(isUser ? codexFolder(machine) : join(cwd, '.codex'), 'config.toml'),
    cursor: () => join(isUser ? machine.home : cwd, '.cursor', 'mcp.json'),
    vscode: () => (isUser ? join(vscodeFolder(machine), 'mcp.json') : join(cwd, '.vscode', 'mcp.json')),
  };
  return files[client]();
}

export function isFound(client: ClientId, machine: UserEnvironment): boolean {
  const folders: Readonly<Record<ClientId, () => string>> = {
    claude: () => claudeFolder(machine),
    codex: () => codexFolder(machine),
    cursor: () => join(machine.home, '.cursor'),
    vscode: () => vscodeFolder(machine),
  };
  return (
    existsSync(folders[client]()) ||
    COMMANDS[client].some((name) => commandOn(machine, name) !== null) ||
    (machine.platform === 'darwin' && APPLICATIONS[client].some((name) => hasApplication(machine, name)))
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
