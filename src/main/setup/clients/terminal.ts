/** Clients that run in a terminal. */
import { join } from 'node:path';
import { message } from '../../../messages/index.js';
import {
  applicationSettings,
  claudeFolder,
  claudeState,
  configHome,
  firstExisting,
  nonEmpty,
  type UserEnvironment,
} from '../client-paths.js';
import { CALL_LIMIT_SECONDS, commandEntry, NAME, withCallLimit } from '../launcher.js';
import { OPENCODE } from '../opencode.js';
import { TOML } from '../toml.js';
import { YAML } from '../yaml.js';
import { SERVERS_IN_JSON, type ClientDefinition } from './definition.js';

export const CLAUDE: ClientDefinition = {
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

export const CODEX: ClientDefinition = {
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

export const GEMINI: ClientDefinition = {
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
export const COPILOT: ClientDefinition = {
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

export const OPENCODE_CLIENT: ClientDefinition = {
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

export const GOOSE: ClientDefinition = {
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
