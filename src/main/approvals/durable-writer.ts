/** Saves state that must be on disk before the host ends. The owner calls `retry` until a failed write succeeds. */
export type DurableWriter = ReturnType<typeof createDurableWriter>;

export function createDurableWriter(save: () => void) {
  let pending = false;
  function write(): void {
    pending = true;
    save();
    pending = false;
  }
  function tryWrite(): boolean {
    try {
      write();
    } catch {
      return false;
    }
    return true;
  }

  return {
    /** Throws when saving fails. */
    write,
    /** Returns false when saving fails. */
    tryWrite,
    /** The last write failed. */
    isPending: (): boolean => pending,
    /** Saves again after a failed write. Does not throw. */
    retry(): void {
      if (pending) tryWrite();
    },
  };
}
