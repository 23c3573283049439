import { LRUCache } from 'lru-cache';
import type { AuditEntry } from './audit-entries.js';

/** Folders that are recorded as deleted and whose removal was not seen to succeed. */
export interface Leftovers {
  apply(entry: AuditEntry): void;
  removed(dir: string): void;
  /** Those of lines before. */
  add(earlier: readonly string[]): void;
  list(): string[];
}

/** A host that ends while it deletes leaves one. */
const MAX_LEFTOVERS = 10_000;

export function createLeftovers(known: readonly string[]): Leftovers {
  const dirs = new LRUCache<string, true>({ max: MAX_LEFTOVERS });
  for (const dir of known) dirs.set(dir, true);
  return {
    apply(entry) {
      if (entry.kind === 'tombstone') dirs.set(entry.dir, true);
    },
    add(earlier) {
      for (const dir of earlier) if (!dirs.has(dir)) dirs.set(dir, true);
    },
    removed: (dir) => void dirs.delete(dir),
    list: () => [...dirs.keys()].reverse(),
  };
}
