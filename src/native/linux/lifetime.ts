import { setMaxListeners } from 'node:events';
import { createEmitter } from '../../base/emitter.js';
import { DesktopError } from '../desktop.js';
import { abortable } from '../../base/poll.js';
import type { XConnection } from './x11/connection.js';
import { message, type Message } from '../../messages/index.js';

/** The time from open to lost or closed: calls that run are rejected at its end. */
export interface Lifetime {
  /** Runs `work`; rejects at once when the signal fires, the display is lost or the backend is closed. */
  run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  onLost(listener: (reason: Message) => void): () => void;
  /** Runs `cleanup` the first time. */
  close(cleanup: () => Promise<void>): Promise<void>;
}

/** Ends with the first of `connections` that is lost. */
export function openLifetime(connections: readonly XConnection[]): Lifetime {
  const end = new AbortController();
  const losses = createEmitter<Message>();
  let closing: Promise<void> | null = null;
  for (const x of connections) {
    x.onLost((reason) => {
      if (end.signal.aborted) return;
      end.abort(new DesktopError('lost', reason));
      losses.emit(reason);
    });
  }
  return {
    run: async (signal, work) => {
      const both = AbortSignal.any([end.signal, signal]);
      both.throwIfAborted();
      // Reading a tree makes hundreds of calls at a time, each with a listener.
      setMaxListeners(0, both);
      try {
        return await abortable(work(both), both);
      } catch (error) {
        if (both.aborted) throw both.reason;
        throw isProtocolError(error) ? refused(error) : error;
      }
    },
    onLost: losses.on,
    close: (cleanup) => {
      end.abort(new DesktopError('lost', message('display.closed')));
      return (closing ??= cleanup());
    },
  };
}

function isProtocolError(error: unknown): error is Error & { error: number } {
  return error instanceof Error && 'error' in error && typeof error.error === 'number';
}

/** For a window or pixmap that was destroyed between two requests. */
function refused(error: Error): DesktopError {
  return new DesktopError('failed', message('native.request_refused', { why: error.message }));
}
