import { createEmitter } from '../../base/emitter.js';
import { WireError } from '../protocol/index.js';
import { message } from '../../messages/index.js';
import type { Approvals } from '../approvals/index.js';
import { delay } from '../../base/poll.js';

/** A queue per key with one holder at a time, in order of arrival; `first` enters at its head. Waiting ends with the signal; `release` is idempotent. */
export type Locks = ReturnType<typeof createLocks>;

export interface Reservation {
  /** True while another holder has the lock. */
  readonly waiting: boolean;
  /** Resolves with `release`. Once only. */
  enter(signal: AbortSignal): Promise<() => void>;
  /** Gives the place up if it was not entered. */
  cancel(): void;
}

const MAX_WAITING = 64;

/** `onError` gets what listeners of `onChange` throw. */
export function createLocks(onError?: (thrown: unknown) => void) {
  const queues = new Map<string, (() => void)[]>();
  const changes = createEmitter<void>(onError);

  function leave(key: string): void {
    const queue = queues.get(key);
    const next = queue?.shift();
    if (next !== undefined) return next();
    queues.delete(key);
    changes.emit();
  }

  function releaser(key: string): () => void {
    let released = false;
    return () => {
      if (released) return;
      released = true;
      leave(key);
    };
  }

  async function enter(key: string, signal: AbortSignal, place?: { first: boolean }): Promise<() => void> {
    signal.throwIfAborted();
    const queue = queues.get(key);
    if (queue === undefined) {
      queues.set(key, []);
      changes.emit();
      return releaser(key);
    }
    const first = place?.first === true;
    if (queue.length >= MAX_WAITING && !first)
      throw new WireError('DESKTOP_HOST_NOT_READY', message('error.queue_full', { count: MAX_WAITING }), {
        reason: 'queue_full',
      });
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        const at = queue.indexOf(turn);
        if (at >= 0) queue.splice(at, 1);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      if (first) queue.unshift(turn);
      else queue.push(turn);
      signal.addEventListener('abort', stop, { once: true });
    });
    return releaser(key);
  }

  function reserve(key: string): Reservation {
    const place = new AbortController();
    const held = { waiting: queues.has(key), entered: false };
    const granted = enter(key, place.signal);
    granted.then(
      () => (held.waiting = false),
      () => undefined,
    );
    const leaveQueue = (reason: unknown) => {
      place.abort(reason);
      granted.then(
        (release) => release(),
        () => undefined,
      );
    };
    return {
      get waiting() {
        return held.waiting;
      },
      async enter(signal) {
        held.entered = true;
        const stop = () => leaveQueue(signal.reason);
        signal.addEventListener('abort', stop, { once: true });
        if (signal.aborted) stop();
        try {
          const release = await granted;
          signal.throwIfAborted();
          return release;
        } finally {
          signal.removeEventListener('abort', stop);
        }
      },
      cancel() {
        if (!held.entered) leaveQueue(new Error('the reservation was given up'));
      },
    };
  }

  return {
    enter,
    /** Takes a place in the queue now; the caller enters later. */
    reserve,
    busy: (key: string): boolean => queues.has(key),
    /** Emits when a key gets its first holder and when its last one has left. */
    onChange: changes.on,
  };
}

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
