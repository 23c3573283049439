/**
 * Hints that something may have changed. Comes in: X and AT-SPI events. Goes out: a hint for each kind and process, at once and then
 * one in BURST_MS while there are more.
 * Events are selected, and applications send them, only while there are listeners.
 */
import { createEmitter } from '../../base/emitter.js';
import { createThrottle } from '../../base/throttle.js';
import type { ChangeHint } from '../desktop.js';
import type { ChangeListener } from './atspi/accessibility-events.js';
import type { AccessibilityBus } from './atspi/bus.js';
import type { XConnection } from './x11/connection.js';
import { watchWindows } from './x11/window-changes.js';

export interface ChangeHints {
  on(listener: (hint: ChangeHint) => void): () => void;
  close(): Promise<void>;
}

/** Short compared to a reading, so that what changes during one is known at its end. */
const BURST_MS = 5;

/** `connect` opens a separate X connection, so that the event masks of others stay as they are. */
export function openChangeHints(connect: () => Promise<XConnection>, bus: AccessibilityBus): ChangeHints {
  const emitter = createEmitter<ChangeHint>();
  const pending = new Map<string, ChangeHint>();
  /** Applications that are laying out what changed, by their names on the bus. */
  const layingOut = new Set<string>();
  let watch: { stop(): Promise<void> } | null = null;
  let closed = false;

  const flush = (): void => {
    const hints = [...pending.values()];
    pending.clear();
    hints.forEach(emitter.emit);
  };
  const burst = createThrottle(flush, BURST_MS);
  const queueHint = (hint: ChangeHint): void => {
    if (emitter.size === 0) return;
    pending.set(`${hint.kind} ${hint.pid} ${hint.isLaidOut}`, hint);
    burst.later();
  };
  const tellOf = (sender: string, isLaidOut: boolean): void => {
    bus.pidOf(sender).then(
      (pid) => pid !== 0 && queueHint({ kind: 'elements', pid, ...(isLaidOut && { isLaidOut }) }),
      () => {},
    );
  };
  /** An application tells of many places at a time, and answers when it has moved all: told once, nothing moves during the reading. */
  const elementsChanged: ChangeListener = (sender, isLaidOut) => {
    if (!isLaidOut) return tellOf(sender, false);
    if (layingOut.has(sender)) return;
    layingOut.add(sender);
    void bus.heardAll(sender).then(() => {
      layingOut.delete(sender);
      tellOf(sender, true);
    });
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
    burst.close();
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
