/**
 * Hints that something may have changed. Comes in: X and AT-SPI events. Goes out: one hint for each kind and process in a burst.
 * Events are selected, and applications send them, only while there are listeners.
 */
import { createEmitter } from '../../base/emitter.js';
import type { ChangeHint } from '../desktop.js';
import type { AccessibilityBus } from './atspi/bus.js';
import type { XConnection } from './x11/connection.js';
import { watchWindows } from './x11/window-changes.js';

export interface ChangeHints {
  on(listener: (hint: ChangeHint) => void): () => void;
  close(): Promise<void>;
}

/** Long enough to collect a burst of events, short compared to a new reading. */
const BURST_MS = 25;

/** `connect` opens a separate X connection, so that the event masks of others stay as they are. */
export function openChangeHints(connect: () => Promise<XConnection>, bus: AccessibilityBus): ChangeHints {
  const emitter = createEmitter<ChangeHint>();
  const pending = new Map<string, ChangeHint>();
  let timer: NodeJS.Timeout | null = null;
  let watch: { stop(): Promise<void> } | null = null;
  let closed = false;

  const flush = (): void => {
    const hints = [...pending.values()];
    timer = null;
    pending.clear();
    hints.forEach(emitter.emit);
  };
  const queueHint = (hint: ChangeHint): void => {
    if (emitter.size === 0) return;
    pending.set(`${hint.kind} ${hint.pid}`, hint);
    timer ??= setTimeout(flush, BURST_MS).unref();
  };
  const elementsChanged = (sender: string): void => {
    bus.pidOf(sender).then(
      (pid) => pid !== 0 && queueHint({ kind: 'elements', pid }),
      () => {},
    );
  };

  const start = (): { stop(): Promise<void> } => {
    const stopListening = bus.listen(elementsChanged);
    const windows = watchWindows(connect, (applications) => {
      queueHint({ kind: 'windows', pid: null });
      if (applications) queueHint({ kind: 'applications', pid: null });
    });
    return {
      stop: async () => {
        stopListening();
        await windows.stop();
      },
    };
  };

  const end = async (): Promise<void> => {
    const open = watch;
    watch = null;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    pending.clear();
    await open?.stop();
  };

  return {
    on: (listener) => {
      if (closed) return () => {};
      const remove = emitter.on(listener);
      watch ??= start();
      return () => {
        remove();
        if (emitter.size === 0) void end();
      };
    },
    close: () => {
      closed = true;
      emitter.clear();
      return end();
    },
  };
}
