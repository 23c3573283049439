import type { ProcessIdentity } from './types.js';

const MAX_ANCESTORS = 64;

/** A process and its ancestors as far as they can be read; a pid met twice ends it. */
export function lineageOf(pid: number, lookup: (pid: number) => ProcessIdentity | null): ProcessIdentity[] {
  const chain: ProcessIdentity[] = [];
  const seen = new Set<number>();
  for (let next = pid; next > 0 && !seen.has(next) && chain.length < MAX_ANCESTORS;) {
    seen.add(next);
    const found = lookup(next);
    if (found === null) break;
    chain.push(found);
    next = found.parentPid;
  }
  return chain;
}
