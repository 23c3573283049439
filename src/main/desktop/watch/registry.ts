import type { Watch } from './watch.js';

export interface ObservationEntry {
  id: string;
  watch: Watch;
  /** Epoch milliseconds; at first the time of creation. */
  lastPolledAt: number;
  /** Since its agent lost its last connection. */
  goneSince: number | null;
  endedAt: number | null;
}

const ENDED_RETENTION_MS = 10 * 60_000;
const MAX_ENDED_PER_AGENT = 16;
const MAX_ENDED = 64;

/** Observations by id. Ended ones stay readable for {@link ENDED_RETENTION_MS}. */
export function createObservationRegistry(now: () => number) {
  const entries = new Map<string, ObservationEntry>();

  const ended = () => [...entries.values()].filter(({ watch }) => !watch.alive());

  function removeOldEnded(): void {
    const counts = new Map<string, number>();
    let total = 0;
    // Latest end first.
    for (const entry of ended().sort((a, b) => (b.endedAt ?? Infinity) - (a.endedAt ?? Infinity))) {
      entry.endedAt ??= now();
      const { agentId } = entry.watch.owner;
      const own = (counts.get(agentId) ?? 0) + 1;
      counts.set(agentId, own);
      total += 1;
      const old = now() >= entry.endedAt + ENDED_RETENTION_MS;
      if (old || own > MAX_ENDED_PER_AGENT || total > MAX_ENDED) entries.delete(entry.id);
    }
  }

  return {
    unusedId(make: () => string): string {
      for (;;) {
        const id = make();
        if (!entries.has(id)) return id;
      }
    },
    add(id: string, watch: Watch): ObservationEntry {
      const entry: ObservationEntry = { id, watch, lastPolledAt: now(), goneSince: null, endedAt: null };
      entries.set(id, entry);
      return entry;
    },
    delete: (id: string): void => void entries.delete(id),
    find: (id: string): ObservationEntry | null => entries.get(id) ?? null,
    all: (): ObservationEntry[] => [...entries.values()],
    trim: removeOldEnded,
  };
}
