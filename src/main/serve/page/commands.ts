/** A person ends commands that were kept running, or lets them outlive the host. */
import { message } from '../../../messages/index.js';
import type { CommandRunner } from '../../../native/process/index.js';
import type { KeptCommand } from '../../protocol/index.js';
import type { Definitions, PageRefusal } from './definition.js';

export interface CommandDependencies {
  keptCommands: Pick<CommandRunner['background'], 'list' | 'end' | 'outlive'>;
}

const UNKNOWN: PageRefusal = { ok: false, code: 'unknown_command', message: message('refused.unknown_command') };

export const commandHandlers: Definitions<'endCommand' | 'outliveCommand', CommandDependencies> = {
  endCommand: {
    role: 'paired',
    async handler({ keptCommands }, { id }) {
      const remaining = await keptCommands.end(id);
      if (remaining === null) return UNKNOWN;
      if (remaining.length === 0) return undefined;
      const pids = remaining.map(({ pid }) => pid).join(', ');
      return { ok: false, code: 'not_ended', message: message('refused.not_ended', { pids }) };
    },
  },
  outliveCommand: {
    role: 'paired',
    handler: ({ keptCommands }, { id, on }) => (keptCommands.outlive(id, on) ? undefined : UNKNOWN),
  },
};

/** As pages show them, oldest first. */
export function shownCommands(keptCommands: Pick<CommandRunner['background'], 'list'>): KeptCommand[] {
  return keptCommands.list().map(({ processes, since, ...command }) => ({
    ...command,
    since: new Date(since).toISOString(),
    processes: processes.length,
  }));
}
