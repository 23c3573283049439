/** Received messages and the closed state, which every transport has. Called by frames, websocket and xpc. */
import type { Reply } from '../protocol/transport.js';

interface Inbox {
  put(message: unknown, reply?: Reply, early?: boolean): void;
  listen(listener: (message: unknown, reply?: Reply, early?: boolean) => void): void;
}

/** Queues messages that arrive before there is a listener. */
export function createInbox(): Inbox {
  const listeners: Parameters<Inbox['listen']>[0][] = [];
  const early: Parameters<Inbox['put']>[] = [];
  return {
    put(...received) {
      if (listeners.length === 0) early.push(received);
      for (const listener of listeners) listener(...received);
    },
    listen(listener) {
      listeners.push(listener);
      for (const received of early.splice(0)) listener(...received);
    },
  };
}

export function createCloseState() {
  const listeners: ((reason: string | null) => void)[] = [];
  let state: { reason: string | null } | null = null;
  return {
    /** False when it had begun before. */
    begin(reason: string | null): boolean {
      if (state !== null) return false;
      state = { reason };
      for (const listener of listeners.splice(0)) listener(reason);
      return true;
    },
    begun: (): boolean => state !== null,
    /** Called once; at once where the end came earlier. */
    listen(listener: (reason: string | null) => void): void {
      if (state === null) listeners.push(listener);
      else listener(state.reason);
    },
    /** The error with which `send` rejects after the end. */
    error: (): Error => new Error(`the connection is closed${state?.reason ? `: ${state.reason}` : ''}`),
  };
}
