import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Launcher } from '../setup/index.js';
import { PROGRAM_NAME, shellLine } from '../protocol/local-command.js';
import { ownProgram } from '../shim/own-program.js';

const ENTRY = fileURLToPath(new URL('../cli/index.js', import.meta.url));

/** The command that starts this program's shim from any folder. The packaged program takes `mcp` itself, because its files may be elsewhere at the next start. */
export function ownLauncher(entry = ENTRY): Launcher {
  if (/\.asar[\\/]/.test(entry)) return { command: ownProgram(), args: ['mcp'] };
  return { command: process.execPath, args: [entry, 'mcp'] };
}

/** What a person types to run this program: its name where the search path finds it, else absolute paths. */
export function ownCommand(env: Readonly<Record<string, string | undefined>> = process.env, entry = ENTRY): string {
  const { command, args } = ownLauncher(entry);
  return isOnSearchPath(entry, env['PATH'] ?? '') ? PROGRAM_NAME : shellLine([command, ...args.slice(0, -1)]);
}

function isOnSearchPath(entry: string, path: string): boolean {
  const first = path
    .split(delimiter)
    .flatMap((folder) => (folder === '' ? [] : [join(folder, PROGRAM_NAME)]))
    .find(existsSync);
  return first !== undefined && existsSync(entry) && realpathSync(first) === realpathSync(entry);
}
