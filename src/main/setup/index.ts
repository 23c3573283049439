/**
 * Registers the shim with coding agents. Comes in: which client, what starts the shim, this machine. Goes out: what was changed, where,
 * and where the file as it was lies; or {@link SetupRefused}. Called by `chaperone setup` and, for a person only, by the page.
 */
import { join } from 'node:path';
import type { ClientId } from '../protocol/index.js';
import { addToClaude, claudeTarget, removeFromClaude } from './claude.js';
import { covers } from './edit.js';
import { readEntry, removeEntry, writeEntry, type Changed, type Target } from './file.js';
import { JSONC } from './jsonc.js';
import { claudeFolder, configFile, isFound, type Machine, type Scope } from './places.js';
import { SetupRefused } from './refusal.js';
import { BACKGROUND_LIMIT, entryFor, NAME, registration, type Launcher } from './registration.js';
import { TOML } from './toml.js';

export { SetupRefused } from './refusal.js';
export { CLIENT_NAMES, clientOf, launcherAt, registration } from './registration.js';
export type { Launcher } from './registration.js';
export type { Machine, Scope } from './places.js';

export interface Setup {
  outcome: Changed['outcome'];
  /** What was changed; empty when nothing was. */
  files: { path: string; backup: string | null }[];
  /** The person has a limit of their own for calls that go to the background; it was left. */
  ownLimit: boolean;
}

export interface SetupOptions {
  client: ClientId;
  launcher: Launcher;
  machine: Machine;
  scope: Scope;
  /** For `project`: its folder. */
  cwd: string;
}

const PRIVATE = { file: 0o600, folder: 0o700 };
const SHARED = { file: 0o644, folder: 0o755 };

export async function connect(options: SetupOptions): Promise<Setup> {
  const { client, launcher, machine } = options;
  const entry = entryFor(client, launcher);
  const main = throughClaude(options)
    ? await addToClaude(machine, entry, byHand(options))
    : await writeEntry(targetOf(options), entry);
  if (client !== 'claude') return told([main]);
  const limit = limitTarget(options);
  const now = await readEntry(limit);
  if (now !== undefined) return { ...told([main]), ownLimit: now !== BACKGROUND_LIMIT.value };
  return told([main, await writeEntry(limit, BACKGROUND_LIMIT.value)]);
}

export async function disconnect(options: SetupOptions): Promise<Setup> {
  const { client, machine } = options;
  const main = throughClaude(options)
    ? await removeFromClaude(machine, byHand(options))
    : await removeEntry(targetOf(options));
  return told(client === 'claude' ? [main, await removeEntry(limitTarget(options), true)] : [main]);
}

export interface Look {
  /** The client is on this machine. */
  found: boolean;
  /** Our entry: none, as this host would write it, another, or unreadable. */
  entry: 'none' | 'ours' | 'other' | 'unclear';
}

/** Reads only. */
export async function look(options: SetupOptions): Promise<Look> {
  const { client, machine, launcher } = options;
  const found = isFound(client, machine);
  try {
    const now = await readEntry(throughClaude(options) ? claudeTarget(machine, '') : targetOf(options));
    if (now === undefined) return { found, entry: 'none' };
    return { found, entry: covers(now, entryFor(client, launcher)) ? 'ours' : 'other' };
  } catch (error) {
    if (!(error instanceof SetupRefused)) throw error;
    return { found, entry: 'unclear' };
  }
}

const throughClaude = ({ client, scope }: SetupOptions): boolean => client === 'claude' && scope === 'user';

const byHand = ({ client, launcher }: SetupOptions): string => registration(client, launcher).text;

const ENTRIES: Readonly<Record<ClientId, Pick<Target, 'format' | 'path'>>> = {
  claude: { format: JSONC, path: ['mcpServers', NAME] },
  codex: { format: TOML, path: ['mcp_servers', NAME] },
  cursor: { format: JSONC, path: ['mcpServers', NAME] },
  vscode: { format: JSONC, path: ['servers', NAME] },
};

function targetOf({ client, machine, scope, cwd }: SetupOptions): Target {
  return {
    file: configFile(client, machine, scope, cwd),
    ...ENTRIES[client],
    byHand: `\`chaperone setup ${client} --print\``,
    mode: scope === 'user' ? PRIVATE : SHARED,
  };
}

/** Of the person alone, in a project too. */
function limitTarget({ machine, scope, cwd }: SetupOptions): Target {
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

function told(changes: Changed[]): Setup {
  const [main] = changes;
  const files = changes
    .filter(({ outcome }) => outcome !== 'already' && outcome !== 'absent')
    .map(({ file, backup }) => ({ path: file, backup }));
  return { outcome: main?.outcome ?? 'already', files, ownLimit: false };
}
