/** Claude Code's user scope, changed by its own command only: its file is large and written by running sessions. */
import { message } from '../../messages/index.js';
import { randomUUID } from 'node:crypto';
import { delimiter } from 'node:path';
import {
  CommandError,
  createCommandRunner,
  type CommandRequest,
  type FinishedCommand,
} from '../../native/process/index.js';
import { includesValues, isTable, type ClientEntry, SetupRefused } from './edit.js';
import { readEntry, type FileChange, type EntryLocation } from './file.js';
import { JSONC } from './jsonc.js';
import { claudeState, commandOn, searchPath, type UserEnvironment, NAME } from './client-paths.js';

const COMMAND_TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 4096;
/** Not passed on: how this process was started, and the mark of Claude Code's own children. */
const REMOVED_VARIABLES = ['NODE_OPTIONS', 'ELECTRON_RUN_AS_NODE', 'CLAUDECODE'];

export function claudeTarget(machine: UserEnvironment, byHand: string): EntryLocation {
  return {
    file: claudeState(machine),
    format: JSONC,
    path: ['mcpServers', NAME],
    byHand,
    mode: { file: 0o600, folder: 0o700 },
  };
}

export async function addToClaude(machine: UserEnvironment, entry: ClientEntry, byHand: string): Promise<FileChange> {
  const target = claudeTarget(machine, byHand);
  const now = await readEntry(target);
  if (includesValues(now, entry)) return { outcome: 'already', file: target.file, backup: null };
  const run = commandRunner(machine, byHand);
  const next = { ...(isTable(now) ? now : {}), ...entry };
  if (now !== undefined) await run(['mcp', 'remove', '--scope', 'user', NAME]);
  try {
    await run(['mcp', 'add-json', '--scope', 'user', NAME, JSON.stringify(next)]);
    if (!includesValues(await readEntry(target), entry))
      throw new SetupRefused('command_failed', message('setup.entry_missing', { file: target.file, byHand }));
  } catch (error) {
    if (now !== undefined)
      await run(['mcp', 'add-json', '--scope', 'user', NAME, JSON.stringify(now)]).catch(() => undefined);
    throw error;
  }
  return { outcome: now === undefined ? 'added' : 'updated', file: target.file, backup: null };
}

export async function removeFromClaude(machine: UserEnvironment, byHand: string): Promise<FileChange> {
  const target = claudeTarget(machine, byHand);
  if ((await readEntry(target)) === undefined) return { outcome: 'absent', file: target.file, backup: null };
  await commandRunner(machine, 'claude mcp remove --scope user chaperone')(['mcp', 'remove', '--scope', 'user', NAME]);
  return { outcome: 'removed', file: target.file, backup: null };
}

function commandRunner(machine: UserEnvironment, byHand: string): (args: string[]) => Promise<void> {
  const command = commandOn(machine, 'claude');
  if (command === null) throw new SetupRefused('no_command', message('setup.no_command', { byHand }));
  const passed = Object.entries(machine.env).flatMap(([name, value]) =>
    value === undefined || REMOVED_VARIABLES.includes(name) ? [] : [[name, value] as const],
  );
  const env = {
    ...Object.fromEntries(passed),
    HOME: machine.home,
    PATH: searchPath(machine).join(delimiter),
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  return async (args) => {
    const failed = (why: string): SetupRefused =>
      new SetupRefused('command_failed', message('setup.command_failed', { command, why, byHand }));
    const ran = await runOnce(machine, { argv: [command, ...args], cwd: machine.home, env }).catch(
      (thrown: unknown) => {
        throw thrown instanceof CommandError ? failed(thrown.message) : thrown;
      },
    );
    if (ran.exitCode === 0) return;
    const [output = ''] = `${textOf(ran.stderr)}\n${textOf(ran.stdout)}`.trim().split('\n');
    const why = output === '' ? `${command}: ${ran.exitCode ?? ran.signal}` : output.replace(/\.+$/, '');
    throw failed(why);
  };
}

/** As a command that a person allowed: on macOS it does not get what they let this program do. */
async function runOnce(
  { supervisor }: UserEnvironment,
  given: Pick<CommandRequest, 'argv' | 'cwd' | 'env'>,
): Promise<FinishedCommand> {
  const runner = createCommandRunner(supervisor === undefined ? {} : { supervisor });
  const request = { ...given, executionId: randomUUID(), stdin: null, timeoutMs: COMMAND_TIMEOUT_MS };
  try {
    return await runner.run({ ...request, maxStreamBytes: MAX_OUTPUT_BYTES, keep: null }, new AbortController().signal);
  } finally {
    await runner.close();
  }
}

const textOf = ({ head }: FinishedCommand['stdout']): string => head.toString();
