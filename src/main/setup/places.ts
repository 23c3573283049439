/** Where each client keeps its configuration, and how one sees that it is on this machine. Only looks. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ClientId } from '../protocol/index.js';

export interface Machine {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
}

export type Scope = 'user' | 'project';

const set = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

export function claudeFolder({ env, home }: Machine): string {
  return set(env['CLAUDE_CONFIG_DIR']) ?? join(home, '.claude');
}

/** Large and always in use: only read. What is to be changed in it, Claude Code's own command changes. */
export function claudeState({ env, home }: Machine): string {
  return join(set(env['CLAUDE_CONFIG_DIR']) ?? home, '.claude.json');
}

function codexFolder({ env, home }: Machine): string {
  return set(env['CODEX_HOME']) ?? join(home, '.codex');
}

const VSCODE_KINDS = ['Code', 'Code - Insiders', 'VSCodium'];

/** The one that is there; the usual one where none is. */
function vscodeFolder(machine: Machine): string {
  const folders = VSCODE_KINDS.map((kind) => join(applicationSettings(machine), kind));
  return join(folders.find((folder) => existsSync(folder)) ?? folders[0] ?? '', 'User');
}

function applicationSettings({ platform, env, home }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return set(env['APPDATA']) ?? join(home, 'AppData', 'Roaming');
  return set(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
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

/** The file that the client's entry is written to: the person's own, or the project's below `cwd`. */
export function configFile(client: ClientId, machine: Machine, scope: Scope, cwd: string): string {
  const own = scope === 'user';
  const files: Readonly<Record<ClientId, () => string>> = {
    claude: () => join(cwd, '.mcp.json'),
    codex: () => join(own ? codexFolder(machine) : join(cwd, '.codex'), 'config.toml'),
    cursor: () => join(own ? machine.home : cwd, '.cursor', 'mcp.json'),
    vscode: () => (own ? join(vscodeFolder(machine), 'mcp.json') : join(cwd, '.vscode', 'mcp.json')),
  };
  return files[client]();
}

export function isFound(client: ClientId, machine: Machine): boolean {
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

function hasApplication({ home }: Machine, name: string): boolean {
  return [join('/Applications', name), join(home, 'Applications', name)].some((path) => existsSync(path));
}

/** The search path, and where installers put commands that an application started from the desktop has not in its search path. */
export function searchPath({ env, home, platform }: Machine): string[] {
  const given = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const usual = ['.local/bin', '.claude/local', '.bun/bin', '.volta/bin', '.npm-global/bin'].map((one) =>
    join(home, one),
  );
  const shared = platform === 'win32' ? [] : ['/opt/homebrew/bin', '/usr/local/bin'];
  return [...new Set([...given, ...usual, ...shared])];
}

export function commandOn(machine: Machine, name: string): string | null {
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
