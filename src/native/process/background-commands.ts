/** Commands whose processes were kept running after their call. They can be listed, ended, or set to outlive the host. */
import { createEmitter } from '../../base/emitter.js';
import type { FoundProcess } from './supervisor-messages.js';
import type { SupervisedCommand } from './supervisor-client.js';

/** The agent that keeps it and the command, as shown to a person. */
export interface BackgroundLabel {
  agent: string;
  command: string;
}

interface BackgroundCommand extends BackgroundLabel {
  /** The execution that started it. */
  id: string;
  /** Milliseconds since the epoch. */
  since: number;
  processes: FoundProcess[];
  /** It goes on when the host ends. */
  outlives: boolean;
}

export interface BackgroundCommands {
  add(
    supervised: SupervisedCommand,
    command: { executionId: string },
    keep: BackgroundLabel,
    processes: FoundProcess[],
  ): void;
  /** Oldest first. */
  list(): BackgroundCommand[];
  /** Resolves to what could not be ended, or null where nothing of that id is kept. */
  end(id: string): Promise<FoundProcess[] | null>;
  /** False where nothing of that id is kept. */
  outlive(id: string, on: boolean): boolean;
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

interface Entry {
  shown: BackgroundCommand;
  supervised: SupervisedCommand;
}

export function createBackgroundCommands(now: () => number = Date.now): BackgroundCommands {
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
    add(supervised, { executionId: id }, keep, processes) {
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
    list: () => [...entries.values()].map(({ shown }) => ({ ...shown })),
    end,
    outlive(id, on) {
      const entry = entries.get(id);
      if (entry === undefined) return false;
      entry.supervised.outlive(on);
      entry.shown.outlives = on;
      changes.emit();
      return true;
    },
    onChange: changes.on,
    async close() {
      for (const { shown, supervised } of [...entries.values()]) {
        if (!shown.outlives) continue;
        entries.delete(shown.id);
        supervised.release();
      }
      await Promise.all([...entries.keys()].map(end));
    },
  };
}
