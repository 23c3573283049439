/**
 * Word that something may have changed. Comes in: X and AT-SPI events. Goes out: hints, each kind and process once a burst.
 * Registers with the window manager's properties and with the applications only while somebody listens.
 */
import { createEmitter } from '../../base/emitter.js';
import type { ChangeHint } from '../desktop.js';
import type { AccessibilityBus } from './atspi/bus.js';
import type { XConnection } from './x11/connection.js';
import { watchWindows } from './x11/watch.js';

export interface Hints {
  on(listener: (hint: ChangeHint) => void): () => void;
  close(): Promise<void>;
}

/** Long enough for a burst, short beside what a look costs. */
const BURST = 25;

/** `connect` opens an X connection of its own, so that nobody else's choice of events is touched. */
export function openHints(connect: () => Promise<XConnection>, bus: AccessibilityBus): Hints {
  const emitter = createEmitter<ChangeHint>();
  const due = new Map<string, ChangeHint>();
  let timer: NodeJS.Timeout | null = null;
  let watch: { stop(): Promise<void> } | null = null;
  let closed = false;

  const flush = (): void => {
    const hints = [...due.values()];
    timer = null;
    due.clear();
    hints.forEach(emitter.emit);
  };
  const tell = (hint: ChangeHint): void => {
    if (emitter.size === 0) return;
    due.set(`${hint.kind} ${hint.pid}`, hint);
    timer ??= setTimeout(flush, BURST).unref();
  };
  const heard = (sender: string): void => {
    bus.pidOf(sender).then(
      (pid) => pid !== 0 && tell({ kind: 'elements', pid }),
      () => {},
    );
  };

  const start = (): { stop(): Promise<void> } => {
    const quiet = bus.listen(heard);
    const windows = watchWindows(connect, (applications) => {
      tell({ kind: 'windows', pid: null });
      if (applications) tell({ kind: 'applications', pid: null });
    });
    return {
      stop: async () => {
        quiet();
        await windows.stop();
      },
    };
  };

  const end = async (): Promise<void> => {
    const open = watch;
    watch = null;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    due.clear();
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
