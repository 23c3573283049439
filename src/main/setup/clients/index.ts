/** All clients that setup knows. */
import type { ClientId } from '../../protocol/index.js';
import { join } from 'node:path';
import { message, type Message } from '../../../messages/index.js';
import {
  applicationSettings,
  claudeFolder,
  claudeState,
  configHome,
  firstExisting,
  nonEmpty,
  type UserEnvironment,
  CALL_LIMIT_SECONDS,
  commandEntry,
  NAME,
  withCallLimit,
  type Launcher,
} from '../client-paths.js';
import { TOML } from '../toml.js';
import { YAML } from '../yaml.js';
import { JSONC } from '../jsonc.js';
import { type ClientEntry, type Format, isTable, valueAt } from '../edit.js';

// OpenCode's settings. Version 1 has servers under `mcp`, version 2 under `mcp.servers`; version 2 reads the form of
// version 1 too, but not the other way round.

/** Writes the form of version 2 only where the file has it already. Entries come in and go out in the form of version 1. */
const OPENCODE: Format = {
  read: (text, path) => {
    const place = placeIn(text, path);
    const entry = JSONC.read(text, place);
    return place === path ? entry : inFirstForm(entry);
  },
  write: (text, path, value) => {
    const place = placeIn(text, path);
    return JSONC.write(text, place, place === path || !isTable(value) ? value : inSecondForm(value));
  },
  remove: (text, path) => JSONC.remove(text, placeIn(text, path)),
};

/** An entry in the first form stays where it is. A server may also be called `servers`. */
function placeIn(text: string, path: readonly string[]): readonly string[] {
  const above = path.slice(0, -1);
  const servers = JSONC.read(text, [...above, 'servers']);
  if (JSONC.read(text, path) !== undefined || !isTable(servers) || typeof servers['type'] === 'string') return path;
  return [...above, 'servers', ...path.slice(-1)];
}

function inSecondForm({ timeout, ...same }: ClientEntry): ClientEntry {
  return timeout === undefined ? same : { ...same, timeout: { execution: timeout } };
}

function inFirstForm(entry: unknown): unknown {
  return isTable(entry) ? { ...entry, timeout: valueAt(entry, ['timeout', 'execution']) } : entry;
}

// What setup knows of one client. All facts are from the client's own documentation or source.

interface ClientDefinition {
  /** On the search path where it is installed. */
  commands: readonly string[];
  /** On macOS. */
  applications: readonly string[];
  /** There once the client was started. */
  folder(machine: UserEnvironment): string;
  /** The files that hold its servers. A scope without a file is one that the client does not have. */
  files: Partial<ConfigFiles>;
  format: Format;
  /** Of the entry in the file. */
  path: readonly string[];
  entry(launcher: Launcher): ClientEntry;
  /** Where the printed entry belongs. */
  where: Message;
}

interface ConfigFiles {
  user(machine: UserEnvironment): string;
  project(folder: string): string;
}

/** The form that most clients share. */
const SERVERS_IN_JSON = { format: JSONC, path: ['mcpServers', NAME] };

// Clients that are editors, or live in one.

const cursorFile = (folder: string) => join(folder, '.cursor', 'mcp.json');

const CURSOR: ClientDefinition = {
  commands: ['cursor', 'cursor-agent'],
  applications: ['Cursor.app'],
  folder: ({ home }) => join(home, '.cursor'),
  files: { user: ({ home }) => cursorFile(home), project: cursorFile },
  ...SERVERS_IN_JSON,
  entry: (launcher) => ({ type: 'stdio', ...commandEntry(launcher) }),
  where: message('setup.by_hand.merge', { client: 'Cursor', file: '~/.cursor/mcp.json' }),
};

const VSCODE_KINDS = ['Code', 'Code - Insiders', 'VSCodium'];

const vscodeFolders = (machine: UserEnvironment, kinds: readonly string[]) =>
  kinds.map((kind) => join(applicationSettings(machine), kind));
const vscodeFolder = (machine: UserEnvironment) => join(firstExisting(vscodeFolders(machine, VSCODE_KINDS)), 'User');

const VSCODE: ClientDefinition = {
  commands: ['code', 'code-insiders', 'codium'],
  applications: ['Visual Studio Code.app', 'Visual Studio Code - Insiders.app', 'VSCodium.app'],
  folder: vscodeFolder,
  files: {
    user: (machine) => join(vscodeFolder(machine), 'mcp.json'),
    project: (folder) => join(folder, '.vscode', 'mcp.json'),
  },
  format: JSONC,
  path: ['servers', NAME],
  entry: (launcher) => ({ type: 'stdio', ...commandEntry(launcher) }),
  where: message('setup.by_hand.vscode'),
};

/** Where an extension of VS Code, or of an editor made from it, keeps its files. */
function extensionFolder(machine: UserEnvironment, extension: string): string {
  const editors = vscodeFolders(machine, [...VSCODE_KINDS, 'Cursor', 'Windsurf']);
  return firstExisting(editors.map((editor) => join(editor, 'User', 'globalStorage', extension)));
}

