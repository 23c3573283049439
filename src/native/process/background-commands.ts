/** Commands whose processes were kept running after their call. They can be listed, ended, or set to outlive the host. */
import { createEmitter } from '../../base/emitter.js';
import type { FoundProcess } from './supervisor-messages.js';
import type { SupervisedCommand } from './supervisor-client.js';

/** The agent that keeps it and the command, as shown to a person. */
export interface BackgroundLabel {
  agent: string;
  command: string;
}

export interface BackgroundCommand extends BackgroundLabel {
  /** The execution that started it. */
  id: string;
  /** Milliseconds since the epoch. */
  since: number;
  processes: FoundProcess[];
  /** It goes on when the host ends. */
  outlives: boolean;
}

export type BackgroundCommands = ReturnType<typeof createBackgroundCommands>;

interface Entry {
  shown: BackgroundCommand;
  supervised: SupervisedCommand;
}

export function createBackgroundCommands(now: () => number = Date.now) {
  const entries = new Map<string, Entry>();
  const changes = createEmitter<void>();

  async function end(id: string): Promise<FoundProcess[] | null> {
    const entry = entries.get(id);
    if (entry === undefined) return null;
    const { remaining } = await entry.supervised.end();
    entry.supervised.release();
    if (entries.delete(id)) changes.emit();
    return remaining;
  }

  return {
    add(
      supervised: SupervisedCommand,
      { executionId: id }: { executionId: string },
      keep: BackgroundLabel,
      processes: FoundProcess[],
    ): void {
      const shown = { id, ...keep, since: now(), processes, outlives: false };
      entries.set(id, { shown, supervised });
      changes.emit();
      supervised.keep((found) => {
        // The list is also empty where the supervisor was ended; then `end` finds processes by their mark.
        if (found.length === 0) return void end(id);
        shown.processes = found;
        changes.emit();
      });
    },
    /** Oldest first. */
    list: (): BackgroundCommand[] => [...entries.values()].map(({ shown }) => ({ ...shown })),
    /** Resolves to what could not be ended, or null where nothing of that id is kept. */
    end,
    /** False where nothing of that id is kept. */
    outlive(id: string, on: boolean): boolean {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      entry.supervised.outlive(on);
      entry.shown.outlives = on;
      changes.emit();
      return true;
    },
    onChange: changes.on,
    async close(): Promise<void> {
      for (const { shown, supervised } of [...entries.values()]) {
        if (!shown.outlives) continue;
        entries.delete(shown.id);
        supervised.release();
      }
      await Promise.all([...entries.keys()].map(end));
    },
  };
}
