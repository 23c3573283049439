import { LRUCache } from 'lru-cache';
import type { App } from '../../../native/desktop.js';

/** Remembers which running applications an agent opened. Only shown in lists; no act depends on it. */
export interface StartedApps {
  add(owner: string, app: App): void;
  has(owner: string, app: App): boolean;
  /** Returns whether it was remembered. */
  forget(owner: string, pid: number): boolean;
}

const MAX_STARTED = 500;

export function createStartedApps(): StartedApps {
  const marks = new LRUCache<string, { owner: string; pid: number; startTime: string }>({ max: MAX_STARTED });
  const keyOf = (owner: string, { pid, startTime }: Pick<App, 'pid' | 'startTime'>) =>
    JSON.stringify([owner, pid, startTime]);

  return {
    add(owner, { pid, startTime }) {
      marks.set(keyOf(owner, { pid, startTime }), { owner, pid, startTime });
    },
    has: (owner, app) => marks.has(keyOf(owner, app)),
    forget(owner, pid) {
      const found = [...marks.entries()].filter(([, mark]) => mark.owner === owner && mark.pid === pid);
      for (const [key] of found) marks.delete(key);
      return found.length > 0;
    },
  };
}
