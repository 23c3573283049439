/** The calls of one connection that are under way: how many, and what ends them. Called by each protocol's server. */
import { WireError } from '../protocol/index.js';
import { WaitEnded } from '../approvals/request.js';
import { message } from '../../messages/index.js';

export interface ConnectionCalls {
  /**
   * Runs `work` with a signal that aborts with WaitEnded. Rejects with WireError when too many are under way (unless `always`) or
   * one with this id is.
   */
  run<T>(call: { id: string; always?: boolean }, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends the wait of one call; its card stays. */
  detach(id: string): void;
  /** The connection is gone: every wait ends, cards stay. */
  detachAll(): void;
}

export function createConnectionCalls(most: number): ConnectionCalls {
  const running = new Map<string, AbortController>();

  function admit(id: string, always: boolean): void {
    if (running.has(id)) {
      throw new WireError(
        'DESKTOP_INVALID_REQUEST',
        message('error.duplicate_id', { id: JSON.stringify(id.slice(0, 64)) }),
        { reason: 'duplicate_id' },
      );
    }
    if (!always && running.size >= most) {
      throw new WireError('DESKTOP_HOST_NOT_READY', message('error.too_many_calls', { max: most }), {
        reason: 'too_many_calls',
      });
    }
  }

  return {
    async run({ id, always = false }, work) {
      admit(id, always);
      const abort = new AbortController();
      running.set(id, abort);
      try {
        return await work(abort.signal);
      } finally {
        running.delete(id);
      }
    },
    detach: (id) => running.get(id)?.abort(new WaitEnded('detach')),
    detachAll() {
      for (const abort of running.values()) abort.abort(new WaitEnded('detach'));
    },
  };
}
