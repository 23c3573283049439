/** State that must be on disk before the host ends: a failed write is tried again until it succeeds. */
export interface DurableWriter {
  /** Throws when it is not on disk yet. */
  write(): void;
  /** False when it is not. */
  tryWrite(): boolean;
  isPending(): boolean;
  /** Does not log again: the first failure was logged. */
  retry(): void;
}

export function createDurableWriter(save: () => void): DurableWriter {
  let behind = false;
  function write(): void {
    behind = true;
    save();
    behind = false;
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
    isPending: () => behind,
    retry() {
      if (behind) tryWrite();
    },
  };
}
