/** The entry for each client, with time limits for calls that wait for a person. Paths are absolute, because a client may have another PATH. */
import { message, type Message } from '../../messages/index.js';
import type { ClientEntry } from './edit.js';
import { SetupRefused } from './refusal.js';
import { TOML } from './toml.js';
import { CLIENT_IDS, type ClientId } from '../protocol/index.js';
import { shellLine } from '../protocol/local-command.js';

/** The command that starts the shim. */
export interface Launcher {
  command: string;
  /** Ends with `mcp`. */
  args: readonly string[];
  /** Variables that the shim needs and clients do not pass on. */
  env?: Readonly<Record<string, string>>;
}

interface Registration {
  /** Where the text belongs. */
  where: Message;
  text: string;
  note?: Message;
}

/** Adds CHAPERONE_HOME where it is set, so that the shim finds that host. */
export function withChaperoneHome(launcher: Launcher, env: Readonly<Record<string, string | undefined>>): Launcher {
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

/** Keeps a waiting call in Claude Code's conversation. */
export const BACKGROUND_LIMIT = { path: ['env', 'CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS'], value: '0' } as const;

/** The client's limit for one call; the shim answers with a handle a minute earlier. */
const CALL_LIMIT_SECONDS = 30 * 60;
const withCallLimit = (args: readonly string[]) => [...args, '--call-limit', String(CALL_LIMIT_SECONDS - 60)];
const prettyJson = (value: unknown) => JSON.stringify(value, null, 2);

const ENTRIES: Readonly<Record<ClientId, (launcher: Launcher) => ClientEntry>> = {
  claude: ({ command, args }) => ({
    type: 'stdio',
    command,
    args: withCallLimit(args),
    timeout: CALL_LIMIT_SECONDS * 1_000,
    alwaysLoad: true,
  }),
  codex: ({ command, args }) => ({
    command,
    args: withCallLimit(args),
    startup_timeout_sec: 30,
    tool_timeout_sec: CALL_LIMIT_SECONDS,
  }),
  cursor: ({ command, args }) => ({ type: 'stdio', command, args }),
  vscode: ({ command, args }) => ({ type: 'stdio', command, args }),
};

/** Chaperone's entry in the client's configuration. */
export function entryFor(client: ClientId, launcher: Launcher): ClientEntry {
  const entry = ENTRIES[client](launcher);
  return launcher.env === undefined ? entry : { ...entry, env: launcher.env };
}

export function parseClientId(name: string): ClientId {
  const client = CLIENT_IDS.find((one) => one === name);
  if (client !== undefined) return client;
  throw new SetupRefused('unknown_client', message('setup.unknown_client', { name, names: CLIENT_IDS.join(', ') }));
}

/** For a person who registers by hand. */
export function registration(name: string, launcher: Launcher): Registration {
  const client = parseClientId(name);
  const entry = entryFor(client, launcher);
  switch (client) {
    case 'claude':
      return {
        where: message('setup.by_hand.claude'),
        text: shellLine(['claude', 'mcp', 'add-json', '--scope', 'user', NAME, JSON.stringify(entry)]),
        note: message('setup.by_hand.claude_waiting', {
          entry: prettyJson({ env: { [BACKGROUND_LIMIT.path[1]]: BACKGROUND_LIMIT.value } }),
        }),
      };
    case 'codex':
      return {
        where: message('setup.by_hand.codex'),
        text: TOML.write('', ['mcp_servers', NAME], entry).trimEnd(),
      };
    case 'cursor':
      return { where: message('setup.by_hand.cursor'), text: prettyJson({ mcpServers: { [NAME]: entry } }) };
    case 'vscode':
      return {
        where: message('setup.by_hand.vscode'),
        text: prettyJson({ servers: { [NAME]: entry } }),
      };
  }
}
