/**
 * Registers the shim with coding agents. Comes in: the client, the command that starts the shim, the user's environment. Goes out: the
 * changed files and their backups, or {@link SetupRefused}. Called by `chaperone setup`, and by the page for a paired person. Changes
 * nothing but Chaperone's own entry.
 */
import { join } from 'node:path';
import { message, type Message } from '../../messages/index.js';
import { CLIENT_NAMES, type ClientId, CLIENT_IDS } from '../protocol/index.js';
import { addToClaude, claudeTarget, removeFromClaude } from './claude.js';
import { includesValues, isTable, SetupRefused, type ClientEntry } from './edit.js';
import { readEntry, removeEntry, writeEntry, type FileChange, type EntryLocation } from './file.js';
import { JSONC } from './jsonc.js';
import {
  claudeFolder,
  desktopIn,
  hasOwnDesktops,
  isFound,
  isRemote,
  withDesktop,
  NAME,
  type ConfigScope,
  type Desktop,
  type Launcher,
  type UserEnvironment,
} from './client-paths.js';
import { CLIENTS } from './clients/index.js';
import { shellLine } from '../protocol/local-command.js';

export { SetupRefused } from './edit.js';
export {
  withChaperoneHome,
  withRemote,
  withDesktop,
  hasOwnDesktops,
  isRemote,
  DESKTOPS,
  type Desktop,
  type Launcher,
} from './client-paths.js';
export type { UserEnvironment, ConfigScope } from './client-paths.js';

export interface SetupResult {
  outcome: FileChange['outcome'];
  /** The changed files. */
  files: { path: string; backup: string | null }[];
  /** The person has set another limit for calls in the background; it was kept. */
  ownLimit: boolean;
  /** What the entry asks for; null: there is none. */
  desktop: Desktop | null;
}

interface SetupOptions {
  client: ClientId;
  launcher: Launcher;
  machine: UserEnvironment;
  scope: ConfigScope;
  /** Folder of the project, for scope `project`. */
  cwd: string;
  /** What the person chose. Absent: an entry keeps what it has, and a new one asks for one of its own where this machine can give it. */
  desktop?: Desktop | undefined;
}

const PRIVATE = { file: 0o600, folder: 0o700 };
const SHARED = { file: 0o644, folder: 0o755 };

export async function register(given: SetupOptions): Promise<SetupResult> {
  const desktop = await desktopFor(given);
  const options = { ...given, launcher: withDesktop(given.launcher, desktop) };
  return { ...(await write(options)), desktop };
}

async function write(options: SetupOptions): Promise<Omit<SetupResult, 'desktop'>> {
  const { client, launcher, machine } = options;
  const entry = entryFor(client, launcher);
  const main = usesClaudeCommand(options)
    ? await addToClaude(machine, entry, byHand(options))
    : await writeEntry(targetOf(options), entry);
  if (client !== 'claude') return summarize([main]);
  const limit = limitTarget(options);
  const now = await readEntry(limit);
  if (now !== undefined) return { ...summarize([main]), ownLimit: now !== BACKGROUND_LIMIT.value };
  return summarize([main, await writeEntry(limit, BACKGROUND_LIMIT.value)]);
}

export async function unregister(options: SetupOptions): Promise<SetupResult> {
  const { client, machine } = options;
  const main = usesClaudeCommand(options)
    ? await removeFromClaude(machine, byHand(options))
    : await removeEntry(targetOf(options));
  const changes = client === 'claude' ? [main, await removeEntry(limitTarget(options), true)] : [main];
  return { ...summarize(changes), desktop: null };
}

function refusedIsNone(thrown: unknown): undefined {
  if (!(thrown instanceof SetupRefused)) throw thrown;
  return undefined;
}

/** Which desktop an entry that is written now asks for. A file that cannot be read has none. */
export async function desktopFor(options: SetupOptions): Promise<Desktop> {
  if (options.desktop !== undefined) return options.desktop;
  const entry = hasNoFile(options.client) ? undefined : await readEntry(entryPlace(options)).catch(refusedIsNone);
  if (isTable(entry)) return desktopIn(entry);
  // What another machine can give is not known here.
  return isRemote(options.launcher) || !hasOwnDesktops(options.machine) ? 'current' : 'own';
}

