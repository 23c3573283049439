import { fileURLToPath } from 'node:url';
import type { Launcher } from '../host/clients/index.js';
import { ownProgram } from '../shim/program.js';

/** What starts this command line's shim, wherever it is called from. The packaged program takes the command itself; its files may lie elsewhere at the next start. */
export function ownLauncher(entry = fileURLToPath(new URL('./index.js', import.meta.url))): Launcher {
  if (/\.asar[\\/]/.test(entry)) return { command: ownProgram(), args: ['mcp'] };
  return { command: process.execPath, args: [entry, 'mcp'] };
}
