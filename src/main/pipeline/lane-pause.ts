import type { Locks } from './locks.js';
import type { Approvals } from '../approvals/index.js';
import { delay } from '../../base/poll.js';

const MAX_PAUSE_MS = 6000;

/**
 * After an Allow that came too close to injected input, no agent acts until that request is decided, or for six seconds: the
 * person can then press again without input from agents. Running acts wait before their next event.
 */
export function pauseLaneForPress(lane: Locks, approvals: Pick<Approvals, 'onPressAgain' | 'onCard'>) {
  let held: { approvalId: string; over: AbortController; timer: NodeJS.Timeout } | null = null;

  function end(): void {
    if (held === null) return;
    clearTimeout(held.timer);
    held.over.abort();
    held = null;
  }

  function hold(approvalId: string): void {
    if (held?.approvalId === approvalId) return;
    const timer = setTimeout(end, MAX_PAUSE_MS).unref();
    if (held !== null) {
      clearTimeout(held.timer);
      Object.assign(held, { approvalId, timer });
      return;
    }
    const over = new AbortController();
    held = { approvalId, over, timer };
    lane.enter('desktop', over.signal, { first: true }).then(
      (leave) => (over.signal.aborted ? leave() : over.signal.addEventListener('abort', leave, { once: true })),
      () => undefined,
    );
  }

  const stopPresses = approvals.onPressAgain(hold);
  const stopCards = approvals.onCard((event) => {
    if (event.kind === 'resolved' && event.id === held?.approvalId) end();
  });
  return {
    /** Resolves when the person is not about to press Allow again. */
    async untilResumed(signal: AbortSignal): Promise<void> {
      while (held !== null)
        await delay(MAX_PAUSE_MS, AbortSignal.any([signal, held.over.signal])).catch(() => signal.throwIfAborted());
    },
    close(): void {
      stopPresses();
      stopCards();
      end();
    },
  };
}
