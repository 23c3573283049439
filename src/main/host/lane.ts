import type { Locks } from '../action/locks.js';
import type { Approvals } from '../approvals/index.js';

const HOLD_MS = 2000;

/**
 * After an Allow that came too close to injected input no agent acts, so that the person presses again on a desktop that stands
 * still: until that request is decided, and no longer than two seconds. Gives what ends it.
 */
export function holdWhilePressing(lane: Locks, approvals: Pick<Approvals, 'onPressAgain' | 'onCard'>): () => void {
  let held: { approvalId: string; end(): void } | null = null;

  function hold(approvalId: string): void {
    if (held?.approvalId === approvalId) return;
    held?.end();
    const over = new AbortController();
    const timer = setTimeout(() => mine.end(), HOLD_MS).unref();
    const mine = {
      approvalId,
      end() {
        clearTimeout(timer);
        over.abort();
        if (held === mine) held = null;
      },
    };
    held = mine;
    lane.enter('desktop', over.signal).then(
      (leave) => (over.signal.aborted ? leave() : over.signal.addEventListener('abort', leave, { once: true })),
      () => undefined,
    );
  }

  const stopPresses = approvals.onPressAgain(hold);
  const stopCards = approvals.onCard((event) => {
    if (event.kind === 'resolved' && event.id === held?.approvalId) held.end();
  });
  return () => {
    stopPresses();
    stopCards();
    held?.end();
  };
}
