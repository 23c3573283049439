import { LRUCache } from 'lru-cache';
import type { KeptCommands } from './kept-commands.js';
import type { ProcessIdentity } from './types.js';

/** The processes with which approved commands began, since the machine was started, by pid. */
export type StartedCommands = ReturnType<typeof createStartedCommands>;

export const MAX_COMMANDS = 5_000;
const NOTHING_KEPT: KeptCommands = { entries: [], append: () => undefined };

/** Entries stay when the process has ended: its session, and what it is responsible for, keep its number. */
export function createStartedCommands(lookup: (pid: number) => ProcessIdentity | null, kept = NOTHING_KEPT) {
  const commands = new LRUCache<number, { executionId: string; startTime: string | null }>({ max: MAX_COMMANDS });
  for (const { pid, ...known } of kept.entries) commands.set(pid, known);
  return {
    add(pid: number, executionId: string): void {
      const known = { executionId, startTime: lookup(pid)?.startTime ?? null };
      commands.set(pid, known);
      kept.append({ pid, ...known });
    },
    /** The execution whose command began with this process; null where none did, or another process has the number now. */
    executionOf(pid: number): string | null {
      const known = commands.get(pid);
      if (known === undefined) return null;
      const now = lookup(pid)?.startTime ?? null;
      const isAnother = now !== null && known.startTime !== null && now !== known.startTime;
      return isAnother ? null : known.executionId;
    },
  };
}
