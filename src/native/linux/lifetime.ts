import { setMaxListeners } from 'node:events';
import { createEmitter } from '../../base/emitter.js';
import { DesktopError } from '../desktop.js';
import { abortable, withFirstOf } from '../../base/poll.js';
import type { DisplayServer } from './display-server.js';
import { message, type Message } from '../../messages/index.js';

/** The time from open to lost or closed: calls that run are rejected at its end. */
export interface Lifetime {
  /** Runs `work`; rejects at once when the signal fires, the display is lost or the backend is closed. */
  run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  onLost(listener: (reason: Message) => void): () => void;
  /** Runs `cleanup` the first time. */
  close(cleanup: () => Promise<void>): Promise<void>;
}

/** Ends when the display server is lost. */
export function openLifetime({ onLost }: Pick<DisplayServer, 'onLost'>): Lifetime {
  const end = new AbortController();
  const losses = createEmitter<Message>();
  let closing: Promise<void> | null = null;
  onLost((reason) => {
    if (end.signal.aborted) return;
    end.abort(new DesktopError('lost', reason));
    losses.emit(reason);
  });
  return {
    run: (signal, work) => {
      const own = new AbortController();
      // Many calls run at a time, and reading a tree makes hundreds of its own, each with a listener.
      setMaxListeners(0, end.signal, signal, own.signal);
      return withFirstOf([end.signal, signal], own, async (both) => {
        both.throwIfAborted();
        try {
          return await abortable(work(both), both);
        } catch (error) {
          if (both.aborted) throw both.reason;
          throw isProtocolError(error) ? refused(error) : error;
        }
      });
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
