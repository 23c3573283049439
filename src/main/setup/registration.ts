/** Chaperone's entry in a client's configuration, also for a person who registers by hand. */
import { message, type Message } from '../../messages/index.js';
import { CLIENT_NAMES } from '../protocol/client-names.js';
import { CLIENT_IDS, type ClientId } from '../protocol/index.js';
import { shellLine } from '../protocol/local-command.js';
import { CLIENTS } from './clients/index.js';
import type { ClientEntry } from './edit.js';
import { NAME, type Launcher } from './launcher.js';
import { SetupRefused } from './refusal.js';

interface Registration {
  /** Where the text belongs. */
  where: Message;
  text: string;
  note?: Message;
}

/** Keeps a waiting call in Claude Code's conversation. */
export const BACKGROUND_LIMIT = { path: ['env', 'CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS'], value: '0' } as const;

export function entryFor(client: ClientId, launcher: Launcher): ClientEntry {
  return CLIENTS[client].entry(launcher);
}

export function parseClientId(name: string): ClientId {
  const client = CLIENT_IDS.find((one) => one === name);
  if (client !== undefined) return client;
  throw new SetupRefused('unknown_client', message('setup.unknown_client', { name, names: CLIENT_IDS.join(', ') }));
}

/** `projectFile`: the client's file in a project; null: the entry is for the person's own settings. */
export function registration(name: string, launcher: Launcher, projectFile: string | null = null): Registration {
  const client = parseClientId(name);
  const { format, path, where: everywhere } = CLIENTS[client];
  const entry = entryFor(client, launcher);
  const inProject = message('setup.by_hand.merge', { client: CLIENT_NAMES[client], file: projectFile ?? '' });
  const where = projectFile === null || client === 'claude' ? everywhere : inProject;
  if (client !== 'claude') return { where, text: format.write('', path, entry).trimEnd() };
  const scope = projectFile === null ? 'user' : 'project';
  return {
    where,
    text: shellLine(['claude', 'mcp', 'add-json', '--scope', scope, NAME, JSON.stringify(entry)]),
    note: message('setup.by_hand.claude_waiting', {
      entry: JSON.stringify({ env: { [BACKGROUND_LIMIT.path[1]]: BACKGROUND_LIMIT.value } }, null, 2),
    }),
  };
}
