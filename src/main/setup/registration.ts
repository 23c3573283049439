/** What to register with each client, with time limits that fit calls which wait for a person. Absolute paths: a client's PATH is not ours. */
import { message } from '../../messages/index.js';
import type { Entry } from './edit.js';
import { SetupRefused } from './refusal.js';
import { TOML } from './toml.js';
import { CLIENT_IDS, type ClientId } from '../protocol/index.js';

/** What starts the shim. */
export interface Launcher {
  command: string;
  /** Up to and with `mcp`. */
  args: readonly string[];
  /** What a client does not pass on by itself and the shim needs. */
  env?: Readonly<Record<string, string>>;
}

export interface Registration {
  /** Where it belongs, and a command that puts it there where the client has one. */
  where: string;
  text: string;
  note?: string;
}

/** A host with a home of its own is found by a shim that is told of it. */
export function launcherAt(launcher: Launcher, env: Readonly<Record<string, string | undefined>>): Launcher {
  const home = env['CHAPERONE_HOME'] ?? '';
  return home === '' ? launcher : { ...launcher, env: { ...launcher.env, CHAPERONE_HOME: home } };
}

export const NAME = 'chaperone';
export const CLIENT_NAMES: Readonly<Record<ClientId, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  vscode: 'VS Code',
};

/** So that Claude Code leaves a waiting call in the conversation. */
export const BACKGROUND_LIMIT = { path: ['env', 'CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS'], value: '0' } as const;

/** Seconds a call may wait; the shim answers with a handle a minute earlier. */
const WAIT = 30 * 60;
const patient = (args: readonly string[]) => [...args, '--call-limit', String(WAIT - 60)];
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

const ENTRIES: Readonly<Record<ClientId, (launcher: Launcher) => Entry>> = {
  claude: ({ command, args }) => ({
    type: 'stdio',
    command,
    args: patient(args),
    timeout: WAIT * 1_000,
    alwaysLoad: true,
  }),
  codex: ({ command, args }) => ({
    command,
    args: patient(args),
    startup_timeout_sec: 30,
    tool_timeout_sec: WAIT,
  }),
  cursor: ({ command, args }) => ({ type: 'stdio', command, args }),
  vscode: ({ command, args }) => ({ type: 'stdio', command, args }),
};

/** Under our name in the client's configuration. */
export function entryFor(client: ClientId, launcher: Launcher): Entry {
  const entry = ENTRIES[client](launcher);
  return launcher.env === undefined ? entry : { ...entry, env: launcher.env };
}

export function clientOf(name: string): ClientId {
  const client = CLIENT_IDS.find((one) => one === name);
  if (client !== undefined) return client;
  throw new SetupRefused('unknown_client', message('setup.unknown_client', { name, names: CLIENT_IDS.join(', ') }));
}

/** For a person who puts it in place alone. */
export function registration(name: string, launcher: Launcher): Registration {
  const client = clientOf(name);
  const entry = entryFor(client, launcher);
  switch (client) {
    case 'claude':
      return {
        where: 'Claude Code: run this, or put the object under "mcpServers" in .mcp.json',
        text: `claude mcp add-json --scope user ${NAME} ${quoted(JSON.stringify(entry))}`,
        note:
          'In ~/.claude/settings.json, so that a waiting call stays in the conversation:\n' +
          pretty({ env: { [BACKGROUND_LIMIT.path[1]]: BACKGROUND_LIMIT.value } }),
      };
    case 'codex':
      return {
        where: 'Codex: add to ~/.codex/config.toml',
        text: TOML.write('', ['mcp_servers', NAME], entry).trimEnd(),
      };
    case 'cursor':
      return { where: 'Cursor: merge into ~/.cursor/mcp.json', text: pretty({ mcpServers: { [NAME]: entry } }) };
    case 'vscode':
      return {
        where:
          'VS Code: merge into .vscode/mcp.json, or into the file that the command "MCP: Open User Configuration" opens',
        text: pretty({ servers: { [NAME]: entry } }),
      };
  }
}

/** As one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
