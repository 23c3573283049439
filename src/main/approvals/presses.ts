/** Which press an Allow ends, and whether input was injected around it. All times are this host's, by a clock that never runs backwards. */
import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.js';

/** A page reports that a person has begun to press Allow. */
export interface PressBegan {
  id: string;
  /** Digest of the card as the person saw it. */
  digest: string;
  /** The page's connection: an Allow must come over the same one. */
  connection: string;
}

/** Source of injected input: an agent of Chaperone, or another program's synthetic device. */
export type Injector = 'agent' | 'program';

interface Press {
  at: number;
  /** An agent held a key or button down when the press began. */
  held: boolean;
}

export type Presses = ReturnType<typeof createPresses>;

const MAX_PAGES_PRESSING = 64;

export function createPresses({ read }: Pick<Clock, 'read'>, quietMs: number) {
  const presses = new LRUCache<string, PressBegan & Press>({ max: MAX_PAGES_PRESSING });
  const injectedAt = new Map<Injector, number>();

  return {
    began(press: PressBegan, held: boolean): void {
      presses.set(press.connection, { ...press, at: read(), held });
    },
    /** The press that this Allow ends. Each press is used once, whether or not the Allow counts. */
    take({ id, digest, connection }: { id: string; digest: string; connection?: string }): Press | null {
      if (connection === undefined) return null;
      const press = presses.get(connection);
      presses.delete(connection);
      return press !== undefined && press.id === id && press.digest === digest ? press : null;
    },
    injected: (by: Injector): void => void injectedAt.set(by, read()),
    /** Who injected input since `quietMs` before the press began; null: nobody. */
    disturbedBy: ({ at }: Press, from: readonly Injector[]): Injector | null =>
      from.find((by) => (injectedAt.get(by) ?? -Infinity) > at - quietMs) ?? null,
  };
}
