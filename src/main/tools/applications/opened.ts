import { LRUCache } from 'lru-cache';
import type { App } from '../../../native/desktop.js';

/** Which running applications an agent opened itself: only a mark beside what runs, and never needed to use one. */
export interface Opened {
  add(owner: string, app: App): void;
  has(owner: string, app: App): boolean;
  /** Returns whether there was such a mark. */
  forget(owner: string, pid: number): boolean;
}

const MOST = 500;

export function createOpened(): Opened {
  const marks = new LRUCache<string, { owner: string; pid: number; startTime: string }>({ max: MOST });
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
