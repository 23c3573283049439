import type { XEvent } from 'x11';
import { DesktopError } from '../../desktop.js';
import type { XConnection } from './connection.js';
import { message } from '../../../messages/index.js';

const EVENT_TIMEOUT_MS = 2000;

export interface EventQueue {
  next(signal: AbortSignal): Promise<XEvent>;
  clear(): void;
  /** No more events are queued. */
  stop(): void;
}

/** Queues matching events from now on, so that none is missed between two waits. */
export function queueEvents(x: XConnection, matches: (event: XEvent) => boolean): EventQueue {
  const queue: XEvent[] = [];
  let wake: () => void = () => {};
  const stop = x.onEvent((event) => {
    if (!matches(event)) return;
    queue.push(event);
    wake();
  });
  const next = (signal: AbortSignal): Promise<XEvent> =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        wake = () => {};
        settle();
      };
      const abort = (): void => finish(() => reject(signal.reason));
      const timer = setTimeout(
        () => finish(() => reject(new DesktopError('not_responding', message('native.clipboard_owner_silent')))),
        EVENT_TIMEOUT_MS,
      );
      wake = () => {
        const event = queue.shift();
        if (event !== undefined) finish(() => resolve(event));
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      wake();
    });
  return { next, clear: () => void queue.splice(0), stop };
}
