/** The checks of every call: whether the desktop has ended, the signal has fired or the application does not answer. */
import { createEmitter } from '../../base/emitter.js';
import { abortable } from '../../base/poll.js';
import { DesktopError, type InputGuard } from '../desktop.js';
import type { AppState } from './model.js';
import { message, verbatim, type Message } from '../../messages/index.js';

export type Gate = ReturnType<typeof createGate>;

export function createGate() {
  const lossEmitter = createEmitter<Message>();
  let ended: Message | null = null;

  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    if (ended !== null) throw new DesktopError('lost', ended);
  };

  return {
    /** Rejects with the signal's reason, or with `lost` once the desktop has ended. Always lets other work go first. */
    enter,
    /** Rejects, or waits for the signal, when the application hangs. */
    async answering(app: AppState, signal: AbortSignal): Promise<void> {
      if (app.hang === 'silent') await abortable(new Promise<never>(() => undefined), signal);
      if (app.hang === 'refuse') {
        throw new DesktopError('not_responding', message('native.app_silent'), { pid: app.pid });
      }
    },
    /** Awaits the caller's guard, then checks the signal: nothing may be injected after either rejects. */
    async guarded(guard: InputGuard, signal: AbortSignal): Promise<void> {
      await enter(signal);
      await abortable(guard(), signal);
      signal.throwIfAborted();
      if (ended !== null) throw new DesktopError('lost', ended);
    },
    lose(reason: string): void {
      if (ended !== null) return;
      ended = message('display.simulated_gone', { why: reason });
      lossEmitter.emit(verbatim(reason));
    },
    close(): void {
      ended ??= message('display.simulated_closed');
      lossEmitter.clear();
    },
    onLost: lossEmitter.on,
  };
}
