import { LRUCache } from 'lru-cache';
import type { App } from '../../../native/desktop.js';

/** Remembers which running applications an agent opened. Only shown in lists; no act depends on it. */
export type StartedApps = ReturnType<typeof createStartedApps>;

const MAX_STARTED = 500;

export function createStartedApps() {
  const marks = new LRUCache<string, { owner: string; pid: number; startTime: string }>({ max: MAX_STARTED });
  const keyOf = (owner: string, { pid, startTime }: Pick<App, 'pid' | 'startTime'>) =>
    JSON.stringify([owner, pid, startTime]);

  return {
    add(owner: string, { pid, startTime }: App): void {
      marks.set(keyOf(owner, { pid, startTime }), { owner, pid, startTime });
    },
    has: (owner: string, app: App): boolean => marks.has(keyOf(owner, app)),
    /** Returns whether it was remembered. */
    forget(owner: string, pid: number): boolean {
      const found = [...marks.entries()].filter(([, mark]) => mark.owner === owner && mark.pid === pid);
      for (const [key] of found) marks.delete(key);
      return found.length > 0;
    },
  };
}
