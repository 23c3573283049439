import { message, type Message } from '../../messages/index.js';

export const IDLE_MS = 30 * 60_000;

interface IdleOptions {
  busy(): boolean;
  /** True when its folders were deleted, so that no client can find this host or its record. */
  gone(): boolean;
  idleMs: number;
  leave(reason: Message): void;
}

/** A host started by a shim exits when it was idle for a while, or when its folders are gone. */
export function watchIdle({ busy, gone, idleMs, leave }: IdleOptions): { close(): void } {
  let since = performance.now();
  const timer = setInterval(
    () => {
      const now = performance.now();
      if (gone()) leave(message('host.folder_gone'));
      else if (busy()) since = now;
      else if (now - since >= idleMs) leave(message('host.idle'));
    },
    Math.max(10, Math.min(idleMs / 4, 30_000)),
  );
  timer.unref();
  return { close: () => clearInterval(timer) };
}
