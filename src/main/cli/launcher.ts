import { fileURLToPath } from 'node:url';
import type { Launcher } from '../host/clients/index.js';

/** What starts this command line's shim, wherever it is called from. */
export function ownLauncher(): Launcher {
  return { command: process.execPath, args: [fileURLToPath(new URL('./index.js', import.meta.url)), 'mcp'] };
}
