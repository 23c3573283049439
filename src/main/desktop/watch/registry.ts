import type { Watch } from './watch.js';

export interface Shelved {
  id: string;
  watch: Watch;
  /** When its agent last asked for events, or made it. */
  asked: number;
  /** Since when its agent has had no connection. */
  goneSince: number | null;
  endedAt: number | null;
}

const KEPT_MS = 10 * 60_000;
const MOST_ENDED_OF_AN_AGENT = 16;
const MOST_ENDED = 64;

/** The observations by id. Those that have ended answer for a while, then they are forgotten. */
export function createShelf(now: () => number) {
  const entries = new Map<string, Shelved>();

  const ended = () => [...entries.values()].filter(({ watch }) => !watch.alive());

  function trim(): void {
    const counts = new Map<string, number>();
    let total = 0;
    // The latest end comes first.
    for (const entry of ended().sort((a, b) => (b.endedAt ?? Infinity) - (a.endedAt ?? Infinity))) {
      entry.endedAt ??= now();
      const { agentId } = entry.watch.owner;
      const own = (counts.get(agentId) ?? 0) + 1;
      counts.set(agentId, own);
      total += 1;
      const old = now() >= entry.endedAt + KEPT_MS;
      if (old || own > MOST_ENDED_OF_AN_AGENT || total > MOST_ENDED) entries.delete(entry.id);
    }
  }

  return {
    freeId(make: () => string): string {
      for (;;) {
        const id = make();
        if (!entries.has(id)) return id;
      }
    },
    put(id: string, watch: Watch): Shelved {
      const entry: Shelved = { id, watch, asked: now(), goneSince: null, endedAt: null };
      entries.set(id, entry);
      return entry;
    },
    drop: (id: string): void => void entries.delete(id),
    find: (id: string): Shelved | null => entries.get(id) ?? null,
    all: (): Shelved[] => [...entries.values()],
    trim,
  };
}
