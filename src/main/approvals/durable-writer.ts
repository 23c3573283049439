/** Saves state that must be on disk before the host ends. The owner calls `retry` until a failed write succeeds. */
export interface DurableWriter {
  /** Throws when saving fails. */
  write(): void;
  /** Returns false when saving fails. */
  tryWrite(): boolean;
  /** The last write failed. */
  isPending(): boolean;
  /** Saves again after a failed write. Does not throw. */
  retry(): void;
}

export function createDurableWriter(save: () => void): DurableWriter {
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
    write,
    tryWrite,
    isPending: () => pending,
    retry() {
      if (pending) tryWrite();
    },
  };
}
