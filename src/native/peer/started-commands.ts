import { LRUCache } from 'lru-cache';
import type { ProcessIdentity } from './types.js';

/** The processes with which approved commands began, in this run of the host, by pid. */
export interface StartedCommands {
  add(pid: number, executionId: string): void;
  /** The execution whose command began with this process; null where none did, or another process has the number now. */
  executionOf(pid: number): string | null;
}

const MAX_COMMANDS = 5_000;

/** Entries stay when the process has ended: its session, and what it is responsible for, keep its number. */
export function createStartedCommands(lookup: (pid: number) => ProcessIdentity | null): StartedCommands {
  const commands = new LRUCache<number, { executionId: string; startTime: string | null }>({ max: MAX_COMMANDS });
  return {
    add: (pid, executionId) => void commands.set(pid, { executionId, startTime: lookup(pid)?.startTime ?? null }),
    executionOf(pid) {
      const known = commands.get(pid);
      if (known === undefined) return null;
      const now = lookup(pid)?.startTime ?? null;
      const isAnother = now !== null && known.startTime !== null && now !== known.startTime;
      return isAnother ? null : known.executionId;
    },
  };
}
