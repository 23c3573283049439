import type { CommandRunner } from '../../../native/process/index.js';
import type { CommandsPort } from './commands.js';
import type { Outcome } from './ports.js';

const UNKNOWN: Outcome = { ok: false, code: 'unknown_command', message: 'That command has ended already.' };

/** Commands that were kept running, as the pages see them. */
export function commandsForPages({ background }: Pick<CommandRunner, 'background'>): CommandsPort {
  return {
    kept: () =>
      background.list().map(({ processes, since, ...command }) => ({
        ...command,
        since: new Date(since).toISOString(),
        processes: processes.length,
      })),
    on: background.onChange,
    async end(id) {
      const remaining = await background.end(id);
      if (remaining === null) return UNKNOWN;
      if (remaining.length === 0) return { ok: true };
      const pids = remaining.map(({ pid }) => pid).join(', ');
      return { ok: false, code: 'not_ended', message: `These processes could not be ended: ${pids}.` };
    },
    outlive: (id, on) => (background.outlive(id, on) ? { ok: true } : UNKNOWN),
  };
}
