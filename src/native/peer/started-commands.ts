import { appendFileSync, readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { LRUCache } from 'lru-cache';
import writeFileAtomic from 'write-file-atomic';
import type { ProcessIdentity } from './types.js';
import { errno, isRecord } from '../../base/type-guards.js';

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

// What is known of approved commands, on disk: the host that follows knows it too, for as long as the machine runs.

interface KeptCommand {
  pid: number;
  startTime: string | null;
  executionId: string;
}

export interface KeptCommands {
  /** Oldest first. */
  readonly entries: readonly KeptCommand[];
  append(command: KeptCommand): void;
}

interface KeptOptions {
  file: string;
  /** The newest that are kept. */
  most: number;
  onError(thrown: unknown): void;
  /** When the machine was started, in ms since 1970: after that every number is another process's. */
  bootedAt?: number;
}

/** The clock may be set a little meanwhile. */
const SAME_BOOT_MS = 60_000;

/** Where the file cannot be read or written, this host knows its own commands all the same. */
export function openKeptCommands(options: KeptOptions): KeptCommands {
  const { file, onError, bootedAt = Date.now() - uptime() * 1000 } = options;
  const line = (command: KeptCommand): string => `${JSON.stringify({ ...command, bootedAt: Math.round(bootedAt) })}\n`;
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      onError(error);
    }
  };
  const entries = read(options, bootedAt);
  attempt(() => writeFileAtomic.sync(file, entries.map(line).join(''), { mode: 0o600 }));
  return {
    entries,
    append: (command) => attempt(() => appendFileSync(file, line(command), { mode: 0o600 })),
  };
}

function read({ file, most, onError }: KeptOptions, bootedAt: number): KeptCommand[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line) => parse(line, bootedAt) ?? []).slice(-most);
  } catch (error) {
    if (errno(error) !== 'ENOENT') onError(error);
    return [];
  }
}

/** null for a line that was not written whole, or before the machine was last started. */
function parse(line: string, bootedAt: number): KeptCommand | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  const { pid, startTime, executionId, bootedAt: then } = value;
  if (typeof pid !== 'number' || typeof executionId !== 'string' || typeof then !== 'number') return null;
  if (startTime !== null && typeof startTime !== 'string') return null;
  return Math.abs(then - bootedAt) > SAME_BOOT_MS ? null : { pid, startTime, executionId };
}
