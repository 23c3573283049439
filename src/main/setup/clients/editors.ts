/** Clients that are editors, or live in one. */
import { join } from 'node:path';
import { message } from '../../../messages/index.js';
import { applicationSettings, configHome, firstExisting, nonEmpty, type UserEnvironment } from '../client-paths.js';
import { CALL_LIMIT_SECONDS, commandEntry, NAME, withCallLimit } from '../launcher.js';
import { JSONC } from '../jsonc.js';
import { SERVERS_IN_JSON, type ClientDefinition } from './definition.js';

const cursorFile = (folder: string) => join(folder, '.cursor', 'mcp.json');

export const CURSOR: ClientDefinition = {
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

export const VSCODE: ClientDefinition = {
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

export const CLINE: ClientDefinition = {
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

export const ROO: ClientDefinition = {
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

export const WINDSURF: ClientDefinition = {
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

export const ZED: ClientDefinition = {
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

export const JUNIE: ClientDefinition = {
  commands: ['junie'],
  applications: [],
  folder: ({ home }) => join(home, '.junie'),
  files: { user: ({ home }) => junieFile(home), project: junieFile },
  ...SERVERS_IN_JSON,
  entry: (launcher) => commandEntry(launcher),
  where: message('setup.by_hand.merge', { client: 'Junie', file: '~/.junie/mcp/mcp.json' }),
};

/** Keeps its servers in the settings of each IDE, which only the IDE writes. */
export const JETBRAINS: ClientDefinition = {
  commands: [],
  applications: [],
  folder: (machine) => join(applicationSettings(machine), 'JetBrains'),
  files: {},
  ...SERVERS_IN_JSON,
  entry: (launcher) => commandEntry(launcher),
  where: message('setup.by_hand.jetbrains'),
};