interface ClientState {
  /** The client is installed on this machine. */
  found: boolean;
  /** Chaperone's entry: none, as this host would write it, a different one, or unreadable. */
  entry: 'none' | 'ours' | 'other' | 'unclear';
  /** What it asks for; where there is none, what a new one would. */
  desktop: Desktop;
  /** What belongs in the settings of a client that has no file to write; else null. */
  paste: string | null;
}

/** Changes nothing. */
export async function inspectClient(options: SetupOptions): Promise<ClientState> {
  const { client, machine } = options;
  const found = isFound(CLIENTS[client], machine);
  const desktop = await desktopFor(options);
  if (hasNoFile(client)) return { found, entry: 'none', desktop, paste: inOneLine(options, desktop) };
  return { found, entry: await entryState(options, desktop), desktop, paste: null };
}

function inOneLine({ client, launcher }: SetupOptions, desktop: Desktop): string {
  const entry: unknown = entryFor(client, withDesktop(launcher, desktop));
  return JSON.stringify(CLIENTS[client].path.reduceRight((inner, key) => ({ [key]: inner }), entry));
}

async function entryState(options: SetupOptions, desktop: Desktop): Promise<ClientState['entry']> {
  const { client, launcher } = options;
  try {
    const now = await readEntry(entryPlace(options));
    if (now === undefined) return 'none';
    return includesValues(now, entryFor(client, withDesktop(launcher, desktop))) ? 'ours' : 'other';
  } catch (error) {
    if (!(error instanceof SetupRefused)) throw error;
    return 'unclear';
  }
}

/**
 * Codex has `codex mcp add` too, but it is not used (tried with 0.169): it replaces the whole entry, drops comments near it, rewrites
 * other servers' arrays, and cannot set the time limits.
 */
const usesClaudeCommand = ({ client, scope }: SetupOptions): boolean => client === 'claude' && scope === 'user';

const entryPlace = (options: SetupOptions): EntryLocation =>
  usesClaudeCommand(options) ? claudeTarget(options.machine, '') : targetOf(options);

const byHand = ({ client, launcher }: SetupOptions): string => registration(client, launcher).text;

/** Its servers can only be changed inside the program. */
export const hasNoFile = (client: ClientId): boolean => Object.keys(CLIENTS[client].files).length === 0;

function targetOf(options: SetupOptions): EntryLocation {
  const { client, scope } = options;
  const { format, path } = CLIENTS[client];
  return {
    file: fileOf(options),
    format,
    path,
    byHand: `\`chaperone setup ${client} --print\``,
    mode: scope === 'user' ? PRIVATE : SHARED,
  };
}

/** The client's file of that scope. Rejects where it has none. */
export function fileOf({ client, machine, scope, cwd }: Omit<SetupOptions, 'launcher'>): string {
  const { files } = CLIENTS[client];
  const name = CLIENT_NAMES[client];
  if (hasNoFile(client)) throw new SetupRefused('only_by_hand', message('setup.only_by_hand', { client: name }));
  const file = scope === 'user' ? files.user?.(machine) : files.project?.(cwd);
  if (file !== undefined) return file;
  const facts = { client: name, scope, file: files.user?.(machine) ?? '' };
  throw new SetupRefused('no_scope', message('setup.no_scope', facts));
}

/** In the person's own settings, also for a project. */
function limitTarget({ machine, scope, cwd }: SetupOptions): EntryLocation {
  const file =
    scope === 'user' ? join(claudeFolder(machine), 'settings.json') : join(cwd, '.claude', 'settings.local.json');
  return {
    file,
    format: JSONC,
    path: BACKGROUND_LIMIT.path,
    byHand: '`chaperone setup claude --print`',
    mode: PRIVATE,
  };
}

function summarize(changes: FileChange[]): Omit<SetupResult, 'desktop'> {
  const [main] = changes;
  const files = changes
    .filter(({ outcome }) => outcome !== 'already' && outcome !== 'absent')
    .map(({ file, backup }) => ({ path: file, backup }));
  return { outcome: main?.outcome ?? 'already', files, ownLimit: false };
}

// Chaperone's entry in a client's configuration, also for a person who registers by hand.

interface Registration {
  /** Where the text belongs. */
  where: Message;
  text: string;
  note?: Message;
}

/** Keeps a waiting call in Claude Code's conversation. */
const BACKGROUND_LIMIT = { path: ['env', 'CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS'], value: '0' } as const;

function entryFor(client: ClientId, launcher: Launcher): ClientEntry {
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
