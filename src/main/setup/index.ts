/**
 * Registers the shim with coding agents. Comes in: the client, the command that starts the shim, the user's environment. Goes out: the
 * changed files and their backups, or {@link SetupRefused}. Called by `chaperone setup`, and by the page for a paired person. Changes
 * nothing but Chaperone's own entry.
 */
import { join } from 'node:path';
import { message } from '../../messages/index.js';
import { CLIENT_NAMES, type ClientId } from '../protocol/index.js';
import { addToClaude, claudeTarget, removeFromClaude } from './claude.js';
import { includesValues } from './edit.js';
import { readEntry, removeEntry, writeEntry, type FileChange, type EntryLocation } from './file.js';
import { JSONC } from './jsonc.js';
import { claudeFolder, isFound, type UserEnvironment, type ConfigScope } from './client-paths.js';
import { CLIENTS } from './clients/index.js';
import type { Launcher } from './launcher.js';
import { SetupRefused } from './refusal.js';
import { BACKGROUND_LIMIT, entryFor, registration } from './registration.js';

export { SetupRefused } from './refusal.js';
export { parseClientId, registration } from './registration.js';
export { withChaperoneHome, withRemote, type Launcher } from './launcher.js';
export type { UserEnvironment, ConfigScope } from './client-paths.js';

export interface SetupResult {
  outcome: FileChange['outcome'];
  /** The changed files. */
  files: { path: string; backup: string | null }[];
  /** The person has set another limit for calls in the background; it was kept. */
  ownLimit: boolean;
}

interface SetupOptions {
  client: ClientId;
  launcher: Launcher;
  machine: UserEnvironment;
  scope: ConfigScope;
  /** Folder of the project, for scope `project`. */
  cwd: string;
}

const PRIVATE = { file: 0o600, folder: 0o700 };
const SHARED = { file: 0o644, folder: 0o755 };

export async function register(options: SetupOptions): Promise<SetupResult> {
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
  return summarize(client === 'claude' ? [main, await removeEntry(limitTarget(options), true)] : [main]);
}

interface ClientState {
  /** The client is installed on this machine. */
  found: boolean;
  /** Chaperone's entry: none, as this host would write it, a different one, or unreadable. */
  entry: 'none' | 'ours' | 'other' | 'unclear';
  /** What belongs in the settings of a client that has no file to write; else null. */
  paste: string | null;
}

/** Changes nothing. */
export async function inspectClient(options: SetupOptions): Promise<ClientState> {
  const { client, machine } = options;
  const found = isFound(CLIENTS[client], machine);
  if (hasNoFile(client)) return { found, entry: 'none', paste: inOneLine(options) };
  return { found, entry: await entryState(options), paste: null };
}

function inOneLine({ client, launcher }: SetupOptions): string {
  const entry: unknown = entryFor(client, launcher);
  return JSON.stringify(CLIENTS[client].path.reduceRight((inner, key) => ({ [key]: inner }), entry));
}

async function entryState(options: SetupOptions): Promise<ClientState['entry']> {
  const { client, machine, launcher } = options;
  try {
    const now = await readEntry(usesClaudeCommand(options) ? claudeTarget(machine, '') : targetOf(options));
    if (now === undefined) return 'none';
    return includesValues(now, entryFor(client, launcher)) ? 'ours' : 'other';
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

function summarize(changes: FileChange[]): SetupResult {
  const [main] = changes;
  const files = changes
    .filter(({ outcome }) => outcome !== 'already' && outcome !== 'absent')
    .map(({ file, backup }) => ({ path: file, backup }));
  return { outcome: main?.outcome ?? 'already', files, ownLimit: false };
}