const CLINE_FILE = join('settings', 'cline_mcp_settings.json');

function clineFile(machine: UserEnvironment): string {
  const { env, home } = machine;
  const set = nonEmpty(env['CLINE_MCP_SETTINGS_PATH']);
  if (set !== undefined) return set;
  const data = nonEmpty(env['CLINE_DATA_DIR']) ?? join(nonEmpty(env['CLINE_DIR']) ?? join(home, '.cline'), 'data');
  const now = join(data, CLINE_FILE);
  // Earlier versions of the extension; later ones move this file to the place above.
  const earlier = join(extensionFolder(machine, 'saoudrizwan.claude-dev'), CLINE_FILE);
  return firstExisting([now, earlier]);
}

const CLINE: ClientDefinition = {
  commands: ['cline'],
  applications: [],
  folder: (machine) =>
    firstExisting([join(machine.home, '.cline'), extensionFolder(machine, 'saoudrizwan.claude-dev')]),
  files: { user: clineFile },
  ...SERVERS_IN_JSON,
  entry: (launcher) => ({
    type: 'stdio',
    ...commandEntry(withCallLimit(launcher), { timeout: CALL_LIMIT_SECONDS }),
  }),
  where: message('setup.by_hand.merge', { client: 'Cline', file: '~/.cline/data/settings/cline_mcp_settings.json' }),
};

const rooFolder = (machine: UserEnvironment) => extensionFolder(machine, 'rooveterinaryinc.roo-cline');

const ROO: ClientDefinition = {
  commands: [],
  applications: [],
  folder: rooFolder,
  files: {
    user: (machine) => join(rooFolder(machine), 'settings', 'mcp_settings.json'),
    project: (folder) => join(folder, '.roo', 'mcp.json'),
  },
  ...SERVERS_IN_JSON,
  entry: (launcher) => ({
    type: 'stdio',
    ...commandEntry(withCallLimit(launcher), { timeout: CALL_LIMIT_SECONDS }),
  }),
  where: message('setup.by_hand.roo'),
};

const windsurfFolder = ({ home }: UserEnvironment) => join(home, '.codeium', 'windsurf');

const WINDSURF: ClientDefinition = {
  commands: ['windsurf'],
  applications: ['Windsurf.app'],
  folder: windsurfFolder,
  files: { user: (machine) => join(windsurfFolder(machine), 'mcp_config.json') },
  ...SERVERS_IN_JSON,
  entry: (launcher) => commandEntry(launcher),
  where: message('setup.by_hand.merge', { client: 'Windsurf', file: '~/.codeium/windsurf/mcp_config.json' }),
};

function zedFolder(machine: UserEnvironment): string {
  return machine.platform === 'win32' ? join(applicationSettings(machine), 'Zed') : join(configHome(machine), 'zed');
}

const ZED: ClientDefinition = {
  commands: ['zed', 'zeditor'],
  applications: ['Zed.app', 'Zed Preview.app'],
  folder: zedFolder,
  files: {
    user: (machine) => join(zedFolder(machine), 'settings.json'),
    project: (folder) => join(folder, '.zed', 'settings.json'),
  },
  format: JSONC,
  path: ['context_servers', NAME],
  // No limit: builds differ in whether it is in seconds or milliseconds.
  entry: (launcher) => commandEntry(launcher),
  where: message('setup.by_hand.merge', { client: 'Zed', file: '~/.config/zed/settings.json' }),
};

const junieFile = (folder: string) => join(folder, '.junie', 'mcp', 'mcp.json');

const JUNIE: ClientDefinition = {
  commands: ['junie'],
  applications: [],
  folder: ({ home }) => join(home, '.junie'),
  files: { user: ({ home }) => junieFile(home), project: junieFile },
  ...SERVERS_IN_JSON,
  entry: (launcher) => commandEntry(launcher),
  where: message('setup.by_hand.merge', { client: 'Junie', file: '~/.junie/mcp/mcp.json' }),
};

/** Keeps its servers in the settings of each IDE, which only the IDE writes. */
const JETBRAINS: ClientDefinition = {
  commands: [],
  applications: [],
  folder: (machine) => join(applicationSettings(machine), 'JetBrains'),
  files: {},
  ...SERVERS_IN_JSON,
  entry: (launcher) => commandEntry(launcher),
  where: message('setup.by_hand.jetbrains'),
};

// Clients that run in a terminal.

const CLAUDE: ClientDefinition = {
  commands: ['claude'],
  applications: [],
  folder: claudeFolder,
  files: { user: claudeState, project: (folder) => join(folder, '.mcp.json') },
  ...SERVERS_IN_JSON,
  entry: (launcher) => ({
    type: 'stdio',
    ...commandEntry(withCallLimit(launcher), { timeout: CALL_LIMIT_SECONDS * 1_000, alwaysLoad: true }),
  }),
  where: message('setup.by_hand.claude'),
};

