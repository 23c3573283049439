import { setImmediate as nextTurn } from 'node:timers/promises';
import { withTimeout } from '../../base/poll.js';

export interface RunningCalls {
  /** Counts a call until it ends. Returns the same promise. */
  add<T>(call: Promise<T>): Promise<T>;
  /** Resolves when every counted call has been answered, or after `timeoutMs`. */
  allAnswered(timeoutMs: number): Promise<void>;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();
  return {
    add(call) {
      running.add(call);
      const remove = () => void running.delete(call);
      call.then(remove, remove);
      return call;
    },
    async allAnswered(timeoutMs) {
      await withTimeout(Promise.allSettled([...running]), timeoutMs);
      // A result is written in the same event loop turn in which its call ends.
      await nextTurn();
    },
  };
}
