/** A person ends commands that were kept running, or lets them go on after the host. Only a paired page and the popover may. */
import type { KeptCommand } from '../../protocol/index.js';
import type { Paired } from './handler.js';
import type { Handler } from './handler.js';
import type { Outcome } from './ports.js';

export interface CommandsPort {
  /** Oldest first. */
  kept(): KeptCommand[];
  on(listener: () => void): () => void;
  end(id: string): Promise<Outcome>;
  outlive(id: string, on: boolean): Outcome;
}

type Type = 'endCommand' | 'outliveCommand';

export function createCommandHandlers(
  { commands }: { commands: CommandsPort },
  paired: Paired,
): { [T in Type]: Handler<T> } {
  return {
    endCommand: paired((_page, { id }) => commands.end(id)),
    outliveCommand: paired((_page, { id, on }) => commands.outlive(id, on)),
  };
}