const codexFolder = ({ env, home }: UserEnvironment) => nonEmpty(env['CODEX_HOME']) ?? join(home, '.codex');

const CODEX: ClientDefinition = {
  commands: ['codex'],
  applications: ['Codex.app'],
  folder: codexFolder,
  files: {
    user: (machine) => join(codexFolder(machine), 'config.toml'),
    project: (folder) => join(folder, '.codex', 'config.toml'),
  },
  format: TOML,
  path: ['mcp_servers', NAME],
  entry: (launcher) =>
    commandEntry(withCallLimit(launcher), { startup_timeout_sec: 30, tool_timeout_sec: CALL_LIMIT_SECONDS }),
  where: message('setup.by_hand.codex'),
};

const geminiFolder = ({ env, home }: UserEnvironment) => join(nonEmpty(env['GEMINI_CLI_HOME']) ?? home, '.gemini');

const GEMINI: ClientDefinition = {
  commands: ['gemini'],
  applications: [],
  folder: geminiFolder,
  files: {
    user: (machine) => join(geminiFolder(machine), 'settings.json'),
    project: (folder) => join(folder, '.gemini', 'settings.json'),
  },
  ...SERVERS_IN_JSON,
  entry: (launcher) => commandEntry(withCallLimit(launcher), { timeout: CALL_LIMIT_SECONDS * 1_000 }),
  where: message('setup.by_hand.merge', { client: 'Gemini CLI', file: '~/.gemini/settings.json' }),
};

const copilotFolder = ({ env, home }: UserEnvironment) => nonEmpty(env['COPILOT_HOME']) ?? join(home, '.copilot');

/** It takes a limit for calls too, but forgets it when the list of tools changes (github/copilot-cli#1378); the shim keeps to the short one. */
const COPILOT: ClientDefinition = {
  commands: ['copilot'],
  applications: [],
  folder: copilotFolder,
  files: {
    user: (machine) => join(copilotFolder(machine), 'mcp-config.json'),
    project: (folder) => join(folder, '.github', 'mcp.json'),
  },
  ...SERVERS_IN_JSON,
  entry: (launcher) => ({ type: 'local', ...commandEntry(launcher, { tools: ['*'] }) }),
  where: message('setup.by_hand.merge', { client: 'Copilot CLI', file: '~/.copilot/mcp-config.json' }),
};

const opencodeFile = (folder: string) => firstExisting([join(folder, 'opencode.json'), join(folder, 'opencode.jsonc')]);
const opencodeFolder = (machine: UserEnvironment) => join(configHome(machine), 'opencode');

const OPENCODE_CLIENT: ClientDefinition = {
  commands: ['opencode', 'opencode2'],
  applications: [],
  folder: opencodeFolder,
  files: { user: (machine) => opencodeFile(opencodeFolder(machine)), project: opencodeFile },
  format: OPENCODE,
  path: ['mcp', NAME],
  // Not every version applies its limit to calls, so the shim answers within the 60 s of the others; the limit leaves room for a slow start.
  entry: (launcher) => {
    const { command, args, env } = withCallLimit(launcher, 110);
    return {
      type: 'local',
      command: [command, ...args],
      timeout: 120_000,
      ...(env === undefined ? {} : { environment: env }),
    };
  },
  where: message('setup.by_hand.merge', { client: 'OpenCode', file: '~/.config/opencode/opencode.json' }),
};

function gooseFolder(machine: UserEnvironment): string {
  if (machine.platform === 'win32') return join(applicationSettings(machine), 'Block', 'goose', 'config');
  return join(configHome(machine), 'goose');
}

const GOOSE: ClientDefinition = {
  commands: ['goose'],
  applications: ['Goose.app'],
  folder: gooseFolder,
  files: { user: (machine) => join(gooseFolder(machine), 'config.yaml') },
  format: YAML,
  path: ['extensions', NAME],
  entry: (launcher) => {
    const { command, args } = withCallLimit(launcher);
    return {
      enabled: true,
      type: 'stdio',
      name: NAME,
      description: 'Chaperone',
      cmd: command,
      args,
      envs: launcher.env ?? {},
      env_keys: [],
      timeout: CALL_LIMIT_SECONDS,
    };
  },
  where: message('setup.by_hand.merge', { client: 'Goose', file: '~/.config/goose/config.yaml' }),
};

export const CLIENTS: Readonly<Record<ClientId, ClientDefinition>> = {
  claude: CLAUDE,
  codex: CODEX,
  cursor: CURSOR,
  vscode: VSCODE,
  gemini: GEMINI,
  copilot: COPILOT,
  opencode: OPENCODE_CLIENT,
  goose: GOOSE,
  cline: CLINE,
  roo: ROO,
  windsurf: WINDSURF,
  zed: ZED,
  junie: JUNIE,
  jetbrains: JETBRAINS,
};
