/** Who releases what: every object that a call hands over belongs to a scope, which releases it at its end. */
import type { Bound } from '../calls/bind.js';
import type { Owned, Ref } from '../calls/types.js';

export interface Scope {
  /** Takes over the result of a function with Create or Copy in its name. */
  own(created: Owned | null): Ref | null;
  /** Keeps what a pool would release. */
  retain(borrowed: Ref): Ref;
  /** Calls `copy` with a slot, and takes over what it put there. The slot is empty where the call failed. */
  ownFrom(copy: (slot: BigUint64Array) => number): { status: number; ref: Ref | null };
}

export type Scoped = <T>(work: (scope: Scope) => T) => T;

type Counting = Pick<Bound['coreFoundation'], 'CFRetain' | 'CFRelease'>;

/** What `work` took over is released when it ends, also when it throws; the last one first. */
export function createScoped({ CFRetain, CFRelease }: Counting): Scoped {
  return (work) => {
    const owned: Ref[] = [];
    const keep = (ref: Ref | null): Ref | null => {
      if (ref !== null) owned.push(ref);
      return ref;
    };
    const scope: Scope = {
      own: keep,
      retain(borrowed) {
        CFRetain(borrowed);
        owned.push(borrowed);
        return borrowed;
      },
      ownFrom(copy) {
        const slot = new BigUint64Array(1);
        const status = copy(slot);
        return { status, ref: keep(slot[0] || null) };
      },
    };
    try {
      return work(scope);
    } finally {
      for (const ref of owned.reverse()) CFRelease(ref);
    }
  };
}

/** What is autoreleased within `work` is released when it ends. Without it such objects would stay for ever in this process. */
export function createPooled(calls: Pick<Bound, 'objectiveC'>): <T>(work: () => T) => T {
  const { objc_autoreleasePoolPush, objc_autoreleasePoolPop } = calls.objectiveC;
  return (work) => {
    const pool = objc_autoreleasePoolPush();
    try {
      return work();
    } finally {
      objc_autoreleasePoolPop(pool);
    }
  };
}
