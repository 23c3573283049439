/** The calls of one connection that are under way: how many, and what ends them. Called by both protocol servers. */
import { createAbort, type Abort, type Signal } from '../../base/signal.js';
import { WireError } from '../protocol/index.js';
import { WaitEnded } from '../approvals/request.js';
import { message } from '../../messages/index.js';

export interface ConnectionCalls {
  /**
   * Runs `work` with a signal that aborts with WaitEnded. Rejects with WireError when too many are under way (unless `always`) or
   * one with this id is. `label` names the call to `abandon`.
   */
  run<T>(call: { id: string; label?: string; always?: boolean }, work: (signal: Signal) => Promise<T>): Promise<T>;
  /** Whether there was such a call. */
  abandon(label: string, mode: WaitEnded['mode']): boolean;
  /** The connection is gone: every wait ends, cards stay. */
  detachAll(): void;
}

export function createConnectionCalls(most: number): ConnectionCalls {
  const running = new Map<string, { label: string; abort: Abort }>();

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
    async run({ id, label = id, always = false }, work) {
      admit(id, always);
      const abort = createAbort();
      running.set(id, { label, abort });
      try {
        return await work(abort.signal);
      } finally {
        running.delete(id);
      }
    },
    abandon(label, mode) {
      const named = [...running.values()].filter((call) => call.label === label);
      for (const { abort } of named) abort.abort(new WaitEnded(mode));
      return named.length > 0;
    },
    detachAll() {
      for (const { abort } of running.values()) abort.abort(new WaitEnded('detach'));
    },
  };
}
