/** Claude Code's user scope, through its own command: the file it lies in is large, live and not ours to write. */
import { message } from '../../messages/index.js';
import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { covers, isTable, type Entry } from './edit.js';
import { readEntry, type Changed, type Target } from './file.js';
import { JSONC } from './jsonc.js';
import { claudeState, commandOn, searchPath, type Machine } from './places.js';
import { SetupRefused } from './refusal.js';
import { NAME } from './registration.js';

const PATIENCE_MS = 30_000;
/** Nothing of how this process was started, nor a sign that it is Claude Code's own child. */
const LEFT_OUT = ['NODE_OPTIONS', 'ELECTRON_RUN_AS_NODE', 'CLAUDECODE'];

export function claudeTarget(machine: Machine, byHand: string): Target {
  return {
    file: claudeState(machine),
    format: JSONC,
    path: ['mcpServers', NAME],
    byHand,
    mode: { file: 0o600, folder: 0o700 },
  };
}

export async function addToClaude(machine: Machine, entry: Entry, byHand: string): Promise<Changed> {
  const target = claudeTarget(machine, byHand);
  const now = await readEntry(target);
  if (covers(now, entry)) return { outcome: 'already', file: target.file, backup: null };
  const run = runner(machine, byHand);
  const next = { ...(isTable(now) ? now : {}), ...entry };
  if (now !== undefined) await run(['mcp', 'remove', '--scope', 'user', NAME]);
  try {
    await run(['mcp', 'add-json', '--scope', 'user', NAME, JSON.stringify(next)]);
    if (!covers(await readEntry(target), entry))
      throw new SetupRefused('command_failed', message('setup.entry_missing', { file: target.file, byHand }));
  } catch (error) {
    if (now !== undefined)
      await run(['mcp', 'add-json', '--scope', 'user', NAME, JSON.stringify(now)]).catch(() => undefined);
    throw error;
  }
  return { outcome: now === undefined ? 'added' : 'updated', file: target.file, backup: null };
}

export async function removeFromClaude(machine: Machine, byHand: string): Promise<Changed> {
  const target = claudeTarget(machine, byHand);
  if ((await readEntry(target)) === undefined) return { outcome: 'absent', file: target.file, backup: null };
  await runner(machine, 'claude mcp remove --scope user chaperone')(['mcp', 'remove', '--scope', 'user', NAME]);
  return { outcome: 'removed', file: target.file, backup: null };
}

function runner(machine: Machine, byHand: string): (args: string[]) => Promise<void> {
  const command = commandOn(machine, 'claude');
  if (command === null) throw new SetupRefused('no_command', message('setup.no_command', { byHand }));
  const kept = Object.entries(machine.env).filter(([name]) => !LEFT_OUT.includes(name));
  const env = {
    ...Object.fromEntries(kept),
    HOME: machine.home,
    PATH: searchPath(machine).join(delimiter),
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  return (args) =>
    new Promise((resolve, reject) => {
      const options = { env, cwd: machine.home, timeout: PATIENCE_MS, killSignal: 'SIGKILL' as const };
      const child = execFile(command, args, options, (error, stdout, stderr) => {
        if (error === null) return resolve();
        const said = `${stderr}\n${stdout}`.trim().split('\n')[0] ?? '';
        const why = (said === '' ? error.message : said).replace(/\.+$/, '');
        reject(new SetupRefused('command_failed', message('setup.command_failed', { command, why, byHand })));
      });
      child.stdin?.end();
    });
}
