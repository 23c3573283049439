/** Which press an Allow ends, and whether input was injected around it. All times are this host's, by a clock that never runs backwards. */
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.js';

/** A page said that a press on Allow began. */
export interface PressBegan {
  id: string;
  /** Of the card that was seen. */
  digest: string;
  /** The page's connection: a press on one page is none on another. */
  connection: string;
}

/** Whose input it was: ours, or that of another program's synthetic device. */
export type Injector = 'agent' | 'program';

interface Press {
  at: number;
  /** Something was held down when it began. */
  held: boolean;
}

export interface Presses {
  began(press: PressBegan, held: boolean): void;
  /** The press that this Allow ends. It counts once: whatever comes of it, the next Allow needs another. */
  take(allow: { id: string; digest: string; connection?: string }): Press | null;
  injected(by: Injector): void;
  /** Who injected input from a second before the press began until now; null: nobody. */
  disturbedBy(press: Press, from: readonly Injector[]): Injector | null;
}

const BEFORE_MS = 1_000;
const MAX_CONNECTIONS = 64;

export function createPresses({ read }: Pick<Clock, 'read'>): Presses {
  const presses = new LRUCache<string, PressBegan & Press>({ max: MAX_CONNECTIONS });
  const injectedAt = new Map<Injector, number>();

  return {
    began(press, held) {
      presses.set(press.connection, { ...press, at: read(), held });
    },
    take({ id, digest, connection }) {
      if (connection === undefined) return null;
      const press = presses.get(connection);
      presses.delete(connection);
      return press !== undefined && press.id === id && press.digest === digest ? press : null;
    },
    injected: (by) => void injectedAt.set(by, read()),
    disturbedBy: ({ at }, from) => from.find((by) => (injectedAt.get(by) ?? -Infinity) > at - BEFORE_MS) ?? null,
  };
}
