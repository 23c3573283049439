export interface IdleOptions {
  busy(): boolean;
  /** Its folders were taken away: nobody can find this host, or its record, any more. */
  gone(): boolean;
  idleMs: number;
  leave(reason: string): void;
}

/** A host that a shim started leaves when nothing has needed it for a while, or when it has lost its place. */
export function watchIdle({ busy, gone, idleMs, leave }: IdleOptions): { close(): void } {
  let since = performance.now();
  const timer = setInterval(
    () => {
      const now = performance.now();
      if (gone()) leave('its folder is gone');
      else if (busy()) since = now;
      else if (now - since >= idleMs) leave('idle');
    },
    Math.max(10, Math.min(idleMs / 4, 30_000)),
  );
  timer.unref();
  return { close: () => clearInterval(timer) };
}
