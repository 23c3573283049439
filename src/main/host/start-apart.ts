/** Starts Electron's program so that, on macOS, what the person allows the app is not the terminal's too. */
import { createDisclaimedStart, startChild, type StartedCommand } from '../../native/process/disclaimed.js';
import { CommandError } from '../../native/process/supervisor-messages.js';

export interface StartSystem {
  platform?: string;
  /** Of a stand-in in tests. */
  library?: string;
}

/** Throws, or rejects `started`, where nothing was started. */
export function startApart(
  argv: [string, ...string[]],
  { platform = process.platform, library }: StartSystem = {},
): StartedCommand {
  // With this variable Electron would run as plain Node.
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env;
  const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const start = platform === 'darwin' ? createDisclaimedStart(library) : startChild;
  return start({ argv, cwd: process.cwd(), env: Object.fromEntries(set) });
}

/** Whether it was not started because the system does not confirm that it would answer for itself. */
export const isUnconfirmed = (thrown: unknown): boolean =>
  thrown instanceof CommandError && thrown.code === 'EDISCLAIM';
